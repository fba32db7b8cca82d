DROP VIEW "private"."check_bikes_of_rides";

DROP VIEW "private"."check_ends";

DROP VIEW "private"."check_same_rides";

DROP VIEW "private"."counted_rides";

CREATE VIEW "private"."counted_rides" WITH (security_invoker=true) AS  SELECT id,
        CASE
            WHEN (EXISTS ( SELECT
               FROM public.attached_logs)) THEN COALESCE(( SELECT attached.gear_id
               FROM public.attached_logs attached
              WHERE (attached.former_gear_id = rides.gear_id)), gear_id)
            ELSE gear_id
        END AS gear_id,
    started_at,
    departed_at,
    distance,
    duration,
    COALESCE(moving_time, duration) AS moving_time,
    is_stationary,
    gear_id AS ridden_as
   FROM public.rides
  WHERE (COALESCE(departed_at, created_at, '-infinity'::timestamp with time zone) <= now());

CREATE VIEW "private"."check_bikes_of_rides" WITH (security_invoker=true) AS  WITH dismissed AS MATERIALIZED (
         SELECT COALESCE(max((split_part(dismissed_checks.key, ':'::text, 2))::bigint), (0)::bigint) AS newest
           FROM public.dismissed_checks
          WHERE (dismissed_checks.key ~ '^no_bike:\d{1,18}$'::text)
        ), on_gear AS MATERIALIZED (
         SELECT ride.gear_id,
            (bikes.gear_id IS NOT NULL) AS is_known,
            count(*) AS ride_count,
            sum(ride.distance) AS distance,
            max(ride.id) AS newest,
            max(ride.started_at) AS last_ride
           FROM (private.counted_rides ride
             LEFT JOIN public.bikes USING (gear_id))
          WHERE
                CASE
                    WHEN (bikes.gear_id IS NULL) THEN (ride.id > ( SELECT dismissed.newest
                       FROM dismissed))
                    ELSE (NOT bikes.is_listed)
                END
          GROUP BY ride.gear_id, (bikes.gear_id IS NOT NULL)
        ), indoors AS MATERIALIZED (
         SELECT counted_rides.id,
            counted_rides.gear_id,
            counted_rides.started_at,
            row_number() OVER by_start AS place,
            lag(counted_rides.gear_id) OVER by_start AS before,
            lead(counted_rides.gear_id) OVER by_start AS after
           FROM private.counted_rides
          WHERE (counted_rides.is_stationary AND (counted_rides.gear_id IS NOT NULL) AND (counted_rides.departed_at IS NOT NULL))
          WINDOW by_start AS (ORDER BY counted_rides.departed_at, counted_rides.id)
        ), odd_one_out AS (
         SELECT one.id,
            one.gear_id,
            one.started_at,
            min(near.gear_id) AS likely,
            count(*) AS ride_count
           FROM ((indoors one
             CROSS JOIN generate_series('-10'::integer, 10) steps(steps))
             JOIN indoors near ON ((near.place = (one.place + steps.steps))))
          WHERE ((steps.steps <> 0) AND (one.gear_id IS DISTINCT FROM one.before) AND (one.gear_id IS DISTINCT FROM one.after) AND (COALESCE(one.before, one.after) = COALESCE(one.after, one.before)))
          GROUP BY one.id, one.gear_id, one.started_at
         HAVING ((min(near.gear_id) = max(near.gear_id)) AND (count(*) >= 10))
        ), skipped AS MATERIALIZED (
         SELECT split_part(line.line, ' '::text, 1) AS id,
            split_part(line.line, ' '::text, 2) AS field
           FROM private.last_ride_sync() last_ride_sync(id, started_at, finished_at, triggered_by, outcome, code, fetched, added, changed, removed, skipped, pending_removals, mismatch, pending_since, skipped_rows, rwgps_user_id, follows_check, list_count, digest, checked_at, retry_at),
            LATERAL string_to_table(last_ride_sync.skipped_rows, '
'::text) line(line)
          WHERE (line.line ~ '^\d{1,15} '::text)
        ), lines AS (
         SELECT 'no_bike'::text AS kind,
            ('no_bike:'::text || max(on_gear.newest)) AS key,
            max(on_gear.last_ride) AS at,
            '{}'::bigint[] AS rides,
            jsonb_build_object('ride_count', sum(on_gear.ride_count), 'distance', COALESCE(sum(on_gear.distance), (0)::numeric), 'of_unlisted_gear', COALESCE(sum(on_gear.ride_count) FILTER (WHERE (on_gear.gear_id IS NOT NULL)), (0)::numeric)) AS facts
           FROM on_gear
          WHERE (NOT on_gear.is_known)
         HAVING (count(*) > 0)
        UNION ALL
         SELECT 'gone_bike'::text AS kind,
            format('gone_bike:%s:%s'::text, on_gear.gear_id, on_gear.newest) AS key,
            on_gear.last_ride,
            '{}'::bigint[] AS rides,
            jsonb_build_object('gear_id', on_gear.gear_id, 'ride_count', on_gear.ride_count, 'distance', COALESCE(on_gear.distance, (0)::numeric)) AS facts
           FROM on_gear
          WHERE on_gear.is_known
        UNION ALL
         SELECT 'wrong_bike'::text AS kind,
            format('wrong_bike:%s:%s:%s'::text, odd_one_out.id, odd_one_out.gear_id, odd_one_out.likely) AS key,
            odd_one_out.started_at,
            ARRAY[odd_one_out.id] AS rides,
            jsonb_build_object('gear_id', odd_one_out.gear_id, 'likely', odd_one_out.likely, 'ride_count', odd_one_out.ride_count) AS facts
           FROM (odd_one_out
             JOIN public.bikes ON (((bikes.gear_id = odd_one_out.likely) AND bikes.is_listed)))
        UNION ALL
         SELECT 'skipped'::text AS kind,
            format('skipped:%s:%s'::text, skipped.id, skipped.field) AS key,
            NULL::timestamp without time zone AS at,
            '{}'::bigint[] AS rides,
            jsonb_build_object('ride_id', (skipped.id)::bigint, 'field', skipped.field) AS facts
           FROM skipped
        UNION ALL
         SELECT 'skipped_others'::text AS kind,
            ('skipped_others:'::text || rest.others) AS key,
            NULL::timestamp without time zone AS at,
            '{}'::bigint[] AS rides,
            jsonb_build_object('ride_count', rest.others) AS facts
           FROM (private.last_ride_sync() last(id, started_at, finished_at, triggered_by, outcome, code, fetched, added, changed, removed, skipped, pending_removals, mismatch, pending_since, skipped_rows, rwgps_user_id, follows_check, list_count, digest, checked_at, retry_at)
             CROSS JOIN LATERAL ( SELECT (last.skipped - ( SELECT count(*) AS count
                           FROM skipped)) AS others) rest)
          WHERE (rest.others > 0)
        )
 SELECT kind,
    key,
    at,
    rides,
    '{}'::bigint[] AS items,
    facts
   FROM lines;

CREATE VIEW "private"."check_ends" WITH (security_invoker=true) AS  WITH clock AS MATERIALIZED (
         SELECT private.wall_clock() AS now
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
   FROM ((( SELECT counted_rides.gear_id,
            max(counted_rides.started_at) AS last_ride
           FROM private.counted_rides
          GROUP BY counted_rides.gear_id) ridden
     JOIN private.install_periods period USING (gear_id))
     CROSS JOIN clock)
  WHERE ((period.until > (ridden.last_ride + '180 days'::interval)) AND (period.until <= clock.now) AND (COALESCE(period.ended_as, 'worn'::text) = ANY (ARRAY['worn'::text, 'damaged'::text])))
  GROUP BY ridden.gear_id, period.until, ridden.last_ride;

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
    jsonb_build_object('gear_id', private.bike_now(ride.gear_id), 'overlap', found.overlap, 'shorter', found.shorter, 'apart', (EXTRACT(epoch FROM found.apart))::bigint, 'distance', found.distance) AS facts
   FROM (found
     JOIN public.rides ride ON ((ride.id = found.other)));

COMMENT ON VIEW "private"."counted_rides" IS 'The rides that count: all except future rides. Compares instants, because wall clock times in different zones aren''t comparable. A ride without a date counts for its bike, but for no period of time. If moving_time is null, the duration counts. gear_id: the bike that has the log now. To read the rides of one bike, compare ridden_as with private.ridden_as, which uses the index.';

GRANT SELECT ON TABLE "private"."check_bikes_of_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_ends" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_same_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."counted_rides" TO "authenticated";
