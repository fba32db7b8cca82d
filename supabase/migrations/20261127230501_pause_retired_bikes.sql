set local check_function_bodies = off;

DROP VIEW "private"."current_tasks";

ALTER TABLE "public"."bikes" ADD COLUMN "in_use_since" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.due_announcements()
 RETURNS TABLE(task_id bigint, announced_for jsonb, place bigint, task json)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select 0, jsonb_build_object('sync', (private.last_ride_sync()).id), 0, null
  from public.ride_syncs as latest
  where latest.id = (select max(id) from public.ride_syncs) and latest.code = 'rwgps_unauthorized'
    and latest.started_at > coalesce((private.last_ride_sync()).checked_at, '-infinity')
  union all
  select (task ->> 'id')::bigint, 
    -- Not the baseline, which moves with the bike's first ride.
    jsonb_build_object('part', task -> 'part_id', 'done', task -> 'last_done', 'every', task -> 'every'), place,
    json_build_object(
      'id', task -> 'id', 'name', task -> 'name', 'state', task -> 'state', 'gear_id', task -> 'gear_id', 'bike', bikes.name,
      'part_id', task -> 'part_id', 'item_name', task -> 'item_name', 'axis', task -> 'axis', 'used', task -> 'used',
      'every', task -> 'every'
    )
  from json_array_elements(public.service_due() -> 'tasks') with ordinality as tasks (task, place)
  left join public.bikes on bikes.gear_id = (task ->> 'gear_id')::bigint
  where task ->> 'state' in ('due', 'overdue')
    -- A bike that comes back into use doesn't announce what became due in the meantime.
    and (in_use_since is null or private.due_since(
      (task ->> 'id')::bigint, (task ->> 'baseline')::timestamp, (task ->> 'earlier_distance')::numeric,
      (task ->> 'earlier_moving_time')::integer
    ) < private.wall_clock(in_use_since)::date is not true)
$function$;

CREATE OR REPLACE FUNCTION private.store_bikes(gear jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into public.bikes as stored (gear_id, name, brand, model, is_retired)
  select gear_id, name, brand, model, coalesce(is_retired, false)
  from jsonb_to_recordset(gear) as listed (gear_id bigint, name text, brand text, model text, is_retired boolean)
  on conflict (gear_id) do update set
    name = excluded.name, brand = excluded.brand, model = excluded.model, is_retired = excluded.is_retired,
    in_use_since = case when stored.is_retired and not excluded.is_retired then now() else stored.in_use_since end
  where (stored.name, stored.brand, stored.model, stored.is_retired)
    is distinct from (excluded.name, excluded.brand, excluded.model, excluded.is_retired);

  update public.bikes as bike set is_listed = not bike.is_listed
  where bike.is_listed is distinct from exists (
    select from jsonb_to_recordset(gear) as listed (gear_id bigint) where listed.gear_id = bike.gear_id
  )
  -- An empty list is more likely a Ride with GPS fault than an owner without bikes.
  and gear <> '[]'
$function$;

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
        days::float8 / every_days as of_days,
        coalesce(is_snooze_current and (today < snoozed_until or distance < snoozed_distance), false) as is_snoozed
      from (
        select tasks.*, coalesce(distance, 0) as distance, coalesce(moving_time, 0) as moving_time, earlier_distance, earlier_moving_time,
          coalesce(greatest(today - baseline::date, 0), 0) as days
        from tasks left join used using (id)
      ) as amounts
    ), states as materialized (
      select *, greatest(of_distance, of_moving_time, of_days) as fraction, case
        when not is_installed or is_retired then 'paused'
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
        part_id, item_name, item_type, is_retired, baseline, last_done, newest_event
      from states
    ) as task
  );
end
$function$;

CREATE VIEW "private"."current_tasks" WITH (security_invoker=true) AS  WITH latest AS MATERIALIZED (
         SELECT last_events.task_id,
            last_events.part_id,
            last_events.done_at,
            last_events.newest_event
           FROM private.last_events
        )
 SELECT task.id,
    task.part_id,
    COALESCE(place.gear_id, task.gear_id) AS gear_id,
    place.item_id,
    place.type AS item_type,
    place.name AS item_name,
    COALESCE(place.is_installed, true) AS is_installed,
    bike.is_retired,
    task.name,
    task.kind,
    task.every_distance,
    task.every_moving_time,
    task.every_days,
    task.outdoor_only,
    task.snoozed_until,
    task.snoozed_distance,
    (((latest.done_at IS NULL) OR (latest.done_at = task.snoozed_from)) AND COALESCE((task.snoozed_part = task.part_id), true)) AS is_snooze_current,
    latest.newest_event,
    latest.done_at AS last_done,
    counted.rides_from,
    COALESCE(counted.rides_from, place.first_installed, first_ride.started_at) AS baseline
   FROM (((((public.service_tasks task
     LEFT JOIN private.current_places place ON ((place.part_id = task.part_id)))
     JOIN public.bikes bike ON ((bike.gear_id = COALESCE(place.gear_id, task.gear_id))))
     LEFT JOIN latest ON (((latest.task_id = task.id) AND (NOT (latest.part_id IS DISTINCT FROM task.part_id)))))
     CROSS JOIN LATERAL ( SELECT COALESCE(latest.done_at,
                CASE
                    WHEN COALESCE((task.counted_from > place.first_installed), true) THEN task.counted_from
                    ELSE NULL::timestamp without time zone
                END) AS rides_from) counted)
     LEFT JOIN LATERAL ( SELECT ride.started_at
           FROM private.counted_rides ride
          WHERE ((task.part_id IS NULL) AND (ride.gear_id = task.gear_id))
          ORDER BY ride.started_at
         LIMIT 1) first_ride ON (true))
  WHERE ((task.part_id IS NULL) OR (place.part_id IS NOT NULL));

COMMENT ON COLUMN "public"."bikes"."in_use_since" IS 'When the bike came back into use. Null: it was never retired, as far as is known.';

COMMENT ON VIEW "private"."current_tasks" IS 'Each task with its part''s current place and its baseline.';

REVOKE ALL ("in_use_since") ON TABLE "public"."bikes" FROM "authenticated";

GRANT SELECT ("in_use_since") ON TABLE "public"."bikes" TO "authenticated";

GRANT SELECT ON TABLE "private"."current_tasks" TO "authenticated";
