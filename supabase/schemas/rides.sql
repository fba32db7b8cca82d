-- Rides, from the trips of the Ride with GPS account.

-- The columns that usage needs come first and have a fixed width, because PostgreSQL reads a row from its start.
create table public.rides (
  id bigint primary key,
  -- No foreign key: rides on unknown gear are stored too, and count as soon as the gear is listed.
  gear_id bigint,
  started_at timestamp generated always as (timezone(time_zone, coalesce(departed_at, created_at))) stored,
  departed_at timestamptz,
  created_at timestamptz,
  duration integer,
  moving_time integer,
  -- Sums read this column, so placing it before the columns that they skip makes them 7% faster.
  is_stationary boolean not null default false,
  distance numeric,
  name text,
  time_zone text not null default 'UTC',
  updated_at timestamptz,
  max_speed numeric,
  avg_speed numeric,
  avg_hr numeric,
  max_hr numeric,
  avg_watts numeric,
  max_watts numeric,
  avg_cad numeric,
  elevation_gain numeric,
  highlighted_photo_id bigint,
  has_map boolean not null default false,
  missing_since_sync bigint
);
comment on table public.rides is 'The trips on Ride with GPS. Only update-rides writes them.';
comment on column public.rides.id is 'The trip''s id on Ride with GPS.';
comment on column public.rides.gear_id is 'The gear that the owner assigned on Ride with GPS. Null: none.';
comment on column public.rides.started_at is
  'Wall clock time in the ride''s time zone. Usage compares it with item dates.';
comment on column public.rides.departed_at is 'When the ride started.';
comment on column public.rides.created_at is 'When the trip was uploaded, which may be years after the ride.';
comment on column public.rides.duration is 'Seconds from start to end.';
comment on column public.rides.moving_time is 'Seconds in motion.';
comment on column public.rides.distance is 'Meters. Numeric, so sums are exact.';
comment on column public.rides.time_zone is
  'IANA name: the trip''s own zone, else the user''s, else UTC. started_at fails on a name that PostgreSQL does not know.';
comment on column public.rides.max_speed is 'km/h.';
comment on column public.rides.avg_speed is 'km/h.';
comment on column public.rides.avg_watts is 'Watts. Estimated by Ride with GPS if max_watts is null.';
comment on column public.rides.elevation_gain is 'Meters.';
comment on column public.rides.highlighted_photo_id is 'Null: no photo (Ride with GPS sends 0).';
comment on column public.rides.is_stationary is 'Whether this is an indoor ride on a trainer.';
comment on column public.rides.has_map is 'Whether the trip has a track, and therefore a map image.';
comment on column public.rides.missing_since_sync is
  'The first of the most recent consecutive syncs whose list lacked this ride. Null: the latest list has it.';

-- For the ride list and usage, which read a bike's rides by start.
create index rides_gear_started_idx on public.rides (gear_id, started_at);
-- The rides among which To check finds impossible numbers. Its view has the same condition, or it would read all rides.
create index rides_unusual_idx on public.rides (id) where
  (moving_time - 60) * bigint '100' > nullif(duration, 0) * bigint '101'
  or max_speed > 120
  or distance > 1000 and distance > bigint '16' * coalesce(nullif(moving_time, 0), nullif(duration, 0), 0)
  or distance > 1000000
  or greatest(duration, moving_time) > 86400
  or coalesce(distance, 0) < 100 and coalesce(moving_time, duration) >= 3600;
-- Every sync looks for missing rides, which are rare.
create index rides_missing_idx on public.rides (missing_since_sync) where missing_since_sync is not null;

alter table public.rides enable row level security;

create policy "The owner reads the rides" on public.rides
for select to authenticated using ((select private.is_owner()));

grant select on public.rides to authenticated;
-- No insert, update or delete for authenticated: rides are edited on Ride with GPS and updated here by the next sync. No
-- grants for anon.

grant select, insert, update, delete on public.rides to service_role;

create view private.listed_rides with (security_invoker = true) as
select id, name, gear_id, created_at, departed_at, time_zone, updated_at, distance, duration, moving_time, max_speed, avg_speed,
  avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, is_stationary, has_map
from public.rides;
comment on view private.listed_rides is 'What syncs store of a trip: all columns of rides, except the ones that the tracker itself sets.';
grant select on private.listed_rides to service_role;

create function private.ride_columns(template text) returns text
language sql stable security invoker set search_path = ''
as $$
  select string_agg(format(template, attname), ', ' order by attnum)
  from pg_catalog.pg_attribute where attrelid = 'private.listed_rides'::regclass and attnum > 0
$$;
comment on function private.ride_columns(text) is 'Lists the columns that syncs store, each formatted with a template such as excluded.%1$I.';
grant execute on function private.ride_columns(text) to service_role;

-- The rides that each sync changed, before and after. Triggers on rides write them in the same transaction.

create table public.ride_changes (
  id bigint generated always as identity primary key,
  -- No foreign keys: removed rides are gone, syncs are never deleted, and a check per row would slow down syncs.
  sync_id bigint not null,
  ride_id bigint not null,
  is_after boolean not null,
  name text,
  gear_id bigint,
  started_at timestamp,
  time_zone text not null
);

-- The measures follow, and whether the ride was indoors: what else a trip has.
do $$
begin
  execute 'alter table public.ride_changes ' || string_agg(
    format('add %I %s %s', listed.attname, format_type(ride.atttypid, ride.atttypmod), case when ride.attnotnull then 'not null' end),
    ', ' order by listed.attnum
  )
  from pg_catalog.pg_attribute as listed
  join pg_catalog.pg_attribute as ride on ride.attrelid = 'public.rides'::regclass and ride.attname = listed.attname
  where listed.attrelid = 'private.listed_rides'::regclass and listed.attnum > 0 and listed.attname not in (
    'id', 'name', 'gear_id', 'created_at', 'departed_at', 'time_zone', 'updated_at', 'highlighted_photo_id', 'has_map'
  );
end
$$;
comment on table public.ride_changes is
  'Rides before and after each sync of the last year. Added rides have no row before the sync, removed rides none after it. An account''s first sync is not recorded. The other columns are copied from rides.';
comment on column public.ride_changes.is_after is 'Whether the row shows the ride after the sync. False: before it.';

create index ride_changes_sync_idx on public.ride_changes (sync_id, ride_id);

alter table public.ride_changes enable row level security;

create policy "The owner reads the ride changes" on public.ride_changes
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_changes to authenticated;
-- No insert, update or delete for authenticated: history is not edited. No grants for service_role: triggers write, and
-- functions only read with the owner's token. No grants for anon.

-- Usage, service, lifetimes, costs and checks share two rules: which rides count, and how they are summed.

create view private.counted_rides with (security_invoker = true) as
select id,
  -- As private.bike_now does, which would take longer. Most trackers have no attached log, and ask for that once.
  case when exists (select from public.attached_logs) then coalesce(
    (select attached.gear_id from public.attached_logs as attached where attached.former_gear_id = rides.gear_id), gear_id
  ) else gear_id end as gear_id,
  started_at, departed_at, distance, duration, coalesce(moving_time, duration) as moving_time, is_stationary, gear_id as ridden_as
from public.rides
where coalesce(departed_at, created_at, '-infinity') <= now();
comment on view private.counted_rides is
  'The rides that count: all except future rides. Compares instants, because wall clock times in different zones aren''t comparable. A ride without a date counts for its bike, but for no period of time. If moving_time is null, the duration counts. gear_id: the bike that has the log now. To read the rides of one bike, compare ridden_as with private.ridden_as, which uses the index.';
grant select on private.counted_rides to authenticated;

create view private.last_rides with (security_invoker = true) as
select gear_id, greatest(
  (select max(started_at) from private.counted_rides as ride where ride.ridden_as = bikes.gear_id),
  (
    select max(started_at)
    from public.attached_logs as attached join private.counted_rides as ride on ride.ridden_as = attached.former_gear_id
    where attached.gear_id = bikes.gear_id
  )
) as last_ride
from public.bikes where public.attached_to(bikes) is null;
comment on view private.last_rides is
  'Each bike that has its log, with the wall clock time of its latest ride, read from the index. Null without rides.';
grant select on private.last_rides to authenticated;

create view private.listed_bikes with (security_invoker = true) as
select gear_id, row_number() over (order by gear_id in (select gear_id from private.retired_bikes), last_ride desc nulls last, name, gear_id) as index
from public.bikes join private.last_rides using (gear_id);
comment on view private.listed_bikes is
  'The bikes that have their log, with their index in lists: by the last ride, latest first, and retired bikes last.';
grant select on private.listed_bikes to authenticated;

create function public.list_order(bike public.bikes) returns bigint
language sql stable security invoker set search_path = ''
as $$ select index from private.listed_bikes as listed where listed.gear_id = bike.gear_id $$;
comment on function public.list_order(public.bikes) is
  'Returns a bike''s index in lists of bikes: by the last ride, latest first, and retired bikes last. Null if its log is attached to another bike, so it isn''t listed.';
grant execute on function public.list_order to authenticated;

create view private.counted_ride_changes with (security_invoker = true) as
select sync_id, ride_id, is_after,
  case when exists (select from public.attached_logs) then private.bike_now(gear_id) else gear_id end as gear_id,
  started_at, coalesce(distance, 0) as distance,
  coalesce(moving_time, duration, 0) as moving_time, is_stationary
from public.ride_changes
where timezone(time_zone, started_at) <= now();
comment on view private.counted_ride_changes is 'Applies the rule of counted_rides to rides before and after a sync. Leaves out rides without a date.';
grant select on private.counted_ride_changes to authenticated;

create type private.ride_range as (key bigint, gear_id bigint, since timestamp, until timestamp, outdoor_only boolean);
comment on type private.ride_range is
  'A bike''s rides with since <= started_at < until. Null until: no end. The caller chooses the key.';

-- The bounds of all ranges divide a bike's rides into intervals, and the index finds the rides of each, so every ride in a range is read
-- once. A range's sum is the running sum at its end minus the running sum at its start. The cost grows with rides + ranges, not
-- rides × ranges.
--
-- PL/pgSQL, because it caches plans and makes array access fast. docs/decisions/parts.md explains the choices.
create function private.sum_rides(ranges private.ride_range[])
returns table (key bigint, rides bigint, distance numeric, moving_time bigint, first_ride timestamp, last_ride timestamp)
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes many times longer than running them, and so does planning them for each bike. An interval has few rides, so
-- read them from the index. Without statistics of a new log, PostgreSQL would read all rides for each interval.
set jit = off set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  bike record;
  carried bigint[];
  -- Element n describes the nth interval with rides: the running sums at its end, its end, and its first and last ride.
  rides_until bigint[];
  distance_until numeric[];
  moving_time_until bigint[];
  ends timestamp[];
  first_rides timestamp[];
  last_rides timestamp[];
begin
  for bike in
    select gear_id, coalesce(outdoor_only, false) as outdoor_only, array_agg(range.key) as keys, array_agg(since) as since,
      array_agg(coalesce(until, 'infinity')) as until
    from unnest(ranges) as range group by 1, 2
  loop
    carried := private.ridden_as(bike.gear_id);

    with bounds as (
      select at, lead(at) over by_time as next, sum(opened) over by_time as open
      from (select unnest(bike.since) as at, 1 as opened union all select unnest(bike.until), -1) as bound
      window by_time as (order by at rows unbounded preceding)
    ), intervals as (
      select next, sums.*
      from bounds
      cross join lateral (
        select count(*)::integer as rides, sum(distance) as distance, sum(moving_time) as moving_time, min(started_at) as first_ride,
          max(started_at) as last_ride
        from private.counted_rides where ridden_as = any (carried) and started_at >= at and started_at < next
          and not (is_stationary and bike.outdoor_only)
        having count(*) > 0
      ) as sums
      -- The rides between two ranges aren't read.
      where open > 0 and at < next
    ), running as (
      select next, first_ride, last_ride, sum(rides) over so_far as rides, coalesce(sum(distance) over so_far, 0) as distance,
        coalesce(sum(moving_time) over so_far, 0) as moving_time
      from intervals window so_far as (order by next rows unbounded preceding)
      order by next
    )
    select array_agg(rides), array_agg(distance), array_agg(moving_time), array_agg(next), array_agg(first_ride), array_agg(last_ride)
    into rides_until, distance_until, moving_time_until, ends, first_rides, last_rides
    from running;

    return query
    select range.key, coalesce(rides_until[last], 0) - coalesce(rides_until[first], 0),
      coalesce(distance_until[last], 0) - coalesce(distance_until[first], 0),
      coalesce(moving_time_until[last], 0) - coalesce(moving_time_until[first], 0),
      case when last > first then first_rides[first + 1] end, case when last > first then last_rides[last] end
    -- [:] and offset 0 flatten the array once; otherwise width_bucket does it for every range.
    from (select coalesce(ends[:], '{}') as flat offset 0) as flattened
    cross join unnest(bike.keys, bike.since, bike.until) as range (key, since, until)
    cross join lateral (
      -- The number of intervals that end by the range's start, and by its end.
      select width_bucket(since, flat), width_bucket(until, flat)
      offset 0
    ) as place (first, last);
  end loop;
end
$$;
comment on function private.sum_rides(private.ride_range[]) is
  'Returns each range''s rides, meters and seconds, and when its first and last ride started.';
-- Security invoker, so row-level security shows usage only to the owner.
grant execute on function private.sum_rides to authenticated;

-- The owner's clock. Log dates have no time zone.

-- Security definer: no role may read private.owner.
create function private.wall_clock(instant timestamptz default now()) returns timestamp
-- PL/pgSQL, because it caches plans.
language plpgsql stable security definer set search_path = ''
as $$
begin
  return timezone(
    coalesce(
      (select time_zone from private.owner),
      -- Fall back to the latest upload's zone. It has the highest id, which the primary key finds quickly.
      (select time_zone from public.rides where started_at is not null order by id desc limit 1),
      'UTC'
    ), instant
  );
end
$$;
comment on function private.wall_clock(timestamptz) is 'Converts an instant, by default now, to the owner''s time zone.';

create function private.today() returns date
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return private.wall_clock()::date;
end
$$;
comment on function private.today() is 'Returns today in the owner''s time zone.';

grant execute on function private.wall_clock(timestamptz), private.today() to authenticated, service_role;

-- Returns unsorted arrays with one entry per ride, because adding up and sorting days here takes twice as long as reading
-- the rides.
create function public.ride_days(days integer, gear_id bigint default null) returns json
-- PL/pgSQL, because it caches plans.
language plpgsql stable security invoker set search_path = '' set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
  today constant date := private.today();
  carried constant bigint[] := private.ridden_as(ride_days.gear_id);
begin
  return (
    with bikes as (
      select ride.gear_id, ride.is_stationary,
        -- A ride in a time zone ahead of the owner's may be dated tomorrow. Count it for today.
        array_agg(greatest(today - ride.started_at::date, 0)) as ago,
        array_agg(coalesce(ride.distance, 0)::integer) as distance,
        array_agg(coalesce(ride.moving_time, 0)) as moving_time
      from private.counted_rides as ride
      -- The first condition leaves out most rides.
      where ride.started_at >= today - (ride_days.days - 1) and ride.gear_id is not null
        and (ride_days.gear_id is null or ride.ridden_as = any (carried))
      group by ride.gear_id, ride.is_stationary
    )
    select json_build_object('today', today, 'bikes', coalesce(json_agg(bikes order by bikes.gear_id, is_stationary), '[]')) from bikes
  );
end
$$;
comment on function public.ride_days(integer, bigint) is
  'Lists each bike''s outdoor and indoor rides of the last days, unordered: days ago, meters and seconds. Also returns today in the owner''s time zone. Usage counts the same rides.';
grant execute on function public.ride_days to authenticated;
