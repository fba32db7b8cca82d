-- How far and how long each part of a bike was ridden. Derived from the rides at every call, never stored.
--
-- A ride counts for a part when dateStarted <= started_at < dateEnded: half-open, so that a ride is never counted for
-- two successive parts. Both sides are wall clocks. A part without an end, or with one that is still to come, is open:
-- what bounds it is that the ride's instant is not after now (a wall clock is never compared with the server's clock).
--
-- The days on which parts start or end cut the bike's rides into stretches. Each ride is put into its stretch by a binary
-- search, each stretch is summed once, and a part's usage is the running sum up to its end less that up to its start. So
-- the cost grows with rides + parts, and a ride costs little more than in one plain sum.

create function public.maintenance_use(gear_id bigint) returns json
language sql stable security invoker set search_path = ''
-- Compiling the query takes longer than running it, many times over.
set jit = off
as $$
  with items as materialized (
    select id, "dateStarted" as started, coalesce("dateEnded", 'infinity') as ended
    from public.maintenance where "bikeId" = maintenance_use.gear_id
  ), days as materialized (
    select array_agg(distinct day order by day) as days
    from (select started as day from items union all select ended from items) as of_items
  ), stretches as materialized (
    -- Stretch n reaches from day n to before day n + 1. Rides that count for no part, since they are still to come or have
    -- no date at all, are in stretch null.
    select
      case when coalesce(departed_at, created_at) <= now()
        then width_bucket(started_at, (select days from days)) end as stretch,
      count(*) as rides, sum(distance) as distance, sum(coalesce(moving_time, duration)) as moving_time,
      min(started_at) as first_ride, max(started_at) as last_ride
    from public.rides where rides.gear_id = maintenance_use.gear_id
    group by 1
  ), running as materialized (
    select day,
      coalesce(sum(rides) over before_day, 0) as rides, coalesce(sum(distance) over before_day, 0) as distance,
      coalesce(sum(moving_time) over before_day, 0) as moving_time,
      max(last_ride) over before_day as last_before, min(first_ride) over (order by n desc) as first_from
    from unnest((select days from days)) with ordinality as known (day, n)
    left join stretches on stretch = n
    window before_day as (order by n rows between unbounded preceding and 1 preceding)
  ), used as (
    select items.id, upto.rides - since.rides as rides, upto.distance - since.distance as distance,
      upto.moving_time - since.moving_time as moving_time,
      case when upto.rides > since.rides then since.first_from end as first_ride,
      case when upto.rides > since.rides then upto.last_before end as last_ride
    from items
    join running as since on since.day = items.started
    join running as upto on upto.day = items.ended
  )
  select json_build_object(
    'gear_id', bike.gear_id,
    'total', (
      select json_build_object(
        'rides', coalesce(sum(rides), 0), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0)
      ) from stretches
    ),
    'items', (select coalesce(json_agg(used order by id), '[]') from used)
  )
  from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
$$;
comment on function public.maintenance_use(bigint) is
  'Rides, metres and seconds of a bike and of each item of its log, as maintenance-use answers them; null for an unknown bike. A ride without moving_time counts its duration.';

revoke all on function public.maintenance_use(bigint) from public, anon, service_role;
-- Security invoker: whoever calls sees the usage of what they may read, which is the owner's alone.
grant execute on function public.maintenance_use(bigint) to authenticated;
