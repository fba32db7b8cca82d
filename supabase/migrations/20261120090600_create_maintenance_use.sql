-- How far and how long each part of a bike was ridden. Derived from the rides at every call, never stored.
--
-- A ride counts for a part when dateStarted <= started_at < dateEnded: half-open, so that a ride is never counted for
-- two successive parts. Both sides are wall clocks. A part without an end, or with one that is still to come, is open:
-- what bounds it is that the ride's instant is not after now (a wall clock is never compared with the server's clock).
--
-- Every ride of the bike and both ends of every part are put in one row by time, with running sums over the rides; a
-- part's usage is the running sum at its end less that at its start. So the cost grows with rides + parts.

create function public.maintenance_use(gear_id bigint) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with ridden as (
    select
      started_at, coalesce(departed_at, created_at) as instant,
      coalesce(distance, 0) as distance, coalesce(moving_time, duration, 0) as moving_time
    from public.rides where rides.gear_id = maintenance_use.gear_id
  ), moments as (
    -- A boundary comes before the rides of its own moment: they are not yet ridden at a start, and no longer count at an end.
    select started_at as at, 1 as place, null::bigint as item, null::text as edge, started_at as ride, 1 as rides, distance, moving_time
    from ridden where instant <= now()
    union all
    select "dateStarted", 0, id, 'start', null, 0, 0, 0
    from public.maintenance where "bikeId" = maintenance_use.gear_id
    union all
    select coalesce("dateEnded", 'infinity'), 0, id, 'end', null, 0, 0, 0
    from public.maintenance where "bikeId" = maintenance_use.gear_id
  ), running as (
    select item, edge,
      sum(rides) over so_far as rides, sum(distance) over so_far as distance, sum(moving_time) over so_far as moving_time,
      max(ride) over so_far as ride_before,
      -- Backwards rather than "to the end": a frame whose start moves would be summed anew for every row.
      min(ride) over (order by at desc, place desc rows between unbounded preceding and current row) as ride_after
    from moments
    window so_far as (order by at, place rows between unbounded preceding and current row)
  ), used as (
    select a.item as id, b.rides - a.rides as rides, b.distance - a.distance as distance,
      b.moving_time - a.moving_time as moving_time, a.ride_after as first_ride, b.ride_before as last_ride
    from running as a join running as b on b.item = a.item and b.edge = 'end'
    where a.edge = 'start'
  )
  select jsonb_build_object(
    'gear_id', bike.gear_id,
    'total', (
      select jsonb_build_object(
        'rides', count(*), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0)
      ) from ridden
    ),
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', used.id, 'rides', used.rides, 'distance', used.distance, 'moving_time', used.moving_time,
        'first_ride', case when used.rides > 0 then used.first_ride end,
        'last_ride', case when used.rides > 0 then used.last_ride end
      ) order by used.id), '[]') from used
    )
  )
  from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
$$;
comment on function public.maintenance_use(bigint) is
  'Rides, metres and seconds of a bike and of each item of its log, as maintenance-use answers them; null for an unknown bike. A ride without moving_time counts its duration.';

revoke all on function public.maintenance_use(bigint) from public, anon, service_role;
-- Security invoker: whoever calls sees the usage of what they may read, which is the owner's alone.
grant execute on function public.maintenance_use(bigint) to authenticated;
