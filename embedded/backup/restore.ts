import type { Sql } from 'postgres'
import { dollarQuoted } from '../dollar-quoted.ts'
import { StartError } from '../settings.ts'
import { type Backup, FORMER } from './file.ts'
import { TABLES } from './tables.ts'

interface RestoreOptions {
  /** Whether to replace the current rows. Otherwise, restoring into a database with rows fails. */
  replace: boolean
}

// The SQLSTATE of errors whose message is for the owner.
const REJECTED = 'RMT05'
const FAILED = 'Could not restore the backup'

/** Returns SQL that restores a backup into a migrated PostgreSQL database: one statement, so it is atomic and works in any tool. */
export function restoreScript(backup: Backup, { replace }: RestoreOptions): string {
  const tablesWithSequence = TABLES.filter((table) => table.hasSequence)
  const body = [
    'declare',
    `backup constant json := ${dollarQuoted(backup.text)};`,
    'number_column record;',
    'bad numeric;',
    'begin',
    `perform set_config('timezone', 'UTC', true);`,
    // The backup already contains the journal, so don't record these changes.
    `perform set_config('tracker.command', 'backup', true);`,
    requireSchema(backup.schema),
    ...(replace ? [] : [requireEmpty()]),
    ...emptyTables(replace),
    ...backup.tables.filter(({ rows }) => rows > 0).map(insertRows),
    UPDATE_JOURNAL,
    REQUIRE_NUMBERS,
    ...tablesWithSequence.flatMap(({ name }) => [requireFreeIds(name), advanceSequence(name)]),
    ...tablesWithSequence.map(({ name }) => keepDeletedIds(name)),
    'end',
  ]
  return `do ${dollarQuoted(`\n${body.join('\n')}\n`)};\n`
}

/** Restores a backup in one transaction. Throws a StartError if that fails. */
export async function restoreBackup(sql: Sql, backup: Backup, options: RestoreOptions) {
  try {
    await sql.unsafe(restoreScript(backup, options))
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === REJECTED) throw new StartError(message)
    throw new StartError(`${FAILED} (${message}). Nothing was changed.`)
  }
}

function requireSchema(schema: string): string {
  return raiseIf(
    `coalesce((select max(version) < '${schema}' from supabase_migrations.schema_migrations), true)`,
    'This backup was made by a newer version of the tracker. Update the tracker first. Nothing was changed.',
  )
}

function requireEmpty(): string {
  return raiseIf(
    TABLES.filter(({ isReplaced }) => !isReplaced)
      .map(({ name }) => `exists (select from public.${name})`)
      .join(' or '),
    'The tracker already has data. Restore into an empty data folder, or add --replace to replace the data. Nothing was changed.',
  )
}

const UPDATE_JOURNAL = `
update public.changes as stored set before = stored.before - '${FORMER.key}', after = stored.after - '${FORMER.key}',
  command = case former.${FORMER.source} when 'import' then 'import_items' when 'restore' then 'undo' end
from json_to_recordset(backup -> 'changes') as former (id bigint, ${FORMER.source} text)
where former.id = stored.id and former.${FORMER.source} is not null;`

// This also rejects NaN, which sorts above every number. JavaScript would round integers outside this range, so ids could collide.
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
    `${FAILED}: %.% is out of range (%). Nothing was changed.`,
    'number_column.relname',
    'number_column.attname',
    'bad',
  )}
end loop;
select least(distance, duration, moving_time) into bad from public.rides
where least(distance, duration, moving_time) < 0 limit 1;
${raiseIf('bad is not null', `${FAILED}: a ride has a negative distance or time (%). Nothing was changed.`, 'bad')}
`

// Keeps half of the id range free for new rows.
function requireFreeIds(table: string): string {
  return raiseIf(
    `exists (select from public.${table} where id > ${2 ** 52})`,
    `${FAILED}: the ids of ${table} are too high to leave any for new rows. Nothing was changed.`,
  )
}

/** Returns SQL that raises `message` if `condition` holds. `values` are SQL expressions for its % placeholders. */
function raiseIf(condition: string, message: string, ...values: string[]): string {
  const raised = [`'${message}'`, ...values].join(', ')
  return `if ${condition} then raise exception ${raised} using errcode = '${REJECTED}'; end if;`
}

function emptyTables(all: boolean): string[] {
  return TABLES.filter(({ isReplaced }) => all || isReplaced)
    .map(({ name }) => `delete from public.${name};`)
    .toReversed()
}

// Columns missing from an older backup get their defaults. Unknown columns make the insert fail.
function insertRows({ name, columns }: Backup['tables'][number]): string {
  const names = columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ')
  const rows = `json_populate_recordset(null::public.${name}, backup -> '${name}')`
  return `insert into public.${name} (${names}) overriding system value select ${names} from ${rows};`
}

// Never lowers the sequence, so ids are never reused.
function advanceSequence(table: string): string {
  const sequence = `pg_get_serial_sequence('public.${table}', 'id')`
  const last = `(select last_value from public.${table}_id_seq)`
  return `perform setval(${sequence}, greatest(max(id), ${last})) from public.${table} having count(*) > 0;`
}

/** Returns SQL that keeps new rows from getting the id of a row in the trash. */
function keepDeletedIds(table: string): string {
  return `
perform setval('public.${table}_id_seq', greatest(max(row_id), (select last_value from public.${table}_id_seq)))
from public.changes where relation = '${table}' and row_id <= ${2 ** 52} having count(*) > 0;`
}
