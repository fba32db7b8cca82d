DROP VIEW "private"."check_bikes_of_rides";

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

GRANT SELECT ON TABLE "private"."check_bikes_of_rides" TO "authenticated";
