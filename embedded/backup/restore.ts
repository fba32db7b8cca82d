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
const NOT_RESTORED = 'The backup could not be restored'

/**
 * The SQL that brings a backup into a migrated database, for any PostgreSQL. It is one statement: all of it happens or
 * nothing, and also tools that run one statement at a time can run it.
 */
export function restoreScript(backup: Backup, { replace }: RestoreOptions): string {
  const numbered = TABLES.filter((table) => table.numbered)
  const body = [
    'declare',
    `backup constant json := ${dollarQuoted(backup.text)};`,
    'number_column record;',
    'bad numeric;',
    'begin',
    `perform set_config('timezone', 'UTC', true);`,
    requireSchema(backup.schema),
    ...(replace ? emptyTables() : [requireEmpty()]),
    ...backup.tables.filter(({ rows }) => rows > 0).map(insertRows),
    REQUIRE_NUMBERS,
    ...numbered.flatMap(({ name }) => [requireMoreIds(name), moveNumbersOn(name)]),
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
    throw new StartError(`${NOT_RESTORED} (${message}); nothing was changed.`)
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

// NaN is greater than any number. JavaScript rounds integers beyond this limit, so the client couldn't tell ids apart.
const REQUIRE_NUMBERS = `
for number_column in
  select relname, attname from pg_attribute join pg_class on pg_class.oid = attrelid
  where attrelid in (${TABLES.map(({ name }) => `'public.${name}'::regclass`).join(', ')})
    and attnum > 0 and not attisdropped and atttypid in ('bigint'::regtype, 'numeric'::regtype)
loop
  execute format(
    'select %1$I from public.%2$I where %1$I not between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER} limit 1',
    number_column.attname, number_column.relname
  ) into bad;
  ${raiseIf(
    'bad is not null',
    `${NOT_RESTORED}: %.% is out of range (%). Nothing was changed.`,
    'number_column.relname',
    'number_column.attname',
    'bad',
  )}
end loop;
select least(distance, duration, moving_time) into bad from public.rides
where least(distance, duration, moving_time) < 0 limit 1;
${raiseIf('bad is not null', `${NOT_RESTORED}: a ride has a negative distance or time (%). Nothing was changed.`, 'bad')}
`

// As many ids again are left for new rows.
function requireMoreIds(table: string): string {
  return raiseIf(
    `exists (select from public.${table} where id > ${2 ** 52})`,
    `${NOT_RESTORED}: ${table} has ids so high that none would be left. Nothing was changed.`,
  )
}

/** `values` are SQL expressions that take the place of each % in the message. */
function raiseIf(condition: string, message: string, ...values: string[]): string {
  const raised = [`'${message}'`, ...values].join(', ')
  return `if ${condition} then raise exception ${raised} using errcode = '${REFUSED}'; end if;`
}

function emptyTables(): string[] {
  return TABLES.map(({ name }) => `delete from public.${name};`).toReversed()
}

// Columns that an older backup does not have get their defaults. A column that isn't retired is never left out: if the
// table doesn't have it, the insert fails.
function insertRows({ name, columns }: Backup['tables'][number]): string {
  const { retired } = TABLES.find((table) => table.name === name)!
  const kept = columns.filter((column) => !retired?.includes(column))
  const names = kept.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ')
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
