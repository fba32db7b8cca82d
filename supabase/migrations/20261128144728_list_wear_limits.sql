set local check_function_bodies = off;

DROP VIEW "private"."current_tasks";

DROP VIEW "private"."current_places";

CREATE TYPE "private"."measurement" AS ("id" bigint, "part_id" bigint, "measured_on" date, "value" numeric, "reading" text, "unit" text, "tool" text, "limit" numeric, "note" text, "distance" numeric);

CREATE OR REPLACE FUNCTION private.command_add_push_subscription(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_owner();
  -- Don't announce tasks that were already due when the first browser subscribed.
  if not exists (select from private.push_subscriptions) then
    insert into private.announced_tasks (channel, task_id, announced_for)
    select 'web_push', task_id, announced_for from private.due_announcements() where task_id <> 0
    on conflict on constraint announced_tasks_pkey do update set retry_at = null;
  end if;
  insert into private.push_subscriptions (endpoint, p256dh, auth)
  values (arguments ->> 'endpoint', arguments ->> 'p256dh', arguments ->> 'auth')
  on conflict on constraint push_subscriptions_pkey
  do update set p256dh = excluded.p256dh, auth = excluded.auth, added_at = excluded.added_at;
  -- An owner rarely has more than 20 browsers, so the oldest are probably gone.
  delete from private.push_subscriptions as old where old.endpoint in (
    select each.endpoint from private.push_subscriptions as each order by added_at desc, each.endpoint offset 20
  );
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_bikes(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'garage', public.garage(), 'tasks', due -> 'tasks', 'limits', due -> 'limits',
    'bikes', (select coalesce(jsonb_agg(jsonb_build_object('gear_id', gear_id, 'name', name, 'is_retired', public.counts_as_retired(bikes))), '[]') from public.bikes where public.attached_to(bikes) is null)
  )
  from public.service_due() as due
$function$;

CREATE OR REPLACE FUNCTION private.command_due(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'tasks', due -> 'tasks', 'limits', due -> 'limits', 'bikes', private.bike_names(),
    'last_sync', (select coalesce(checked_at, finished_at) from private.last_ride_sync())
  )
  from public.service_due() as due
$function$;

CREATE OR REPLACE FUNCTION private.day_reached(part_id bigint, distance numeric)
 RETURNS date
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select min(day) from (
    select ride.started_at::date as day, coalesce(part.earlier_distance, 0) + sum(ride.distance) over (order by ride.started_at, ride.id) as distance
    from public.parts as part join private.install_periods as period on period.part_id = part.id
    join private.counted_rides as ride on ride.gear_id = period.gear_id and period.since <= ride.started_at and ride.started_at < period.until
    where part.id = day_reached.part_id
  ) as ridden where ridden.distance >= day_reached.distance
$function$;

CREATE OR REPLACE FUNCTION private.due_announcements()
 RETURNS TABLE(task_id bigint, announced_for jsonb, place bigint, task json)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with read as materialized (
    select public.service_due() as answer
  ), due as materialized (
    select (task ->> 'id')::bigint as id, coalesce((task ->> 'group')::bigint, -(task ->> 'id')::bigint) as line, task, place, in_use_since, due_from,
      json_build_object(
        'id', task -> 'id', 'name', task -> 'name', 'state', task -> 'state', 'gear_id', task -> 'gear_id', 'bike', bikes.name,
        'part_id', task -> 'part_id', 'item_name', task -> 'item_name', 'item_type', task -> 'item_type', 'axis', task -> 'axis',
        'used', task -> 'used', 'every', task -> 'every', 'fraction', task -> 'fraction', 'due_on', task -> 'due_on', 'group', task -> 'group'
      ) as announced
    from read cross join json_array_elements(answer -> 'tasks') with ordinality as tasks (task, place)
    left join public.bikes on bikes.gear_id = (task ->> 'gear_id')::bigint
    cross join lateral (select case
      when task ->> 'group' is not null or in_use_since is not null then private.due_since(
        (task ->> 'id')::bigint, (task ->> 'baseline')::timestamp, (task ->> 'earlier_distance')::numeric,
        (task ->> 'earlier_moving_time')::integer
      ) end
    ) as since (due_from)
    where task ->> 'state' in ('due', 'overdue')
  ), lines as (
    -- A group is announced when its first task becomes due.
    select distinct on (line) * from due
    -- A bike that comes back into use doesn't announce what became due in the meantime.
    where in_use_since is null or due_from < private.wall_clock(in_use_since)::date is not true
    order by line, due_from, id
  )
  select 0, jsonb_build_object('sync', (private.last_ride_sync()).id), 0, null
  from public.ride_syncs as latest
  where latest.id = (select max(id) from public.ride_syncs) and latest.code = 'rwgps_unauthorized'
    and latest.started_at > coalesce((private.last_ride_sync()).checked_at, '-infinity')
  union all
  select id,
    -- Not the baseline, which moves with the bike's first ride.
    jsonb_build_object('part', task -> 'part_id', 'done', task -> 'last_done', 'every', task -> 'every')
      || case when task ->> 'due_on' is null then '{}' else jsonb_build_object('due_on', task -> 'due_on') end,
    place, (announced::jsonb || jsonb_build_object('others', (
      select coalesce(jsonb_agg(other.announced order by other.place), '[]') from due as other where other.line = lines.line and other.id <> lines.id
    )))::json
  from lines
  union all
  select -(reached ->> 'part_id')::bigint,
    jsonb_build_object('unit', private.name_key(reached ->> 'unit'), 'limit', reached -> 'limit', 'measured', reached -> 'last_open'), place,
    (reached::jsonb || jsonb_build_object('bike', bikes.name))::json
  from read cross join json_array_elements(answer -> 'limits') with ordinality as limits (reached, place)
  join public.bikes on bikes.gear_id = (reached ->> 'gear_id')::bigint
  where reached ->> 'state' in ('due', 'overdue')
    and (in_use_since is null or (reached ->> 'due_since')::date < private.wall_clock(in_use_since)::date is not true)
$function$;

CREATE OR REPLACE FUNCTION private.least_wear_distance()
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select 482700.0 $function$;

CREATE OR REPLACE FUNCTION private.name_key(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select lower(regexp_replace(normalize(name, NFKC), '\s', '', 'g')) $function$;

CREATE OR REPLACE FUNCTION private.placed_measurements(parts bigint[])
 RETURNS TABLE(part_id bigint, distance numeric, earlier_distance numeric, measurements private.measurement[])
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
    with measured as materialized (
      select * from public.wear_measurements where part_id = any (parts)
    ), used as materialized (
      select used.* from private.usage_between(array(
        -- Riders measure after riding, so the rides of that day count.
        select (id, part_id, null, null, measured_on + 1, false)::private.used_span from measured
        union all select (-part, part, null, null, null, false)::private.used_span from unnest(parts) as part
      )) as used
    )
    select part, now.distance, now.earlier_distance, array(
      select (id, part, measured_on, value, reading, unit, tool, "limit", note, used.distance)::private.measurement
      from measured join used on used.key = id where part_id = part order by measured_on, id
    )
    from unnest(parts) as part join used as now on now.key = -part;
end
$function$;

CREATE OR REPLACE FUNCTION private.wear_limits(gear_id bigint, checked bigint[])
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  if not exists (select from public.wear_measurements) then
    return '[]';
  end if;
  return (
    with places as materialized (
      select * from private.current_places where is_installed and part_id in (select part_id from public.wear_measurements)
        and gear_id not in (select gear_id from private.retired_bikes) and (wear_limits.gear_id is null or gear_id = wear_limits.gear_id)
    ), placed as materialized (
      select * from private.placed_measurements(array(select part_id from places))
    ), limits as (
      -- The rider trusts the tool that was used last.
      select distinct on (part_id, unit_key) part_id, unit, tool, "limit", reached_on, last_open, coalesce(reached_at, "from"::numeric) as limit_distance
      from private.wear_series(array(select measured from placed cross join lateral unnest(measurements) as measured))
      where reached_on is not null or kind = 'line' order by part_id, unit_key, last desc
    ), fractions as (
      select *, case when reached_on is null then 0 else 1 end as least, distance::float8 / greatest(limit_distance, 1)::float8 as share
      from limits join placed using (part_id) join places using (part_id)
    )
    select coalesce(json_agg(json_build_object(
      'part_id', part_id, 'gear_id', gear_id, 'item_id', item_id, 'item_name', name, 'item_type', type, 'unit', unit, 'tool', tool,
      'limit', "limit", 'distance', distance, 'limit_distance', limit_distance, 'reached_on', reached_on,
      'last_open', last_open, 'due_since', case when fraction >= 1 then coalesce(reached_on, private.day_reached(part_id, limit_distance)) end, 'fraction', fraction,
      'state', case when fraction >= 1.1 then 'overdue' when fraction >= 1 then 'due' when fraction >= 0.9 then 'soon' else 'ok' end
    ) order by fraction desc, part_id, unit), '[]')
    from fractions cross join lateral (select greatest(least, share) as fraction) as used
    -- A check that is due asks for the same reading.
    where reached_on is not null or fraction < 1 or part_id <> all (checked)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.wear_series(measurements private.measurement[])
 RETURNS TABLE(part_id bigint, unit_key text, unit text, tool text, "limit" numeric, not_before numeric, kind text, "from" double precision, "to" double precision, reached_on date, reached_at numeric, last_open bigint, ids bigint[], first bigint, last bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET jit TO 'off'
AS $function$
  with placed as (
    select measured.*, private.name_key(unit) as unit_key, private.name_key(tool) as tool_key
    from unnest(measurements) with ordinality as measured (id, part_id, measured_on, value, reading, unit, tool, "limit", note, distance, place)
  ), series as materialized (
    select part_id, unit_key, tool_key, array_agg(id) as ids, min(place) as first, max(place) as last,
      (array_agg(unit order by place desc))[1] as unit, (array_agg(tool order by place desc))[1] as tool,
      coalesce((array_agg("limit" order by place desc) filter (where "limit" is not null))[1], usual_limit) as "limit", coalesce(is_shrinking, false) as is_shrinking, coalesce(starts_at_zero, false) as starts_at_zero
    from placed left join private.wear_units on key = unit_key
    group by part_id, unit_key, tool_key, usual_limit, is_shrinking, starts_at_zero
  ), readings as (
    -- A gauge that shows its mark is as good as an exact value.
    select part_id, unit_key, tool_key, series."limit", is_shrinking, starts_at_zero, id, place, measured_on, reading, distance, coalesce(value, series."limit") as mark,
      case when reading is null or reading = 'at' then coalesce(value, series."limit") end as exact
    from placed join series using (part_id, unit_key, tool_key) where series."limit" is not null
  ), directed as (
    -- With a custom unit, the first value shows whether values rise or fall with wear.
    select *, starts_at_zero or not is_shrinking and coalesce(
      first_value(exact) over (partition by part_id, unit_key, tool_key order by exact is null, place) <= "limit", true
    ) as grows from readings
  ), compared as (
    -- Null: the reading doesn't show whether the limit is reached.
    select *, case
      when reading is null or reading = 'at' then ahead <= 0
      when (reading = 'over') = grows then case when ahead <= 0 then true end
      when ahead >= 0 then false
    end as is_reached
    from directed cross join lateral (select case when grows then "limit" - mark else mark - "limit" end as ahead) as until_limit
  ), bounds as materialized (
    select part_id, unit_key, tool_key, max(distance) filter (where not is_reached) as not_before, min(distance) filter (where is_reached) as reached_by,
      count(exact) as values, bool_and(grows) as grows, min(measured_on) filter (where is_reached and open_later = 0) as reached_on,
      min(distance) filter (where is_reached and open_later = 0) as reached_at,
      (array_agg(id order by place desc) filter (where not is_reached))[1] as last_open
    from (
      select *, count(*) filter (where not is_reached) over (partition by part_id, unit_key, tool_key order by place desc) as open_later
      from compared
    ) as readings group by 1, 2, 3
  ), points as (
    select part_id, unit_key, tool_key, distance::float8 as at, exact::float8 as value from readings where exact is not null
    union all
    -- A new chain is known without a reading.
    select part_id, unit_key, tool_key, 0, 0 from bounds join series using (part_id, unit_key, tool_key)
    where starts_at_zero and values = 1 and reached_by is null
  ), lines as (
    select part_id, unit_key, tool_key, count(*) as points, avg(at) as middle, avg(value) as value, var_pop(at) as spread, var_pop(value) as scatter,
      regr_slope(value, at) as slope, max(at) - min(at) as span
    from points group by 1, 2, 3
  ), crossings as (
    -- Fieller's interval: the distances at which the line is within its own error of the limit. Two values are always on the line. The scatter
    -- of more values may show a larger error than 0.02, that of hand tools. 1.645 standard deviations to each side hold nine in ten.
    select part_id, unit_key, tool_key, middle + (slope * ahead - half) / slope_left as "from", middle + (slope * ahead + half) / slope_left as "to"
    from lines join bounds using (part_id, unit_key, tool_key) join series using (part_id, unit_key, tool_key)
    cross join lateral (
      select "limit" - value as ahead,
        1.645 ^ 2 * greatest(0.02 ^ 2, (scatter - slope ^ 2 * spread) * points / greatest(points - 2, 1)) / points as error
    ) as errors
    cross join lateral (select slope ^ 2 - error / nullif(spread, 0) as slope_left) as slopes
    cross join lateral (select sqrt(error * greatest(slope_left + ahead ^ 2 / nullif(spread, 0), 0)) as half) as halves
    -- Smaller differences are within the error of hand tools. Because of rounding errors, a wear of 0.1 may be 0.0999….
    where span >= private.least_wear_distance() and slope * span * (case when grows then 1 else -1 end) >= 0.1 - 1e-9 and slope_left > 0
  )
  select part_id, unit_key, unit, tool, "limit", not_before,
    case when line then 'line' when not_before <= reached_by then 'bracket' end,
    -- Contradictory readings give no estimate.
    case when line then greatest("from", not_before, 0) when not_before <= reached_by then not_before end,
    case when line then least("to", reached_by) when not_before <= reached_by then reached_by end,
    reached_on, reached_at, last_open, ids, first, last
  from series left join bounds using (part_id, unit_key, tool_key) left join crossings using (part_id, unit_key, tool_key)
  cross join lateral (select coalesce(greatest("from", not_before, 0) <= least("to", reached_by) and "to" is not null, false) as line) as fits
$function$;

CREATE OR REPLACE FUNCTION public.calendar_feed(token text, days integer)
 RETURNS json
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due json;
begin
  if private.open_token(sha256(convert_to(token, 'UTF8')), '{calendar}') is null then
    return null;
  end if;
  due := public.service_due();
  return json_build_object(
    'tasks', due -> 'tasks',
    'limits', due -> 'limits',
    'rides', public.ride_days(days),
    'settings', private.chosen_settings(),
    'bikes', private.bike_names(),
    'due_since', (
      select coalesce(json_object_agg(task ->> 'id', private.due_since(
        (task ->> 'id')::bigint, (task ->> 'baseline')::timestamp, (task ->> 'earlier_distance')::numeric,
        (task ->> 'earlier_moving_time')::integer
      )), '{}')
      from json_array_elements(due -> 'tasks') as task
      where (task ->> 'fraction')::float8 >= 1
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.claim_notifications(channels text[])
 RETURNS json
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  messages json;
begin
  if not exists (select from private.push_subscriptions) then
    channels := array_remove(channels, 'web_push');
  end if;
  if channels = '{}' then
    return '[]';
  end if;
  with due as materialized (
    select * from private.due_announcements()
  ), targets as materialized (
    select channel, is_refusal, gen_random_uuid() as message
    from unnest(channels) as channel cross join unnest(array[true, false]) as is_refusal
  ), claimed as (
    insert into private.announced_tasks as known (channel, task_id, announced_for, message, retry_at)
    -- The caller takes seconds, so a minute later, it must have been interrupted.
    select channel, task_id, announced_for, message, now() + interval '1 minute'
    from targets join due on is_refusal = (task_id = 0)
    on conflict (channel, task_id, announced_for) do update set retry_at = excluded.retry_at
    where known.retry_at <= now() and known.announced_at > now() - interval '1 day'
    returning channel, task_id, announced_for, announced_at, message
  ), forgotten as (
    delete from private.announced_tasks as old
    where announced_at < now() - interval '30 days'
      and not exists (select from due where (due.task_id, due.announced_for) = (old.task_id, old.announced_for))
      and announced_for <> jsonb_build_object('sync', (private.last_ride_sync()).id)
  ), sent_together as (
    select channel, message, min(announced_at) as announced_at,
      case when bool_and(task_id <> 0) then coalesce(json_agg(task order by place) filter (where task_id > 0), '[]') end as tasks,
      coalesce(json_agg(task order by place) filter (where task_id < 0), '[]') as limits, private.chosen_settings() as settings
    from claimed join due using (task_id, announced_for) group by channel, message
  )
  select coalesce(json_agg(sent_together order by announced_at), '[]') into messages from sent_together;
  return messages;
end
$function$;

CREATE OR REPLACE FUNCTION public.part_wear(part_id bigint)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with latest as (
    select "bikeId" as gear_id, coalesce("dateEnded" > private.wall_clock(), true) as is_installed from public.maintenance as item
    where item.part_id = part_wear.part_id order by "dateStarted" desc limit 1
  )
  select json_build_object(
    'gear_id', latest.gear_id,
    'is_installed', latest.is_installed,
    'distance', placed.distance,
    'earlier_distance', earlier_distance,
    'least_distance', private.least_wear_distance(),
    'measurements', (
      select coalesce(json_agg(json_build_object(
        'id', id, 'measured_on', measured_on, 'value', value, 'reading', reading, 'unit', unit, 'tool', tool, 'limit', "limit", 'note', note,
        'distance', measured.distance
      ) order by measured_on, id), '[]') from unnest(placed.measurements) as measured
    ),
    'series', (
      select coalesce(json_agg(json_build_object(
        'unit', unit, 'tool', tool, 'limit', "limit", 'not_before', not_before, 'reached_on', reached_on,
        'estimate', case when kind is not null then json_build_object('kind', kind, 'from', "from", 'to', "to") end, 'measurements', ids
      ) order by first), '[]') from private.wear_series(placed.measurements)
    )
  )
  from latest cross join private.placed_measurements(array[part_wear.part_id]) as placed
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
$function$;

CREATE VIEW "private"."current_places" WITH (security_invoker=true) AS  SELECT DISTINCT ON (part_places.part_id) part_places.part_id,
    part_places.id AS item_id,
    part_places.gear_id,
    part_places.type,
    part_places.name,
    ((NOT place.is_ahead) AND (part_places.until > owner.clock)) AS is_installed,
    min(part_places.since) OVER (PARTITION BY part_places.part_id) AS first_installed
   FROM ((private.part_places
     CROSS JOIN ( SELECT private.wall_clock() AS clock
         OFFSET 0) owner)
     CROSS JOIN LATERAL ( SELECT ((part_places.since)::date > (owner.clock)::date) AS is_ahead) place)
  WHERE (part_places.part_id IN ( SELECT service_tasks.part_id
           FROM public.service_tasks
        UNION ALL
         SELECT wear_measurements.part_id
           FROM public.wear_measurements))
  ORDER BY part_places.part_id, place.is_ahead,
        CASE
            WHEN place.is_ahead THEN part_places.since
            ELSE NULL::timestamp without time zone
        END, part_places.since DESC, part_places.id DESC;

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
    (bike.gear_id IN ( SELECT retired_bikes.gear_id
           FROM private.retired_bikes)) AS is_retired,
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
    COALESCE(counted.rides_from, place.first_installed, first_ride.started_at) AS baseline,
    task.once,
    task.due_on,
    task.with_task,
    task."group"
   FROM (((((public.service_tasks task
     LEFT JOIN private.current_places place ON ((place.part_id = task.part_id)))
     JOIN public.bikes bike ON ((bike.gear_id = COALESCE(place.gear_id, task.gear_id))))
     LEFT JOIN latest ON (((latest.task_id = task.id) AND (NOT (latest.part_id IS DISTINCT FROM task.part_id)))))
     CROSS JOIN LATERAL ( SELECT COALESCE(latest.done_at,
                CASE
                    WHEN COALESCE((task.counted_from > place.first_installed), true) THEN task.counted_from
                    ELSE NULL::timestamp without time zone
                END) AS rides_from) counted)
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (task.part_id IS NULL) THEN private.first_ride(task.gear_id)
                    ELSE NULL::timestamp without time zone
                END AS started_at) first_ride)
  WHERE (((task.part_id IS NULL) OR (place.part_id IS NOT NULL)) AND (NOT (task.once AND (EXISTS ( SELECT
           FROM latest done
          WHERE (done.task_id = task.id))))));

CREATE VIEW "private"."wear_units" WITH (security_invoker=true) AS  SELECT key,
    is_shrinking,
    starts_at_zero,
    usual_limit
   FROM ( VALUES ('chain%'::text,false,true,0.5), ('padmm'::text,true,false,NULL::numeric), ('rotormm'::text,true,false,NULL::numeric), ('treadmm'::text,true,false,NULL::numeric)) unit(key, is_shrinking, starts_at_zero, usual_limit);

COMMENT ON FUNCTION "private"."command_bikes"(jsonb) IS 'Returns {garage, tasks, limits, bikes}, with the answer of service_due.';

COMMENT ON FUNCTION "private"."command_due"(jsonb) IS 'Returns {tasks, limits, bikes, last_sync}, with the answer of service_due.';

COMMENT ON FUNCTION "private"."day_reached"(bigint, numeric) IS 'Returns the day of the ride with which a part reached these meters, including usage from before the log. Null: it hasn''t.';

COMMENT ON FUNCTION "private"."due_announcements"() IS 'Returns what should be announced now: due tasks, most urgent first, of a group the first one with the due others, wear limits that are reached, and task 0 if Ride with GPS refused the sign-in. announced_for distinguishes it from earlier announcements of the task.';

COMMENT ON FUNCTION "private"."least_wear_distance"() IS 'Returns the minimum meters between exact values for an estimate.';

COMMENT ON FUNCTION "private"."name_key"(text) IS 'Normalizes a name, because owners vary case, spaces and Unicode forms.';

COMMENT ON FUNCTION "private"."placed_measurements"(bigint[]) IS 'Returns each part''s meters until now, including usage from before the log, and its measurements, oldest first.';

COMMENT ON FUNCTION "private"."wear_limits"(bigint, bigint[]) IS 'Lists the limits of the measured parts on one or all bikes in use that a reading shows as reached (reached_on), or that have an estimate, one per part and unit. limit_distance: the part''s meters at that reading, or from which on the limit is likely reached. due_since: the day on which it got there. checked: parts whose check is due, which makes an estimate that is reached say the same.';

COMMENT ON FUNCTION "private"."wear_series"(private.measurement[]) IS 'Groups a part''s measurements, oldest first, by unit and tool, and estimates at which meters of the part each group reaches its limit: a 90 % range for a line through exact values, or a bracket between two readings. not_before: the meters of the last reading before the limit. reached_on, reached_at: the first of the latest readings that all show that the limit is reached. last_open: the last reading that shows that it isn''t. first, last: the places of its measurements in the list. Takes several parts.';

COMMENT ON FUNCTION "public"."calendar_feed"(text, integer) IS 'Returns the feed''s content: tasks and limits as service_due returns them, the rides of the last days, the owner''s settings, bike names, and the day on which each due task became due. Null for an invalid token.';

COMMENT ON FUNCTION "public"."claim_notifications"(text[]) IS 'Claims the messages to send after a sync: [{channel, message, announced_at, tasks, limits, settings}]. Each task is in one message per channel, part, Done and limits, and each wear limit until a reading shows that it isn''t reached. tasks is null if Ride with GPS refused the sign-in, for the first time since a sync succeeded. A message that failed is returned again for a day, without what is no longer due. web_push has no messages without a subscribed browser.';

COMMENT ON FUNCTION "public"."part_wear"(bigint) IS 'Returns a part''s measurements, oldest first, each with the part''s meters at the end of that day; their series as private.wear_series, with the ids of their measurements; the part''s meters until now, including usage from before the log; and its current or last bike. Null for an unknown part.';

COMMENT ON FUNCTION "public"."service_due"(bigint) IS 'Returns the service tasks of one or all bikes, and the limits of measured parts, as service-due does but without forecasts. Null for an unknown bike.';

COMMENT ON TABLE "private"."announced_tasks" IS 'Tasks that were announced as due, per channel, with their part, last Done and limits. When one of these changes, the task is announced again once it is due. Task 0: Ride with GPS refused the sign-in after this successful sync. A negative task: a wear limit of the part with this id.';

COMMENT ON TYPE "private"."measurement" IS 'A wear measurement, and the part''s meters at the end of that day.';

COMMENT ON VIEW "private"."current_places" IS 'The current, last or next item of each part with tasks or measurements, and when the part was first installed.';

COMMENT ON VIEW "private"."current_tasks" IS 'Each task with its part''s current place and its baseline, without those that were to be done once and are.';

COMMENT ON VIEW "private"."wear_units" IS 'Units, as private.name_key writes them: whether values fall with wear, whether a new part measures 0, and the limit that applies if the owner enters none.';

REVOKE ALL ON FUNCTION "private"."day_reached"(bigint, numeric) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."day_reached"(bigint, numeric) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."least_wear_distance"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."least_wear_distance"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."name_key"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."name_key"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."placed_measurements"(bigint[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."placed_measurements"(bigint[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."wear_limits"(bigint, bigint[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."wear_limits"(bigint, bigint[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."wear_series"(private.measurement[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."wear_series"(private.measurement[]) TO "authenticated";

GRANT SELECT ON TABLE "private"."current_places" TO "authenticated";

GRANT SELECT ON TABLE "private"."current_tasks" TO "authenticated";

GRANT SELECT ON TABLE "private"."wear_units" TO "authenticated";
