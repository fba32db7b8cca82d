import { BACKUP_TABLES, type BackupTable } from '../../src/lib/backup-file.ts'

interface Table {
  key: string
  /** SQL condition for rows to leave out of backups. */
  exclude?: string
  hasSequence?: true
  /** Whether a database with rows in only this table counts as empty. */
  isReplaced?: true
}

const OPTIONS: Record<BackupTable, Table> = {
  bikes: { key: 'gear_id' },
  changes: { key: 'id', hasSequence: true },
  parts: { key: 'id', hasSequence: true },
  maintenance: { key: 'id', hasSequence: true },
  service_tasks: { key: 'id', hasSequence: true },
  service_events: { key: 'id', hasSequence: true },
  dismissed_checks: { key: 'id', hasSequence: true },
  wear_measurements: { key: 'id', hasSequence: true },
  rides: { key: 'id' },
  // A sync that was running can't continue after a restore.
  ride_syncs: { key: 'id', exclude: `outcome = 'running'`, hasSequence: true },
  ride_changes: {
    key: 'id',
    exclude: `sync_id in (select id from public.ride_syncs where outcome = 'running')`,
    hasSequence: true,
  },
  settings: { key: 'is_the_one', isReplaced: true },
}

/** A backup's tables, in an order that satisfies foreign keys. */
export const TABLES = BACKUP_TABLES.map((name) => Object.assign({ name }, OPTIONS[name]))
