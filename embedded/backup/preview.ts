import type { Sql } from 'postgres'

/** The newest migration of the last preview of version 1.0 (commit 3b84a2e3). */
export const PREVIEW = '20261123101700'

export async function isPreview(sql: Sql): Promise<boolean> {
  const [newest] = await sql`
    select max(version) = ${PREVIEW} as "isPreview" from supabase_migrations.schema_migrations`
  return newest!.isPreview
}

/** Tells the owner what to do with data of an earlier preview. */
export const START_PREVIEW =
  'Start the last preview of version 1.0 (commit 3b84a2e3) with it once, then this version.'

/** SQL that lists a preview's rows for a restore, by its own `backup`, as if its owner called it. */
export const LIST_ROWS = `
create or replace function private.is_owner() returns boolean language sql as 'select true';
create temporary table restored on commit drop as
  select row_number() over () as place, relation, line::json as line
  from json_each(public.backup() -> 'tables') as listed (relation, lines)
  left join lateral json_array_elements_text(lines) as line on true;
create index on pg_temp.restored (place)`

/** SQL that reads the listed rows as the SQL function `backup` does: up to $1 rows after $2. */
export const READ_ROWS = `
select '${PREVIEW}' as schema, json_object_agg(relation, lines order by last) as tables,
  case when sum(number) = $1 then max(last)::text end as next
from (
  select relation, coalesce(json_agg(line::text order by place) filter (where line is not null), '[]') as lines,
    max(place) as last, count(*) as number
  from (select * from pg_temp.restored where place > coalesce($2, 0) order by place limit $1) as piece group by relation
) as listed`

/** SQL that changes the listed rows to those of version 1.0: without what quick checks compared and keys of requests, and with commands in the journal. */
export const UPDATE_ROWS = `
update pg_temp.restored set line = (
  (line::jsonb - '{request_key,source,home_zone,newest_ids,is_answered}'::text[]) #- '{before,request_key}' #- '{after,request_key}' || case
    when line::jsonb ? 'source' then jsonb_build_object('command', case line ->> 'source' when 'import' then 'import_items' when 'restore' then 'undo' end)
    else '{}'
  end
)::json where line is not null`
