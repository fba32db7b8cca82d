-- The backup as the client reads it.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(11);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
set local timezone = 'America/New_York';

insert into public.bikes values (9007199254740993, 'Großes "Rad" 🚲'), (1, 'Road');
insert into public.rides (id, departed_at, distance, time_zone) values (5, '2024-01-01 23:30:00-11', 1234567.1234567890120, 'UTC');
insert into public.ride_syncs (triggered_by, outcome, finished_at) values ('owner', 'ok', now()), ('schedule', 'running', null);
insert into public.ride_changes (sync_id, ride_id, is_after, time_zone, is_stationary)
select id, 5, true, 'UTC', false from public.ride_syncs;

create function pg_temp.lines(relation text) returns jsonb language sql as $$
  select public.backup()::jsonb -> 'tables' -> lines.relation
$$;

select is(
  pg_temp.lines('bikes'),
  '["{\"gear_id\":1,\"name\":\"Road\",\"is_listed\":true,\"brand\":null,\"model\":null,\"is_retired\":false,\"in_use_since\":null}", "{\"gear_id\":9007199254740993,\"name\":\"Großes \\\"Rad\\\" 🚲\",\"is_listed\":true,\"brand\":null,\"model\":null,\"is_retired\":false,\"in_use_since\":null}"]'::jsonb,
  'rows are text in the order of their key, with every digit'
);
select is(
  public.backup() ->> 'schema', (select max(version) from supabase_migrations.schema_migrations),
  'schema is the version of the newest migration'
);
select matches(pg_temp.lines('rides') ->> 0, '"distance":1234567\.1234567890120,', 'numbers keep their digits');
select matches(
  pg_temp.lines('rides') ->> 0, '"departed_at":"2024-01-02T10:30:00\+00:00"', 'timestamps are in UTC, whatever the session''s time zone'
);
select doesnt_match(pg_temp.lines('rides') ->> 0, 'started_at', 'generated columns are left out');
select is(jsonb_array_length(pg_temp.lines('ride_syncs')), 1, 'a running sync is left out');
select is(jsonb_array_length(pg_temp.lines('ride_changes')), 1, 'the changes of a running sync are left out');
select is(pg_temp.lines('maintenance'), '[]'::jsonb, 'an empty table has no rows');
select volatility_is('public', 'backup', '{integer,text,boolean}'::name[], 'stable', 'all tables are read in one snapshot');

with recursive pieces (number, piece) as (
  select 1, public.backup(1)
  union all
  select number + 1, public.backup(1, piece ->> 'next') from pieces where piece ->> 'next' is not null
), lines as (
  select name, line, number, place from pieces, json_each(piece -> 'tables') as listed (name, lines),
    json_array_elements_text(lines) with ordinality as line (line, place)
)
select ok(
  (select count(*) from pieces) > 3
  and (select max(rows) from (select count(*) as rows from lines group by number) as piece) = 1
  and (select jsonb_object_agg(name, (
    select coalesce(jsonb_agg(line order by number, place), '[]') from lines where lines.name = listed.name
  )) from (select distinct json_object_keys(piece -> 'tables') as name from pieces) as listed) = public.backup()::jsonb -> 'tables',
  'pieces make up the same backup'
);

select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000b', true);
set local role authenticated;
select set_config('test.answer', coalesce(public.backup()::text, 'null'), true);
reset role;
select is(current_setting('test.answer'), 'null', 'another user gets nothing');

select * from finish();
rollback;
