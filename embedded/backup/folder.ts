import path from 'node:path'
import type { Sql } from 'postgres'
import { exportBackup } from './export.ts'
import { parseBackup, writeAtomically, type Backup } from './file.ts'

/** Writes a backup of the database to `file`. */
export async function backUp(sql: Sql, file: string): Promise<Backup> {
  const text = await exportBackup(sql)
  await writeAtomically(file, text)
  return parseBackup(text, file)
}

/** The default name of a backup: `<prefix>-backup-<time>-<schema>.json`. */
export function backupFile(prefix: string, schema: string, now = new Date()): string {
  const time = now.toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return path.resolve(`${prefix}-backup-${time}-${schema}.json`)
}
