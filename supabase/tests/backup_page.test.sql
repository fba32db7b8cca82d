-- The pages of a backup that the client reads.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(13);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
set local timezone = 'America/New_York';

insert into public.bikes values (9007199254740993, 'Großes "Rad" 🚲'), (1, 'Road');
insert into public.rides (id, departed_at, distance, time_zone) values (5, '2024-01-01 23:30:00-11', 1234567.1234567890120, 'UTC');
insert into public.ride_syncs (triggered_by, outcome, finished_at) values ('owner', 'ok', now()), ('schedule', 'running', null);
insert into public.ride_changes (sync_id, ride_id, is_after, time_zone, is_stationary)
select id, 5, true, 'UTC', false from public.ride_syncs;

create function pg_temp.page(relation text, after bigint default null) returns jsonb language sql as $$
  select public.backup_page(page.relation, page.after)::jsonb
$$;

select is(
  pg_temp.page('bikes') - 'schema',
  '{"rows": ["{\"gear_id\":1,\"name\":\"Road\",\"is_listed\":true,\"brand\":null,\"model\":null,\"is_retired\":false}", "{\"gear_id\":9007199254740993,\"name\":\"Großes \\\"Rad\\\" 🚲\",\"is_listed\":true,\"brand\":null,\"model\":null,\"is_retired\":false}"], "last": "9007199254740993", "total": 2}'::jsonb,
  'rows are text in the order of their key, with every digit'
);
select is(
  pg_temp.page('bikes') ->> 'schema', (select max(version) from supabase_migrations.schema_migrations),
  'schema is the version of the newest migration'
);
select matches(pg_temp.page('rides') #>> '{rows,0}', '"distance":1234567\.1234567890120,', 'numbers keep their digits');
select matches(
  pg_temp.page('rides') #>> '{rows,0}', '"departed_at":"2024-01-02T10:30:00\+00:00"', 'timestamps are in UTC, whatever the session''s time zone'
);
select doesnt_match(pg_temp.page('rides') #>> '{rows,0}', 'started_at', 'generated columns are left out');
select is(jsonb_array_length(pg_temp.page('ride_syncs') -> 'rows'), 1, 'a running sync is left out');
select is(jsonb_array_length(pg_temp.page('ride_changes') -> 'rows'), 1, 'so are its changes');
select is(
  pg_temp.page('maintenance') - 'schema', '{"rows": [], "last": null, "total": 0}'::jsonb, 'an empty table has an empty page'
);

insert into public.maintenance (id, "bikeId", name) select n, 1, 'Part' from generate_series(1, 1001) as n;
select is(jsonb_array_length(pg_temp.page('maintenance') -> 'rows'), 1000, 'a page has a thousand rows');
select is(
  pg_temp.page('maintenance', (pg_temp.page('maintenance') ->> 'last')::bigint) #>> '{rows,0}',
  (select row_to_json(item)::text from public.maintenance as item where id = 1001), 'the next page starts after the last row'
);

select throws_ok($$select public.backup_page('users')$$, '22023', null, 'a table that backups do not contain is rejected');
select throws_ok($$select public.backup_page('bikes" where false; --')$$, '22023', null, 'an SQL injection is rejected');

select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000b', true);
set local role authenticated;
select set_config('test.answer', public.backup_page('bikes')::text, true);
reset role;
select is(
  current_setting('test.answer')::jsonb, '{"schema": null, "rows": [], "last": null, "total": 0}'::jsonb, 'another user gets no rows'
);

select * from finish();
rollback;
