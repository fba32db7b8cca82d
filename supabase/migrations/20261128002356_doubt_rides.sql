set local check_function_bodies = off;

DROP VIEW "private"."check_numbers";

DROP VIEW "private"."check_same_rides";

DROP VIEW "private"."current_tasks";

CREATE OR REPLACE FUNCTION private.first_ride(gear_id bigint)
 RETURNS timestamp without time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select ride.started_at from private.counted_rides as ride
  where ride.gear_id = first_ride.gear_id and started_at is not null
    -- Looks up one ride after the other (offset 0). Otherwise, PostgreSQL would look for all doubted rides first.
    and not exists (select from private.doubted_rides as doubted where doubted.id = ride.id offset 0)
  order by ride.started_at limit 1
$function$;

CREATE OR REPLACE FUNCTION public.maintenance_use(gear_id bigint, day date DEFAULT NULL::date)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
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
    ), items as materialized (
      select part_id, item.* from totals cross join lateral unnest(items) as item
    ), kinds as (
      select id, min(kind) as kind from private.part_kinds group by id
    ), listed as (
      select part_id, array_agg(id order by since, id) as item_ids,
        -- A part has the kind of its latest item.
        (array_agg(kind order by since desc, id desc))[1] as kind
      from items left join kinds using (id) group by part_id
    ), total as (
      select rides, distance, moving_time from totals where part_id is null
      union all
      -- Add rides without a date, but only if no day is requested.
      select count(*), coalesce(sum(distance), 0), coalesce(sum(moving_time), 0) from private.counted_rides as ride
      where ride.gear_id = maintenance_use.gear_id and started_at is null and midnight is null
    )
    select json_build_object(
      'gear_id', bike.gear_id,
      'first_ride', private.first_ride(bike.gear_id)::date,
      'total', (
        select json_build_object('rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time)) from total
      ),
      'items', (
        select coalesce(json_agg(item), '[]') from (
          select id, rides, distance, moving_time, days, first_ride, last_ride from items
          where items.gear_id = maintenance_use.gear_id and (midnight is null or until = midnight)
          order by id
        ) as item
      ),
      'parts', (
        select coalesce(json_agg(part), '[]') from (
          select part_id, item_ids, rides, distance, moving_time, earlier_distance, earlier_moving_time, cost, kind
          from totals join listed using (part_id) order by part_id
        ) as part
      )
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.to_check()
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  with found as (
    select * from private.check_bikes_of_rides
    union all select * from private.check_same_rides
    union all select * from private.check_dates
    union all select * from private.check_numbers
    union all select * from private.check_parts
    union all select * from private.check_ends
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
        from unnest(shown.rides) with ordinality as listed (id, nth) join public.rides using (id)
      ),
      'items', (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200)) order by nth), '[]')
        from unnest(shown.items) with ordinality as listed (id, nth) join public.maintenance using (id)
      )
    ) || facts as line
    -- 100 lines of a kind are enough to see the problem, even if every ride has it.
    from shown where place <= 100
  )
  select json_build_object(
    'lines', (select coalesce(json_agg(line order by kind, place), '[]') from lines),
    'left_out', (select count(*) from shown where place > 100)
  )
  -- Row-level security only hides rows, so other users would get an empty list instead of null.
  where private.is_owner()
$function$;

CREATE VIEW "private"."check_same_rides" WITH (security_invoker=true) AS  WITH timed AS MATERIALIZED (
         SELECT ride_1.id,
            ride_1.since,
            ride_1.until,
            ride_1.elapsed,
            ride_1.distance,
            ride_1.pause,
            row_number() OVER by_start AS place,
            max(ride_1.until) OVER (by_start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier_until
           FROM ( SELECT counted_rides.id,
                    counted_rides.departed_at AS since,
                    (counted_rides.departed_at + make_interval(secs => (recorded.elapsed)::double precision)) AS until,
                    recorded.elapsed,
                    counted_rides.distance,
                    GREATEST((COALESCE(counted_rides.duration, counted_rides.moving_time) - counted_rides.moving_time), 0) AS pause
                   FROM (private.counted_rides
                     CROSS JOIN LATERAL ( SELECT COALESCE(NULLIF(counted_rides.duration, 0), counted_rides.moving_time, 0) AS elapsed) recorded)
                  WHERE ((counted_rides.departed_at IS NOT NULL) AND (recorded.elapsed < 172800))) ride_1
          WINDOW by_start AS (ORDER BY ride_1.since, ride_1.id)
        ), overlapping AS MATERIALIZED (
         SELECT timed.id,
            timed.since,
            timed.until,
            timed.elapsed,
            timed.distance,
            timed.pause,
            timed.place,
            timed.earlier_until
           FROM timed
          WHERE (timed.earlier_until >= timed.since)
        ), equal AS (
         SELECT ride_1.id,
            ride_1.gear_id,
            ride_1.started_at,
            ride_1.departed_at,
            ride_1.distance,
            ride_1.duration,
            ride_1.moving_time,
            ride_1.is_stationary,
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
           FROM (((overlapping other
             CROSS JOIN generate_series(1, 8) back(back))
             JOIN timed one ON ((one.place = (other.place - back.back))))
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
    jsonb_build_object('gear_id', ride.gear_id, 'overlap', found.overlap, 'shorter', found.shorter, 'apart', (EXTRACT(epoch FROM found.apart))::bigint, 'distance', found.distance) AS facts
   FROM (found
     JOIN public.rides ride ON ((ride.id = found.other)));

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
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (task.part_id IS NULL) THEN private.first_ride(task.gear_id)
                    ELSE NULL::timestamp without time zone
                END AS started_at) first_ride)
  WHERE ((task.part_id IS NULL) OR (place.part_id IS NOT NULL));

CREATE VIEW "private"."doubted_rides" WITH (security_invoker=true) AS  SELECT ride.id,
    ride.gear_id,
    line.key,
    ride.started_at,
    ride.created_at AS uploaded,
    (COALESCE(ride.departed_at, ride.created_at) > now()) AS is_ahead
   FROM (public.rides ride
     CROSS JOIN LATERAL ( SELECT format('date:%s:%s'::text, ride.id, EXTRACT(epoch FROM ride.started_at)) AS key) line)
  WHERE
        CASE
            WHEN ((COALESCE(ride.departed_at, ride.created_at) > (now() + '1 day'::interval)) OR (ride.started_at < '1990-01-01 00:00:00'::timestamp without time zone) OR (((ride.created_at - ride.departed_at) >= '7168 days'::interval) AND ((ride.created_at - ride.departed_at) <= '7198 days'::interval)) OR (((ride.created_at - ride.departed_at) >= '14336 days'::interval) AND ((ride.created_at - ride.departed_at) <= '14366 days'::interval)) OR (ride.id IN ( SELECT first.id
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

CREATE VIEW "private"."check_dates" WITH (security_invoker=true) AS  SELECT 'date'::text AS kind,
    key,
    started_at AS at,
    ARRAY[id] AS rides,
    '{}'::bigint[] AS items,
    jsonb_build_object('gear_id', gear_id, 'uploaded', (private.wall_clock(uploaded))::date, 'is_ahead', is_ahead) AS facts
   FROM private.doubted_rides;

CREATE VIEW "private"."check_numbers" WITH (security_invoker=true) AS  SELECT rule.kind,
    format('%s:%s:%s'::text, rule.kind, rides.id, found.value) AS key,
    rides.started_at AS at,
    ARRAY[rides.id] AS rides,
    '{}'::bigint[] AS items,
    jsonb_build_object('gear_id', rides.gear_id, 'value', found.value, 'distance', rides.distance, 'duration', rides.duration, 'moving_time', rides.moving_time) AS facts
   FROM ((((public.rides
     CROSS JOIN LATERAL ( SELECT COALESCE(NULLIF(rides.moving_time, 0), NULLIF(rides.duration, 0)) AS ridden) times)
     CROSS JOIN LATERAL ( SELECT COALESCE(((rides.distance * 3.6) / (times.ridden)::numeric), rides.avg_speed) AS average) speed)
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (((rides.moving_time - 60) * '100'::bigint) > (NULLIF(rides.duration, 0) * '101'::bigint)) THEN 'moving_time'::text
                    WHEN ((rides.max_speed > (120)::numeric) AND (NOT rides.is_stationary)) THEN 'max_speed'::text
                    WHEN ((speed.average > (60)::numeric) AND (speed.average < (300)::numeric) AND (rides.distance > (1000)::numeric) AND (NOT rides.is_stationary)) THEN 'average_speed'::text
                    WHEN ((rides.distance > (1000000)::numeric) AND (COALESCE(rides.duration, times.ridden, 0) < 86400)) THEN 'distance'::text
                    WHEN ((times.ridden > 86400) AND (COALESCE(speed.average, (0)::numeric) < (5)::numeric)) THEN 'time'::text
                    WHEN ((COALESCE(rides.distance, (0)::numeric) < (100)::numeric) AND (COALESCE(rides.moving_time, rides.duration) >= 3600) AND (NOT rides.is_stationary)) THEN 'no_distance'::text
                    ELSE NULL::text
                END AS kind) rule)
     CROSS JOIN LATERAL ( SELECT
                CASE rule.kind
                    WHEN 'moving_time'::text THEN (rides.moving_time)::numeric
                    WHEN 'max_speed'::text THEN rides.max_speed
                    WHEN 'average_speed'::text THEN round(speed.average, 1)
                    WHEN 'distance'::text THEN rides.distance
                    ELSE (times.ridden)::numeric
                END AS value) found)
  WHERE
        CASE
            WHEN (rule.kind IS NOT NULL) THEN (NOT (EXISTS ( SELECT
               FROM private.doubted_rides doubted
              WHERE (doubted.id = rides.id))))
            ELSE NULL::boolean
        END;

COMMENT ON FUNCTION "private"."first_ride"(bigint) IS 'Returns the wall clock time of a bike''s first ride, without doubted ones. Null without rides.';

COMMENT ON FUNCTION "public"."maintenance_use"(bigint, date) IS 'Returns rides, meters and seconds of a bike, its log items, and their parts over all bikes, as maintenance-use does, the items'' days, and the day of its first ride. With a day: as of the end of that day, only for items on the bike at the time. Null for an unknown bike.';

COMMENT ON VIEW "private"."current_tasks" IS 'Each task with its part''s current place and its baseline.';

COMMENT ON VIEW "private"."doubted_rides" IS 'Rides whose day is doubtful, unless that was dismissed: long ago, ahead, or before the device knew the date. uploaded: when the trip was uploaded.';

REVOKE ALL ON FUNCTION "private"."first_ride"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."first_ride"(bigint) TO "authenticated";

GRANT SELECT ON TABLE "private"."check_dates" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_numbers" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_same_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."current_tasks" TO "authenticated";

GRANT SELECT ON TABLE "private"."doubted_rides" TO "authenticated";
