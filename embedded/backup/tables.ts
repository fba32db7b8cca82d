import { BACKUP_TABLES, type BackupTable } from '../../src/lib/backup-file.ts'

interface Table {
  key: string
  /** SQL condition for rows to leave out of backups. */
  exclude?: string
  hasSequence?: true
  /** The schema of the first backups with the table. Restoring an older one leaves the table empty, except for rows added by triggers. */
  since?: string
  /** Whether a database with rows in only this table counts as empty. */
  isReplaced?: true
  /** Dropped columns that older backups still contain. */
  dropped?: string[]
}

// The newest migration of version 1.0's first preview.
const FIRST_PREVIEW = '20261121176620'

const OPTIONS: Record<BackupTable, Table> = {
  bikes: { key: 'gear_id' },
  changes: { key: 'id', hasSequence: true, since: FIRST_PREVIEW },
  parts: { key: 'id', hasSequence: true, since: FIRST_PREVIEW },
  maintenance: { key: 'id', hasSequence: true },
  service_tasks: { key: 'id', hasSequence: true, since: FIRST_PREVIEW },
  service_events: { key: 'id', hasSequence: true, since: FIRST_PREVIEW },
  dismissed_checks: { key: 'id', hasSequence: true, since: FIRST_PREVIEW },
  wear_measurements: { key: 'id', hasSequence: true, since: FIRST_PREVIEW },
  rides: { key: 'id' },
  // A sync that was running can't continue after a restore.
  ride_syncs: { key: 'id', exclude: `outcome = 'running'`, hasSequence: true, dropped: ['found_empty'] },
  ride_changes: {
    key: 'id',
    exclude: `sync_id in (select id from public.ride_syncs where outcome = 'running')`,
    hasSequence: true,
    since: FIRST_PREVIEW,
  },
  settings: { key: 'is_the_one', since: '20261123', isReplaced: true },
}

/** A backup's tables, in an order that satisfies foreign keys. */
export const TABLES = BACKUP_TABLES.map((name) => Object.assign({ name }, OPTIONS[name]))
