import { NOTICE_FOR_OWNER } from './postgres/connect.ts'

/** How a table has changed since the last preview of version 1.0. */
interface Change {
  /** The table's new name. */
  table?: string
  /** New names of columns, by their old names. */
  columns?: Record<string, string>
}

/** The changed tables by their old names. Upgrades and restores of older backups convert their rows. */
const CHANGES: Record<string, Change> = {
  rides: { columns: { missed_by: 'missing_since_sync' } },
  ride_syncs: {
    columns: {
      set_aside: 'skipped',
      waiting: 'pending_removals',
      waiting_from: 'pending_since',
      doubt: 'mismatch',
    },
  },
  log_changes: { table: 'changes', columns: { group_id: 'change' } },
}

/** PL/pgSQL statements that run after all rows are copied, for values that depend on other tables' rows. */
export const AFTER_COPYING = `
declare
  removed integer;
begin
  -- Changes of tasks contained only the part. Those of removed tasks can't be undone.
  update public.changes set before = to_jsonb(task) || before, after = to_jsonb(task) || after
  from public.service_tasks as task where relation = 'service_tasks' and row_id = task.id;
  delete from public.changes where relation = 'service_tasks' and not before ? 'id';
  get diagnostics removed = row_count;
  if removed > 0 then
    raise notice using errcode = '${NOTICE_FOR_OWNER}',
      message = format('Left out of the trash: %s changes of service tasks that were removed since.', removed);
  end if;
end;`

/** Returns whether the newest migration of a backup's source is older than the changes. */
export const isConverted = (schema: string) => schema < '20261123'

/** Returns the name of a table before the changes. */
export const formerName = (table: string) =>
  Object.keys(CHANGES).find((name) => CHANGES[name]!.table === table) ?? table

/** Returns a table's new name, its columns' new names, and SQL that converts a row: an expression of `line`, a jsonb object. */
export function conversionOf(name: string) {
  const { table = name, columns = {} } = CHANGES[name] ?? {}
  const values = Object.entries(columns).map(([from, to]) => `'${to}', line -> '${from}'`)
  return {
    table,
    columnOf: (column: string) => columns[column] ?? column,
    line: values.length
      ? `(line - '{${Object.keys(columns).join(',')}}'::text[] || jsonb_build_object(${values.join(', ')}))`
      : 'line',
  }
}

/** SQL statements that convert the rows that an upgrade copies. */
export const CONVERSIONS = Object.keys(CHANGES)
  .map((name) => {
    const { table, line } = conversionOf(name)
    const set = `set relation = 'public.${table}'`
    return `update old_rows ${set}, line = ${line} where relation = 'public.${name}';
      update old_ids ${set} where relation = 'public.${name}';`
  })
  .join('\n')
