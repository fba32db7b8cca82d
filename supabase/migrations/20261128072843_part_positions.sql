set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.without_ends(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when name ~* '\m(front|rear)\M' then coalesce(upper(left(shorter, 1)) || substr(shorter, 2), name) else name end
  from (
    select nullif(btrim(regexp_replace(regexp_replace(name, '[,\s]*\m(front|rear)\M\s*', ' ', 'gi'), '\(\s*\)', '', 'g'), ' ,-–'), '') as shorter
  ) as shortened
$function$;

CREATE OR REPLACE FUNCTION public.part_history(part_id bigint)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with totals as materialized (
    select * from private.part_totals(array[part_history.part_id])
  ), periods as materialized (
    select item.id, item."bikeId" as gear_id, item.name, item.cost, item."dateStarted", item."dateEnded", item.ended_as, item."position",
      used.rides, used.distance, used.moving_time, lag(item."bikeId") over by_start as from_bike, lag(item."dateEnded") over by_start as from_time
    from totals cross join lateral unnest(items) as used join public.maintenance as item using (id)
    window by_start as (order by item."dateStarted", item.id)
  ), last as (
    select * from periods order by "dateStarted" desc, id desc limit 1
  )
  select json_build_object(
    'part_id', part_history.part_id,
    'lifetime', (
      select to_json(lifetime) from (
        select rides, distance, moving_time, earlier_distance, earlier_moving_time, cost, days from totals
      ) as lifetime
    ),
    'periods', (
      select json_agg(listed) from (
        select id, gear_id, name, cost, "dateStarted", "dateEnded", ended_as, "position", rides, distance, moving_time
        from periods order by "dateStarted", id
      ) as listed
    ),
    'moved_together', (
      -- The parts that moved to this bike with this part: from the same bike on the same day.
      select coalesce(json_agg(arrived.part_id order by arrived.part_id), '[]')
      from last
      join public.maintenance as arrived on arrived."bikeId" = last.gear_id
        and arrived."dateStarted"::date = last."dateStarted"::date and arrived.part_id <> part_history.part_id
      where exists (
        select from public.maintenance as origin where origin.part_id = arrived.part_id and origin."bikeId" = last.from_bike
          and origin."dateEnded"::date = last.from_time::date
      )
    )
  )
  where exists (select from periods)
$function$;
