-- Due tasks: how much of each task's limits is used up, computed on every call and never stored.
--
-- A task's baseline is when it was last done on its part or bike. If it never was, the baseline is the part's first install
-- or the bike's first ride. Rides count from the baseline on: over all of a part's install periods on any bike, or all of a
-- bike's rides. Usage from before the log counts until the task is first done on the part. PL/pgSQL, because it caches
-- plans; docs/decisions/service.md explains the choices.
create function public.service_due(gear_id bigint default null) returns json
language plpgsql stable security invoker set search_path = ''
-- Compiling the queries takes many times longer than running them.
set jit = off
-- Planning takes longer than summing the rides.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  clock constant timestamp := private.wall_clock();
begin
  if service_due.gear_id is not null
    and not exists (select from public.bikes where bikes.gear_id = service_due.gear_id) then
    return null;
  end if;

  return (
    with periods as materialized (
      select * from private.part_places where part_id in (select part_id from public.service_tasks)
    ), parts as (
      -- Pick the part's latest period, or its next one if all are in the future.
      select distinct on (part_id) part_id, id as item_id, gear_id, type, name, not is_ahead and until > clock as is_installed,
        min(since) over (partition by part_id) as first_installed, earlier_distance, earlier_moving_time
      from periods join (select id as part_id, earlier_distance, earlier_moving_time from public.parts) as part using (part_id)
      cross join lateral (select since::date > clock::date as is_ahead) as place
      order by part_id, is_ahead, case when is_ahead then since end, since desc, id desc
    ), latest as materialized (
      -- Materialized, because PostgreSQL expects a single task and would sort the events again for every task.
      select distinct on (task_id, part_id) task_id, part_id, done_at,
        max(id) over (partition by task_id, part_id) as newest_event
      from private.done_events
      order by task_id, part_id, coalesce(timezone('UTC', pressed_at), done_at - (clock - timezone('UTC', now()))) desc, id desc
    ), tasks as materialized (
      select task.id, task.part_id, coalesce(parts.gear_id, task.gear_id) as gear_id, parts.item_id,
        parts.type as item_type, parts.name as item_name, coalesce(parts.is_installed, true) as is_installed,
        task.name, task.kind, task.every_distance, task.every_moving_time, task.every_days, task.outdoor_only,
        task.snoozed_until, task.snoozed_distance,
        (latest.done_at is null or latest.done_at = task.snoozed_from)
          and coalesce(task.snoozed_part = task.part_id, true) as is_snooze_current,
        latest.newest_event, latest.done_at as last_done,
        coalesce(latest.done_at, parts.first_installed, first_ride.started_at) as baseline,
        -- Usage from before the log counts until the task is done on this part.
        case when latest.done_at is null then parts.earlier_distance end as earlier_distance,
        case when latest.done_at is null then parts.earlier_moving_time end as earlier_moving_time
      from public.service_tasks as task
      left join parts on parts.part_id = task.part_id
      left join latest on latest.task_id = task.id and latest.part_id is not distinct from task.part_id
      left join lateral (
        select ride.started_at from private.counted_rides as ride
        where task.part_id is null and ride.gear_id = task.gear_id order by ride.started_at limit 1
      ) as first_ride on true
      -- Hide the tasks of a part without items. They return when an item is restored.
      where (task.part_id is null or parts.part_id is not null)
        and (service_due.gear_id is null or coalesce(parts.gear_id, task.gear_id) = service_due.gear_id)
    ), used as (
      select key as task_id, sum(distance) as distance, sum(moving_time) as moving_time
      from private.sum_rides(array(
        select (
          tasks.id, periods.gear_id, greatest(periods.since, tasks.baseline), periods.until, outdoor_only
        )::private.ride_range
        from tasks join periods on periods.part_id = tasks.part_id and periods.until > tasks.baseline
        union all
        select (id, gear_id, baseline, null, outdoor_only)::private.ride_range
        from tasks where part_id is null and baseline is not null
      )) group by key
    ), amounts as (
      select tasks.*, coalesce(used.distance, 0) + coalesce(earlier_distance, 0) as distance,
        coalesce(used.moving_time, 0) + coalesce(earlier_moving_time, 0) as moving_time,
        coalesce(greatest(clock::date - baseline::date, 0), 0) as days
      from tasks left join used on used.task_id = tasks.id
    ), fractions as materialized (
      select *,
        distance::float8 / every_distance::float8 as of_distance,
        moving_time::float8 / every_moving_time as of_moving_time,
        days::float8 / every_days as of_days,
        coalesce(is_snooze_current and (clock::date < snoozed_until or distance < snoozed_distance), false) as is_snoozed
      from amounts
    ), states as materialized (
      select *, greatest(of_distance, of_moving_time, of_days) as fraction, case
        when not is_installed then 'paused'
        when is_snoozed then 'snoozed'
        when greatest(of_distance, of_moving_time) >= 1.1 or days > every_days then 'overdue'
        when greatest(of_distance, of_moving_time, of_days) >= 1 then 'due'
        when greatest(of_distance, of_moving_time, of_days) >= 0.9 then 'soon'
        else 'ok' end as state
      from fractions
    )
    select json_build_object('tasks', coalesce(json_agg(task order by fraction desc, id), '[]'))
    from (
      select id, gear_id, item_id, name, kind,
        json_build_object('distance', every_distance, 'moving_time', every_moving_time, 'days', every_days) as every,
        outdoor_only, json_build_object('distance', distance, 'moving_time', moving_time, 'days', days) as used,
        earlier_distance, earlier_moving_time, fraction,
        case fraction when of_distance then 'distance' when of_moving_time then 'moving_time' else 'days' end as axis, state,
        case when is_snoozed then snoozed_until end as snoozed_until,
        case when is_snoozed then snoozed_distance end as snoozed_distance,
        part_id, item_name, item_type, baseline, last_done, newest_event
      from states
    ) as task
  );
end
$$;
comment on function public.service_due(bigint) is
  'Returns the service tasks of one or all bikes, as service-due does but without forecasts. Null for an unknown bike.';
grant execute on function public.service_due(bigint) to authenticated;

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
    select key as id, sum(distance) as distance
    from private.sum_rides(array(
      select (events.id, period.gear_id, period.since, least(period.until, done_at), false)::private.ride_range
      from events join private.install_periods as period on period.part_id = service_history.part_id and since < done_at
      union all
      select (events.id, service_history.gear_id, '-infinity', done_at, false)::private.ride_range
      from events where service_history.part_id is null
    )) group by key
  )
  select json_build_object('events', coalesce(json_agg(json_build_object(
    'id', id, 'task_id', task_id, 'name', name, 'done_at', done_at, 'note', note, 'maintenance_id', maintenance_id,
    'cost', cost, 'distance', coalesce(distance, 0) + coalesce(earlier_distance, 0), 'earlier_distance', earlier_distance
  ) order by done_at desc, id desc), '[]'))
  from events left join used using (id)
  left join (select earlier_distance from public.parts where parts.id = service_history.part_id) as part on true
$$;
comment on function public.service_history(bigint, bigint) is
  'Lists a part''s or bike''s service events, latest first: {events: [{id, task_id, name, done_at, note, maintenance_id, cost, distance, earlier_distance}]}. distance: the part''s or bike''s meters at the time, including earlier_distance.';
grant execute on function public.service_history(bigint, bigint) to authenticated;
