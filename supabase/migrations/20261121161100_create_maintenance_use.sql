-- Usage: how far and how long a bike and each item of its log were ridden. Computed on every call, never stored.
--
-- A ride counts for an item when dateStarted <= started_at < dateEnded. The end is excluded, so a ride never counts for both
-- an item and its successor. These are wall clock times. An item without an end, or with a future end, counts rides whose
-- instant is not after now; wall clock times are never compared with the server's clock.
--
-- The starts and ends of all items divide the bike's rides into intervals. A binary search finds the interval of each ride,
-- and each interval is summed once. An item's usage is the running sum at its end minus the running sum at its start. The
-- cost grows with rides + items, not rides × items.
--
-- PL/pgSQL, because it caches plans and makes array access fast. docs/decisions/usage.md explains the choices.

create or replace function public.maintenance_use(gear_id bigint) returns json
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes many times longer than running them.
set jit = off
as $$
declare
  moment constant timestamptz := now();
  -- Element n belongs to the nth interval that has rides: the sums up to its end, and its first and last ride.
  rides_upto bigint[];
  distance_upto numeric[];
  moving_time_upto numeric[];
  first_rides timestamp[];
  last_rides timestamp[];
begin
  with bounds as materialized (
    select array_agg(bound order by bound) as bounds
    from (
      select "dateStarted" as bound from public.maintenance where "bikeId" = maintenance_use.gear_id
      union
      select "dateEnded" from public.maintenance where "bikeId" = maintenance_use.gear_id and "dateEnded" is not null
    ) as of_items
  ), intervals as (
    -- Rides that count for no item, because they are in the future or have no date, are in interval null, which sorts last.
    select
      case when coalesce(departed_at, created_at) <= moment
        then width_bucket(started_at, (select bounds from bounds)) end as interval_number,
      count(*)::integer as rides, sum(distance) as distance, sum(coalesce(moving_time, duration)) as moving_time,
      min(started_at) as first_ride, max(started_at) as last_ride
    from public.rides where rides.gear_id = maintenance_use.gear_id
    group by 1
  ), running as (
    select interval_number, first_ride, last_ride,
      sum(rides) over upto as rides, coalesce(sum(distance) over upto, 0) as distance,
      coalesce(sum(moving_time) over upto, 0) as moving_time
    from intervals window upto as (order by interval_number rows unbounded preceding)
    order by interval_number
  )
  select
    array_agg(rides), array_agg(distance), array_agg(moving_time),
    array_agg(first_ride) filter (where interval_number is not null), array_agg(last_ride)
  into rides_upto, distance_upto, moving_time_upto, first_rides, last_rides
  from running;

  return (
    with bounded as materialized (
      -- The number of intervals before the item's start and before its end. Subtracting a microsecond, the resolution of a
      -- timestamp, leaves out intervals whose first ride is exactly at that time.
      select id,
        width_bucket("dateStarted" - interval '1 microsecond', first_of_intervals) as since,
        width_bucket(coalesce("dateEnded", 'infinity') - interval '1 microsecond', first_of_intervals) as upto
      -- [:] and offset 0 flatten the array once; otherwise width_bucket does it for every item.
      from public.maintenance, (select coalesce(first_rides[:], '{}') as first_of_intervals offset 0) as flattened
      where "bikeId" = maintenance_use.gear_id
    ), items as (
      select id,
        coalesce(rides_upto[upto], 0) - coalesce(rides_upto[since], 0) as rides,
        coalesce(distance_upto[upto], 0) - coalesce(distance_upto[since], 0) as distance,
        coalesce(moving_time_upto[upto], 0) - coalesce(moving_time_upto[since], 0) as moving_time,
        case when upto > since then first_rides[since + 1] end as first_ride,
        case when upto > since then last_rides[upto] end as last_ride
      from bounded order by id
    )
    select json_build_object(
      'gear_id', bike.gear_id,
      'total', json_build_object(
        'rides', coalesce(rides_upto[cardinality(rides_upto)], 0),
        'distance', coalesce(distance_upto[cardinality(rides_upto)], 0),
        'moving_time', coalesce(moving_time_upto[cardinality(rides_upto)], 0)
      ),
      'items', (select coalesce(json_agg(items), '[]') from items)
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$$;
comment on function public.maintenance_use(bigint) is
  'Rides, meters and seconds of a bike and of each item of its log, as maintenance-use returns them. Null for an unknown bike. A ride without a moving_time counts its duration.';

revoke all on function public.maintenance_use(bigint) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets, so only the owner sees usage.
grant execute on function public.maintenance_use(bigint) to authenticated;
