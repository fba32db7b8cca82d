import type { Sql, TransactionSql } from 'postgres'
import { type BackupTable, backupText } from '../../src/lib/backup-file.ts'
import { TABLES } from './tables.ts'

type Session = Sql | TransactionSql

/**
 * The text of a backup file: everything worth keeping, as of one moment. Equal contents give equal bytes, since rows are
 * ordered by key and PostgreSQL itself writes numbers and times.
 */
export async function exportBackup(sql: Sql): Promise<string> {
  return sql.begin('isolation level repeatable read read only', async (transaction) => {
    await transaction`set local timezone = 'UTC'`
    const schema = await column(transaction, 'select max(version) from supabase_migrations.schema_migrations')
    const rowsByTable = new Map<BackupTable, string[]>()
    for (const table of TABLES) {
      const rows = await exportTable(transaction, table)
      // An older database may not have the table yet.
      if (rows) rowsByTable.set(table.name, rows)
    }
    return backupText(schema[0]!, rowsByTable)
  })
}

/** Whether there is any row to keep. */
export async function hasRows(sql: Sql): Promise<boolean> {
  for (const { name } of TABLES) {
    const exists = (await columnsOf(sql, name)).length > 0
    if (exists && (await column(sql, `select 'row' from public.${name} limit 1`)).length > 0) return true
  }
  return false
}

async function exportTable(session: Session, { name, key, without }: (typeof TABLES)[number]) {
  const columns = await columnsOf(session, name)
  if (columns.length === 0) return undefined
  const rows = `select ${columns.join(', ')} from public.${name}${without ? ` where not (${without})` : ''}`
  return column(session, `select row_to_json(kept)::text from (${rows}) as kept order by kept.${key}`)
}

// Generated columns are computed again.
function columnsOf(session: Session, table: string): Promise<string[]> {
  return column(
    session,
    `select quote_ident(attname) from pg_attribute
     where attrelid = to_regclass('public.${table}') and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
  )
}

async function column(session: Session, sql: string): Promise<string[]> {
  const rows = await session.unsafe(sql).values()
  return rows.map(([value]) => value as string)
}
