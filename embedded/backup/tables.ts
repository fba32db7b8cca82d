import { BACKUP_TABLES, type BackupTable } from '../../src/lib/backup-file.ts'

interface Table {
  key: string
  /** Which rows a backup leaves out. */
  without?: string
  /** Whether PostgreSQL numbers its rows. */
  numbered?: true
  /** Columns that older backups have and a migration has dropped since. */
  retired?: string[]
}

const KNOWN: Record<BackupTable, Table> = {
  bikes: { key: 'gear_id' },
  maintenance: { key: 'id', numbered: true },
  rides: { key: 'id' },
  // A refresh that is running now is running nowhere once it is restored.
  ride_syncs: { key: 'id', without: `outcome = 'running'`, numbered: true, retired: ['found_empty'] },
}

/** The tables of a backup as they are exported and restored here, in the order in which rows may be inserted. */
export const TABLES = BACKUP_TABLES.map((name) => Object.assign({ name }, KNOWN[name]))
