import path from 'node:path'
import type { Sql, TransactionSql } from 'postgres'
import { backupText } from '../../src/lib/backup-file.ts'
import { type Backup, parseBackup, writeAtomically } from './file.ts'
import { TABLES } from './tables.ts'

type Session = Sql | TransactionSql

/** Exports all data from one snapshot as a backup file's text. PostgreSQL formats it, so equal data gives equal bytes. */
export async function exportBackup(sql: Sql): Promise<string> {
  return sql.begin('isolation level repeatable read read only', async (transaction) => {
    await transaction`set local timezone = 'UTC'`
    const schema = await column(transaction, 'select max(version) from supabase_migrations.schema_migrations')
    const rowsByTable = new Map<string, string[]>()
    for (const table of TABLES) rowsByTable.set(table.name, await exportTable(transaction, table))
    return backupText(schema[0]!, rowsByTable)
  })
}

export async function hasRows(sql: Sql): Promise<boolean> {
  for (const { name } of TABLES) {
    const exists = (await columnsOf(sql, name)).length > 0
    if (exists && (await column(sql, `select 'row' from public.${name} limit 1`)).length > 0) return true
  }
  return false
}

async function exportTable(session: Session, { name, key, exclude }: (typeof TABLES)[number]) {
  const columns = await columnsOf(session, name)
  const rows = `select ${columns.join(', ')} from public.${name}${exclude ? ` where not (${exclude})` : ''}`
  return column(
    session,
    `select row_to_json(exported)::text from (${rows}) as exported order by exported.${key}`,
  )
}

// Skips generated columns, since PostgreSQL recomputes them.
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

export async function backUp(sql: Sql, file: string): Promise<Backup> {
  const text = await exportBackup(sql)
  await writeAtomically(file, text)
  return parseBackup(text, file)
}

/** Returns the default path of a backup: `<prefix>-backup-<time>-<schema>.json`. */
export function backupFile(prefix: string, schema: string, now = new Date()): string {
  const time = now.toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return path.resolve(`${prefix}-backup-${time}-${schema}.json`)
}
