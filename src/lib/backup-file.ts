/**
 * What a backup file is: JSON with a row on each line, written by `npm run backup` and by Export alike, and read by
 * `npm run restore`. The rows are text that PostgreSQL wrote: numbers that went through JavaScript may lose digits.
 */

export const BACKUP_FORMAT = 'rwgps-maintenance-tracker backup'
export const BACKUP_VERSION = 1

/** What a backup holds, in the order in which rows may be inserted. Accounts and keys are no part of it. */
export const BACKUP_TABLES = ['bikes', 'maintenance', 'rides', 'ride_syncs'] as const

export type BackupTable = (typeof BACKUP_TABLES)[number]

/** The text of a backup file; `schema` is the version of the newest migration of the database that the rows are from. */
export function backupText(schema: string, rowsByTable: ReadonlyMap<BackupTable, readonly string[]>): string {
  const members = [
    `"format": ${JSON.stringify(BACKUP_FORMAT)}`,
    `"version": ${BACKUP_VERSION}`,
    `"schema": ${JSON.stringify(schema)}`,
    ...BACKUP_TABLES.flatMap((table) => {
      const rows = rowsByTable.get(table)
      return rows ? [`"${table}": [${rows.map((row) => `\n${row}`).join(',')}\n]`] : []
    }),
  ]
  return `{\n${members.join(',\n')}\n}\n`
}
