-- Removing or keeping the rides that a list lacks.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(49);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');

-- Stores rides 1 to `count` and clears the sync history.
create function pg_temp.store(count integer) returns void language plpgsql as $$
begin
  delete from public.rides;
  delete from public.ride_syncs;
  insert into public.rides (id) select generate_series(1, count);
end
$$;

-- Moves all earlier syncs back by `pause`, then syncs a list with the rides from `first` to `last` and this mismatch.
create function pg_temp.sync(first integer, last integer, list_mismatch text default null, pause interval default '0')
returns text language plpgsql as $$
declare
  sync_id bigint;
begin
  update public.ride_syncs set started_at = started_at - pause, finished_at = finished_at - pause;
  sync_id := public.start_ride_sync('schedule');
  perform public.finish_ride_sync(
    sync_id, array(select generate_series(first, last)), is_complete => list_mismatch is distinct from 'wrong_count',
    count_kind => case list_mismatch when 'unreadable_count' then 'unreadable' else 'readable' end,
    rows_without_id => (list_mismatch is not distinct from 'rows_without_id')::integer
  );
  return (
    select concat_ws(' ', 'removed', removed, 'pending', pending_removals, mismatch) from public.ride_syncs where id = sync_id
  );
end
$$;

create function pg_temp.latest_sync() returns bigint language sql as 'select max(id) from public.ride_syncs';

create function pg_temp.remove_as(actor text, shown_by bigint) returns integer language plpgsql as $$
declare
  removed integer;
begin
  perform set_config('request.jwt.claim.sub', actor, true);
  set local role authenticated;
  removed := public.remove_missing_rides(shown_by);
  reset role;
  return removed;
end
$$;
create function pg_temp.remove_as_owner(shown_by bigint) returns integer language sql as $$
  select pg_temp.remove_as('00000000-0000-0000-0000-00000000000a', shown_by)
$$;

-- The share of missing rides.
select pg_temp.store(1200);
select is(pg_temp.sync(61, 1200), 'removed 60 pending 0', '5 percent are removed immediately');
select pg_temp.store(1200);
select is(pg_temp.sync(62, 1200), 'removed 0 pending 61 many_missing', 'more than 5 percent wait');
select pg_temp.store(1200);
select is(
  pg_temp.sync(2, 1200, 'unreadable_count'), 'removed 0 pending 1 unreadable_count', 'an unreadable count removes nothing, not even one ride'
);
select is(pg_temp.sync(2, 1200), 'removed 1 pending 0', 'a normal list after that removes the ride');

-- Rides that the sync added don't lower the missing share.
select pg_temp.store(100);
create temp table open_sync as select public.start_ride_sync('schedule') as id;
select public.store_rides(id, (select json_agg(json_build_object('id', n)) from generate_series(1001, 9000) as n)) from open_sync;
select public.finish_ride_sync(id, array(select generate_series(1001, 9000))) from open_sync;
select results_eq(
  'select removed, pending_removals, mismatch from public.ride_syncs', $$values (0, 100, 'many_missing')$$,
  '8,000 added rides do not cause 100 stored ones to be removed'
);

-- How long missing rides wait.
select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
select is(pg_temp.sync(1181, 1200), 'removed 0 pending 1180 many_missing', 'an immediate second sync removes nothing');
select is(
  pg_temp.sync(1181, 1200, pause => '49 minutes 59 seconds'), 'removed 0 pending 1180 many_missing', 'a sync within 50 minutes removes nothing'
);
select is(pg_temp.sync(1181, 1200, pause => '1 second'), 'removed 1180 pending 0', 'the same list after 50 minutes removes the rides');
select pg_temp.store(3);
select pg_temp.sync(2, 3, 'unreadable_count');
select is(
  pg_temp.sync(2, 3, 'unreadable_count', '1 hour'), 'removed 1 pending 0', 'an unreadable count again after 50 minutes removes the ride'
);

-- Restarting the wait.
select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
select is(
  pg_temp.sync(601, 1200, pause => '1 hour'), 'removed 0 pending 600 many_missing', 'a list that misses fewer rides restarts the wait'
);
select is(
  pg_temp.sync(801, 1200, pause => '1 hour'), 'removed 0 pending 800 many_missing', 'a list that misses more rides restarts the wait'
);
select is(pg_temp.sync(801, 1200, pause => '50 minutes'), 'removed 800 pending 0', 'the same list after 50 minutes removes them');
select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
select pg_temp.sync(1, 1200, pause => '30 minutes');
select is(pg_temp.sync(1181, 1200, pause => '30 minutes'), 'removed 0 pending 1180 many_missing', 'a complete list in between restarts the wait');
select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
update open_sync set id = public.start_ride_sync('schedule');
select public.finish_ride_sync(id) from open_sync;
select is_empty('select id from public.rides where missing_since_sync is not null', 'a sync that finds all rides clears the marks');
select is(pg_temp.sync(1181, 1200, pause => '1 hour'), 'removed 0 pending 1180 many_missing', 'a sync that finds all rides restarts the wait');
select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
update open_sync set id = public.start_ride_sync('schedule');
select public.fail_ride_sync(id, 'rwgps_timeout') from open_sync;
select is(pg_temp.sync(1181, 1200, pause => '1 hour'), 'removed 1180 pending 0', 'a failed sync in between does not restart the wait');

select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
create function pg_temp.see_one_and_fail() returns void language plpgsql as $$
declare
  sync_id constant bigint := public.start_ride_sync('schedule');
begin
  perform public.store_rides(sync_id, '[{"id": 1}]');
  perform public.fail_ride_sync(sync_id, 'rwgps_timeout');
end
$$;
select pg_temp.see_one_and_fail();
select is(pg_temp.sync(1181, 1200, pause => '1 hour'), 'removed 0 pending 1180 many_missing', 'a failed sync that stored a missing ride restarts the wait');

-- Incomplete lists.
select pg_temp.store(1200);
select is(pg_temp.sync(2, 1200, 'wrong_count'), 'removed 0 pending 1 wrong_count', 'a list with a wrong count removes nothing');
select is(pg_temp.sync(2, 1200, 'wrong_count', '1 hour'), 'removed 0 pending 1 wrong_count', 'a list with a wrong count removes nothing later either');
select is(
  pg_temp.sync(2, 1200, 'rows_without_id', '1 hour'), 'removed 0 pending 1 rows_without_id', 'a list with rows without an id removes nothing'
);
select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
select pg_temp.sync(1181, 1200, 'wrong_count', '30 minutes');
select is(pg_temp.sync(1181, 1200, pause => '30 minutes'), 'removed 0 pending 1180 many_missing', 'an incomplete list in between restarts the wait');

-- A list with a wrong count may also lack rides that were never stored.
select pg_temp.store(20);
select is(pg_temp.sync(1, 20, 'wrong_count'), 'removed 0 pending 0 wrong_count', 'a wrong count is recorded even if no ride is missing');
select is(pg_temp.sync(1, 20, 'rows_without_id'), 'removed 0 pending 0', 'skipped rows only matter if a ride is missing');
select is(pg_temp.sync(1, 20), 'removed 0 pending 0', 'a right count ends the mismatch');
select pg_temp.sync(2, 20, 'wrong_count');
select is(pg_temp.remove_as_owner(pg_temp.latest_sync()), 1, 'the owner removes the missing ride');
select results_eq(
  'select removed, pending_removals, mismatch from public.ride_syncs order by id desc limit 1', $$values (1, 0, 'wrong_count')$$,
  'the count is still wrong'
);

-- The owner can remove missing rides immediately.
select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
select throws_ok(
  format('select pg_temp.remove_as(%L, %s)', '00000000-0000-0000-0000-00000000000b', pg_temp.latest_sync()), '42501', null,
  'only the owner can remove rides'
);
select is((select count(*) from public.rides), 1200::bigint, 'another user removes no rides');
select is(pg_temp.remove_as_owner(pg_temp.latest_sync() - 1), 0, 'rides that the owner has not seen stay');
update open_sync set id = public.start_ride_sync('schedule');
select is(pg_temp.remove_as_owner(pg_temp.latest_sync()), null, 'nothing is removed while a sync is running');
select is((select count(*) from public.rides), 1200::bigint, 'all rides are still there');
select public.fail_ride_sync(id, 'internal') from open_sync;
select is(pg_temp.remove_as_owner(pg_temp.latest_sync()), 1180, 'the owner removes the rides that were shown');
select results_eq(
  $$select removed, pending_removals, mismatch, pending_since from public.ride_syncs where outcome = 'ok'$$,
  'values (1180, 0, null::text, null::bigint)', 'the sync history counts the removed rides'
);
select is(pg_temp.remove_as_owner(pg_temp.latest_sync()), 0, 'removing again removes nothing');

select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
select pg_temp.see_one_and_fail();
select is(pg_temp.remove_as_owner(max(id)), 1179, 'a ride that a failed sync stored again stays') from public.ride_syncs where outcome = 'ok';
select ok(exists (select from public.rides where id = 1), 'the ride is still there');

select pg_temp.store(1200);
select pg_temp.sync(1181, 1200);
create temp table shown as select pg_temp.latest_sync() as id;
select pg_temp.sync(601, 1200);
select pg_temp.sync(701, 1200);
select is(pg_temp.remove_as_owner(id), 600, 'rides that have come back since stay') from shown;
select is(
  (select array[min(id), max(id), count(*)] from public.rides), array[601, 1200, 600]::bigint[], 'rides that went missing later stay'
);
select results_eq(
  'select removed, pending_removals, mismatch from public.ride_syncs order by id desc limit 1', $$values (600, 100, 'many_missing')$$,
  'rides that went missing later keep waiting'
);

-- Ride with GPS accounts.
update public.ride_syncs set rwgps_user_id = null;
create function pg_temp.claim(account bigint, variadic listed bigint[] default null) returns text language plpgsql as $$
declare
  sync_id constant bigint := public.start_ride_sync('owner');
  claim constant text := public.claim_rwgps_account(sync_id, account, '[]', listed) ->> 'claim';
begin
  perform public.finish_ride_sync(sync_id);
  return claim;
end
$$;
select pg_temp.store(4);
select is(pg_temp.claim(7), 'unknown', 'the account is unknown if no sync recorded one');
select is(pg_temp.claim(7, 1, 2, 70, 80, 90), 'refused', 'an account with half of the rides is refused');
select is(pg_temp.claim(7, 1, 2, 3), 'accepted', 'an account with most of the rides is accepted');
select is(pg_temp.claim(7), 'accepted', 'after that the account is accepted without a list');
select is(pg_temp.claim(8, 1, 2, 3, 4), 'refused', 'another account is refused, whatever its list');

insert into public.bikes values (1, 'Road'), (2, 'Gravel'), (3, 'Tandem');
insert into public.maintenance ("bikeId", name) values (2, 'Chain');
insert into public.service_tasks (gear_id, name, every_days) values (3, 'Wash', 30);
update public.ride_syncs set mismatch = 'wrong_count' where id = pg_temp.latest_sync();
update open_sync set id = public.start_ride_sync('schedule');
select public.claim_rwgps_account(id, 7, '[]', rwgps_user_name => 'Zoë') from open_sync;
select results_eq('select * from public.switch_rwgps_account()', 'values (4, 1)', 'switching removes the rides and the bikes without a log or service tasks');
select is(
  (select array[outcome, (select string_agg(name, ' ' order by gear_id) from public.bikes), (select string_agg(name, ' ') from public.maintenance),
      (select string_agg(name, ' ') from public.service_tasks)]
    from public.ride_syncs, open_sync where ride_syncs.id = open_sync.id),
  array['interrupted', 'Gravel Tandem', 'Chain', 'Wash'], 'switching closes a running sync and keeps the log, its tasks and their bikes'
);
select is_empty('select id from public.ride_syncs where mismatch is not null', 'no mismatch is left after switching');
select is_empty('select id from public.ride_syncs where num_nonnulls(rwgps_user_id, rwgps_user_name) > 0', 'switching forgets the account and its name');
select is(pg_temp.claim(8), 'accepted', 'any account is accepted after switching');

select * from finish();
rollback;
