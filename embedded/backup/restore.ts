import type { Sql, TransactionSql } from 'postgres'
import { quoted } from '../quoted.ts'
import { StartError } from '../settings.ts'
import { type Backup, readRows } from './file.ts'
import { PREVIEW, UPDATE_ROWS } from './preview.ts'

interface RestoreOptions {
  /** Whether to replace the current rows. Otherwise, restoring into a database with rows fails. */
  replace: boolean
}

// The SQLSTATE of errors whose message is for the owner.
const REJECTED = 'RMT05'

/** Yields the SQL statements of one transaction that restores a backup in pieces. The last one is an expression. */
async function* statementsOf(backup: Backup, { replace }: RestoreOptions): AsyncGenerator<string> {
  yield 'create temporary table restored (relation text, line json) on commit drop'
  for await (const { table, rows } of readRows(backup))
    yield `insert into pg_temp.restored select ${quoted(table)}, json_array_elements(${quoted(rows)})`
  if (backup.schema === PREVIEW) yield UPDATE_ROWS
  const names = [...backup.tables.keys()].map(quoted).join()
  yield `select private.restore(${quoted(backup.schema)}, array[${names}]::text[], ${replace})`
}

/**
 * Yields SQL that restores a backup into a migrated PostgreSQL database: one statement, so it is atomic and works in any tool. A
 * statement is in memory as a whole, so with files, which may be long, it is one transaction of several.
 */
export async function* restoreScript(backup: Backup, options: RestoreOptions): AsyncGenerator<string> {
  if (hasFiles(backup)) {
    yield 'begin;\n'
    for await (const statement of statementsOf(backup, options)) yield `${statement};\n`
    yield 'commit;\n'
    return
  }
  const tag = `$restore_${crypto.randomUUID().replaceAll('-', '')}$`
  yield `do ${tag}\nbegin\n`
  for await (const statement of statementsOf(backup, options))
    yield `${statement.replace(/^select/, 'perform')};\n`
  yield `end\n${tag};\n`
}

const hasFiles = ({ tables }: Backup) => (tables.get('file_contents') ?? 0) > 0

/** Restores a backup in one transaction. Throws a StartError if that fails. */
export async function restoreBackup(sql: Sql, backup: Backup, options: RestoreOptions): Promise<void> {
  const restore = async (transaction: TransactionSql) => {
    for await (const statement of statementsOf(backup, options)) await transaction.unsafe(statement)
  }
  try {
    await sql.begin(restore)
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === REJECTED) throw new StartError(message)
    throw new StartError(`Could not restore the backup (${message}). Nothing was changed.`)
  }
}
