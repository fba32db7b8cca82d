-- Due tasks: how much of each task's limits is used up, computed on every call and never stored.
--
-- A task's baseline is when it was last done on its part or bike. If it never was, the task counts from the moment that the owner
-- chose (counted_from), but at the earliest from the part's first install, or else from the bike's first ride. Rides count from the baseline on: over all of a part's install periods on any bike, or all of a
-- bike's rides. Usage from before the log counts for a task that counts from the part's first install. docs/decisions/service.md explains
-- the choices.

create view private.current_places with (security_invoker = true) as
-- The part's latest period, or its next one if all are in the future.
select distinct on (part_id) part_id, id as item_id, gear_id, type, name, not is_ahead and until > clock as is_installed,
  min(since) over (partition by part_id) as first_installed
from private.part_places
cross join (select private.wall_clock() as clock offset 0) as owner
cross join lateral (select since::date > clock::date as is_ahead) as place
where part_id in (select part_id from public.service_tasks union all select part_id from public.wear_measurements)
order by part_id, is_ahead, case when is_ahead then since end, since desc, id desc;
comment on view private.current_places is
  'The current, last or next item of each part with tasks or measurements, and when the part was first installed.';
grant select on private.current_places to authenticated;

create view private.last_events with (security_invoker = true) as
select distinct on (task_id, part_id) task_id, part_id, done_at, max(id) over (partition by task_id, part_id) as newest_event
from private.done_events
-- The wall clock goes back when the owner travels west, so compare instants.
order by task_id, part_id, coalesce(timezone('UTC', pressed_at), done_at - (select private.wall_clock() - timezone('UTC', now()))) desc,
  id desc;
comment on view private.last_events is 'When each task was last done on each part, and the event that was added last.';
grant select on private.last_events to authenticated;

create view private.current_tasks with (security_invoker = true) as
with latest as materialized (
  -- Materialized, because PostgreSQL expects a single task and would sort the events again for every task.
  select * from private.last_events
)
select task.id, task.part_id, coalesce(place.gear_id, task.gear_id) as gear_id, place.item_id, place.type as item_type,
  place.name as item_name, coalesce(place.is_installed, true) as is_installed,
  bike.gear_id in (select gear_id from private.retired_bikes) as is_retired, task.name, task.kind, task.every_distance, task.every_moving_time,
  task.every_days, task.outdoor_only, task.snoozed_until, task.snoozed_distance,
  (latest.done_at is null or latest.done_at = task.snoozed_from) and coalesce(task.snoozed_part = task.part_id, true) as is_snooze_current,
  latest.newest_event, latest.done_at as last_done, rides_from, coalesce(rides_from, place.first_installed, first_ride.started_at) as baseline,
  task.once, task.due_on, task.with_task, task."group"
from public.service_tasks as task
left join private.current_places as place on place.part_id = task.part_id
join public.bikes as bike on bike.gear_id = coalesce(place.gear_id, task.gear_id)
left join latest on latest.task_id = task.id and latest.part_id is not distinct from task.part_id
-- Null: from the part's beginning. A successor may have been installed later.
cross join lateral (
  select coalesce(latest.done_at, case when coalesce(task.counted_from > place.first_installed, true) then task.counted_from end) as rides_from
) as counted
cross join lateral (select case when task.part_id is null then private.first_ride(task.gear_id) end as started_at) as first_ride
-- Hide the tasks of a part without items. They return when an item is restored.
where (task.part_id is null or place.part_id is not null)
  and not (task.once and exists (select from latest as done where done.task_id = task.id));
comment on view private.current_tasks is
  'Each task with its part''s current place and its baseline, without those that were to be done once and are.';
grant select on private.current_tasks to authenticated;

-- PL/pgSQL, because it caches plans.
create function public.service_due(gear_id bigint default null) returns json
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes many times longer than running them, and planning takes longer than summing the rides.
set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  today constant date := private.today();
begin
  if service_due.gear_id is not null
    and not exists (select from public.bikes where bikes.gear_id = service_due.gear_id) then
    return null;
  end if;

  return (
    with tasks as materialized (
      -- Only then choose the bike (offset 0). Otherwise, PostgreSQL expects a single task and compares each with every event.
      select * from (select * from private.current_tasks offset 0) as task
      where service_due.gear_id is null or gear_id = service_due.gear_id
    ), used as (
      select key as id, distance, moving_time, earlier_distance, earlier_moving_time
      from private.usage_between(array(
        select (id, part_id, gear_id, case when part_id is null then baseline else rides_from end, null, outdoor_only)::private.used_span
        from tasks where baseline is not null
      ))
    ), fractions as materialized (
      select *,
        distance::float8 / every_distance::float8 as of_distance,
        moving_time::float8 / every_moving_time as of_moving_time,
        case when due_on is null then days::float8 / every_days
          -- The share of the days from the baseline, which may be after the day.
          else greatest(days::float8 / nullif(greatest(due_on - baseline::date, 0), 0), (today >= due_on)::integer)
        end as of_days,
        coalesce(is_snooze_current and (today < snoozed_until or distance < snoozed_distance), false) as is_snoozed
      from (
        select tasks.*, coalesce(distance, 0) as distance, coalesce(moving_time, 0) as moving_time, earlier_distance, earlier_moving_time,
          coalesce(greatest(today - baseline::date, 0), 0) as days
        from tasks left join used using (id)
      ) as amounts
    ), states as materialized (
      -- A task that only waits for another one has no share.
      select *, coalesce(greatest(of_distance, of_moving_time, of_days), 0) as fraction, case
        when not is_installed or is_retired then 'paused'
        when is_snoozed then 'snoozed'
        when greatest(of_distance, of_moving_time) >= 1.1 or days > every_days or today > due_on then 'overdue'
        when greatest(of_distance, of_moving_time, of_days) >= 1 then 'due'
        when greatest(of_distance, of_moving_time, of_days) >= 0.9 then 'soon'
        else 'ok' end as state
      from fractions
    )
    select json_build_object(
      'tasks', coalesce(json_agg(task order by fraction desc, id), '[]'),
      'limits', private.wear_limits(service_due.gear_id, array(
        select part_id from states where kind = 'check' and part_id is not null and state in ('due', 'overdue')
      ))
    )
    from (
      select id, gear_id, item_id, name, kind,
        json_build_object('distance', every_distance, 'moving_time', every_moving_time, 'days', every_days) as every,
        outdoor_only, json_build_object('distance', distance, 'moving_time', moving_time, 'days', days) as used,
        json_build_object(
          'distance', every_distance - distance, 'moving_time', every_moving_time - moving_time,
          -- Not from the days used: after a journey west, the baseline may be tomorrow, as a planned part's may be.
          'days', coalesce(due_on, baseline::date + every_days, today + every_days) - today
        ) as "left",
        once, due_on, with_task, case when with_task is not null then (
          select other.name from public.service_tasks as other where other.id = states.with_task
        ) end as with_task_name, "group",
        case when kind = 'check' then (
          select json_build_object('unit', unit, 'tool', tool, 'limit', "limit", 'reading', reading)
          from public.wear_measurements as measurement where measurement.part_id = states.part_id order by measured_on desc, measurement.id desc limit 1
        ) end as measured,
        earlier_distance, earlier_moving_time, fraction,
        case fraction when of_distance then 'distance' when of_moving_time then 'moving_time' else 'days' end as axis, state,
        case when is_snoozed then snoozed_until end as snoozed_until,
        case when is_snoozed then snoozed_distance end as snoozed_distance,
        part_id, item_name, item_type, is_retired, baseline, last_done, newest_event
      from states
    ) as task
  );
end
$$;
comment on function public.service_due(bigint) is
  'Returns the service tasks of one or all bikes, and the limits of measured parts, as service-due does but without forecasts. Null for an unknown bike.';
grant execute on function public.service_due to authenticated;

-- The time and the rides between two services, from which a rider sees how often a part really needs one.
create function private.service_intervals(tasks bigint[]) returns table (event_id bigint, since_last jsonb, median jsonb)
language sql stable security invoker set search_path = ''
as $$
  with events as materialized (
    select event.id, task_id, event.part_id, task.gear_id, task.outdoor_only, done_at,
      lag(done_at) over (partition by task_id, event.part_id order by done_at, event.id) as last_done_at
    from public.service_events as event join public.service_tasks as task on task.id = task_id
    where task_id = any (tasks)
  ), intervals as (
    select events.*, used.distance, used.moving_time, done_at::date - last_done_at::date as days
    from events left join private.usage_between(array(
      select (id, part_id, case when part_id is null then gear_id end, last_done_at, done_at, outdoor_only)::private.used_span
      from events where last_done_at is not null
    )) as used on key = id
  ), medians as (
    select task_id, part_id, case when count(last_done_at) > 1 then jsonb_build_object(
      'distance', round((percentile_cont(0.5) within group (order by distance))::numeric),
      'moving_time', round((percentile_cont(0.5) within group (order by moving_time))::numeric),
      'days', round((percentile_cont(0.5) within group (order by days))::numeric)
    ) end as median
    from intervals group by 1, 2
  )
  select id, case when last_done_at is not null then
    jsonb_build_object('distance', distance, 'moving_time', moving_time, 'days', days)
  end, median
  from intervals join medians on medians.task_id = intervals.task_id and medians.part_id is not distinct from intervals.part_id
$$;
comment on function private.service_intervals(bigint[]) is
  'Returns for each event of these tasks {distance, moving_time, days} since the task was last done on the same part or bike, null for the first, and the median of these intervals, null with fewer than two. Distance and time leave out what the task leaves out.';
grant execute on function private.service_intervals to authenticated;

create function public.service_history(part_id bigint default null, gear_id bigint default null) returns json
language sql stable security invoker set search_path = ''
as $$
  with events as materialized (
    select event.id, event.task_id, task.name, event.done_at, event.note, event.maintenance_id, item.cost
    from public.service_events as event
    join public.service_tasks as task on task.id = event.task_id
    left join public.maintenance as item on item.id = event.maintenance_id
    where case when service_history.part_id is null
      then event.part_id is null and task.gear_id = service_history.gear_id
      else event.part_id = service_history.part_id end
  ), used as (
    select key as id, distance, earlier_distance
    from private.usage_between(array(
      select (id, service_history.part_id, service_history.gear_id, null, done_at, false)::private.used_span from events
    ))
  )
  select json_build_object('events', coalesce(json_agg(json_build_object(
    'id', id, 'task_id', task_id, 'name', name, 'done_at', done_at, 'note', note, 'maintenance_id', maintenance_id,
    'cost', cost, 'distance', distance, 'earlier_distance', earlier_distance, 'since_last', since_last, 'median', median,
    'together', 1 + (select count(*) from private.events_together(id))
  ) order by done_at desc, id desc), '[]'))
  from events join used using (id)
  join private.service_intervals(array(select task_id from events)) as intervals on event_id = id
$$;
comment on function public.service_history(bigint, bigint) is
  'Lists a part''s or bike''s service events, latest first: {events: [{id, task_id, name, done_at, note, maintenance_id, cost, distance, earlier_distance, since_last, median, together}]}, the intervals as private.service_intervals. distance: the part''s or bike''s meters at the time, including earlier_distance. together: how many of its group were done with it, itself included.';
grant execute on function public.service_history to authenticated;

create function private.command_services(arguments jsonb) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
declare
  wanted_task constant bigint := arguments ->> 'task_id';
  wanted_bike constant bigint := arguments ->> 'gear_id';
  from_day constant date := arguments ->> 'from';
  to_day constant date := arguments ->> 'to';
  entries constant integer := coalesce((arguments ->> 'limit')::integer, 100);
  last constant private.service_places := (select place from private.service_places as place where id = (arguments ->> 'after')::bigint);
begin
  perform private.reject_if(
    wanted_task is not null and not exists (select from public.service_tasks where id = wanted_task), 'RMT22', 'RMT22: The task was removed.'
  );
  perform private.reject_if(arguments ->> 'after' is not null and last.id is null, 'PT422', 'after: No service has this id.');
  return (
    with listed as materialized (
      select * from private.service_places
      where (wanted_task is null or task_id = wanted_task) and (wanted_bike is null or gear_id = wanted_bike)
        and (from_day is null or done_at >= from_day) and (to_day is null or done_at < to_day + 1)
        and (last.id is null or (done_at, id) < (last.done_at, last.id))
      order by done_at desc, id desc limit entries + 1
    ), page as (
      select * from listed order by done_at desc, id desc limit entries
    ), used as (
      select key, distance
      from private.usage_between(array(
        select (id, part_id, case when part_id is null then task_gear_id end, null, done_at, false)::private.used_span from page
      ))
    )
    select jsonb_build_object(
      'services', coalesce(jsonb_agg(jsonb_build_object(
        'id', page.id, 'task_id', task_id, 'task', page.name, 'gear_id', gear_id, 'part_id', page.part_id, 'part', item_name,
        'done_on', done_at::date, 'note', note, 'cost', item.cost, 'distance', distance, 'since_last', since_last, 'median', median
      ) order by done_at desc, page.id desc), '[]'),
      'has_more', (select count(*) > entries from listed), 'bikes', private.bike_names()
    )
    from page join used on key = page.id
    join private.service_intervals(array(select task_id from page)) as intervals on event_id = page.id
    left join public.maintenance as item on item.id = maintenance_id
  );
end
$$;
comment on function private.command_services(jsonb) is
  'Returns a page of the services, {task_id, gear_id, from, to, after, limit}, of a task, or done on a bike, or all, in a period, newest first: {services, has_more, bikes}. after: the id of the last service of the page before. distance: the part''s or bike''s meters at the time; since_last and median as private.service_intervals. Raises RMT22 for an unknown task.';
grant execute on function private.command_services to authenticated;
