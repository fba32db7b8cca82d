interface Table {
  name: string
  key: string
  /** Which rows a backup leaves out. */
  without?: string
  /** Whether PostgreSQL numbers its rows. */
  numbered?: true
}

/** What a backup holds, in the order in which rows may be inserted. Accounts and keys are no part of it. */
export const TABLES: Table[] = [
  { name: 'bikes', key: 'gear_id' },
  { name: 'maintenance', key: 'id', numbered: true },
  { name: 'rides', key: 'id' },
  // A refresh that is running now is running nowhere once it is restored.
  { name: 'ride_syncs', key: 'id', without: `outcome = 'running'`, numbered: true },
]
