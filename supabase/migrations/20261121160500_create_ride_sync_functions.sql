-- The steps of a sync. Each function call is one statement for the data API and therefore one transaction.
--
-- Every step names its sync. Once a sync is closed (it hung, and another one took over), its steps fail with RMT02 and
-- change nothing. All functions are security invoker and only for service_role.

create or replace function public.start_ride_sync(triggered_by text) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  started bigint;
begin
  -- A sync takes at most 120 seconds, so one that is still open after 5 minutes has crashed.
  update public.ride_syncs set outcome = 'interrupted', finished_at = now()
  where outcome = 'running' and ride_syncs.started_at < now() - interval '5 minutes';

  insert into public.ride_syncs (triggered_by) values (start_ride_sync.triggered_by)
  on conflict (outcome) where outcome = 'running' do nothing
  returning id into started;
  return started;
end
$$;
comment on function public.start_ride_sync(text) is 'Starts a sync and returns its id, or null while another one is running.';

create or replace function public.store_bikes(sync_id bigint, gear jsonb) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This sync was closed. Another one may have started.' using errcode = 'RMT02';
  end if;

  insert into public.bikes as stored (gear_id, name)
  select listed.gear_id, listed.name from jsonb_to_recordset(gear) as listed (gear_id bigint, name text)
  on conflict (gear_id) do update set name = excluded.name where stored.name is distinct from excluded.name;
end
$$;
comment on function public.store_bikes(bigint, jsonb) is 'Upserts [{gear_id, name}]. Bikes that are not in the list stay.';

-- Time zone names come from Ride with GPS, and rides.started_at fails on a name that PostgreSQL does not know.
create or replace function private.known_time_zone(zone text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  perform timezone(zone, now());
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end
$$;

-- Custom plans: a plan cached while the table was small would read the complete table for every page.
create or replace function public.store_rides(sync_id bigint, page json, skipped text[] default '{}')
returns table (added integer, changed integer)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  perform from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This sync was closed. Another one may have started.' using errcode = 'RMT02';
  end if;

  -- Even if this sync fails later, its rides are no longer missing, and the wait for the others starts over.
  if exists (select from public.rides where missed_by is not null) then
    update public.rides as ride set missed_by = null
    from json_to_recordset(page) as listed (id bigint)
    where ride.id = listed.id and ride.missed_by is not null;
    if found then
      update public.ride_syncs set waiting_from = null where waiting_from is not null;
    end if;
  end if;

  with listed as materialized (
    select * from json_to_recordset(page) as listed (
      id bigint, name text, gear_id bigint, created_at timestamptz, departed_at timestamptz, time_zone text,
      updated_at timestamptz, distance numeric, duration integer, moving_time integer, max_speed numeric,
      avg_speed numeric, avg_hr numeric, max_hr numeric, avg_watts numeric, max_watts numeric, avg_cad numeric,
      elevation_gain numeric, highlighted_photo_id bigint, is_stationary boolean, has_map boolean
    )
  ), zones as materialized (
    select zone, private.known_time_zone(zone) as known from (select distinct time_zone as zone from listed) as named
  ), different as (
    select
      listed.id, listed.name, listed.gear_id, listed.created_at, listed.departed_at, given.time_zone, listed.updated_at,
      listed.distance, listed.duration, listed.moving_time, listed.max_speed, listed.avg_speed, listed.avg_hr,
      listed.max_hr, listed.avg_watts, listed.max_watts, listed.avg_cad, listed.elevation_gain,
      listed.highlighted_photo_id, given.is_stationary, given.has_map
    from listed
    left join zones on zones.zone = listed.time_zone
    cross join lateral (
      select coalesce(zones.known, 'UTC'), coalesce(listed.is_stationary, false), coalesce(listed.has_map, false)
    ) as given (time_zone, is_stationary, has_map)
    left join public.rides as stored on stored.id = listed.id
    -- Unchanged rows are not touched, so a sync without news writes nothing.
    where (
      listed.id, listed.name, listed.gear_id, listed.created_at, listed.departed_at, given.time_zone, listed.updated_at,
      listed.distance, listed.duration, listed.moving_time, listed.max_speed, listed.avg_speed, listed.avg_hr,
      listed.max_hr, listed.avg_watts, listed.max_watts, listed.avg_cad, listed.elevation_gain,
      listed.highlighted_photo_id, given.is_stationary, given.has_map
    ) is distinct from (
      stored.id, stored.name, stored.gear_id, stored.created_at, stored.departed_at, stored.time_zone, stored.updated_at,
      stored.distance, stored.duration, stored.moving_time, stored.max_speed, stored.avg_speed, stored.avg_hr,
      stored.max_hr, stored.avg_watts, stored.max_watts, stored.avg_cad, stored.elevation_gain,
      stored.highlighted_photo_id, stored.is_stationary, stored.has_map
    )
  ), written as (
    insert into public.rides (
      id, name, gear_id, created_at, departed_at, time_zone, updated_at, distance, duration, moving_time, max_speed,
      avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, is_stationary, has_map
    )
    select * from different
    on conflict (id) do update set
      name = excluded.name, gear_id = excluded.gear_id, created_at = excluded.created_at,
      departed_at = excluded.departed_at, time_zone = excluded.time_zone, updated_at = excluded.updated_at,
      distance = excluded.distance, duration = excluded.duration, moving_time = excluded.moving_time,
      max_speed = excluded.max_speed, avg_speed = excluded.avg_speed, avg_hr = excluded.avg_hr, max_hr = excluded.max_hr,
      avg_watts = excluded.avg_watts, max_watts = excluded.max_watts, avg_cad = excluded.avg_cad,
      elevation_gain = excluded.elevation_gain, highlighted_photo_id = excluded.highlighted_photo_id,
      is_stationary = excluded.is_stationary, has_map = excluded.has_map
    returning (xmax = 0) as is_new
  )
  select count(*) filter (where is_new), count(*) filter (where not is_new) into added, changed from written;

  update public.ride_syncs as sync set
    fetched = sync.fetched + json_array_length(page) + cardinality(skipped),
    added = sync.added + store_rides.added,
    changed = sync.changed + store_rides.changed,
    set_aside = sync.set_aside + cardinality(skipped),
    -- 100 rows are enough to find the problem, even if every row of a long list is skipped.
    skipped_rows = array_to_string((string_to_array(sync.skipped_rows, E'\n') || skipped)[:100], E'\n')
  where sync.id = sync_id;
  return next;
end
$$;
comment on function public.store_rides(bigint, json, text[]) is
  'Upserts a page of rides, each id once, adds them and the skipped rows to the counts of the sync, and returns how many rides were new and how many differed.';

create or replace function public.finish_ride_sync(sync_id bigint, outcome text, code text default null) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  nothing_waits boolean;
begin
  update public.ride_syncs as sync
  set outcome = finish_ride_sync.outcome, code = finish_ride_sync.code, finished_at = now()
  where sync.id = sync_id and sync.outcome = 'running'
  returning finish_ride_sync.outcome = 'ok' and sync.waiting = 0 into nothing_waits;
  -- A sync whose list has every stored ride never calls remove_rides_except, so clear old marks here.
  if nothing_waits then
    update public.rides set missed_by = null where missed_by is not null;
  end if;
  return nothing_waits is not null;
end
$$;
comment on function public.finish_ride_sync(bigint, text, text) is 'Closes a sync. False if it was already closed.';

revoke all on function public.start_ride_sync(text) from public, anon, authenticated;
revoke all on function public.store_bikes(bigint, jsonb) from public, anon, authenticated;
revoke all on function private.known_time_zone(text) from public;
revoke all on function public.store_rides(bigint, json, text[]) from public, anon, authenticated;
revoke all on function public.finish_ride_sync(bigint, text, text) from public, anon, authenticated;

grant execute on function public.start_ride_sync(text) to service_role;
grant execute on function public.store_bikes(bigint, jsonb) to service_role;
grant execute on function private.known_time_zone(text) to service_role;
grant execute on function public.store_rides(bigint, json, text[]) to service_role;
grant execute on function public.finish_ride_sync(bigint, text, text) to service_role;
