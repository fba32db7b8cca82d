set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.doubted_rides()
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select json_build_object('rides', coalesce(json_agg(json_build_object('id', id, 'gear_id', gear_id, 'started_at', started_at) order by id), '[]'))
  from private.doubted_rides where started_at is not null
$function$;

COMMENT ON FUNCTION "public"."doubted_rides"() IS 'Lists the rides whose day is doubtful, {rides: [{id, gear_id, started_at}]}, so that no chart spans them. gear_id: the bike that has the log now.';

REVOKE ALL ON FUNCTION "public"."doubted_rides"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."doubted_rides"() TO "authenticated";
