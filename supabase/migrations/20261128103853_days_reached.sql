set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.days_reached(readings jsonb)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  with wanted as materialized (
    select (reading ->> 'gear_id')::bigint as gear_id, place as bike, distances.distance::numeric as distance, index
    from jsonb_array_elements(readings) with ordinality as listed (reading, place)
    left join lateral jsonb_array_elements_text(reading -> 'distances') with ordinality as distances (distance, index) on true
  ), doubted as materialized (
    select id from private.doubted_rides
  ), ridden as (
    select bike, ride.started_at, sum(coalesce(ride.distance, 0)) over (partition by bike order by ride.started_at, ride.id) as odometer
    from (select distinct bike, gear_id from wanted) as bikes
    cross join lateral unnest(private.ridden_as(bikes.gear_id)) as carried (id)
    join private.counted_rides as ride on ride.ridden_as = carried.id
    where ride.started_at is not null and not exists (select from doubted where doubted.id = ride.id)
  ), merged as (
    select bike, odometer as distance, started_at, null::bigint as index from ridden
    union all
    select bike, distance, null, index from wanted where index is not null
  ), reached as (
    -- The first of the rides that got as far or farther.
    select bike, index, min(started_at) over (partition by bike order by distance desc)::date as day from merged
  )
  select json_build_object('bikes', (
    select coalesce(json_agg(json_build_object(
      'gear_id', gear_id, 'distance', coalesce((select max(odometer) from ridden where ridden.bike = bikes.bike), 0),
      'days', (select coalesce(json_agg(day order by index), '[]') from reached where reached.bike = bikes.bike and index is not null)
    ) order by bike), '[]')
    from (select distinct bike, gear_id from wanted) as bikes
  ))
$function$;

COMMENT ON FUNCTION "public"."days_reached"(jsonb) IS 'Takes distances in meters, by bike: [{gear_id, distances}]. Returns {bikes: [{gear_id, distance, days}]}: how far each bike''s rides went in all, and the day of the ride with which they reached each distance, null if they didn''t. Leaves out rides without a date and those whose day is doubtful.';

REVOKE ALL ON FUNCTION "public"."days_reached"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."days_reached"(jsonb) TO "authenticated";
