-- Sync steps.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(33);

create temp table sync as select public.start_ride_sync('owner') as id;
select isnt(id, null, 'a sync starts') from sync;
select is(public.start_ride_sync('schedule'), null, 'a second sync does not start at the same time');

select is(
  public.claim_rwgps_account(id, 7, '[{"gear_id": 1, "name": "Road", "brand": "Trek", "model": "Domane", "is_retired": true}, {"gear_id": 2, "name": "Gravel", "is_retired": true}]') ->> 'claim',
  'accepted', 'a first account is accepted, and its bikes are stored'
) from sync;
select public.claim_rwgps_account(id, 7, '[{"gear_id": 1, "name": "Winter"}]') from sync;
select results_eq(
  'select gear_id, name, brand, is_retired, is_listed from public.bikes order by gear_id',
  $$values (1::bigint, 'Winter', null, false, true), (2, 'Gravel', null, true, false)$$,
  'a changed bike is updated, and a bike that is not in the list stays'
);
select set_eq('select gear_id from public.bikes where is_listed', array[1::bigint], 'a bike that is not in the list is marked as unlisted');
select public.claim_rwgps_account(id, 7, '[]') from sync;
select set_eq('select gear_id from public.bikes where is_listed', array[1::bigint], 'an empty list marks no bikes');
select is((select rwgps_user_name from public.ride_syncs), null, 'an account without a name is accepted');
select public.claim_rwgps_account(id, 7, '[]', rwgps_user_name => 'Zoë') from sync;
select public.claim_rwgps_account(id, 8, '[]', rwgps_user_name => 'Foreign') from sync;
select is((select rwgps_user_name from public.ride_syncs), 'Zoë', 'the name of the account is stored, and that of a refused account is not');
select is(
  public.claim_rwgps_account(id, 8, '[{"gear_id": 3, "name": "Foreign"}]')::jsonb, '{"claim": "refused"}', 'another account is refused'
) from sync;
select is((select count(*) from public.bikes), 2::bigint, 'the bikes of a refused account are not stored');

create temp table page as select '[
  {"id": 11, "name": "Morning Ride", "gear_id": 1, "created_at": "2026-02-18T04:09:43Z", "departed_at": "2026-02-17T23:27:00Z",
   "time_zone": "America/New_York", "distance": 46699.4, "duration": 16844, "moving_time": 10461, "avg_watts": 209.939,
   "highlighted_photo_id": null, "is_stationary": false, "has_map": true},
  {"id": 12, "name": null, "gear_id": null, "created_at": "2015-10-18T17:51:14Z", "departed_at": null, "time_zone": "Nowhere/Land", "distance": 14098.8},
  {"id": 13, "name": "Auckland", "gear_id": 99, "created_at": "2024-03-01T00:00:00Z", "departed_at": "2024-02-28T19:00:00Z", "time_zone": "Pacific/Auckland"}
]'::jsonb as rows;
select results_eq(
  'select stored.added, stored.changed from sync, page, lateral public.store_rides(sync.id, page.rows::json) as stored',
  'values (3, 0)', 'a page of three new rides adds three'
);
select is((select time_zone from public.rides where id = 12), 'UTC', 'an unknown zone becomes UTC');

select is(
  (public.claim_rwgps_account(id, 7, '[]') -> 'stored')::jsonb - '{max_speed,avg_speed,avg_hr,max_hr,max_watts,avg_cad,elevation_gain,highlighted_photo_id,updated_at}'::text[],
  '{"id": 3, "distance": 2, "moving_time": 1, "duration": 1, "departed_at": 2, "created_at": 3, "gear_id": 2, "name": 2, "avg_watts": 1, "time_zone": 3, "is_stationary": 3, "has_map": 3}',
  'a claim returns how many stored rides have each field'
) from sync;

select results_eq(
  'select stored.added, stored.changed from sync, page, lateral public.store_rides(sync.id, page.rows::json) as stored',
  'values (0, 0)', 'storing the same page again adds and changes nothing'
);
select results_eq(
  $$select stored.added, stored.changed from sync, page,
    lateral public.store_rides(sync.id, jsonb_set(page.rows, '{0,gear_id}', '2')::json, '{"14 distance", "#9 id"}') as stored$$,
  'values (0, 1)', 'a ride with another gear_id is changed'
);
select results_eq(
  'select fetched, added, changed, skipped, skipped_rows from public.ride_syncs',
  $$values (11, 3, 1, 2, E'14 distance\n#9 id')$$, 'the sync history has the counts and the skipped rows'
);
select public.store_rides(id, '[]', array(select n || ' distance' from generate_series(101, 300) as n)) from sync;
select is((select skipped from public.ride_syncs), 202, 'every skipped row is counted');
select is(
  (select array_length(string_to_array(skipped_rows, E'\n'), 1) || right(skipped_rows, 13) from public.ride_syncs),
  E'100\n198 distance', 'the first 100 skipped rows are listed'
);

create temp table finished as select public.finish_ride_sync(id, array[11, 13])::jsonb as sync from sync;
select is(
  (select sync - '{id,finished_at,skipped_rows}'::text[] from finished),
  '{"fetched": 211, "added": 3, "changed": 1, "removed": 1, "skipped": 202, "pending_removals": 0, "mismatch": null}',
  'a sync finishes and returns what it did'
);
select is(
  (select sync from finished),
  (select to_jsonb(stored) - '{started_at,triggered_by,outcome,code,pending_since,rwgps_user_id,rwgps_user_name,follows_check,list_count,digest,checked_at,retry_at}'::text[]
    from public.ride_syncs as stored),
  'the sync history has the finished sync'
);
select set_eq('select id from public.rides', 'values (11::bigint), (13)', 'a ride that is not in the list is removed');
select is((select outcome from public.ride_syncs), 'ok', 'the sync is closed');

select is(public.fail_ride_sync(id, 'x'), false, 'a sync finishes only once') from sync;
select throws_ok(format($$select public.finish_ride_sync(%s, '{}')$$, id), 'RMT02', null, 'a closed sync cannot remove rides') from sync;
select throws_ok(format($$select public.store_rides(%s, '[]')$$, id), 'RMT02', null, 'a closed sync cannot store rides') from sync;
select throws_ok(format($$select public.claim_rwgps_account(%s, 7, '[]')$$, id), 'RMT02', null, 'a closed sync cannot store bikes') from sync;

update sync set id = public.start_ride_sync('schedule');
select is(public.fail_ride_sync(id, 'rwgps_timeout'), true, 'a sync can fail') from sync;
select is(
  (select outcome || ' ' || code from public.ride_syncs order by id desc limit 1), 'failed rwgps_timeout', 'a failed sync has its code'
);

update sync set id = public.start_ride_sync('owner');
update public.ride_syncs set started_at = now() - interval '4 minutes' from sync where ride_syncs.id = sync.id;
select is(public.start_ride_sync('owner'), null, 'no sync starts while one is four minutes old');
update public.ride_syncs set started_at = now() - interval '5 minutes 1 second' from sync where ride_syncs.id = sync.id;
select isnt(public.start_ride_sync('owner'), null, 'another sync starts after five minutes');
select is((select outcome from public.ride_syncs, sync where ride_syncs.id = sync.id), 'interrupted', 'the old sync is closed as interrupted');
select throws_ok(format($$select public.store_rides(%s, '[]')$$, id), 'RMT02', null, 'the interrupted sync cannot store rides') from sync;
select throws_ok(
  $$update public.ride_syncs set outcome = 'ok', finished_at = null$$, '23514', null, 'a finished sync needs finished_at'
);

select * from finish();
rollback;
