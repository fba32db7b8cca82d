import { NOTICE_FOR_OWNER } from './postgres/connect.ts'

/** The new names of tables and columns, by their names in the last preview of version 1.0. Each name is only in one table. */
const NEW_NAMES: Record<string, string> = {
  log_changes: 'changes',
  group_id: 'change',
  missed_by: 'missing_since_sync',
  set_aside: 'skipped',
  waiting: 'pending_removals',
  waiting_from: 'pending_since',
  doubt: 'mismatch',
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

/** Returns whether the newest migration of a backup's source is older than the new names. */
export const isConverted = (schema: string) => schema < '20261123'

export const newName = (name: string) => (Object.hasOwn(NEW_NAMES, name) ? NEW_NAMES[name]! : name)

/** Returns the name of a table in the preview. */
export const formerName = (name: string) =>
  Object.keys(NEW_NAMES).find((former) => NEW_NAMES[former] === name) ?? name

/** Returns SQL that gives these columns of `line`, a row as a jsonb object, their new names. */
export function renamed(columns: string[]): string {
  const former = columns.filter((column) => newName(column) !== column)
  const values = former.map((column) => `'${newName(column)}', line -> '${column}'`)
  return `(line - '{${former.join()}}'::text[] || jsonb_build_object(${values.join()}))`
}

/** SQL statements that give the rows that an upgrade copies their new names. */
export const CONVERSIONS = Object.entries(NEW_NAMES)
  .map(
    ([former, name]) => `
      update old_rows set relation = 'public.${name}' where relation = 'public.${former}';
      update old_ids set relation = 'public.${name}' where relation = 'public.${former}';
      update old_rows set line = ${renamed([former])} where line ? '${former}';`,
  )
  .join('')
