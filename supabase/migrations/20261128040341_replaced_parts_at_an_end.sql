set local check_function_bodies = off;

DROP FUNCTION "public"."replaced_parts"(bigint, date, bigint[], text, text);

CREATE OR REPLACE FUNCTION public.replaced_parts(gear_id bigint, day date, items bigint[] DEFAULT '{}'::bigint[], kind text DEFAULT NULL::text, at_end text DEFAULT NULL::text)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select json_build_object('items', coalesce(json_agg(listed), '[]')) from (
    select item.id, item.type, item.name, is_likely
    from private.replaced_by(items, replaced_parts.gear_id, day, replaced_parts.kind, replaced_parts.at_end)
    join public.maintenance as item using (id)
    order by is_likely desc, item."dateStarted", item.id
  ) as listed
$function$;

COMMENT ON FUNCTION "public"."replaced_parts"(bigint, date, bigint[], text, text) IS 'Lists what these items'' parts, or a new part of this kind in this position, would replace on a bike on a day: {items: [{id, type, name, is_likely}]}.';

REVOKE ALL ON FUNCTION "public"."replaced_parts"(bigint, date, bigint[], text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."replaced_parts"(bigint, date, bigint[], text, text) TO "authenticated";
