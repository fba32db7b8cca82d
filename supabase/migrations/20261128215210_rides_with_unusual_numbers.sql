DROP VIEW "private"."check_rides";

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
          WHERE ((((rides.moving_time - 60) * '100'::bigint) > (NULLIF(rides.duration, 0) * '101'::bigint)) OR (rides.max_speed > (120)::numeric) OR ((rides.distance > (1000)::numeric) AND (rides.distance > (('16'::bigint * COALESCE(NULLIF(rides.moving_time, 0), NULLIF(rides.duration, 0), 0)))::numeric)) OR (rides.distance > (1000000)::numeric) OR (GREATEST(rides.duration, rides.moving_time) > 86400) OR ((COALESCE(rides.distance, (0)::numeric) < (100)::numeric) AND (COALESCE(rides.moving_time, rides.duration) >= 3600)))
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

CREATE INDEX rides_unusual_idx ON public.rides USING btree (id) WHERE ((((moving_time - 60) * '100'::bigint) > (NULLIF(duration, 0) * '101'::bigint)) OR (max_speed > (120)::numeric) OR ((distance > (1000)::numeric) AND (distance > (('16'::bigint * COALESCE(NULLIF(moving_time, 0), NULLIF(duration, 0), 0)))::numeric)) OR (distance > (1000000)::numeric) OR (GREATEST(duration, moving_time) > 86400) OR ((COALESCE(distance, (0)::numeric) < (100)::numeric) AND (COALESCE(moving_time, duration) >= 3600)));

GRANT SELECT ON TABLE "private"."check_rides" TO "authenticated";
