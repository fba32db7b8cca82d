-- What update-rides does to the database, a function per step. Each step is one statement to the data API and so one
-- transaction: it happens whole or not at all. All are security invoker, for service_role alone; a run that was closed
-- in the meantime (it hung, and another took over) is refused with RMT02 and changes nothing.

create function public.start_ride_sync(triggered_by text) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  started bigint;
begin
  -- A run has 120 seconds; one that is still open after 5 minutes has died without a word.
  update public.ride_syncs set outcome = 'interrupted', finished_at = now()
  where outcome = 'running' and ride_syncs.started_at < now() - interval '5 minutes';

  insert into public.ride_syncs (triggered_by) values (start_ride_sync.triggered_by)
  on conflict (outcome) where outcome = 'running' do nothing
  returning id into started;
  return started;
end
$$;
comment on function public.start_ride_sync(text) is 'Opens a run and returns its id; null while another one is running.';

create function public.store_bikes(sync_id bigint, gear jsonb) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This run was closed; another one may have begun.' using errcode = 'RMT02';
  end if;

  insert into public.bikes as known (gear_id, name)
  select told.gear_id, told.name from jsonb_to_recordset(gear) as told (gear_id bigint, name text)
  on conflict (gear_id) do update set name = excluded.name where known.name is distinct from excluded.name;
end
$$;
comment on function public.store_bikes(bigint, jsonb) is 'Upserts [{gear_id, name}]. Bikes that are not in the list stay.';

-- Time zone names come from outside, and the generated column raises on one that PostgreSQL does not know.
create function private.known_time_zone(zone text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  perform timezone(zone, now());
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end
$$;

-- Planned anew for each page: a plan kept from when the table was small reads the whole of it for every page.
create function public.store_rides(sync_id bigint, page json, unreadable integer default 0)
returns table (added integer, changed integer)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  perform from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This run was closed; another one may have begun.' using errcode = 'RMT02';
  end if;

  with told as materialized (
    select * from json_to_recordset(page) as told (
      id bigint, name text, gear_id bigint, created_at timestamptz, departed_at timestamptz, time_zone text,
      updated_at timestamptz, distance numeric, duration integer, moving_time integer, max_speed numeric,
      avg_speed numeric, avg_hr numeric, max_hr numeric, avg_watts numeric, max_watts numeric, avg_cad numeric,
      elevation_gain numeric, highlighted_photo_id bigint, is_stationary boolean, has_map boolean
    )
  ), zones as materialized (
    select zone, private.known_time_zone(zone) as known from (select distinct time_zone as zone from told) as named
  ), news as (
    select
      told.id, told.name, told.gear_id, told.created_at, told.departed_at, place.time_zone, told.updated_at,
      told.distance, told.duration, told.moving_time, told.max_speed, told.avg_speed, told.avg_hr, told.max_hr,
      told.avg_watts, told.max_watts, told.avg_cad, told.elevation_gain, told.highlighted_photo_id, place.is_stationary,
      place.has_map
    from told
    left join zones on zones.zone = told.time_zone
    cross join lateral (
      select coalesce(zones.known, 'UTC'), coalesce(told.is_stationary, false), coalesce(told.has_map, false)
    ) as place (time_zone, is_stationary, has_map)
    left join public.rides as known on known.id = told.id
    -- A row that did not change is not even touched: a refresh with nothing new writes nothing.
    where (
      told.id, told.name, told.gear_id, told.created_at, told.departed_at, place.time_zone, told.updated_at,
      told.distance, told.duration, told.moving_time, told.max_speed, told.avg_speed, told.avg_hr, told.max_hr,
      told.avg_watts, told.max_watts, told.avg_cad, told.elevation_gain, told.highlighted_photo_id, place.is_stationary,
      place.has_map
    ) is distinct from (
      known.id, known.name, known.gear_id, known.created_at, known.departed_at, known.time_zone, known.updated_at,
      known.distance, known.duration, known.moving_time, known.max_speed, known.avg_speed, known.avg_hr, known.max_hr,
      known.avg_watts, known.max_watts, known.avg_cad, known.elevation_gain, known.highlighted_photo_id,
      known.is_stationary, known.has_map
    )
  ), written as (
    insert into public.rides (
      id, name, gear_id, created_at, departed_at, time_zone, updated_at, distance, duration, moving_time, max_speed,
      avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, is_stationary, has_map
    )
    select * from news
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

  update public.ride_syncs as run set
    fetched = run.fetched + json_array_length(page) + unreadable,
    added = run.added + store_rides.added,
    changed = run.changed + store_rides.changed,
    set_aside = run.set_aside + unreadable
  where run.id = sync_id;
  return next;
end
$$;
comment on function public.store_rides(bigint, json, integer) is
  'Upserts a page of rides, each id once, counts them in the ledger, and returns how many were new and how many differed.';

create function public.remove_rides_except(sync_id bigint, listed bigint[]) returns integer
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  gone integer;
begin
  perform from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This run was closed; another one may have begun.' using errcode = 'RMT02';
  end if;

  -- An account that is suddenly empty is more likely a fault than the truth: it is believed the second time in a row.
  if cardinality(listed) = 0 then
    update public.ride_syncs set found_empty = true where id = sync_id;
    if not coalesce((
      select previous.outcome = 'ok' and previous.found_empty from public.ride_syncs as previous
      where previous.id < sync_id order by previous.id desc limit 1
    ), false) then
      return 0;
    end if;
  end if;

  delete from public.rides as ride
  where not exists (select from unnest(listed) as kept (id) where kept.id = ride.id);
  get diagnostics gone = row_count;

  update public.ride_syncs set removed = gone where id = sync_id;
  return gone;
end
$$;
comment on function public.remove_rides_except(bigint, bigint[]) is
  'Removes the rides that a complete list no longer holds. To be called only when every page was received.';

create function public.finish_ride_sync(sync_id bigint, outcome text, code text default null) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  update public.ride_syncs as run
  set outcome = finish_ride_sync.outcome, code = finish_ride_sync.code, finished_at = now()
  where run.id = sync_id and run.outcome = 'running';
  return found;
end
$$;
comment on function public.finish_ride_sync(bigint, text, text) is 'Closes a run; false if it was closed already.';

revoke all on function public.start_ride_sync(text) from public, anon, authenticated;
revoke all on function public.store_bikes(bigint, jsonb) from public, anon, authenticated;
revoke all on function private.known_time_zone(text) from public;
revoke all on function public.store_rides(bigint, json, integer) from public, anon, authenticated;
revoke all on function public.remove_rides_except(bigint, bigint[]) from public, anon, authenticated;
revoke all on function public.finish_ride_sync(bigint, text, text) from public, anon, authenticated;

grant usage on schema private to service_role;
grant execute on function private.known_time_zone(text) to service_role;
grant execute on function public.start_ride_sync(text) to service_role;
grant execute on function public.store_bikes(bigint, jsonb) to service_role;
grant execute on function public.store_rides(bigint, json, integer) to service_role;
grant execute on function public.remove_rides_except(bigint, bigint[]) to service_role;
grant execute on function public.finish_ride_sync(bigint, text, text) to service_role;
