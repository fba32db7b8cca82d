set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.command_services(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.service_intervals(tasks bigint[])
 RETURNS TABLE(event_id bigint, since_last jsonb, median jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.service_history(part_id bigint DEFAULT NULL::bigint, gear_id bigint DEFAULT NULL::bigint)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
    'cost', cost, 'distance', distance, 'earlier_distance', earlier_distance, 'since_last', since_last, 'median', median
  ) order by done_at desc, id desc), '[]'))
  from events join used using (id)
  join private.service_intervals(array(select task_id from events)) as intervals on event_id = id
$function$;

COMMENT ON FUNCTION "private"."command_services"(jsonb) IS 'Returns a page of the services, {task_id, gear_id, from, to, after, limit}, of a task, or done on a bike, or all, in a period, newest first: {services, has_more, bikes}. after: the id of the last service of the page before. distance: the part''s or bike''s meters at the time; since_last and median as private.service_intervals. Raises RMT22 for an unknown task.';

COMMENT ON FUNCTION "private"."service_intervals"(bigint[]) IS 'Returns for each event of these tasks {distance, moving_time, days} since the task was last done on the same part or bike, null for the first, and the median of these intervals, null with fewer than two. Distance and time leave out what the task leaves out.';

COMMENT ON FUNCTION "public"."service_history"(bigint, bigint) IS 'Lists a part''s or bike''s service events, latest first: {events: [{id, task_id, name, done_at, note, maintenance_id, cost, distance, earlier_distance, since_last, median}]}, the last two as private.service_intervals. distance: the part''s or bike''s meters at the time, including earlier_distance.';

REVOKE ALL ON FUNCTION "private"."service_intervals"(bigint[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."service_intervals"(bigint[]) TO "authenticated";
