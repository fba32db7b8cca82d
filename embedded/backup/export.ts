import { type BackupTable, backupText } from '../../src/lib/backup-file.ts'
import { TABLES } from './tables.ts'

/** A session of a PostgreSQL database: PGlite, or node-postgres's client. */
export interface Session {
  query(sql: string): Promise<{ rows: unknown[] }>
}

/**
 * Everything worth keeping, as the text of a backup file. Equal contents give equal bytes: rows are ordered by key, and
 * numbers and times are written by PostgreSQL. The session must be the caller's alone meanwhile, outside a transaction.
 */
export async function exportBackup(session: Session): Promise<string> {
  await session.query('begin isolation level repeatable read, read only')
  try {
    await session.query(`set local timezone = 'UTC'`)
    const schema = await column(session, 'select max(version) from supabase_migrations.schema_migrations')
    const rowsByTable = new Map<BackupTable, string[]>()
    for (const table of TABLES) {
      const rows = await exportTable(session, table)
      // A database of before the migration that makes this table.
      if (rows) rowsByTable.set(table.name, rows)
    }
    return backupText(schema[0]!, rowsByTable)
  } finally {
    await session.query('rollback')
  }
}

/** Whether there is any row to keep. */
export async function hasRows(session: Session): Promise<boolean> {
  for (const { name } of TABLES) {
    const exists = (await columnsOf(session, name)).length > 0
    if (exists && (await column(session, `select from public.${name} limit 1`)).length > 0) return true
  }
  return false
}

async function exportTable(session: Session, { name, key, without }: (typeof TABLES)[number]) {
  const columns = await columnsOf(session, name)
  if (columns.length === 0) return undefined
  const rows = `select ${columns.join(', ')} from public.${name}${without ? ` where not (${without})` : ''}`
  return column(session, `select row_to_json(kept)::text from (${rows}) as kept order by kept.${key}`)
}

// Those that are computed from others are computed again.
function columnsOf(session: Session, table: string): Promise<string[]> {
  return column(
    session,
    `select quote_ident(attname) from pg_attribute
     where attrelid = to_regclass('public.${table}') and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
  )
}

async function column(session: Session, sql: string): Promise<string[]> {
  const { rows } = await session.query(sql)
  return rows.map((row) => Object.values(row as Record<string, string>)[0]!)
}
