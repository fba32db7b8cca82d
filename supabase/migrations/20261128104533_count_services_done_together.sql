set local check_function_bodies = off;

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
    'cost', cost, 'distance', distance, 'earlier_distance', earlier_distance, 'since_last', since_last, 'median', median,
    'together', 1 + (select count(*) from private.events_together(id))
  ) order by done_at desc, id desc), '[]'))
  from events join used using (id)
  join private.service_intervals(array(select task_id from events)) as intervals on event_id = id
$function$;

COMMENT ON FUNCTION "public"."service_history"(bigint, bigint) IS 'Lists a part''s or bike''s service events, latest first: {events: [{id, task_id, name, done_at, note, maintenance_id, cost, distance, earlier_distance, since_last, median, together}]}, the intervals as private.service_intervals. distance: the part''s or bike''s meters at the time, including earlier_distance. together: how many of its group were done with it, itself included.';
