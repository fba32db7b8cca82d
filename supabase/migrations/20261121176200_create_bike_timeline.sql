-- What the timeline of a bike shows besides its items and their usage.

create or replace function public.bike_timeline(gear_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'months', (
      select coalesce(json_agg(months), '[]') from (
        select to_char(ride.started_at, 'YYYY-MM') as month, count(*) as rides, coalesce(sum(ride.distance), 0) as distance,
          coalesce(sum(coalesce(ride.moving_time, ride.duration)), 0) as moving_time
        from public.rides as ride
        -- The rides that count for usage.
        where ride.gear_id = bike.gear_id and ride.started_at is not null and coalesce(ride.departed_at, ride.created_at) <= now()
        group by 1 order by 1
      ) as months
    ),
    'services', (
      select coalesce(json_agg(services), '[]') from (
        select event.id, task.name, event.done_at::date as day, place.id as item_id, event.maintenance_id as paid_item_id
        from public.service_events as event
        join public.service_tasks as task on task.id = event.task_id
        left join lateral (
          -- Where the part was: its latest period that had started by then, or its first one.
          select period.id, period."bikeId" from public.maintenance as period where period.part_id = event.part_id
          order by greatest(period."dateStarted" - event.done_at, interval '0'), period."dateStarted" desc, period.id desc
          limit 1
        ) as place on true
        where coalesce(place."bikeId", task.gear_id) = bike.gear_id
        order by event.done_at, event.id
      ) as services
    )
  )
  from public.bikes as bike where bike.gear_id = bike_timeline.gear_id
$$;
comment on function public.bike_timeline(bigint) is
  'By month, the rides, meters and seconds of a bike; and each time a service task of the bike or of a part on it was done, with the item of that part and the item that has the cost. Null for an unknown bike.';

revoke all on function public.bike_timeline(bigint) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets, so only the owner sees the timeline.
grant execute on function public.bike_timeline(bigint) to authenticated;
