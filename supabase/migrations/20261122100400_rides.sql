-- Rides: the trips of the Ride with GPS account.

-- The columns that usage needs come first and have a fixed width, because PostgreSQL reads a row from its start.
create table public.rides (
  id bigint primary key,
  -- No foreign key: rides of retired or unknown gear are stored too, and count as soon as the gear is known.
  gear_id bigint,
  started_at timestamp generated always as (timezone(time_zone, coalesce(departed_at, created_at))) stored,
  departed_at timestamptz,
  created_at timestamptz,
  duration integer,
  moving_time integer,
  -- Before the columns that sums don't read, which makes sums 7% faster.
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
  missed_by bigint
);
comment on table public.rides is 'The trips on Ride with GPS. Only update-rides writes them.';
comment on column public.rides.id is 'The trip''s id on Ride with GPS.';
comment on column public.rides.gear_id is 'The gear the owner assigned on Ride with GPS. Null: none.';
comment on column public.rides.started_at is
  'Wall clock time where the ride started. Usage compares it with the dates of an item.';
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
comment on column public.rides.missed_by is
  'The first of the latest consecutive syncs whose list lacked this ride. Null: the latest list has it.';

-- Rides of a bike by start: for the ride list and for usage.
create index rides_gear_started_idx on public.rides (gear_id, started_at);
-- Every sync looks for missing rides, and there are rarely any.
create index rides_missed_idx on public.rides (missed_by) where missed_by is not null;

alter table public.rides enable row level security;
revoke all on public.rides from public, anon, authenticated, service_role;

create policy "The owner reads the rides" on public.rides
for select to authenticated using ((select private.is_owner()));

grant select on public.rides to authenticated;
-- No insert, update or delete for authenticated: rides are edited on Ride with GPS and updated here by the next sync.
-- Nothing for anon.

grant select, insert, update, delete on public.rides to service_role;

-- The rides that each sync changed, before and after. Triggers on rides write them in the transaction of the change.

create table public.ride_changes (
  id bigint generated always as identity primary key,
  -- No foreign keys: removed rides are gone, syncs are never deleted, and a check per row would slow down every page of a sync.
  sync_id bigint not null,
  ride_id bigint not null,
  is_after boolean not null,
  name text,
  gear_id bigint,
  started_at timestamp,
  time_zone text not null,
  distance numeric,
  duration integer,
  moving_time integer,
  max_speed numeric,
  avg_speed numeric,
  avg_hr numeric,
  max_hr numeric,
  avg_watts numeric,
  max_watts numeric,
  avg_cad numeric,
  elevation_gain numeric,
  is_stationary boolean not null
);
comment on table public.ride_changes is
  'Rides before and after each sync of the last year. Added rides have no row before, removed rides no row after. The first sync of an account is not recorded. The other columns are those of rides.';
comment on column public.ride_changes.is_after is 'Whether this is the ride after the sync.';

create index ride_changes_sync_idx on public.ride_changes (sync_id, ride_id);

alter table public.ride_changes enable row level security;
revoke all on public.ride_changes from public, anon, authenticated, service_role;
revoke all on sequence public.ride_changes_id_seq from public, anon, authenticated, service_role;

create policy "The owner reads the ride changes" on public.ride_changes
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_changes to authenticated;
-- No insert, update or delete for authenticated: history is not edited.
-- Nothing for service_role: the triggers write, and no function reads it without the owner's token. Nothing for anon.

-- Usage, service, lifetimes, costs and checks share two rules: which rides count, and how they are summed.

create view private.counted_rides with (security_invoker = true) as
select id, gear_id, started_at, departed_at, distance, duration, coalesce(moving_time, duration) as moving_time, is_stationary
from public.rides
where coalesce(departed_at, created_at, '-infinity') <= now();
comment on view private.counted_rides is
  'The rides that count: all but those in the future. Instants decide, because wall clock times of two zones don''t compare. A ride without a date counts for its bike, but for no period of time. A ride without a moving_time counts its duration.';
revoke all on private.counted_rides from public, anon, authenticated, service_role;
grant select on private.counted_rides to authenticated;

create view private.counted_ride_changes with (security_invoker = true) as
select sync_id, ride_id, is_after, gear_id, started_at, coalesce(distance, 0) as distance,
  coalesce(moving_time, duration, 0) as moving_time, is_stationary
from public.ride_changes
where timezone(time_zone, started_at) <= now();
comment on view private.counted_ride_changes is 'The same rule for rides before and after a sync. Rides without a date are left out.';
revoke all on private.counted_ride_changes from public, anon, authenticated, service_role;
grant select on private.counted_ride_changes to authenticated;

create type private.ride_range as (key bigint, gear_id bigint, since timestamp, until timestamp, outdoor_only boolean);
comment on type private.ride_range is
  'The rides of a bike with since <= started_at < until. Null until: no end. The caller chooses the key.';

-- The bounds of all ranges divide a bike's rides into intervals. A binary search finds the interval of each ride, and each
-- interval is summed once. The sum of a range is the running sum at its end minus the running sum at its start. The cost
-- grows with rides + ranges, not rides × ranges.
--
-- PL/pgSQL, because it caches plans and makes array access fast. docs/decisions/parts.md explains the choices.
create function private.sum_rides(ranges private.ride_range[], changed_by bigint default null)
returns table (key bigint, rides bigint, distance numeric, moving_time bigint, first_ride timestamp, last_ride timestamp)
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes many times longer than running them, and so does planning them for each bike.
set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  bike record;
  -- Element n is about the nth interval that has rides: the sums until its end, and its first and last ride.
  rides_until bigint[];
  distance_until numeric[];
  moving_time_until bigint[];
  first_rides timestamp[];
  last_rides timestamp[];
begin
  for bike in
    select gear_id, coalesce(outdoor_only, false) as outdoor_only, array_agg(range.key) as keys, array_agg(since) as since,
      array_agg(coalesce(until, 'infinity')) as until
    from unnest(ranges) as range group by 1, 2
  loop
    with bounds as materialized (
      select array_agg(at order by at) as bounds from unnest(bike.since || bike.until) as at
    ), ridden as (
      select started_at, 1 as rides, distance, moving_time from private.counted_rides
      where changed_by is null and gear_id = bike.gear_id and started_at >= (select bounds[1] from bounds)
        and not (is_stationary and bike.outdoor_only)
      union all
      select started_at, sign, sign * distance, sign * moving_time
      from private.counted_ride_changes cross join lateral (select case when is_after then 1 else -1 end as sign) as side
      where sync_id = changed_by and gear_id = bike.gear_id and started_at >= (select bounds[1] from bounds)
        and not (is_stationary and bike.outdoor_only)
    ), intervals as (
      select width_bucket(started_at, (select bounds from bounds)) as number, sum(rides)::integer as rides, sum(distance) as distance,
        sum(moving_time) as moving_time, min(started_at) as first_ride, max(started_at) as last_ride
      from ridden group by 1
    ), running as (
      select first_ride, last_ride, sum(rides) over so_far as rides, coalesce(sum(distance) over so_far, 0) as distance,
        coalesce(sum(moving_time) over so_far, 0) as moving_time
      from intervals window so_far as (order by number rows unbounded preceding)
      order by number
    )
    select array_agg(rides), array_agg(distance), array_agg(moving_time), array_agg(first_ride), array_agg(last_ride)
    into rides_until, distance_until, moving_time_until, first_rides, last_rides
    from running;

    return query
    select range.key, coalesce(rides_until[last], 0) - coalesce(rides_until[first], 0),
      coalesce(distance_until[last], 0) - coalesce(distance_until[first], 0),
      coalesce(moving_time_until[last], 0) - coalesce(moving_time_until[first], 0),
      case when last > first then first_rides[first + 1] end, case when last > first then last_rides[last] end
    -- [:] and offset 0 flatten the array once; otherwise width_bucket does it for every range.
    from (select coalesce(first_rides[:], '{}') as firsts offset 0) as flattened
    cross join unnest(bike.keys, bike.since, bike.until) as range (key, since, until)
    cross join lateral (
      -- The number of intervals before the start and before the end. Subtracting a microsecond, the resolution of a
      -- timestamp, leaves out intervals whose first ride is exactly at that time.
      select width_bucket(since - interval '1 microsecond', firsts), width_bucket(until - interval '1 microsecond', firsts)
      offset 0
    ) as place (first, last);
  end loop;
end
$$;
comment on function private.sum_rides(private.ride_range[], bigint) is
  'Sums rides, meters and seconds of each range, one row per range, and when its first and last ride started. With changed_by, sums what that sync changed instead.';
revoke all on function private.sum_rides(private.ride_range[], bigint) from public;
-- Security invoker: row-level security decides what the caller gets, so only the owner sees usage.
grant execute on function private.sum_rides(private.ride_range[], bigint) to authenticated;

-- The owner's clock. The dates of the log have no time zone.

-- Security definer: no role may read private.owner.
create function private.wall_clock(instant timestamptz default now()) returns timestamp
language sql stable security definer set search_path = ''
as $$
  select timezone(
    coalesce(
      (select time_zone from private.owner),
      -- Ride with GPS knows the zone of each ride. The highest id is the latest upload, and the primary key finds it quickly.
      (select time_zone from public.rides where started_at is not null order by id desc limit 1),
      'UTC'
    ), instant
  )
$$;
comment on function private.wall_clock(timestamptz) is 'Converts an instant, by default now, to the owner''s time zone.';

create function private.today() returns date
language sql stable security invoker set search_path = ''
as $$ select private.wall_clock()::date $$;
comment on function private.today() is 'Returns today in the owner''s time zone.';

revoke all on function private.wall_clock(timestamptz), private.today() from public;
grant execute on function private.wall_clock(timestamptz), private.today() to authenticated, service_role;
