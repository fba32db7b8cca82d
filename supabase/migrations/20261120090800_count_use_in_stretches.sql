-- How far and how long each part of a bike was ridden: the same rule and the same numbers, in less time.
--
-- A ride counts for a part when dateStarted <= started_at < dateEnded: half-open, so that a ride is never counted for
-- two successive parts. Both sides are wall clocks. A part without an end, or with one that is still to come, is open:
-- what bounds it is that the ride's instant is not after now (a wall clock is never compared with the server's clock).
--
-- The days on which parts start or end cut the bike's rides into stretches. Each ride is put into its stretch by a binary
-- search, each stretch is summed once, and a part's usage is the running sum up to its end less that up to its start. So
-- the cost grows with rides + parts, and a ride costs little more than in one plain sum.
--
-- PL/pgSQL for two reasons: it keeps the plans, which take as long to make as a third of the counting, and it keeps the
-- running sums taken apart, so that any of them is found at once. In columns (one array per property, an element per
-- item), since making a record of each item takes as long as a plain sum; maintenance-use makes the records.

create or replace function public.maintenance_use(gear_id bigint) returns json
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes longer than running them, many times over.
set jit = off
as $$
declare
  moment constant timestamptz := now();
  -- Element n tells of stretch n, counting the stretches with rides alone: the sums up to its end, and its own rides.
  rides_upto bigint[];
  distance_upto numeric[];
  moving_time_upto numeric[];
  first_rides timestamp[];
  last_rides timestamp[];
begin
  with days as materialized (
    select array_agg(day order by day) as days
    from (
      select "dateStarted" as day from public.maintenance where "bikeId" = maintenance_use.gear_id
      union
      select "dateEnded" from public.maintenance where "bikeId" = maintenance_use.gear_id and "dateEnded" is not null
    ) as of_items
  ), stretches as (
    -- Rides that count for no part, since they are still to come or have no date at all, are in stretch null: the last.
    select
      case when coalesce(departed_at, created_at) <= moment
        then width_bucket(started_at, (select days from days)) end as stretch,
      count(*)::integer as rides, sum(distance) as distance, sum(coalesce(moving_time, duration)) as moving_time,
      min(started_at) as first_ride, max(started_at) as last_ride
    from public.rides where rides.gear_id = maintenance_use.gear_id
    group by 1
  ), running as (
    select stretch, first_ride, last_ride,
      sum(rides) over upto as rides, coalesce(sum(distance) over upto, 0) as distance,
      coalesce(sum(moving_time) over upto, 0) as moving_time
    from stretches window upto as (order by stretch rows unbounded preceding)
    order by stretch
  )
  select
    array_agg(rides), array_agg(distance), array_agg(moving_time),
    array_agg(first_ride) filter (where stretch is not null), array_agg(last_ride)
  into rides_upto, distance_upto, moving_time_upto, first_rides, last_rides
  from running;

  return (
    with bounded as materialized (
      -- How many stretches lie before the item's start, and before its end. Those that begin at that very moment do not:
      -- the width of a timestamp is a microsecond.
      select id,
        width_bucket("dateStarted" - interval '1 microsecond', begins) as since,
        width_bucket(coalesce("dateEnded", 'infinity') - interval '1 microsecond', begins) as upto
      -- A copy in one piece, made once: width_bucket would make one for each item.
      from public.maintenance, (select coalesce(first_rides[:], '{}') as begins offset 0) as stretches
      where "bikeId" = maintenance_use.gear_id
    ), used as (
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
      'items', (
        select json_build_object(
          'id', array_agg(id), 'rides', array_agg(rides), 'distance', array_agg(distance),
          'moving_time', array_agg(moving_time), 'first_ride', array_agg(first_ride), 'last_ride', array_agg(last_ride)
        ) from used having count(*) > 0
      )
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$$;
comment on function public.maintenance_use(bigint) is
  'Rides, metres and seconds of a bike and, in columns, of each item of its log (null: it has none); null for an unknown bike. A ride without moving_time counts its duration.';
