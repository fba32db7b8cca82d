import type { Sql } from 'postgres'
import { StartError } from '../settings.ts'
import type { Backup } from './file.ts'
import { TABLES } from './tables.ts'

export interface RestoreOptions {
  /** Puts the backup in the place of what is there; without it a database with rows is refused. */
  replace: boolean
}

// What the script raises itself, in a sentence meant for the owner.
const REFUSED = 'RMT05'

/**
 * The SQL that brings a backup into a migrated database, for any PostgreSQL. It is one statement: all of it happens or
 * nothing, and also tools that run one statement at a time can run it.
 */
export function restoreScript(backup: Backup, { replace }: RestoreOptions): string {
  const body = [
    'declare',
    `backup constant json := ${dollarQuoted(backup.text)};`,
    'begin',
    `perform set_config('timezone', 'UTC', true);`,
    requireSchema(backup.schema),
    ...(replace ? emptyTables() : [requireEmpty()]),
    ...backup.tables.filter(({ rows }) => rows > 0).map(insertRows),
    ...TABLES.filter(({ numbered }) => numbered).map(({ name }) => moveNumbersOn(name)),
    'end',
  ]
  return `do ${dollarQuoted(`\n${body.join('\n')}\n`)};\n`
}

/** Restores a backup completely, or throws a StartError and changes nothing. */
export async function restoreBackup(sql: Sql, backup: Backup, options: RestoreOptions) {
  try {
    await sql.unsafe(restoreScript(backup, options))
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === REFUSED) throw new StartError(message)
    throw new StartError(`The backup could not be restored (${message}); nothing was changed.`)
  }
}

function requireSchema(schema: string): string {
  return raiseIf(
    `coalesce((select max(version) < '${schema}' from supabase_migrations.schema_migrations), true)`,
    'The backup was made by a newer version of the tracker; update this one first. Nothing was changed.',
  )
}

function requireEmpty(): string {
  return raiseIf(
    TABLES.map(({ name }) => `exists (select from public.${name})`).join(' or '),
    'There are bikes, rides or records already; restore into an empty tracker, or give --replace to put the backup in their place. Nothing was changed.',
  )
}

function raiseIf(condition: string, message: string): string {
  return `if ${condition} then raise exception '${message}' using errcode = '${REFUSED}'; end if;`
}

function emptyTables(): string[] {
  return TABLES.map(({ name }) => `delete from public.${name};`).toReversed()
}

// Columns that an older backup does not have get their defaults.
function insertRows({ name, columns }: Backup['tables'][number]): string {
  const names = columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ')
  return (
    `insert into public.${name} (${names}) overriding system value ` +
    `select ${names} from json_populate_recordset(null::public.${name}, backup -> '${name}');`
  )
}

// Never back: a number that was given out once is not given out again.
function moveNumbersOn(table: string): string {
  const numbers = `pg_get_serial_sequence('public.${table}', 'id')`
  const last = `(select last_value from public.${table}_id_seq)`
  return `perform setval(${numbers}, greatest(max(id), ${last})) from public.${table} having count(*) > 0;`
}

/** Between marks that do not occur in the text. */
function dollarQuoted(text: string): string {
  let mark = '$backup$'
  for (let tries = 1; text.includes(mark); tries++) mark = `$backup${tries}$`
  return `${mark}${text}${mark}`
}
