set local check_function_bodies = off;

DROP VIEW "private"."check_bikes_of_rides";

DROP VIEW "private"."check_same_rides";

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
  -- Element n describes the nth interval with rides: the running sums at its end, its end, and its first and last ride.
  rides_until bigint[];
  distance_until numeric[];
  moving_time_until bigint[];
  ends timestamp[];
  first_rides timestamp[];
  last_rides timestamp[];
begin
  for bike in
    select gear_id, coalesce(outdoor_only, false) as outdoor_only, array_agg(range.key) as keys, array_agg(since) as since,
      array_agg(coalesce(until, 'infinity')) as until
    from unnest(ranges) as range group by 1, 2
  loop
    carried := private.ridden_as(bike.gear_id);

    with bounds as (
      select at, lead(at) over by_time as next, sum(opened) over by_time as open
      from (select unnest(bike.since) as at, 1 as opened union all select unnest(bike.until), -1) as bound
      window by_time as (order by at rows unbounded preceding)
    ), intervals as (
      select next, sums.*
      from bounds
      cross join lateral (
        select count(*)::integer as rides, sum(distance) as distance, sum(moving_time) as moving_time, min(started_at) as first_ride,
          max(started_at) as last_ride
        from private.counted_rides where ridden_as = any (carried) and started_at >= at and started_at < next
          and not (is_stationary and bike.outdoor_only)
        having count(*) > 0
      ) as sums
      -- The rides between two ranges aren't read.
      where open > 0 and at < next
    ), running as (
      select next, first_ride, last_ride, sum(rides) over so_far as rides, coalesce(sum(distance) over so_far, 0) as distance,
        coalesce(sum(moving_time) over so_far, 0) as moving_time
      from intervals window so_far as (order by next rows unbounded preceding)
      order by next
    )
    select array_agg(rides), array_agg(distance), array_agg(moving_time), array_agg(next), array_agg(first_ride), array_agg(last_ride)
    into rides_until, distance_until, moving_time_until, ends, first_rides, last_rides
    from running;

    return query
    select range.key, coalesce(rides_until[last], 0) - coalesce(rides_until[first], 0),
      coalesce(distance_until[last], 0) - coalesce(distance_until[first], 0),
      coalesce(moving_time_until[last], 0) - coalesce(moving_time_until[first], 0),
      case when last > first then first_rides[first + 1] end, case when last > first then last_rides[last] end
    -- [:] and offset 0 flatten the array once; otherwise width_bucket does it for every range.
    from (select coalesce(ends[:], '{}') as flat offset 0) as flattened
    cross join unnest(bike.keys, bike.since, bike.until) as range (key, since, until)
    cross join lateral (
      -- The number of intervals that end by the range's start, and by its end.
      select width_bucket(since, flat), width_bucket(until, flat)
      offset 0
    ) as place (first, last);
  end loop;
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
        'rides', array(
          select jsonb_build_object('id', id, 'name', left(name, 200), 'started_at', started_at)
          from unnest(shown.rides) with ordinality as listed (id, nth)
          -- Looks up each (offset 0). Otherwise, PostgreSQL would read all rides for each line.
          cross join lateral (select name, started_at from public.rides as ride where ride.id = listed.id offset 0) as ride
          order by nth
        ),
        'items', array(
          select jsonb_build_object('id', id, 'name', left(name, 200))
          from unnest(shown.items) with ordinality as listed (id, nth)
          cross join lateral (select name from public.maintenance as item where item.id = listed.id offset 0) as item
          order by nth
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

CREATE VIEW "private"."check_bikes_of_rides" WITH (security_invoker=true) AS  WITH dismissed AS MATERIALIZED (
         SELECT COALESCE(max((split_part(dismissed_checks.key, ':'::text, 2))::bigint), (0)::bigint) AS newest
           FROM public.dismissed_checks
          WHERE (dismissed_checks.key ~ '^no_bike:\d{1,18}$'::text)
        ), on_gear AS MATERIALIZED (
         SELECT counted_rides.gear_id,
            ((counted_rides.gear_id IN ( SELECT bikes.gear_id
                   FROM public.bikes)) IS TRUE) AS is_known,
            count(*) AS ride_count,
            sum(counted_rides.distance) AS distance,
            max(counted_rides.id) AS newest,
            max(counted_rides.started_at) AS last_ride
           FROM private.counted_rides
          WHERE (((counted_rides.gear_id <> ALL (ARRAY( SELECT bikes.gear_id
                   FROM public.bikes
                  WHERE bikes.is_listed))) IS NOT FALSE) AND ((counted_rides.id > ( SELECT dismissed.newest
                   FROM dismissed)) OR (counted_rides.gear_id IN ( SELECT bikes.gear_id
                   FROM public.bikes))))
          GROUP BY counted_rides.gear_id
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
           FROM private.last_ride_sync() last_ride_sync(id, started_at, finished_at, triggered_by, outcome, code, fetched, added, changed, removed, skipped, pending_removals, mismatch, pending_since, skipped_rows, rwgps_user_id, follows_check, list_count, digest, checked_at, retry_at, rwgps_user_name),
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
          WHERE (on_gear.is_known AND (NOT (on_gear.gear_id IN ( SELECT bike_details.gear_id
                   FROM public.bike_details
                  WHERE (bike_details.sold_on IS NOT NULL)))))
        UNION ALL
         SELECT 'sold_bike'::text AS kind,
            format('sold_bike:%s:%s'::text, bike_details.gear_id, max(ride.id)) AS key,
            max(ride.started_at) AS max,
            (array_agg(ride.id ORDER BY ride.started_at DESC, ride.id DESC))[:20] AS rides,
            jsonb_build_object('gear_id', bike_details.gear_id, 'ride_count', count(*), 'distance', COALESCE(sum(ride.distance), (0)::numeric), 'sold_on', bike_details.sold_on) AS facts
           FROM (public.bike_details
             JOIN private.counted_rides ride USING (gear_id))
          WHERE (ride.started_at >= (bike_details.sold_on + 1))
          GROUP BY bike_details.gear_id, bike_details.sold_on
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
           FROM (private.last_ride_sync() last(id, started_at, finished_at, triggered_by, outcome, code, fetched, added, changed, removed, skipped, pending_removals, mismatch, pending_since, skipped_rows, rwgps_user_id, follows_check, list_count, digest, checked_at, retry_at, rwgps_user_name)
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
                          WHERE (counted_rides.departed_at IS NOT NULL)
                          GROUP BY counted_rides.distance, counted_rides.moving_time
                         HAVING (count(*) > 1)
                         OFFSET 0) repeated USING (distance, moving_time))
                  WHERE ((ride_2.distance > (0)::numeric) AND (ride_2.moving_time > 0) AND (ride_2.departed_at IS NOT NULL))) ride_1
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

GRANT SELECT ON TABLE "private"."check_bikes_of_rides" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_same_rides" TO "authenticated";
