set local check_function_bodies = off;

DROP VIEW "private"."check_parts";

DROP VIEW "private"."check_rides";

DROP VIEW "private"."check_same_rides";

DROP VIEW "private"."counted_ride_changes";

DROP VIEW "private"."doubted_rides";

DROP FUNCTION "private"."ridden_as"(bigint);

DROP FUNCTION "private"."sum_rides"(private.ride_range[], bigint);

CREATE OR REPLACE FUNCTION private.base64(content bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select replace(encode(content, 'base64'), e'\n', '') $function$;

CREATE OR REPLACE FUNCTION private.ridden_as(gear_id bigint)
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select attached.former_gear_id from public.attached_logs as attached where attached.gear_id = ridden_as.gear_id
    union all
    select ridden_as.gear_id
    where not exists (select from public.attached_logs as attached where attached.former_gear_id = ridden_as.gear_id)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.sum_rides(ranges private.ride_range[])
 RETURNS TABLE(key bigint, rides bigint, distance numeric, moving_time bigint, first_ride timestamp without time zone, last_ride timestamp without time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  bike record;
  carried bigint[];
  bounds timestamp[];
  -- Element n describes the rides before the nth bound, and the first ride from it on.
  rides_until bigint[];
  distance_until numeric[];
  moving_time_until bigint[];
  last_rides timestamp[];
  next_rides timestamp[];
begin
  for bike in
    select gear_id, coalesce(outdoor_only, false) as outdoor_only, array_agg(range.key) as keys, array_agg(since) as since,
      array_agg(coalesce(until, 'infinity')) as until
    from unnest(ranges) as range group by 1, 2
  loop
    carried := private.ridden_as(bike.gear_id);
    bounds := array(select distinct at from unnest(bike.since || bike.until) as at order by at);

    with intervals as (
      select number, sums.*
      from unnest(bounds, bounds[2:]) with ordinality as interval (since, until, number)
      cross join lateral (
        select count(*)::integer as rides, sum(distance) as distance, sum(moving_time) as moving_time, min(started_at) as first_ride,
          max(started_at) as last_ride
        from private.counted_rides where ridden_as = any (carried) and started_at >= since and started_at < until
          and not (is_stationary and bike.outdoor_only)
        offset 0
      ) as sums
    ), running as (
      select number, sum(rides) over earlier as rides, sum(distance) over earlier as distance, sum(moving_time) over earlier as moving_time,
        max(last_ride) over earlier as last_ride, min(first_ride) over (order by number desc rows unbounded preceding) as next_ride
      from intervals window earlier as (order by number rows between unbounded preceding and 1 preceding)
    )
    select array_agg(coalesce(rides, 0) order by number), array_agg(coalesce(distance, 0) order by number),
      array_agg(coalesce(moving_time, 0) order by number), array_agg(last_ride order by number), array_agg(next_ride order by number)
    into rides_until, distance_until, moving_time_until, last_rides, next_rides
    from running;

    return query
    select range.key, rides_until[last] - rides_until[first], distance_until[last] - distance_until[first],
      moving_time_until[last] - moving_time_until[first],
      case when next_rides[first] < until then next_rides[first] end, case when last_rides[last] >= since then last_rides[last] end
    -- [:] and offset 0 flatten the array once; otherwise width_bucket does it for every range.
    from (select bounds[:] as flat offset 0) as flattened
    cross join unnest(bike.keys, bike.since, bike.until) as range (key, since, until)
    cross join lateral (select width_bucket(since, flat), width_bucket(until, flat) offset 0) as place (first, last);
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION public.changes_of_sync(sync_id bigint DEFAULT NULL::bigint, skip integer DEFAULT 0)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  with sync as materialized (
    select * from public.ride_syncs
    where id = coalesce(changes_of_sync.sync_id, (select max(change.sync_id) from public.ride_changes as change))
  ), rides as materialized (
    select ride_id, max(started_at) as started_at,
      case when bool_and(is_after) then 'added' when bool_or(is_after) then 'changed' else 'removed' end as kind
    from public.ride_changes as change where change.sync_id = (select id from sync)
    group by ride_id
  ), versions as materialized (
    -- Parts are only returned with the first page.
    select *, case when is_after then 1 else -1 end as sign
    from private.counted_ride_changes as change
    where change.sync_id = (select id from sync) and changes_of_sync.skip = 0
  ), periods as materialized (
    -- Materialized, because right after a sync the planner underestimates the versions and would compare them with every period.
    select part_id, period.gear_id, since, until from private.install_periods as period where gear_id in (select gear_id from versions)
  ), moments as (
    select gear_id, started_at as at, sign * distance as distance, sign * moving_time as moving_time, null::bigint as part_id, null::integer as side
    from versions
    union all
    select gear_id, since, 0, 0, part_id, -1 from periods
    union all
    select gear_id, until, 0, 0, part_id, 1 from periods
  ), running as (
    -- Rides that start with a period count for it, so they come after its start.
    select part_id, side, sum(distance) over so_far as distance, sum(moving_time) over so_far as moving_time
    from moments window so_far as (partition by gear_id order by at, side nulls last rows unbounded preceding)
  ), parts as materialized (
    select part_id, sum(side * distance) as distance, sum(side * moving_time) as moving_time from running where part_id is not null
    group by part_id having sum(side * distance) <> 0 or sum(side * moving_time) <> 0
  ), shown as materialized (
    select * from parts order by abs(distance) desc, abs(moving_time) desc, part_id limit 50
  ), moved as (
    select part_id, ride_id, shown.distance as total, sum(sign * version.distance) as distance,
      bool_or(not is_after) as counted_before, bool_or(is_after) as counted_after
    from shown join periods using (part_id) join versions as version using (gear_id)
    where since <= started_at and started_at < until
    group by part_id, ride_id, shown.distance
    having bool_or(is_after) <> bool_or(not is_after) or sum(sign * version.distance) <> 0 or sum(sign * version.moving_time) <> 0
  ), reasons as (
    -- Pick the ride that changed the part's usage most, in the direction of the total change.
    select distinct on (part_id) part_id, ride_id, counted_before, counted_after, count(*) over (partition by part_id) as rides
    from moved order by part_id, sign(distance) * sign(total) desc, abs(distance) desc, ride_id
  )
  select json_build_object(
    'sync', (
      select json_build_object(
        'id', sync.id, 'started_at', sync.started_at, 'outcome', sync.outcome,
        'added', (select count(*) from rides where kind = 'added'),
        'changed', (select count(*) from rides where kind = 'changed'),
        'removed', (select count(*) from rides where kind = 'removed')
      ) from sync
    ),
    'rides', (
      select coalesce(json_agg(private.ride_versions((select id from sync), ride_id) order by number), '[]') from (
        select ride_id, row_number() over in_order as number from rides
        window in_order as (order by array_position('{changed,removed,added}', kind), started_at desc nulls last, ride_id)
        order by number limit 50 offset changes_of_sync.skip
      ) as page
    ),
    'parts', (
      select coalesce(json_agg(page), '[]') from (
        select shown.part_id, item.id as item_id, item."bikeId" as gear_id, item.type, item.name,
          rides, shown.distance, shown.moving_time, private.ride_versions((select id from sync), ride_id) as ride,
          counted_before, counted_after
        from shown
        join reasons using (part_id)
        cross join lateral (
          select * from public.maintenance where part_id = shown.part_id order by "dateStarted" desc, id desc limit 1
        ) as item
        order by abs(shown.distance) desc, abs(shown.moving_time) desc, shown.part_id
      ) as page
    ),
    'part_count', (select count(*) from parts),
    'older', (select max(change.sync_id) from public.ride_changes as change where change.sync_id < (select id from sync))
  )
  -- Row-level security only hides rows, so other users would get an empty answer instead of null.
  where private.is_owner()
$function$;

CREATE OR REPLACE FUNCTION public.garage()
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  with today as materialized (
    select private.today()::timestamp as today
  ), ridden as materialized (
    select gear_id, date_trunc('month', started_at) as month, count(*) as rides, sum(distance) as distance,
      sum(moving_time) as moving_time, max(started_at) as last_ride,
      sum(distance) filter (
        where started_at >= date_trunc('year', today) - interval '1 year' and started_at < today - interval '1 year' + interval '1 day'
      ) as distance_last_year_to_date
    from private.counted_rides cross join today
    group by 1, 2
  ), usage as (
    select ridden.gear_id, sum(rides) as rides, sum(distance) as distance, sum(moving_time) as moving_time,
      sum(distance) filter (where date_trunc('year', month) = date_trunc('year', today)) as distance_this_year,
      sum(distance_last_year_to_date) as distance_last_year_to_date, max(last_ride) as last_ride
    from ridden, today
    group by 1
  ), costs as (
    select "bikeId" as gear_id, sum(cost) as cost,
      sum(cost) filter (
        where date_trunc('year', "dateStarted") = date_trunc('year', today) and "dateStarted" < today + interval '1 day'
      ) as cost_this_year
    from public.maintenance, today
    group by 1
  ), newest_items as (
    select distinct on (gear_id) gear_id, json_build_object('name', name, 'dateStarted', since) as newest_item
    from private.install_periods, today
    where since < today + interval '1 day'
    order by gear_id, since desc, id desc
  ), months as (
    select bikes.gear_id, json_agg(coalesce(ridden.distance, 0) order by start) as months
    from public.bikes
    cross join today
    cross join lateral generate_series(date_trunc('month', today) - interval '23 months', today, '1 month') as start
    left join ridden on ridden.gear_id = bikes.gear_id and month = start
    group by 1
  ), garage as (
    select bikes.gear_id, coalesce(rides, 0) as rides, coalesce(distance, 0) as distance,
      coalesce(moving_time, 0) as moving_time, coalesce(distance_this_year, 0) as distance_this_year,
      coalesce(cost, 0) as cost, coalesce(cost_this_year, 0) as cost_this_year, last_ride, newest_item, months
    from private.listed_bikes as bikes
    left join usage using (gear_id)
    left join costs using (gear_id)
    left join newest_items using (gear_id)
    left join months using (gear_id)
    order by index
  )
  select json_build_object(
    'bikes', (select coalesce(json_agg(garage), '[]') from garage),
    'total', (
      select json_build_object(
        'rides', coalesce(sum(rides), 0), 'distance', coalesce(sum(distance), 0),
        'moving_time', coalesce(sum(moving_time), 0), 'distance_this_year', coalesce(sum(distance_this_year), 0),
        'cost', coalesce(sum(cost), 0), 'cost_this_year', coalesce(sum(cost_this_year), 0)
      ) from garage
    ),
    -- Rides without a bike, too.
    'all', (
      select json_build_object(
        'rides', coalesce(sum(rides), 0), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0),
        'distance_this_year', coalesce(sum(distance_this_year), 0),
        'distance_last_year_to_date', coalesce(sum(distance_last_year_to_date), 0)
      ) from usage
    ),
    'rides_without_bike', (
      select coalesce(sum(rides), 0) from usage
      where not exists (select from public.bikes where bikes.gear_id = usage.gear_id)
    )
  )
  -- Row-level security only hides rows, so other users would get an empty garage instead of null.
  where private.is_owner()
$function$;

CREATE OR REPLACE FUNCTION public.list_order(bike public.bikes)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select index from private.listed_bikes as listed where listed.gear_id = bike.gear_id $function$;

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

CREATE OR REPLACE FUNCTION public.spending(from_day date DEFAULT NULL::date, to_day date DEFAULT NULL::date)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  today constant date := private.today();
  since constant timestamp := coalesce(from_day, '-infinity');
  until constant timestamp := coalesce(to_day + 1, 'infinity');
  is_all constant boolean := num_nonnulls(from_day, to_day) = 0;
  -- 365 days, today included.
  year_ago constant timestamp := today - 364;
begin
  if not private.is_owner() then
    return null;
  end if;

  return (
    with costs as materialized (
      select "dateStarted"::date as day, "bikeId" as gear_id, type, cost from public.maintenance where cost <> 0
    ), months as (
      select to_char(day, 'YYYY-MM') as month, gear_id, type, sum(cost) as cost from costs group by 1, 2, 3
    ), ridden as materialized (
      -- Without a period, rides without a date count, too.
      select gear_id, sum(distance) filter (where is_all or started_at >= since and started_at < until) as distance,
        sum(moving_time) filter (where is_all or started_at >= since and started_at < until) as moving_time,
        sum(distance) filter (where started_at >= year_ago) as distance_of_year
      from private.counted_rides
      group by 1
    ), spent as materialized (
      select gear_id, type, cost from costs where day >= since and day < until
    ), bikes as materialized (
      select bikes.gear_id, coalesce((select sum(cost) from spent where spent.gear_id = bikes.gear_id), 0) as cost,
        coalesce(distance, 0) as distance, coalesce(moving_time, 0) as moving_time,
        coalesce(distance_of_year, 0) as distance_of_year
      from private.listed_bikes as bikes left join ridden using (gear_id)
      order by index
    ), types as (
      select type, sum(cost) as cost from spent group by 1
    )
    select json_build_object(
      'today', today,
      'months', (select coalesce(json_agg(months order by month, gear_id, type), '[]') from months),
      'income', (
        select coalesce(json_agg(income order by month, gear_id), '[]')
        from (select to_char(sold_on, 'YYYY-MM') as month, gear_id, sold_for as amount from public.bike_details where sold_for > 0) as income
      ),
      'this_year', (
        select coalesce(sum(cost), 0) from costs where day >= date_trunc('year', today) and day <= today
      ),
      'last_year_to_date', (
        select coalesce(sum(cost), 0) from costs
        where day >= date_trunc('year', today) - interval '1 year' and day <= today - interval '1 year'
      ),
      'bikes', (select coalesce(json_agg(bikes), '[]') from bikes),
      'types', (select coalesce(json_agg(types order by cost desc, type), '[]') from types),
      'total', (
        select json_build_object(
          'cost', coalesce(sum(cost), 0), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0)
        ) from bikes
      )
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.to_check()
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  -- Row-level security only hides rows, so other users would get an empty list instead of null.
  if not private.is_owner() then
    return null;
  end if;

  return (
    with found as (
      select * from private.check_bikes_of_rides
      union all select * from private.check_same_rides
      union all select * from private.check_rides
      union all select * from private.check_parts
      union all select * from private.check_ends
      union all select * from private.check_kinds
    ), shown as (
      select *, row_number() over (
        partition by kind
        -- The longest overlap is the most likely mistake.
        order by case kind when 'two_parts' then (facts -> 'days')::integer end desc, at desc nulls last, key
      ) as place
      from found where key not in (select dismissed.key from public.dismissed_checks as dismissed)
    ), lines as (
      select kind, place, jsonb_build_object(
        'key', key, 'kind', kind,
        -- Names can be very long, and a list only needs their beginning.
        'rides', (
          select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200), 'started_at', started_at) order by nth), '[]')
          from unnest(shown.rides) with ordinality as listed (id, nth)
          -- Looks up each (offset 0). Otherwise, PostgreSQL would read all rides for each line.
          cross join lateral (select name, started_at from public.rides as ride where ride.id = listed.id offset 0) as ride
        ),
        'items', (
          select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200)) order by nth), '[]')
          from unnest(shown.items) with ordinality as listed (id, nth)
          cross join lateral (select name from public.maintenance as item where item.id = listed.id offset 0) as item
        )
      ) || facts as line
      -- 100 lines of a kind are enough to see the problem, even if every ride has it.
      from shown where place <= 100
    )
    select json_build_object(
      'lines', (select coalesce(json_agg(line order by kind, place), '[]') from lines),
      'left_out', (select count(*) from shown where place > 100)
    )
  );
end
$function$;

CREATE VIEW "private"."check_parts" WITH (security_invoker=true) AS  WITH clock AS MATERIALIZED (
         SELECT private.wall_clock() AS now
        ), placed AS MATERIALIZED (
         SELECT period.id,
            period.part_id,
            period.gear_id,
            period.type,
            period.name,
            period.cost,
            period.since,
            period.until,
            period.ended_as,
            kind_places.kind AS family,
            kind_places.place,
            kind_places."position",
            kind_places.is_single,
            kind_places.is_needed
           FROM (private.install_periods period
             JOIN private.kind_places USING (id))
        ), fillers AS MATERIALIZED (
         SELECT period.id,
            period.part_id,
            period.gear_id,
            period.type,
            period.name,
            period.cost,
            period.since,
            period.until,
            period.ended_as,
            placed.family
           FROM (private.install_periods period
             LEFT JOIN placed USING (id))
          WHERE ((placed.family IS NULL) OR (placed."position" IS NULL))
        ), in_order AS (
         SELECT placed.id,
            placed.part_id,
            placed.gear_id,
            placed.type,
            placed.name,
            placed.cost,
            placed.since,
            placed.until,
            placed.ended_as,
            placed.family,
            placed.place,
            placed."position",
            placed.is_single,
            placed.is_needed,
            max(placed.until) OVER (by_start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier_until
           FROM placed
          WHERE ((placed."position" IS NOT NULL) AND placed.is_needed)
          WINDOW by_start AS (PARTITION BY placed.gear_id, placed.family, placed."position" ORDER BY placed.since, placed.id)
        ), late AS (
         SELECT in_place.id,
            in_place.part_id,
            in_place.gear_id,
            in_place.type,
            in_place.name,
            in_place.cost,
            in_place.since,
            in_place.until,
            in_place.ended_as,
            in_place.family,
            in_place.place,
            in_place."position",
            in_place.is_single,
            in_place.is_needed,
            in_place.earlier_until
           FROM ( SELECT placed.id,
                    placed.part_id,
                    placed.gear_id,
                    placed.type,
                    placed.name,
                    placed.cost,
                    placed.since,
                    placed.until,
                    placed.ended_as,
                    placed.family,
                    placed.place,
                    placed."position",
                    placed.is_single,
                    placed.is_needed,
                    max(placed.until) OVER (by_start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier_until
                   FROM placed
                  WHERE placed.is_single
                  WINDOW by_start AS (PARTITION BY placed.gear_id, placed.family, placed.place, placed."position" ORDER BY placed.since, placed.id)) in_place
          WHERE (in_place.earlier_until > in_place.since)
        ), gaps AS (
         SELECT 'no_part'::text AS kind,
            next.gear_id,
            next.family,
            next."position",
            next.earlier_until AS since,
            next.since AS until,
            ended.id AS other,
            next.id
           FROM (in_order next
             JOIN placed ended USING (gear_id, family, "position"))
          WHERE ((next.earlier_until < next.since) AND (ended.until = next.earlier_until) AND (ended.ended_as IS DISTINCT FROM 'stored'::text) AND (NOT (EXISTS ( SELECT
                   FROM fillers filler
                  WHERE ((filler.gear_id = next.gear_id) AND (filler.since < next.since) AND (filler.until > next.earlier_until) AND
                        CASE
                            WHEN (filler.family IS NOT NULL) THEN (filler.family = next.family)
                            ELSE ((filler.since >= (next.earlier_until - '7 days'::interval)) AND ((filler.type IS NULL) OR (filler.type = next.type)))
                        END)))))
        ), overlapping AS (
         SELECT 'two_parts'::text AS "?column?",
            one.gear_id,
            one.family,
            one."position",
            one.since,
            LEAST(other.until, one.until) AS "least",
            other.id,
            one.id
           FROM clock clock_1,
            (late one
             JOIN placed other USING (gear_id, family, place, "position"))
          WHERE ((ROW(other.since, other.id) < ROW(one.since, one.id)) AND (other.until > one.since))
          ORDER BY (LEAST(other.until, one.until, clock_1.now) - one.since) DESC, one.id, other.id
         LIMIT 1000
        ), ranges AS MATERIALIZED (
         SELECT found.kind,
            found.gear_id,
            found.family,
            found."position",
            found.since,
            found.until,
            found.other,
            found.id,
            row_number() OVER () AS number
           FROM ( SELECT gaps.kind,
                    gaps.gear_id,
                    gaps.family,
                    gaps."position",
                    gaps.since,
                    gaps.until,
                    gaps.other,
                    gaps.id
                   FROM gaps
                UNION ALL
                 SELECT overlapping."?column?",
                    overlapping.gear_id,
                    overlapping.family,
                    overlapping."position",
                    overlapping.since,
                    overlapping."least",
                    overlapping.id,
                    overlapping.id_1 AS id
                   FROM overlapping overlapping("?column?", gear_id, family, "position", since, "least", id, id_1)) found
        ), weighed AS MATERIALIZED (
         SELECT ranges.kind,
            ranges.gear_id,
            ranges.family,
            ranges."position",
            ranges.since,
            ranges.until,
            ranges.other,
            ranges.id,
            ranges.number,
            used.rides AS ride_count,
            used.distance
           FROM (ranges
             JOIN private.sum_rides(ARRAY( SELECT ROW(ranges_1.number, ranges_1.gear_id, ranges_1.since, ranges_1.until, ((ranges_1.kind = 'no_part'::text) AND (ranges_1.family = ANY (ARRAY['wheel'::text, 'tire'::text]))))::private.ride_range AS "row"
                   FROM ranges ranges_1)) used(key, rides, distance, moving_time, first_ride, last_ride) ON ((used.key = ranges.number)))
          WHERE ((used.rides > 0) AND (used.distance > (0)::numeric))
        )
 SELECT weighed.kind,
    concat_ws(':'::text, weighed.kind, weighed.gear_id, weighed.family, pairs.pair, weighed.id, (weighed.since)::date, (weighed.until)::date) AS key,
    weighed.since AS at,
    '{}'::bigint[] AS rides,
    ARRAY[min(weighed.other), weighed.id] AS items,
    jsonb_build_object('gear_id', weighed.gear_id, 'family', weighed.family, 'positions', array_agg(DISTINCT weighed."position") FILTER (WHERE (weighed."position" <> ''::text)), 'since', (weighed.since)::date, 'until',
        CASE
            WHEN (weighed.until < clock.now) THEN (weighed.until)::date
            ELSE NULL::date
        END, 'days', ((LEAST(weighed.until, clock.now))::date - (weighed.since)::date), 'ride_count', weighed.ride_count, 'distance', weighed.distance) AS facts
   FROM ((weighed
     CROSS JOIN clock)
     CROSS JOIN LATERAL ( SELECT
                CASE weighed.kind
                    WHEN 'two_parts'::text THEN weighed.other
                    ELSE NULL::bigint
                END AS pair) pairs)
  GROUP BY weighed.kind, weighed.gear_id, weighed.family, pairs.pair, weighed.id, weighed.since, weighed.until, weighed.ride_count, weighed.distance, clock.now;

CREATE VIEW "private"."check_same_rides" WITH (security_invoker=true) AS  WITH near AS MATERIALIZED (
         SELECT timed.id,
            timed.since,
            timed.until,
            timed.elapsed,
            timed.distance,
            timed.pause,
            timed.earlier_until,
            timed.next,
            row_number() OVER (ORDER BY timed.since, timed.id) AS place
           FROM ( SELECT ride_1.id,
                    ride_1.since,
                    ride_1.until,
                    ride_1.elapsed,
                    ride_1.distance,
                    ride_1.pause,
                    max(ride_1.until) OVER earlier AS earlier_until,
                    lead(ride_1.since) OVER earlier AS next
                   FROM ( SELECT counted_rides.id,
                            counted_rides.departed_at AS since,
                            (counted_rides.departed_at + make_interval(secs => (recorded.elapsed)::double precision)) AS until,
                            recorded.elapsed,
                            counted_rides.distance,
                            GREATEST((COALESCE(counted_rides.duration, counted_rides.moving_time) - counted_rides.moving_time), 0) AS pause
                           FROM (private.counted_rides
                             CROSS JOIN LATERAL ( SELECT COALESCE(NULLIF(counted_rides.duration, 0), counted_rides.moving_time, 0) AS elapsed) recorded)
                          WHERE ((counted_rides.departed_at IS NOT NULL) AND (recorded.elapsed < 172800))) ride_1
                  WINDOW earlier AS (ORDER BY ride_1.since, ride_1.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) timed
          WHERE ((timed.earlier_until >= timed.since) OR (timed.next <= timed.until))
        ), equal AS (
         SELECT ride_1.id,
            ride_1.gear_id,
            ride_1.started_at,
            ride_1.departed_at,
            ride_1.distance,
            ride_1.duration,
            ride_1.moving_time,
            ride_1.is_stationary,
            ride_1.ridden_as,
            ride_1.is_next,
            count(*) FILTER (WHERE ride_1.is_next) OVER (PARTITION BY ride_1.distance, ride_1.moving_time ORDER BY ride_1.departed_at, ride_1.id) AS run
           FROM ( SELECT ride_2.id,
                    ride_2.gear_id,
                    ride_2.started_at,
                    ride_2.departed_at,
                    ride_2.distance,
                    ride_2.duration,
                    ride_2.moving_time,
                    ride_2.is_stationary,
                    ride_2.ridden_as,
                    (ride_2.departed_at > (lag(ride_2.departed_at) OVER (PARTITION BY ride_2.distance, ride_2.moving_time ORDER BY ride_2.departed_at, ride_2.id) + '26:00:00'::interval)) AS is_next
                   FROM (private.counted_rides ride_2
                     JOIN ( SELECT counted_rides.distance,
                            counted_rides.moving_time
                           FROM private.counted_rides
                          WHERE ((counted_rides.distance > (0)::numeric) AND (counted_rides.moving_time > 0) AND (counted_rides.departed_at IS NOT NULL))
                          GROUP BY counted_rides.distance, counted_rides.moving_time
                         HAVING (count(*) > 1)) repeated USING (distance, moving_time))
                  WHERE (ride_2.departed_at IS NOT NULL)) ride_1
        ), apart AS (
         SELECT lag(equal.id) OVER by_start AS one,
            equal.id AS other,
            (equal.departed_at - lag(equal.departed_at) OVER by_start) AS apart,
            equal.distance,
            ((max(equal.departed_at) OVER (PARTITION BY equal.distance, equal.moving_time, equal.run) - min(equal.departed_at) OVER (PARTITION BY equal.distance, equal.moving_time, equal.run)) <= '26:00:00'::interval) AS is_short
           FROM equal
          WINDOW by_start AS (PARTITION BY equal.distance, equal.moving_time, equal.run ORDER BY equal.departed_at, equal.id)
        ), pairs AS (
         SELECT one.id AS one,
            other.id AS other,
            shared.overlap,
            shared.shorter,
            NULL::interval AS apart,
            LEAST(one.distance, other.distance) AS distance
           FROM (((near other
             CROSS JOIN generate_series(1, 8) back(back))
             JOIN near one ON ((one.place = (other.place - back.back))))
             CROSS JOIN LATERAL ( SELECT (EXTRACT(epoch FROM (LEAST(one.until, other.until) - other.since)))::bigint AS overlap,
                    LEAST(one.elapsed, other.elapsed) AS shorter) shared)
          WHERE (((shared.shorter >= 300) AND ((shared.overlap)::numeric >= (0.8 * (shared.shorter)::numeric)) AND ((shared.overlap > (one.pause + other.pause)) OR (((other.since - one.since) <= '00:10:00'::interval) AND ((GREATEST(one.until, other.until) - LEAST(one.until, other.until)) <= '00:10:00'::interval)))) OR ((one.since = other.since) AND (one.distance = other.distance) AND (one.distance > (0)::numeric)))
        ), found AS (
         SELECT DISTINCT ON (LEAST(pair.one, pair.other), GREATEST(pair.one, pair.other)) pair.one,
            pair.other,
            pair.overlap,
            pair.shorter,
            pair.apart,
            pair.distance
           FROM ( SELECT pairs.one,
                    pairs.other,
                    pairs.overlap,
                    pairs.shorter,
                    pairs.apart,
                    pairs.distance
                   FROM pairs
                UNION ALL
                 SELECT apart.one,
                    apart.other,
                    0,
                    0,
                    apart.apart,
                    apart.distance
                   FROM apart
                  WHERE ((apart.one IS NOT NULL) AND apart.is_short)) pair
          ORDER BY LEAST(pair.one, pair.other), GREATEST(pair.one, pair.other), pair.apart NULLS FIRST
        )
 SELECT 'same_ride'::text AS kind,
    format('same_ride:%s:%s'::text, LEAST(found.one, found.other), GREATEST(found.one, found.other)) AS key,
    ride.started_at AS at,
    ARRAY[found.one, found.other] AS rides,
    '{}'::bigint[] AS items,
    jsonb_build_object('gear_id', private.bike_now(ride.gear_id), 'overlap', found.overlap, 'shorter', found.shorter, 'apart', (EXTRACT(epoch FROM found.apart))::bigint, 'distance', found.distance) AS facts
   FROM (found
     CROSS JOIN LATERAL ( SELECT rides.started_at,
            rides.gear_id
           FROM public.rides
          WHERE (rides.id = found.other)
         OFFSET 0) ride);

CREATE VIEW "private"."counted_ride_changes" WITH (security_invoker=true) AS  SELECT sync_id,
    ride_id,
    is_after,
        CASE
            WHEN (EXISTS ( SELECT
               FROM public.attached_logs)) THEN private.bike_now(gear_id)
            ELSE gear_id
        END AS gear_id,
    started_at,
    COALESCE(distance, (0)::numeric) AS distance,
    COALESCE(moving_time, duration, 0) AS moving_time,
    is_stationary
   FROM public.ride_changes
  WHERE (timezone(time_zone, started_at) <= now());

CREATE VIEW "private"."doubted_rides" WITH (security_invoker=true) AS  SELECT ride.id,
    private.bike_now(ride.gear_id) AS gear_id,
    line.key,
    ride.started_at,
    ride.created_at AS uploaded,
    (COALESCE(ride.departed_at, ride.created_at) > now()) AS is_ahead
   FROM (public.rides ride
     CROSS JOIN LATERAL ( SELECT format('date:%s:%s'::text, ride.id, EXTRACT(epoch FROM ride.started_at)) AS key) line)
  WHERE
        CASE
            WHEN ((COALESCE(ride.departed_at, ride.created_at) > ( SELECT (now() + '1 day'::interval))) OR (ride.started_at < '1990-01-01 00:00:00'::timestamp without time zone) OR (((ride.created_at - ride.departed_at) >= '7168 days'::interval) AND (((ride.created_at - ride.departed_at) <= '7198 days'::interval) OR (((ride.created_at - ride.departed_at) >= '14336 days'::interval) AND ((ride.created_at - ride.departed_at) <= '14366 days'::interval)))) OR (ride.id IN ( SELECT first.id
               FROM (public.bikes
                 CROSS JOIN LATERAL ( SELECT early.id,
                        early.started_at,
                        early.departed_at,
                        early.created_at,
                        lead(early.started_at) OVER (ORDER BY early.started_at) AS next
                       FROM ( SELECT other.id,
                                other.started_at,
                                other.departed_at,
                                other.created_at
                               FROM public.rides other
                              WHERE ((other.gear_id = bikes.gear_id) AND (other.started_at IS NOT NULL))
                              ORDER BY other.started_at
                             LIMIT 2) early) first)
              WHERE ((first.next > (first.started_at + '1 year'::interval)) AND (first.created_at > (first.departed_at + '2 years'::interval)))))) THEN (NOT (line.key IN ( SELECT dismissed.key
               FROM public.dismissed_checks dismissed)))
            ELSE NULL::boolean
        END;

CREATE VIEW "private"."check_rides" WITH (security_invoker=true) AS  WITH doubted AS MATERIALIZED (
         SELECT doubted_rides.id,
            doubted_rides.gear_id,
            doubted_rides.key,
            doubted_rides.started_at,
            doubted_rides.uploaded,
            doubted_rides.is_ahead
           FROM private.doubted_rides
        ), timed AS (
         SELECT rides.id,
            rides.gear_id,
            rides.started_at,
            rides.departed_at,
            rides.created_at,
            rides.duration,
            rides.moving_time,
            rides.is_stationary,
            rides.distance,
            rides.name,
            rides.time_zone,
            rides.updated_at,
            rides.max_speed,
            rides.avg_speed,
            rides.avg_hr,
            rides.max_hr,
            rides.avg_watts,
            rides.max_watts,
            rides.avg_cad,
            rides.elevation_gain,
            rides.highlighted_photo_id,
            rides.has_map,
            rides.missing_since_sync,
            COALESCE(NULLIF(rides.moving_time, 0), NULLIF(rides.duration, 0)) AS ridden
           FROM public.rides
        ), rated AS (
         SELECT timed.id,
            timed.gear_id,
            timed.started_at,
            timed.departed_at,
            timed.created_at,
            timed.duration,
            timed.moving_time,
            timed.is_stationary,
            timed.distance,
            timed.name,
            timed.time_zone,
            timed.updated_at,
            timed.max_speed,
            timed.avg_speed,
            timed.avg_hr,
            timed.max_hr,
            timed.avg_watts,
            timed.max_watts,
            timed.avg_cad,
            timed.elevation_gain,
            timed.highlighted_photo_id,
            timed.has_map,
            timed.missing_since_sync,
            timed.ridden,
            COALESCE(((timed.distance * 3.6) / (timed.ridden)::numeric), timed.avg_speed) AS average
           FROM timed
        ), ruled AS (
         SELECT rated.id,
            rated.gear_id,
            rated.started_at,
            rated.departed_at,
            rated.created_at,
            rated.duration,
            rated.moving_time,
            rated.is_stationary,
            rated.distance,
            rated.name,
            rated.time_zone,
            rated.updated_at,
            rated.max_speed,
            rated.avg_speed,
            rated.avg_hr,
            rated.max_hr,
            rated.avg_watts,
            rated.max_watts,
            rated.avg_cad,
            rated.elevation_gain,
            rated.highlighted_photo_id,
            rated.has_map,
            rated.missing_since_sync,
            rated.ridden,
            rated.average,
                CASE
                    WHEN (((rated.moving_time - 60) * '100'::bigint) > (NULLIF(rated.duration, 0) * '101'::bigint)) THEN 'moving_time'::text
                    WHEN ((rated.max_speed > (120)::numeric) AND (NOT rated.is_stationary)) THEN 'max_speed'::text
                    WHEN (COALESCE((rated.distance > (('16'::bigint * rated.ridden))::numeric), true) AND (rated.average > (60)::numeric) AND (rated.average < (300)::numeric) AND (rated.distance > (1000)::numeric) AND (NOT rated.is_stationary)) THEN 'average_speed'::text
                    WHEN ((rated.distance > (1000000)::numeric) AND (COALESCE(rated.duration, rated.ridden, 0) < 86400)) THEN 'distance'::text
                    WHEN ((rated.ridden > 86400) AND (COALESCE(rated.average, (0)::numeric) < (5)::numeric)) THEN 'time'::text
                    WHEN ((COALESCE(rated.distance, (0)::numeric) < (100)::numeric) AND (COALESCE(rated.moving_time, rated.duration) >= 3600) AND (NOT rated.is_stationary)) THEN 'no_distance'::text
                    ELSE NULL::text
                END AS kind
           FROM rated
        )
 SELECT 'date'::text AS kind,
    doubted.key,
    doubted.started_at AS at,
    ARRAY[doubted.id] AS rides,
    '{}'::bigint[] AS items,
    jsonb_build_object('gear_id', doubted.gear_id, 'uploaded', (private.wall_clock(doubted.uploaded))::date, 'is_ahead', doubted.is_ahead) AS facts
   FROM doubted
UNION ALL
 SELECT ruled.kind,
    format('%s:%s:%s'::text, ruled.kind, ruled.id, found.value) AS key,
    ruled.started_at AS at,
    ARRAY[ruled.id] AS rides,
    '{}'::bigint[] AS items,
    jsonb_build_object('gear_id', private.bike_now(ruled.gear_id), 'value', found.value, 'distance', ruled.distance, 'duration', ruled.duration, 'moving_time', ruled.moving_time) AS facts
   FROM (ruled
     CROSS JOIN LATERAL ( SELECT
                CASE ruled.kind
                    WHEN 'moving_time'::text THEN (ruled.moving_time)::numeric
                    WHEN 'max_speed'::text THEN ruled.max_speed
                    WHEN 'average_speed'::text THEN round(ruled.average, 1)
                    WHEN 'distance'::text THEN ruled.distance
                    ELSE (ruled.ridden)::numeric
                END AS value) found)
  WHERE ((ruled.kind IS NOT NULL) AND (NOT (ruled.id IN ( SELECT doubted.id
           FROM doubted))));

CREATE VIEW "private"."listed_bikes" WITH (security_invoker=true) AS  SELECT bikes.gear_id,
    row_number() OVER (ORDER BY (bikes.gear_id IN ( SELECT retired_bikes.gear_id
           FROM private.retired_bikes)), last_rides.last_ride DESC NULLS LAST, bikes.name, bikes.gear_id) AS index
   FROM (public.bikes
     JOIN private.last_rides USING (gear_id));

COMMENT ON FUNCTION "private"."ridden_as"(bigint) IS 'Returns the ids that a bike''s rides carry.';

COMMENT ON FUNCTION "private"."sum_rides"(private.ride_range[]) IS 'Returns each range''s rides, meters and seconds, and when its first and last ride started.';

COMMENT ON VIEW "private"."counted_ride_changes" IS 'Applies the rule of counted_rides to rides before and after a sync. Leaves out rides without a date.';

COMMENT ON VIEW "private"."doubted_rides" IS 'Rides whose day is doubtful, unless that was dismissed: long ago, ahead, or before the device knew the date. uploaded: when the trip was uploaded.';

COMMENT ON VIEW "private"."listed_bikes" IS 'The bikes that have their log, with their index in lists: by the last ride, latest first, and retired bikes last.';

REVOKE ALL ON FUNCTION "private"."ridden_as"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."ridden_as"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."sum_rides"(private.ride_range[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."sum_rides"(private.ride_range[]) TO "authenticated";

GRANT SELECT ON TABLE "private"."check_parts" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_same_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."counted_ride_changes" TO "authenticated";

GRANT SELECT ON TABLE "private"."doubted_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."listed_bikes" TO "authenticated";
