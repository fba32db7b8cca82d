set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.command_log(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  wanted_bike constant bigint := arguments ->> 'gear_id';
  wanted_type constant text := arguments ->> 'type';
  word constant text := lower(arguments ->> 'word');
  from_day constant date := arguments ->> 'from';
  to_day constant date := arguments ->> 'to';
  entries constant integer := coalesce((arguments ->> 'limit')::integer, 100);
  last constant public.maintenance := (select item from public.maintenance as item where id = (arguments ->> 'after')::bigint);
begin
  perform private.reject_if(arguments ->> 'after' is not null and last.id is null, 'PT422', 'after: No entry has this id.');
  return (
    with listed as materialized (
      select * from public.maintenance as item
      where (wanted_bike is null or "bikeId" = wanted_bike) and (wanted_type is null or type = wanted_type)
        and (word is null or strpos(lower(private.searched_text(item)), word) > 0)
        and (from_day is null or "dateStarted" >= from_day)
        and (to_day is null or "dateStarted" < to_day + 1)
        and (last.id is null or ("dateStarted", id) < (last."dateStarted", last.id))
      order by "dateStarted" desc, id desc limit entries + 1
    ), page as (
      select * from listed order by "dateStarted" desc, id desc limit entries
    ), used as (
      select * from private.sum_rides(array(
        select (id, "bikeId", "dateStarted", "dateEnded", false)::private.ride_range from page
      ))
    )
    select jsonb_build_object(
      'entries', coalesce(jsonb_agg(to_jsonb(page) || jsonb_build_object(
        -- A part that was stored on the day it was bought has no period, but a reason.
        'part_id', case
          when ended_as is not null or exists (select from private.install_periods as period where period.id = page.id) then part_id
        end,
        'rides', rides, 'distance', distance, 'moving_time', moving_time
      ) order by "dateStarted" desc, id desc), '[]'),
      'has_more', (select count(*) > entries from listed), 'bikes', private.bike_names()
    )
    from page join used on key = id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.command_move_part(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  item constant public.maintenance := private.latest_item((arguments ->> 'part_id')::bigint);
  bike constant bigint := arguments ->> 'gear_id';
  day constant date := coalesce((arguments ->> 'day')::date, private.today());
  is_asked constant boolean := arguments ->> 'replaces' is not null;
  replaced constant bigint[] := case when is_asked then array(select jsonb_array_elements_text(arguments -> 'replaces')::bigint) end;
  moved jsonb;
  would_replace jsonb;
begin
  perform private.reject_if(exists (
    select from unnest(replaced) as named (id)
    where not exists (select from public.maintenance as other where other.id = named.id and other."bikeId" = bike and other.part_id <> item.part_id)
  ), 'PT422', 'replaces: Send the ids of other entries of the bike that the part is moved to.');
  moved := private.command_change_parts(jsonb_build_object(
    'day', day,
    'take_off', (
      select coalesce(jsonb_agg(off), '[]') from (
        select id, 'stored' as ended_as from unnest(replaced) as id
        union all
        -- A part in storage is installed.
        select item.id, 'moved' where item.ended_as is distinct from 'stored'
      ) as off
    ),
    'put_on', jsonb_build_array(jsonb_build_object('bikeId', bike, 'part_of', item.id))
  ));
  if not is_asked then
    select jsonb_agg(jsonb_build_object('entry_id', id, 'name', name) order by "dateStarted", id) into would_replace
    from private.replaced_by(array[item.id], bike, day) join public.maintenance using (id);
    if would_replace is not null then
      raise exception using errcode = 'RMT00';
    end if;
  end if;
  return moved;
exception when sqlstate 'RMT00' then
  -- Nothing was written, and only the variables keep their values.
  return private.refuse('RMT17', 'Another part may be in its place.', would_replace);
end
$function$;

CREATE OR REPLACE FUNCTION public.part_lifetimes(what_if jsonb DEFAULT '[]'::jsonb)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  clock constant timestamp := private.wall_clock();
  kinds constant jsonb := (select jsonb_object_agg(id, kind) from private.part_kinds);
begin
  -- Row-level security only hides rows, so other users would get empty lists instead of null.
  if not private.is_owner() then
    return null;
  end if;

  return (
    with totals as materialized (
      select * from private.part_totals(array(select id from public.parts), what_if => what_if)
    ), items as (
      select id, totals.part_id, used.gear_id, type, name, kinds ->> id::text as kind, used.cost, used.since,
        case when used.until <= clock or used.until = used.since then used.until end as until,
        case when used.until <= clock or used.until = used.since then ended_as end as ended_as,
        -- Applies the rule of private.install_periods to what-if dates: a part counts as installed from the start of its
        -- first day.
        used.since <> used.until and used.since::date <= clock::date as was_installed
      from totals cross join lateral unnest(items) as used join public.maintenance as item using (id)
    )
    select json_build_object(
      -- One array per column is faster than one object per row, and half the size.
      'items', (select json_build_object(
        'id', coalesce(array_agg(id), '{}'),
        'part_id', coalesce(array_agg(part_id), '{}'),
        'gear_id', coalesce(array_agg(gear_id), '{}'),
        'type', coalesce(array_agg(type), '{}'),
        'name', coalesce(array_agg(name), '{}'),
        'kind', coalesce(array_agg(kind), '{}'),
        'cost', coalesce(array_agg(cost), '{}'),
        'since', coalesce(array_agg(since), '{}'),
        'until', coalesce(array_agg(until), '{}'),
        'ended_as', coalesce(array_agg(ended_as), '{}'),
        'was_installed', coalesce(array_agg(was_installed), '{}')
      ) from items),
      'parts', (select json_build_object(
        'part_id', coalesce(array_agg(part_id), '{}'),
        'rides', coalesce(array_agg(rides), '{}'),
        'distance', coalesce(array_agg(distance), '{}'),
        'moving_time', coalesce(array_agg(moving_time), '{}'),
        'days', coalesce(array_agg(days), '{}'),
        'price', coalesce(array_agg(price), '{}'),
        'cost', coalesce(array_agg(cost), '{}'),
        'earlier_distance', coalesce(array_agg(earlier_distance), '{}'),
        'earlier_moving_time', coalesce(array_agg(earlier_moving_time), '{}')
      ) from totals)
    )
  );
end
$function$;

COMMENT ON FUNCTION "private"."command_move_part"(jsonb) IS 'Moves a part to a bike, or installs a stored one: {part_id, gear_id, day, replaces}, by default today. replaces: the ids of the entries on that bike that end as stored. Without it, nothing may be in the part''s place: otherwise, the answer is 409 with [{entry_id, name}] as "stored". Returns what change_parts does.';

insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('move_part', 'true', 'true', '{part_id,gear_id,day,replaces}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
