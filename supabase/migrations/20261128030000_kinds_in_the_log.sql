set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.log_items(gear_id bigint DEFAULT NULL::bigint)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select json_build_object('items', (
    select coalesce(json_agg(item order by case when log_items.gear_id is not null then "dateStarted" end, id), '[]')
    from (
      select item.*, part.kind from public.maintenance as item join public.parts as part on part.id = item.part_id
      where log_items.gear_id is null or "bikeId" = log_items.gear_id
    ) as item
  ))
  where log_items.gear_id is null or exists (select from public.bikes as bike where bike.gear_id = log_items.gear_id)
$function$;

COMMENT ON FUNCTION "public"."log_items"(bigint) IS 'Lists a bike''s log, by start and id, or all items, by id, with the kinds of their parts: {items}. One answer, because the data API limits the rows of others. Null for an unknown bike.';
