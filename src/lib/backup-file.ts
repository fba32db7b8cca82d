/**
 * The backup file format: JSON with one row per line. `npm run backup` and Export write it; `npm run restore` reads it.
 * PostgreSQL formats the rows, because large numbers lose digits in JavaScript.
 */

export const BACKUP_FORMAT = 'rwgps-maintenance-tracker backup'
export const BACKUP_VERSION = 1

/** The tables in a backup, in restore order. Accounts and keys are not included. */
export const BACKUP_TABLES = [
  'bikes',
  'changes',
  'parts',
  'maintenance',
  'service_tasks',
  'service_events',
  'dismissed_checks',
  'wear_measurements',
  'rides',
  'ride_syncs',
  'ride_changes',
  'settings',
] as const

export type BackupTable = (typeof BACKUP_TABLES)[number]

/** Formats a backup file. `schema` is the version of the database's newest migration. */
export function backupText(schema: string, rowsByTable: ReadonlyMap<string, readonly string[]>): string {
  const members = [
    `"format": ${JSON.stringify(BACKUP_FORMAT)}`,
    `"version": ${BACKUP_VERSION}`,
    `"schema": ${JSON.stringify(schema)}`,
    ...Array.from(
      rowsByTable,
      ([table, rows]) => `"${table}": [${rows.map((row) => `\n${row}`).join(',')}\n]`,
    ),
  ]
  return `{\n${members.join(',\n')}\n}\n`
}
