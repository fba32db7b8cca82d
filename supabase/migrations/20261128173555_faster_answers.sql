-- A language can be replaced, so nothing that uses these functions has to be dropped, as pg-delta would.
set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.first_ride(gear_id bigint)
 RETURNS timestamp without time zone
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return (
    select min(first.started_at)
    from unnest(private.ridden_as(first_ride.gear_id)) as carried (id)
    cross join lateral (
      select ride.started_at from private.counted_rides as ride
      where ride.ridden_as = carried.id and started_at is not null
        -- Looks up one ride after the other (offset 0). Otherwise, PostgreSQL would look for all doubted rides first.
        and not exists (select from private.doubted_rides as doubted where doubted.id = ride.id offset 0)
      order by ride.started_at limit 1
    ) as first
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_writes()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('private.lock_writes', 0));
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_also_done(tasks bigint[], seen bigint, done_at timestamp without time zone, pressed_at timestamp with time zone, note text, noted text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if cardinality(tasks) = 0 then
    return;
  end if;
  perform private.reject_if(exists (
    select from unnest(tasks) as listed (id) left join public.service_tasks as task using (id) where task.id is null
  ), 'PT422', 'also_done: A task was removed.');
  -- The note is about this work, also on another part.
  perform private.add_event(task.id, mark_also_done.done_at, mark_also_done.pressed_at, case when lower(task.name) = lower(noted) then mark_also_done.note end)
  from public.service_tasks as task
  where task.id = any (tasks) and (private.seen_event(task.id, seen, mark_also_done.done_at::date)).id is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_done(task_id bigint, seen bigint DEFAULT NULL::bigint, done_on date DEFAULT NULL::date, cost numeric DEFAULT NULL::numeric, note text DEFAULT NULL::text, also_done bigint[] DEFAULT '{}'::bigint[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moment constant record := private.service_time(done_on);
  new_note constant text := nullif(btrim(mark_done.note), '');
  event public.service_events := private.seen_event(mark_done.task_id, seen, moment.done_at::date);
  stored_cost numeric;
begin
  if event.id is not null then
    select item.cost into stored_cost from public.maintenance as item where id = event.maintenance_id;
    if new_note is not null and new_note is distinct from event.note
      or mark_done.cost <> 0 and round(mark_done.cost, 2) is distinct from stored_cost
    then
      return private.refuse(
        'PT409', 'It was already done that day, with another cost or note.', jsonb_build_object('note', event.note, 'cost', stored_cost)
      );
    end if;
  else
    event := private.add_event(mark_done.task_id, moment.done_at, moment.pressed_at, new_note);
    if mark_done.cost <> 0 then
      perform private.set_service_cost(event.id, mark_done.cost);
    end if;
  end if;
  perform private.mark_also_done(array_remove(also_done, mark_done.task_id), seen, moment.done_at, moment.pressed_at, new_note, task.name)
  from public.service_tasks as task where task.id = mark_done.task_id;
  return jsonb_build_object('id', event.id);
end
$function$;

CREATE OR REPLACE FUNCTION private.part_totals(parts bigint[], until timestamp without time zone DEFAULT NULL::timestamp without time zone, gear_id bigint DEFAULT NULL::bigint, what_if jsonb DEFAULT '[]'::jsonb)
 RETURNS TABLE(part_id bigint, rides bigint, distance numeric, moving_time bigint, days bigint, price numeric, cost numeric, earlier_distance numeric, earlier_moving_time integer, kind text, by_position jsonb, items private.used_item[])
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  clock constant timestamp := private.wall_clock();
begin
  return query
    with log as (
      select item.id, part_id, "bikeId" as gear_id, case when changed.id is null then item.cost else changed.cost end as cost,
        case when changed.id is null then item."dateStarted" else changed."dateStarted" end as since,
        coalesce(case when changed.id is null then item."dateEnded" else changed."dateEnded" end, 'infinity') as until, "position"
      from unnest(parts) as part (part_id)
      join public.maintenance as item using (part_id)
      left join jsonb_to_recordset(what_if)
        as changed (id bigint, cost numeric, "dateStarted" timestamp, "dateEnded" timestamp) on changed.id = item.id
    ), periods as materialized (
      select id, part_id, gear_id, "position", cost, since, least(until, part_totals.until) as until,
        -- A moment at midnight ends the day before.
        greatest(least(until, part_totals.until - interval '1 microsecond', clock)::date - since::date, 0)::bigint as days
      from log where part_totals.until is null or since < part_totals.until
    ), used as materialized (
      select * from private.sum_rides(array(
        select (id, gear_id, since, until, false)::private.ride_range from periods
        union all
        -- The bike itself has no item.
        select (null, part_totals.gear_id, '-infinity', part_totals.until, false)::private.ride_range where part_totals.gear_id is not null
      ))
    ), items as not materialized (
      select * from periods join used on key = id
    ), sums as (
      select part_id, sum(rides)::bigint as rides, sum(distance) as distance, sum(moving_time)::bigint as moving_time,
        sum(days)::bigint as days, sum(cost) as price,
        array_agg((id, gear_id, cost, since, until, days, rides, distance, moving_time, first_ride, last_ride)::private.used_item) as items
      from items group by part_id
    ), ends as (
      select part_id, jsonb_object_agg("position", sums) as by_position
      from (
        select part_id, "position", jsonb_build_object(
          'rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time), 'days', sum(days)
        ) as sums
        from items where "position" is not null group by 1, 2
      ) as at_end
      group by 1
    ), services as (
      select part_id, sum(cost) as cost from private.paid_services
      where part_totals.until is null or paid_at < part_totals.until group by part_id
    )
    select part_id, rides, distance + coalesce(part.earlier_distance, 0), moving_time + coalesce(part.earlier_moving_time, 0), days,
      price, price + coalesce(services.cost, 0), part.earlier_distance, part.earlier_moving_time,
      kind, case when has_ends then coalesce(by_position, '{}') end, items
    from sums join public.parts as part on part.id = part_id left join services using (part_id) left join ends using (part_id)
    left join private.kinds as known on known.name = kind
    union all
    select null, rides, distance, moving_time, null, null, null, null, null, null, null, null from used where key is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  this_change constant uuid := coalesce(
    nullif(current_setting('tracker.change', true), '')::uuid, private.name_change(null)
  );
  this_command constant text := nullif(current_setting('tracker.command', true), '');
begin
  if tg_op = 'INSERT' then
    insert into public.changes (change, command, relation, row_id, after)
    select this_change, this_command, tg_table_name, id, to_jsonb(became) from new_rows as became order by id;
  elsif tg_op = 'DELETE' then
    insert into public.changes (change, command, relation, row_id, before)
    select this_change, this_command, tg_table_name, id, to_jsonb(was) from old_rows as was order by id;
  else
    insert into public.changes (change, command, relation, row_id, before, after)
    select this_change, this_command, tg_table_name, id, to_jsonb(was), to_jsonb(became)
    from old_rows as was join new_rows as became using (id) where was is distinct from became order by id;
  end if;

  -- Asking first is faster, because a delete that finds nothing runs its triggers, too.
  if exists (select from public.changes where changed_at < now() - interval '30 days') then
    -- Delete in batches, so no save waits long.
    delete from public.changes where id in (
      select id from public.changes where changed_at < now() - interval '30 days' limit 1000
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_owner()
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.reject_if(not private.is_owner(), '42501', 'Only the owner can do this.');
end
$function$;

CREATE OR REPLACE FUNCTION private.seen_event(task_id bigint, seen bigint, day date)
 RETURNS public.service_events
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- An event that the caller hasn't seen comes from a second press, another tab, or an attempt whose response was lost.
  return (
    select newer from public.service_events as newer
    join public.service_tasks as task on task.id = newer.task_id and task.part_id is not distinct from newer.part_id
    where newer.task_id = seen_event.task_id and newer.id > coalesce(seen, 0) and newer.done_at::date = day
    order by newer.id desc limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.service_time(day date, OUT done_at timestamp without time zone, OUT pressed_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  done_at := day + time '01:00';
  if coalesce(day = private.today(), true) then
    done_at := private.wall_clock();
    pressed_at := now();
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.today()
 RETURNS date
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return private.wall_clock()::date;
end
$function$;

CREATE OR REPLACE FUNCTION public.maintenance_use(gear_id bigint, day date DEFAULT NULL::date)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- Null without a day: all rides and items count.
  midnight constant timestamp := maintenance_use.day + 1;
  parts constant bigint[] := array(
    select distinct part_id from public.maintenance
    where "bikeId" = maintenance_use.gear_id
      and (midnight is null or "dateStarted" < midnight and ("dateEnded" is null or "dateEnded" >= midnight))
  );
begin
  return (
    with totals as materialized (
      select * from private.part_totals(parts, midnight, maintenance_use.gear_id)
    ), total as (
      select rides, distance, moving_time from totals where part_id is null
      union all
      -- Add rides without a date, but only if no day is requested.
      select count(*), coalesce(sum(distance), 0), coalesce(sum(moving_time), 0) from private.counted_rides as ride
      where ride.ridden_as = any (private.ridden_as(maintenance_use.gear_id)) and started_at is null and midnight is null
    )
    select json_build_object(
      'gear_id', bike.gear_id,
      'first_ride', private.first_ride(bike.gear_id)::date,
      'total', (
        select json_build_object('rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time)) from total
      ),
      'items', (
        select coalesce(json_agg(item), '[]') from (
          select item.id, item.rides, item.distance, item.moving_time, item.days, item.first_ride, item.last_ride
          from totals cross join lateral unnest(items) as item
          where item.gear_id = maintenance_use.gear_id and (midnight is null or item.until = midnight)
          order by item.id
        ) as item
      ),
      'parts', (
        select coalesce(json_agg(part), '[]') from (
          select part_id, array(select id from unnest(items) order by since, id) as item_ids, rides, distance, moving_time,
            earlier_distance, earlier_moving_time, cost, kind,
            case when by_position is not null then (
              select coalesce(jsonb_object_agg("end", sums - 'days'), '{}') from jsonb_each(by_position) as at_end ("end", sums)
            ) end as by_position
          from totals where part_id is not null order by part_id
        ) as part
      )
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.run_command(command text, arguments json DEFAULT '{}'::json, key uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return private.run(private.known_command(command), private.storable(arguments), key);
end
$function$;
