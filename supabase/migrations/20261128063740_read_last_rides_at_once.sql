set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.list_order(bike public.bikes)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select index
  from (
    select gear_id, row_number() over (order by is_retired, last_ride desc nulls last, name, gear_id) as index
    from public.bikes
    cross join lateral (
      -- Reads the latest ride of each id, where private.ridden_as would read all ids of all bikes for each bike.
      select greatest(
        (select max(started_at) from private.counted_rides as ride where ride.ridden_as = bikes.gear_id),
        (
          select max(started_at)
          from public.attached_logs as attached join private.counted_rides as ride on ride.ridden_as = attached.former_gear_id
          where attached.gear_id = bikes.gear_id
        )
      ) as last_ride
    ) as ridden
    where public.attached_to(bikes) is null
  ) as listed
  where listed.gear_id = bike.gear_id
$function$;
