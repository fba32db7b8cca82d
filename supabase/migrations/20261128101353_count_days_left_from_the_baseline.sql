set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.service_due(gear_id bigint DEFAULT NULL::bigint)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
      select * from private.current_tasks where service_due.gear_id is null or gear_id = service_due.gear_id
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
    select json_build_object('tasks', coalesce(json_agg(task order by fraction desc, id), '[]'))
    from (
      select id, gear_id, item_id, name, kind,
        json_build_object('distance', every_distance, 'moving_time', every_moving_time, 'days', every_days) as every,
        outdoor_only, json_build_object('distance', distance, 'moving_time', moving_time, 'days', days) as used,
        json_build_object(
          'distance', every_distance - distance, 'moving_time', every_moving_time - moving_time,
          -- Not from the days used: after a journey west, the baseline may be tomorrow, as a planned part's may be.
          'days', coalesce(due_on, baseline::date + every_days, today + every_days) - today
        ) as "left",
        once, due_on, with_task, (select other.name from public.service_tasks as other where other.id = states.with_task) as with_task_name, "group",
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
$function$;
