set local check_function_bodies = off;

DROP VIEW "private"."check_bikes_of_rides";

DROP FUNCTION "public"."claim_rwgps_account"(bigint, bigint, jsonb, bigint[]);

ALTER TABLE "public"."ride_syncs" ADD COLUMN "rwgps_user_name" text;

CREATE OR REPLACE FUNCTION public.claim_rwgps_account(sync_id bigint, rwgps_user_id bigint, gear jsonb, listed bigint[] DEFAULT NULL::bigint[], rwgps_user_name text DEFAULT NULL::text)
 RETURNS json
 LANGUAGE plpgsql
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  known bigint;
  accepted boolean;
  stored json;
begin
  perform private.require_running_sync(sync_id);

  select sync.rwgps_user_id into known from public.ride_syncs as sync
  where sync.rwgps_user_id is not null order by sync.id desc limit 1;

  if known is not null then
    accepted := known = claim_rwgps_account.rwgps_user_id;
  elsif not exists (select from public.rides) then
    accepted := true;
  elsif listed is null then
    return json_build_object('claim', 'unknown');
  else
    -- Rides stored before accounts were recorded belong to this account if its list has most of them.
    select count(found.id) * 2 > count(*) into accepted
    from public.rides as ride left join unnest(listed) as found (id) on found.id = ride.id;
  end if;

  if not accepted then
    return json_build_object('claim', 'refused');
  end if;
  update public.ride_syncs as sync set
    rwgps_user_id = claim_rwgps_account.rwgps_user_id, rwgps_user_name = claim_rwgps_account.rwgps_user_name
  where sync.id = sync_id;
  perform private.store_bikes(gear);
  execute format('select json_build_object(%s) from public.rides', private.ride_columns('%1$L, count(%1$I)')) into stored;
  return json_build_object('claim', 'accepted', 'stored', stored);
end
$function$;

CREATE OR REPLACE FUNCTION public.switch_rwgps_account()
 RETURNS TABLE(rides integer, bikes integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  bike bigint;
begin
  -- Close a running sync of the old account, so it can't store more rides.
  lock table public.ride_syncs in share row exclusive mode;
  update public.ride_syncs set outcome = 'interrupted', finished_at = now() where outcome = 'running';
  update public.ride_syncs set rwgps_user_id = null, rwgps_user_name = null where rwgps_user_id is not null;
  update public.ride_syncs set pending_removals = 0, mismatch = null, pending_since = null where mismatch is not null;

  -- Hosted projects reject a delete without a condition.
  delete from public.rides where id is not null;
  get diagnostics rides = row_count;
  bikes := 0;
  for bike in select gear_id from public.bikes loop
    begin
      delete from public.bikes where gear_id = bike;
      bikes := bikes + 1;
    exception when foreign_key_violation then
      -- Keep the bike, because it has log entries or service tasks.
      continue;
    end;
  end loop;
  return next;
end
$function$;

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

COMMENT ON COLUMN "public"."ride_syncs"."rwgps_user_name" IS 'The name of that account when this sync signed in. Null: it has none, or an older version of the tracker synced.';

COMMENT ON FUNCTION "public"."claim_rwgps_account"(bigint, bigint, jsonb, bigint[], text) IS 'Decides whether this sync may store rides of this account: accepted, refused or unknown. If accepted, stores the account''s bikes and also returns how many stored rides have each field. If unknown, call it again with the ids of the complete list (listed, each once).';

REVOKE ALL ON FUNCTION "public"."claim_rwgps_account"(bigint, bigint, jsonb, bigint[], text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."claim_rwgps_account"(bigint, bigint, jsonb, bigint[], text) TO "service_role";

REVOKE ALL ("rwgps_user_name") ON TABLE "public"."ride_syncs" FROM "service_role";

GRANT UPDATE ("rwgps_user_name") ON TABLE "public"."ride_syncs" TO "service_role";

GRANT SELECT ON TABLE "private"."check_bikes_of_rides" TO "authenticated";
