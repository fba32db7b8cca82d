import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { ROOT } from './installation.ts'

export const MIGRATIONS = path.join(ROOT, 'supabase/migrations')

export interface Migration {
  version: string
  name: string
  sql: string
}

/** Reads a folder's migrations in order. File names follow the Supabase CLI's format: `<14 digits>_<name>.sql`. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{14}_.+\.sql$/.test(file)).toSorted()
  return Promise.all(
    files.map(async (file) => ({
      version: file.slice(0, 14),
      name: file.slice(15, -'.sql'.length),
      sql: await readFile(path.join(folder, file), 'utf8'),
    })),
  )
}
