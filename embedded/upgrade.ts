import { rm } from 'node:fs/promises'
import type { Sql, TransactionSql } from 'postgres'
import { writeBackup } from './backup/export.ts'
import { LIST_ROWS, PREVIEW, READ_ROWS, UPDATE_ROWS } from './backup/preview.ts'
import { commandLine } from './installation.ts'
import { StartError } from './settings.ts'

/** Instructions for moving the data of a database that this version can't open. */
export const MOVE_DATA =
  `Or move the data: run ${commandLine('backup')} tracker.json with the version that created the database, then ` +
  `${commandLine('restore')} tracker.json with this one and TRACKER_DATA_DIR set to an empty folder, or DATABASE_URL to an empty database.`

const TABLES = [
  'owner',
  'access_tokens',
  'push_subscriptions',
  'announced_tasks',
  'channel_states',
  'calendar_feed',
]

// Tables that no backup contains.
const KEEP = `
create temporary table kept on commit drop as
${TABLES.map((name) => `select '${name}' as relation, to_jsonb(kept) as line from private.${name} as kept`).join(' union all\n')}`

// The lock keeps others from writing rows that would be lost. Dropping the tables fails if anything else depends on them.
const LOCK = `
do $$
declare
  stored regclass;
begin
  for stored in select oid from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace) loop
    execute format('lock table %s', stored);
  end loop;
end
$$`

/** SQL that drops everything that the tracker created, except tables. */
export const DROP_OBJECTS = `
do $$
declare
  created text;
begin
  drop schema private cascade;
  for created in
    select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace and exists (
      select from supabase_migrations.schema_migrations
      where array_to_string(statements, '') like format('%%create function public.%I(%%', proname)
    )
  loop
    execute format('drop function %s', created);
  end loop;
end
$$;`

const DROP = `${DROP_OBJECTS}
do $$
begin
  execute (select format('drop table %s', string_agg(distinct format('public.%I', relation), ', ')) from pg_temp.restored);
  delete from supabase_migrations.schema_migrations;
end
$$`

const RESTORE = `select private.restore('${PREVIEW}', (select array_agg(distinct relation) from pg_temp.restored), false)`

// The migrations made the account the owner already. The feed's token was stored with the feed.
const PUT_BACK = `
delete from private.owner;
${TABLES.map(
  (name) => `
insert into private.${name} overriding system value
select put_back.* from pg_temp.kept, jsonb_populate_record(null::private.${name}, line) as put_back where relation = '${name}' and line -> 'content_hash' is distinct from 'null';`,
).join('')}
select setval(pg_get_serial_sequence('private.access_tokens', 'id'), max(id)) from private.access_tokens;
insert into private.access_tokens (owner_id, token_hash, name, scope)
select user_id, (line ->> 'token_hash')::bytea, 'Calendar feed', 'calendar' from pg_temp.kept, private.owner
where relation = 'calendar_feed' and line ->> 'token_hash' is not null;`

/** Upgrades a database of the last preview by its own backup, which also becomes a file, in one transaction. */
export async function upgradePreview(
  sql: Sql,
  file: string,
  migrate: (transaction: TransactionSql) => Promise<void>,
): Promise<void> {
  try {
    await sql.begin(async (transaction) => {
      const run = (statement: string) => transaction.unsafe(statement)
      await run(LOCK)
      await run(LIST_ROWS)
      await run(KEEP)
      await writeBackup(transaction, file, READ_ROWS)
      await run(UPDATE_ROWS)
      await run(DROP)
      await migrate(transaction)
      await run(RESTORE)
      await run(PUT_BACK)
    })
  } catch (cause) {
    await rm(file, { force: true })
    throw new StartError(`The upgrade failed and was undone: ${(cause as Error).message}. ${MOVE_DATA}`, {
      cause,
    })
  }
}
