set local check_function_bodies = off;

DROP VIEW "private"."check_dates";

DROP VIEW "private"."check_ends";

DROP VIEW "private"."check_numbers";

DROP VIEW "private"."check_same_rides";

DROP VIEW "private"."doubted_rides";

DROP FUNCTION "public"."to_check"();

CREATE OR REPLACE FUNCTION public.list_order(bike public.bikes)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select index
  from (
    select gear_id, row_number() over (order by is_retired, last_ride desc nulls last, name, gear_id) as index
    from public.bikes join private.last_rides using (gear_id)
  ) as listed
  where listed.gear_id = bike.gear_id
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
  );
end
$function$;

CREATE VIEW "private"."check_same_rides" WITH (security_invoker=true) AS  WITH timed AS MATERIALIZED (
         SELECT ride_1.id,
            ride_1.since,
            ride_1.until,
            ride_1.elapsed,
            ride_1.distance,
            ride_1.pause,
            row_number() OVER earlier AS place,
            max(ride_1.until) OVER earlier AS earlier_until
           FROM ( SELECT counted_rides.id,
                    counted_rides.departed_at AS since,
                    (counted_rides.departed_at + make_interval(secs => (recorded.elapsed)::double precision)) AS until,
                    recorded.elapsed,
                    counted_rides.distance,
                    GREATEST((COALESCE(counted_rides.duration, counted_rides.moving_time) - counted_rides.moving_time), 0) AS pause
                   FROM (private.counted_rides
                     CROSS JOIN LATERAL ( SELECT COALESCE(NULLIF(counted_rides.duration, 0), counted_rides.moving_time, 0) AS elapsed) recorded)
                  WHERE ((counted_rides.departed_at IS NOT NULL) AND (recorded.elapsed < 172800))) ride_1
          WINDOW earlier AS (ORDER BY ride_1.since, ride_1.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
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
        ), near AS MATERIALIZED (
         SELECT timed.id,
            timed.since,
            timed.until,
            timed.elapsed,
            timed.distance,
            timed.pause,
            timed.place,
            timed.earlier_until
           FROM timed
          WHERE (timed.place IN ( SELECT (overlapping.place - back.back)
                   FROM (overlapping
                     CROSS JOIN generate_series(1, 8) back(back))))
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
           FROM (((overlapping other
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
            WHEN ((COALESCE(ride.departed_at, ride.created_at) > (now() + '1 day'::interval)) OR (ride.started_at < '1990-01-01 00:00:00'::timestamp without time zone) OR (((ride.created_at - ride.departed_at) >= '7168 days'::interval) AND (((ride.created_at - ride.departed_at) <= '7198 days'::interval) OR (((ride.created_at - ride.departed_at) >= '14336 days'::interval) AND ((ride.created_at - ride.departed_at) <= '14366 days'::interval)))) OR (ride.id IN ( SELECT first.id
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
         OFFSET 0
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
                    WHEN ((rated.average > (60)::numeric) AND (rated.average < (300)::numeric) AND (rated.distance > (1000)::numeric) AND (NOT rated.is_stationary)) THEN 'average_speed'::text
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

CREATE VIEW "private"."last_rides" WITH (security_invoker=true) AS  SELECT gear_id,
    GREATEST(( SELECT max(ride.started_at) AS max
           FROM private.counted_rides ride
          WHERE (ride.ridden_as = bikes.gear_id)), ( SELECT max(ride.started_at) AS max
           FROM (public.attached_logs attached
             JOIN private.counted_rides ride ON ((ride.ridden_as = attached.former_gear_id)))
          WHERE (attached.gear_id = bikes.gear_id))) AS last_ride
   FROM public.bikes
  WHERE (public.attached_to(bikes.*) IS NULL);

CREATE VIEW "private"."check_ends" WITH (security_invoker=true) AS  WITH clock AS MATERIALIZED (
         SELECT private.wall_clock() AS now
        ), ridden AS MATERIALIZED (
         SELECT last_rides.gear_id,
            last_rides.last_ride
           FROM private.last_rides
        )
 SELECT 'parts_in_use'::text AS kind,
    format('parts_in_use:%s:%s:%s'::text, bikes.gear_id, count(*), max(period.id)) AS key,
    max(period.since) AS at,
    '{}'::bigint[] AS rides,
    ARRAY[min(period.id)] AS items,
    jsonb_build_object('gear_id', bikes.gear_id, 'item_count', count(*)) AS facts
   FROM clock,
    (public.bikes
     JOIN private.install_periods period USING (gear_id))
  WHERE ((NOT bikes.is_listed) AND ((period.since)::date <= (clock.now)::date) AND (period.until > clock.now))
  GROUP BY bikes.gear_id
UNION ALL
 SELECT 'gone_log'::text AS kind,
    ('gone_log:'::text || bikes.gear_id) AS key,
    max(item."dateStarted") AS at,
    '{}'::bigint[] AS rides,
    '{}'::bigint[] AS items,
    jsonb_build_object('gear_id', bikes.gear_id, 'item_count', count(item.id)) AS facts
   FROM (public.bikes
     LEFT JOIN public.maintenance item ON ((item."bikeId" = bikes.gear_id)))
  WHERE ((NOT bikes.is_listed) AND (NOT (EXISTS ( SELECT
           FROM clock,
            private.install_periods period
          WHERE ((period.gear_id = bikes.gear_id) AND ((period.since)::date <= (clock.now)::date) AND (period.until > clock.now))))))
  GROUP BY bikes.gear_id
 HAVING ((count(item.id) > 0) OR (EXISTS ( SELECT
           FROM public.service_tasks task
          WHERE (task.gear_id = bikes.gear_id))))
UNION ALL
 SELECT 'late_end'::text AS kind,
    format('late_end:%s:%s:%s'::text, ridden.gear_id, (period.until)::date, count(*)) AS key,
    period.until AS at,
    '{}'::bigint[] AS rides,
    ARRAY[min(period.id)] AS items,
    jsonb_build_object('gear_id', ridden.gear_id, 'item_count', count(*), 'until', (period.until)::date, 'last_ride', (ridden.last_ride)::date, 'days', ((period.until)::date - (ridden.last_ride)::date)) AS facts
   FROM ((ridden
     JOIN private.install_periods period USING (gear_id))
     CROSS JOIN clock)
  WHERE ((period.until > (ridden.last_ride + '180 days'::interval)) AND (period.until <= clock.now) AND (COALESCE(period.ended_as, 'worn'::text) = ANY (ARRAY['worn'::text, 'damaged'::text])))
  GROUP BY ridden.gear_id, period.until, ridden.last_ride;

COMMENT ON FUNCTION "public"."to_check"() IS 'Lists rides and log entries that look wrong: {lines: [{key, kind, rides, items, …}], left_out}, without dismissed lines and at most 100 of a kind. Meters, seconds, km/h and days. Null for anyone but the owner.';

COMMENT ON VIEW "private"."doubted_rides" IS 'Rides whose day is doubtful, unless that was dismissed: long ago, ahead, or before the device knew the date. uploaded: when the trip was uploaded.';

COMMENT ON VIEW "private"."last_rides" IS 'Each bike that has its log, with the wall clock time of its latest ride, read from the index. Null without rides.';

REVOKE ALL ON FUNCTION "public"."to_check"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."to_check"() TO "authenticated";

GRANT SELECT ON TABLE "private"."check_ends" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_same_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."doubted_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."last_rides" TO "authenticated";
