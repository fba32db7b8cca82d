-- What is due: how much of each service task's limits is used up. Computed on every call, never stored.
--
-- The baseline of a task is the last time it was done on its part, else the part's first install; for a task of a bike, else
-- the bike's first ride. Rides count from the baseline on, over all install periods of the part on any bike, by the rule of
-- maintenance_use: dateStarted <= started_at < dateEnded, and the ride's instant is not after now. A task of a bike counts
-- every ride of the bike. Items that start and end at the same time are work, not install periods.
--
-- As in maintenance_use, the starts and ends of all periods divide each bike's rides into intervals, each interval is summed
-- once, and usage is the difference of two running sums. The cost grows with rides + tasks + periods. PL/pgSQL, because it
-- caches plans; docs/decisions/service.md explains the choices.

create or replace function public.service_due(gear_id bigint default null) returns json
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes many times longer than running them.
set jit = off
-- Otherwise every call with a gear_id, or without, is planned again, which takes longer than summing the rides.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  moment constant timestamptz := now();
  clock constant timestamp := private.wall_clock();
begin
  if service_due.gear_id is not null
    and not exists (select from public.bikes where bikes.gear_id = service_due.gear_id) then
    return null;
  end if;

  return (
    with periods as materialized (
      select part_id, id, "bikeId" as gear_id, type, name, "dateStarted" as since, coalesce("dateEnded", 'infinity') as upto
      from public.maintenance
      where part_id in (select part_id from public.service_tasks) and "dateEnded" is distinct from "dateStarted"
    ), parts as (
      -- The latest period says where the part is now, or was last.
      select distinct on (part_id) part_id, id as item_id, gear_id, type, name, upto > clock as is_installed,
        min(since) over (partition by part_id) as first_installed
      from periods order by part_id, since desc, id desc
    ), tasks as materialized (
      select task.id, task.part_id, coalesce(parts.gear_id, task.gear_id) as gear_id, parts.item_id,
        parts.type as item_type, parts.name as item_name, coalesce(parts.is_installed, true) as is_installed,
        task.name, task.kind, task.every_distance, task.every_moving_time, task.every_days,
        task.snoozed_until, task.snoozed_distance, task.snoozed_from,
        latest.newest_event, latest.done_at as last_done,
        coalesce(latest.done_at, parts.first_installed, first_ride.started_at) as baseline
      from public.service_tasks as task
      left join parts on parts.part_id = task.part_id
      left join (
        select task_id, part_id, max(done_at) as done_at, max(id) as newest_event from public.service_events group by 1, 2
      ) as latest on latest.task_id = task.id and latest.part_id is not distinct from task.part_id
      left join lateral (
        select ride.started_at from public.rides as ride
        where task.part_id is null and ride.gear_id = task.gear_id and coalesce(ride.departed_at, ride.created_at) <= moment
        order by ride.started_at limit 1
      ) as first_ride on true
      -- The tasks of a deleted item wait until it is restored.
      where (task.part_id is null or parts.part_id is not null)
        and (service_due.gear_id is null or coalesce(parts.gear_id, task.gear_id) = service_due.gear_id)
    ), ranges as (
      select tasks.id as task_id, periods.gear_id, greatest(periods.since, tasks.baseline) as since, periods.upto
      from tasks join periods on periods.part_id = tasks.part_id and periods.upto > tasks.baseline
      union all
      select id, tasks.gear_id, baseline, 'infinity' from tasks where part_id is null and baseline is not null
    ), edges as materialized (
      -- The numbers of all starts and ends, bike after bike: a single key, so joins stay linear.
      select *, dense_rank() over (order by gear_id, at) as number
      from (
        select task_id, gear_id, since as at, -1 as sign from ranges
        union all
        select task_id, gear_id, upto, 1 from ranges
      ) as of_ranges
    ), bounds as materialized (
      select distinct gear_id, at, number from edges
    ), intervals as (
      -- Interval n is from bound n to bound n + 1, or later than the last bound of its bike.
      select of_bike.number, of_bike.distance, of_bike.moving_time
      from (
        select gear_id, array_agg(at order by number) as bounds, min(at) as earliest, min(number) - 1 as before
        from bounds group by gear_id
      ) as bike
      -- One scan per bike: joining the rides instead copies the array of bounds for each ride.
      cross join lateral (
        select bike.before + width_bucket(ride.started_at, bike.bounds) as number,
          sum(ride.distance) as distance, sum(coalesce(ride.moving_time, ride.duration)) as moving_time
        from public.rides as ride
        where ride.gear_id = bike.gear_id and ride.started_at >= bike.earliest
          and coalesce(ride.departed_at, ride.created_at) <= moment
        group by 1
      ) as of_bike
    ), running as (
      -- The sums of all intervals before a bound.
      select number, coalesce(sum(distance) over before, 0) as distance, coalesce(sum(moving_time) over before, 0) as moving_time
      from bounds left join intervals using (number)
      window before as (order by number rows between unbounded preceding and 1 preceding)
    ), used as (
      -- Up to the end of each range, minus up to its start.
      select task_id, sum(sign * distance) as distance, sum(sign * moving_time) as moving_time
      from edges join running using (number) group by task_id
    ), amounts as (
      select tasks.*, coalesce(used.distance, 0) as distance, coalesce(used.moving_time, 0) as moving_time,
        coalesce(greatest(clock::date - baseline::date, 0), 0) as days
      from tasks left join used on used.task_id = tasks.id
    ), fractions as materialized (
      select *,
        distance::float8 / every_distance::float8 as of_distance,
        moving_time::float8 / every_moving_time as of_moving_time,
        days::float8 / every_days as of_days,
        coalesce(
          snoozed_from is not distinct from baseline and (clock::date < snoozed_until or distance < snoozed_distance), false
        ) as is_snoozed
      from amounts
    ), states as materialized (
      -- The limit that is used up most decides. Any limit that is reached makes the task due.
      select *, greatest(of_distance, of_moving_time, of_days) as fraction, case
        when not is_installed then 'paused'
        when is_snoozed then 'snoozed'
        when greatest(of_distance, of_moving_time) >= 1.1 or days > every_days then 'overdue'
        when greatest(of_distance, of_moving_time, of_days) >= 1 then 'due'
        when greatest(of_distance, of_moving_time, of_days) >= 0.9 then 'soon'
        else 'ok' end as state
      from fractions
    )
    select json_build_object('tasks', coalesce(json_agg(json_build_object(
      'id', id, 'gear_id', states.gear_id, 'item_id', item_id, 'name', name, 'kind', kind,
      'every', json_build_object('distance', every_distance, 'moving_time', every_moving_time, 'days', every_days),
      'used', json_build_object('distance', distance, 'moving_time', moving_time, 'days', days),
      'fraction', fraction,
      'axis', case fraction when of_distance then 'distance' when of_moving_time then 'moving_time' else 'days' end,
      'state', state,
      'snoozed_until', case when is_snoozed then snoozed_until end,
      'snoozed_distance', case when is_snoozed then snoozed_distance end,
      'part_id', part_id, 'item_name', item_name, 'item_type', item_type,
      'baseline', baseline, 'last_done', last_done, 'newest_event', newest_event
    ) order by fraction desc, id), '[]'))
    from states
  );
end
$$;
comment on function public.service_due(bigint) is
  'The service tasks of all bikes or of one, as service-due returns them, except for the forecast. Null for an unknown bike.';

-- Each time the tasks of a part or a bike were done, the latest first, with the distance of the part or bike until then.
create or replace function public.service_history(part_id bigint default null, gear_id bigint default null) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object('events', coalesce(json_agg(json_build_object(
    'id', event.id, 'task_id', event.task_id, 'name', task.name, 'done_at', event.done_at, 'note', event.note,
    'maintenance_id', event.maintenance_id, 'cost', item.cost,
    'distance', coalesce((
      select sum(ride.distance) from public.rides as ride
      where coalesce(ride.departed_at, ride.created_at) <= now() and ride.started_at < event.done_at
        and case when service_history.part_id is null then ride.gear_id = service_history.gear_id else exists (
          select from public.maintenance as period
          where period.part_id = service_history.part_id and period."bikeId" = ride.gear_id
            and period."dateStarted" <= ride.started_at and (period."dateEnded" is null or ride.started_at < period."dateEnded")
        ) end
    ), 0)
  ) order by event.done_at desc, event.id desc), '[]'))
  from public.service_events as event
  join public.service_tasks as task on task.id = event.task_id
  left join public.maintenance as item on item.id = event.maintenance_id
  where case when service_history.part_id is null
    then event.part_id is null and task.gear_id = service_history.gear_id
    else event.part_id = service_history.part_id end
$$;
comment on function public.service_history(bigint, bigint) is
  'When the service tasks of a part or of a bike were done, the latest first: {events: [{id, task_id, name, done_at, note, maintenance_id, cost, distance}]}.';

revoke all on function public.service_due(bigint), public.service_history(bigint, bigint) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets.
grant execute on function public.service_due(bigint), public.service_history(bigint, bigint) to authenticated;
