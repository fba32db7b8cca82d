import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { backUp } from '../embedded/backup/export.ts'
import { readBackup } from '../embedded/backup/file.ts'
import { restoreBackup, restoreScript } from '../embedded/backup/restore.ts'
import { temporaryFolder } from './running.ts'

async function withFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const { folder, remove } = await temporaryFolder()
  return use(path.join(folder, 'backup.json')).finally(remove)
}

/** Returns the text of a backup. */
export const backupOf = (sql: Sql) =>
  withFile(async (file) => {
    await backUp(sql, file)
    return readFile(file, 'utf8')
  })

export const restore = (sql: Sql, text: string, replace = false) =>
  withFile(async (file) => {
    await writeFile(file, text)
    await restoreBackup(sql, await readBackup(file), { replace })
  })

/** Returns a backup's rows by table. */
export const tablesOf = (text: string) =>
  Object.fromEntries(Object.entries(JSON.parse(text) as object).filter(([, rows]) => Array.isArray(rows)))

/** Returns the SQL that restores a backup. */
export const scriptOf = (text: string, replace = false) =>
  withFile(async (file) => {
    await writeFile(file, text)
    const parts = await Array.fromAsync(restoreScript(await readBackup(file), { replace }))
    return parts.join('')
  })
