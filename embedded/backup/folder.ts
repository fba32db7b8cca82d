import path from 'node:path'
import { exportBackup, type Session } from './export.ts'
import { parseBackup, writeWhole, type Backup } from './file.ts'

/** Backs the database up into `file`. */
export async function backUp(session: Session, file: string): Promise<Backup> {
  const text = await exportBackup(session)
  await writeWhole(file, text)
  return parseBackup(text, file)
}

/** Where a backup lies unless somebody says so: beside the database's folder, named by the moment and the schema. */
export function backupFile(databaseFolder: string, schema: string, now = new Date()): string {
  const moment = now.toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return path.resolve(`${databaseFolder}-backup-${moment}-${schema}.json`)
}
