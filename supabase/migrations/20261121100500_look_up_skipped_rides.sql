-- Rows of the trip list that a sync had to skip can be looked up: which ones, and the field that could not be read.

-- Text rather than JSON: a backup holds plain values only.
alter table public.ride_syncs add column skipped_rows text not null default '';
comment on column public.ride_syncs.skipped_rows is
  'The first 100 skipped rows, one per line: the ride''s id, or # and the row''s position in the list, then the field that could not be read.';
comment on column public.ride_syncs.set_aside is
  'How many rows were skipped because their id, time or distance could not be read; rides stored earlier stay as they were.';

grant update (skipped_rows) on public.ride_syncs to service_role;

drop function public.store_rides(bigint, json, integer);

-- Planned again for each page: a plan cached while the table was small would read the complete table for every page.
create function public.store_rides(sync_id bigint, page json, skipped text[] default '{}')
returns table (added integer, changed integer)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  perform from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This run was closed; another one may have begun.' using errcode = 'RMT02';
  end if;

  -- Even if this sync fails later, its rides are not missing any more, and the wait for the others starts over.
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
  ), news as (
    select
      listed.id, listed.name, listed.gear_id, listed.created_at, listed.departed_at, place.time_zone, listed.updated_at,
      listed.distance, listed.duration, listed.moving_time, listed.max_speed, listed.avg_speed, listed.avg_hr,
      listed.max_hr, listed.avg_watts, listed.max_watts, listed.avg_cad, listed.elevation_gain,
      listed.highlighted_photo_id, place.is_stationary, place.has_map
    from listed
    left join zones on zones.zone = listed.time_zone
    cross join lateral (
      select coalesce(zones.known, 'UTC'), coalesce(listed.is_stationary, false), coalesce(listed.has_map, false)
    ) as place (time_zone, is_stationary, has_map)
    left join public.rides as stored on stored.id = listed.id
    -- Unchanged rows are not even touched: a sync with nothing new writes nothing.
    where (
      listed.id, listed.name, listed.gear_id, listed.created_at, listed.departed_at, place.time_zone, listed.updated_at,
      listed.distance, listed.duration, listed.moving_time, listed.max_speed, listed.avg_speed, listed.avg_hr,
      listed.max_hr, listed.avg_watts, listed.max_watts, listed.avg_cad, listed.elevation_gain,
      listed.highlighted_photo_id, place.is_stationary, place.has_map
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

  update public.ride_syncs as sync set
    fetched = sync.fetched + json_array_length(page) + cardinality(skipped),
    added = sync.added + store_rides.added,
    changed = sync.changed + store_rides.changed,
    set_aside = sync.set_aside + cardinality(skipped),
    -- Plenty to find out what is wrong, even when every row of a long list is skipped.
    skipped_rows = array_to_string((string_to_array(sync.skipped_rows, E'\n') || skipped)[:100], E'\n')
  where sync.id = sync_id;
  return next;
end
$$;
comment on function public.store_rides(bigint, json, text[]) is
  'Upserts a page of rides, each id once, counts them and the skipped rows in the sync history, and returns how many were new and how many differed.';

revoke all on function public.store_rides(bigint, json, text[]) from public, anon, authenticated;
grant execute on function public.store_rides(bigint, json, text[]) to service_role;
