set local check_function_bodies = off;

DROP VIEW "private"."check_parts";

DROP VIEW "private"."kind_places";

DROP VIEW "private"."part_kinds";

DROP FUNCTION "private"."replaced_by"(bigint[], bigint, date);

DROP FUNCTION "public"."replaced_parts"(bigint, date, bigint[], text, text);

CREATE OR REPLACE FUNCTION private.add_item(item jsonb, replaces jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moment constant timestamp := coalesce((item ->> 'dateStarted')::timestamp, private.today() + time '01:00');
  added jsonb;
begin
  item := '{"kind": null, "position": null}' || item;
  if replaces -> 0 is not null then
    added := private.command_change_parts(jsonb_build_object(
      -- One part's tasks go to the new one.
      'day', moment::date, 'take_off', replaces, 'put_on', jsonb_build_array(item || jsonb_build_object('replaces', replaces #> '{0,id}'))
    )) #> '{added,0}';
  else
    select to_jsonb(new_item) into added
    from private.add_items(jsonb_build_array(item || jsonb_build_object('dateStarted', moment, 'part_id', private.add_part(kind => item ->> 'kind')))) as new_item;
  end if;
  return jsonb_build_object('item', added);
end
$function$;

CREATE OR REPLACE FUNCTION private.command_change_parts(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  day constant date := arguments ->> 'day';
  off_ids constant bigint[] := array(select (off ->> 'id')::bigint from jsonb_array_elements(arguments -> 'take_off') as off);
  -- Items whose parts are put back on.
  from_ids constant bigint[] := array(
    select (put ->> 'part_of')::bigint from jsonb_array_elements(arguments -> 'put_on') as put where put ? 'part_of'
  );
  moment timestamp;
  added jsonb;
begin
  -- Some items, such as imported ones, start or end after 01:00 that day.
  select greatest(day + interval '1 hour', max(times.at)) into moment
  from public.maintenance as item cross join lateral (values (item."dateStarted"), (item."dateEnded")) as times (at)
  where item.id = any (off_ids || from_ids) and times.at::date = day;
  perform private.reject_if(exists (
    select from unnest(off_ids || from_ids) as used (id) left join public.maintenance as item using (id) where item.id is null
  ), 'RMT11', 'An item was deleted.');
  perform private.reject_if(bool_or("dateEnded" is not null), 'RMT12', 'An item has already ended.'),
    private.reject_if(bool_or("dateStarted" > moment), 'RMT13', 'The day is before the start of an item.')
  from public.maintenance where id = any (off_ids);
  perform private.reject_if(moment::date > private.today(), 'RMT14', 'The day is in the future.');
  perform private.reject_if(bool_or(
      item."bikeId" = put."bikeId" and coalesce(put."position", item."position") is not distinct from item."position" and item.id = any (off_ids)
    ), 'RMT15', 'The part is already on this bike.'),
    -- The log of an unlisted bike can still be edited, so its parts can be replaced.
    private.reject_if(bool_or(put.replaces is null and bike.is_listed is not true), 'RMT16', 'The bike is no longer on Ride with GPS.')
  from jsonb_to_recordset(arguments -> 'put_on') as put ("bikeId" bigint, part_of bigint, replaces bigint, "position" text)
  left join public.maintenance as item on item.id = put.part_of
  left join public.bikes as bike on bike.gear_id = put."bikeId";

  update public.maintenance as item set "dateEnded" = moment, ended_as = off.ended_as
  from jsonb_to_recordset(arguments -> 'take_off') as off (id bigint, ended_as text)
  where item.id = off.id;
  select coalesce(jsonb_agg(private.put_on(put, moment) order by place), '[]') into added
  from jsonb_array_elements(arguments -> 'put_on') with ordinality as puts (put, place);

  return jsonb_build_object(
    'ended', (
      select coalesce(jsonb_agg(to_jsonb(item) order by item.id), '[]') from public.maintenance as item where id = any (off_ids)
    ),
    'added', added
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.command_import_items(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  updated integer;
  added integer;
  items jsonb;
begin
  if (arguments ->> 'dry_run')::boolean then
    return private.preview_import(arguments - 'dry_run');
  end if;

  -- The preview compared the file with the complete log, so no item may be missing or new. Compare only the columns that the
  -- preview sends, because a page may have been loaded before the tracker was updated.
  perform private.reject_if(
    (select count(*) from public.maintenance) <> (arguments ->> 'records')::bigint
    or exists (select from public.maintenance where id > (arguments ->> 'newest')::bigint)
    or exists (
      select from jsonb_array_elements(arguments -> 'changed') as change
      left join public.maintenance as item on item.id = (change #>> '{before,id}')::bigint
      left join public.parts as part on part.id = item.part_id
      where item.id is null or jsonb_populate_record(item, change -> 'before') is distinct from item
        or jsonb_populate_record(part, (change -> 'before') - 'id') is distinct from part
    ), 'RMT04', 'RMT04: The log has changed since the preview.'
  );

  -- The kind first, because it says whether there are positions.
  update public.parts as part set kind = change #>> '{after,kind}'
  from jsonb_array_elements(arguments -> 'changed') as change
  join public.maintenance as item on item.id = (change #>> '{before,id}')::bigint
  where part.id = item.part_id and change -> 'after' ? 'kind' and change #> '{after,kind}' is distinct from change #> '{before,kind}';

  -- What the file omits stays. A trigger clears the end reason of an item without an end.
  execute format(
    'update public.maintenance as item set (%1$s) = (select %1$s from jsonb_populate_record(item, change -> ''after''))
    from jsonb_array_elements($1) as change where item.id = (change #>> ''{before,id}'')::bigint', private.item_columns('update')
  ) using arguments -> 'changed';
  get diagnostics updated = row_count;

  update public.parts as part
  set earlier_distance = wanted.earlier_distance, earlier_moving_time = wanted.earlier_moving_time
  from jsonb_array_elements(arguments -> 'changed') as change
  cross join lateral jsonb_populate_record(null::public.parts, change -> 'after') as wanted
  join public.maintenance as item on item.id = (change #>> '{before,id}')::bigint
  where part.id = item.part_id and change -> 'after' ? 'earlier_distance'
    and (part.earlier_distance, part.earlier_moving_time) is distinct from (wanted.earlier_distance, wanted.earlier_moving_time);

  -- The file may come from another tracker, so its part numbers don't identify parts in this log.
  with rows as materialized (
    select *, (entry ->> 'part_of')::bigint as part_of, min(place) over (
      partition by entry ->> 'part_of' is null, coalesce('part ' || (entry ->> 'part_id'), 'line ' || place)
    ) as first_place
    from jsonb_array_elements(arguments -> 'added') with ordinality as entries (entry, place)
  ), numbered as materialized (
    -- Counting the new parts is fast with any plan, unlike joining them by name: PostgreSQL expects few.
    select *, dense_rank() over (partition by part_of is null order by first_place) as nth from rows
  ), added_parts as (
    -- In one statement, because recording each part by itself would take as long as all the rest.
    insert into public.parts (earlier_distance, earlier_moving_time, kind)
    select max((entry ->> 'earlier_distance')::numeric), max((entry ->> 'earlier_moving_time')::integer), min(entry ->> 'kind')
    from numbered where part_of is null group by nth order by nth returning id
  ), ids as materialized (
    select array_agg(id order by id) as list from added_parts
  )
  select jsonb_agg(item) into items
  -- Sort the finished items, because PostgreSQL would copy the list of ids into each row that an aggregate sorts.
  from (
    select entry || jsonb_build_object('part_id', case when part_of is null then list[nth] else joined.part_id end) as item
    from numbered cross join ids
    left join public.maintenance as joined on joined.id = part_of
    order by place
  ) as sorted;
  added := (select count(*) from private.add_items(coalesce(items, '[]')));
  return jsonb_build_object('written', updated + added);
end
$function$;

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
        'rides', rides, 'distance', distance, 'moving_time', moving_time, 'kind', (
          select kind from public.parts as part where part.id = page.part_id
        )
      ) order by "dateStarted" desc, id desc), '[]'),
      'has_more', (select count(*) > entries from listed), 'bikes', private.bike_names()
    )
    from page join used on key = id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.command_name_kinds(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  parts constant jsonb := arguments -> 'parts';
  ids constant bigint[] := array(select (part ->> 'id')::bigint from jsonb_array_elements(parts) as part);
  positions bigint;
  named bigint;
begin
  perform private.latest_item(id) from unnest(ids) as id;
  select count("position") into positions from public.maintenance where part_id = any (ids);
  update public.parts as part set kind = wanted ->> 'kind' from jsonb_array_elements(parts) as wanted
  where part.id = (wanted ->> 'id')::bigint and part.kind is distinct from wanted ->> 'kind';
  get diagnostics named = row_count;
  select positions - count("position") into positions from public.maintenance where part_id = any (ids);

  -- Where it is now, and earlier periods that said the same or nothing. What was at the other end was there.
  update public.maintenance as item set "position" = wanted ->> 'position'
  from jsonb_array_elements(parts) as wanted cross join lateral private.latest_item((wanted ->> 'id')::bigint) as latest
  where item.part_id = latest.part_id and wanted ? 'position' and item."position" is distinct from wanted ->> 'position'
    and coalesce(item."position" = latest."position", true);

  -- What has none on purpose isn't asked about again.
  insert into public.dismissed_checks (key)
  select 'no_kind:' || max(part_id) from private.parts_without_kind where part_id <= (select max(id) from unnest(ids) as id)
  having count(*) > 0 and bool_and(part_id = any (ids))
  on conflict (key) do nothing;
  return jsonb_build_object('named', named, 'cleared', positions);
end
$function$;

CREATE OR REPLACE FUNCTION private.command_rotate(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  day constant date := coalesce((arguments ->> 'day')::date, private.today());
  named constant public.maintenance := case when arguments ? 'part_id' then private.latest_item((arguments ->> 'part_id')::bigint) end;
  bike constant bigint := coalesce(named."bikeId", (arguments ->> 'gear_id')::bigint);
  wanted constant text := case
    when named.id is null then arguments ->> 'kind' else (select kind from public.parts as part where part.id = named.part_id)
  end;
  items constant bigint[] := array(
    select item.id from public.maintenance as item join public.parts as part on part.id = item.part_id
    where item."bikeId" = bike and item."dateEnded" is null and part.kind = wanted order by item.id
  );
  refused jsonb;
begin
  perform private.reject_if(named."dateEnded" is not null, 'RMT12', 'The part is not on a bike.');
  select case
      when count(*) = 0 or bool_or("position" is null or "position" = 'both') or count(*) <> count(distinct "position")
        then private.refuse('RMT19', 'It is not known what is at the front and at the rear.', null)
      when day > private.today() then private.refuse('RMT14', 'The day is in the future.', null)
      when day <= max("dateStarted"::date) then private.refuse('RMT13', 'The day is not after the start of an item.', null)
    end into refused
  from public.maintenance where id = any (items);
  if refused is not null then
    return refused;
  end if;
  return private.command_change_parts(jsonb_build_object(
    'day', day,
    'take_off', (select jsonb_agg(jsonb_build_object('id', id, 'ended_as', 'moved')) from unnest(items) as id),
    'put_on', (
      select jsonb_agg(jsonb_build_object(
        'bikeId', "bikeId", 'part_of', id, 'position', case "position" when 'front' then 'rear' else 'front' end,
        'name', case when (arguments ->> 'without_words')::boolean then private.without_ends(name) else name end
      ) order by id) from public.maintenance where id = any (items)
    )
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.command_set_up_bike(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  lines jsonb;
  items jsonb;
begin
  select jsonb_agg(line || jsonb_build_object(
    'bikeId', arguments -> 'gear_id', 'part_id', private.add_part(
      (line ->> 'earlier_distance')::numeric, (line ->> 'earlier_moving_time')::integer, line ->> 'kind'
    ),
    'dateStarted', (line ->> 'day')::date + interval '1 hour'
  ) order by place) into lines
  from jsonb_array_elements(arguments -> 'parts') with ordinality as listed (line, place);
  select coalesce(jsonb_agg(to_jsonb(item)), '[]') into items from private.add_items(coalesce(lines, '[]')) as item;
  perform private.add_task(task || jsonb_build_object('part_id', line -> 'part_id'), null, line ->> 'count_from')
  from jsonb_array_elements(lines) as line cross join lateral jsonb_array_elements(line -> 'tasks') as task;
  return jsonb_build_object('items', items);
end
$function$;

CREATE OR REPLACE FUNCTION private.put_on(put jsonb, moment timestamp without time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- A part that is put back on gets a copy of its item (part_of), except for the cost.
  source public.maintenance;
  replaced public.maintenance;
  replaced_kind text;
  added public.maintenance;
begin
  select * into source from public.maintenance where id = (put ->> 'part_of')::bigint;
  select * into replaced from public.maintenance where id = (put ->> 'replaces')::bigint;
  if source.id is null then
    select kind into replaced_kind from public.parts where id = replaced.part_id;
    -- A successor is what the replaced part was, unless it says otherwise.
    put := jsonb_build_object('kind', replaced_kind) || put;
    source := jsonb_populate_record(null::public.maintenance, put - 'replaces');
    if not put ? 'position' and put ->> 'kind' = replaced_kind then
      source."position" := replaced."position";
    end if;
    source.part_id := private.add_part((put ->> 'earlier_distance')::numeric, (put ->> 'earlier_moving_time')::integer, put ->> 'kind');
  else
    source := jsonb_populate_record(source, put - 'part_of');
    source.cost := 0;
  end if;
  select * into added from private.add_items(jsonb_build_array(to_jsonb(source) || jsonb_build_object(
    'bikeId', coalesce(replaced."bikeId", (put ->> 'bikeId')::bigint), 'dateStarted', moment, 'dateEnded', null, 'ended_as', null
  )));
  if replaced.id is not null then
    perform private.set_replaced(added.id, replaced.id);
    added.replaces := replaced.id;
    perform private.transfer_tasks(replaced.part_id, added.part_id);
  end if;
  return to_jsonb(added);
end
$function$;

CREATE OR REPLACE FUNCTION private.replaced_by(items bigint[], gear_id bigint, day date, kind text DEFAULT NULL::text, "position" text DEFAULT NULL::text)
 RETURNS TABLE(id bigint, is_likely boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with new_places as materialized (
    select place.kind, place.place, place."position" from private.kind_places as place where place.id = any (items)
    union all
    select known.name, coalesce(replaced_by."position", ''), at_end
    from private.kinds as known
    cross join lateral unnest(case
      when not has_ends then '{""}' when replaced_by."position" = 'both' then '{front,rear}' else array[replaced_by."position"]
    end) as ends (at_end)
    where known.name = replaced_by.kind
  ), old_places as materialized (
    select place.* from private.kind_places as place join public.maintenance as item using (id)
    where item."bikeId" = replaced_by.gear_id and item."dateEnded" is null and item."dateStarted"::date <= day
      and item.part_id not in (select part_id from public.maintenance as new_item where new_item.id = any (items))
  )
  select old.id, bool_and(is_single and (
    coalesce(found.is_there, false)
    or found.is_same and (select count(*) from old_places as same where (same.kind, same.place) = (old.kind, old.place)) = 1
  ))
  from old_places as old
  cross join lateral (
    select bool_or(new."position" = old."position") as is_there, bool_or(new.place = old.place) as is_same,
      bool_or(coalesce(new."position" = old."position", true)) as may_be_there
    from new_places as new where new.kind = old.kind
  ) as found
  group by old.id having bool_or(found.may_be_there)
$function$;

CREATE OR REPLACE FUNCTION private.require_ends()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.parts as part where part.id = new.part_id and private.has_ends(part.kind)) then
    raise exception using errcode = '23514', constraint = 'maintenance_position_check',
      message = 'new row for relation "maintenance" violates check constraint "maintenance_position_check"';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.used_positions(items private.used_item[])
 RETURNS TABLE(part_id bigint, "position" text, rides bigint, distance numeric, moving_time bigint, days bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select stored.part_id, stored."position", sum(item.rides)::bigint, sum(item.distance), sum(item.moving_time)::bigint, sum(item.days)::bigint
  from unnest(items) as item join public.maintenance as stored using (id)
  where stored."position" is not null
  group by 1, 2
$function$;

CREATE OR REPLACE FUNCTION private.without_ends(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(upper(left(shorter, 1)) || substr(shorter, 2), name)
  from (
    select nullif(btrim(regexp_replace(regexp_replace(name, '[,\s]*\m(front|rear)\M\s*', ' ', 'gi'), '\(\s*\)', '', 'g'), ' ,-–'), '') as shorter
  ) as shortened
$function$;

CREATE OR REPLACE FUNCTION public.maintenance_use(gear_id bigint, day date DEFAULT NULL::date)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  -- Null without a day: all rides and items count.
  midnight constant timestamp := maintenance_use.day + 1;
  parts constant bigint[] := array(
    select distinct part_id from public.maintenance
    where "bikeId" = maintenance_use.gear_id
      and (midnight is null or "dateStarted" < midnight and ("dateEnded" is null or "dateEnded" >= midnight))
  );
begin
  return (
    with totals as materialized (
      select * from private.part_totals(parts, midnight, maintenance_use.gear_id)
    ), items as materialized (
      select part_id, item.* from totals cross join lateral unnest(items) as item
    ), ends as (
      select part_id, jsonb_object_agg(
        "position", jsonb_build_object('rides', rides, 'distance', distance, 'moving_time', moving_time)
      ) as by_position
      from private.used_positions(array(select item from totals cross join lateral unnest(items) as item)) group by 1
    ), listed as (
      select part_id, array_agg(item.id order by since, item.id) as item_ids, kind, case when has_ends then coalesce(by_position, '{}') end as by_position
      from items as item join public.parts as part on part.id = part_id
      left join ends using (part_id) left join private.kinds as known on known.name = kind
      group by part_id, kind, has_ends, by_position
    ), total as (
      select rides, distance, moving_time from totals where part_id is null
      union all
      -- Add rides without a date, but only if no day is requested.
      select count(*), coalesce(sum(distance), 0), coalesce(sum(moving_time), 0) from private.counted_rides as ride
      where ride.ridden_as = any (private.ridden_as(maintenance_use.gear_id)) and started_at is null and midnight is null
    )
    select json_build_object(
      'gear_id', bike.gear_id,
      'first_ride', private.first_ride(bike.gear_id)::date,
      'total', (
        select json_build_object('rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time)) from total
      ),
      'items', (
        select coalesce(json_agg(item), '[]') from (
          select id, rides, distance, moving_time, days, first_ride, last_ride from items
          where items.gear_id = maintenance_use.gear_id and (midnight is null or until = midnight)
          order by id
        ) as item
      ),
      'parts', (
        select coalesce(json_agg(part), '[]') from (
          select part_id, item_ids, rides, distance, moving_time, earlier_distance, earlier_moving_time, cost, kind, by_position
          from totals join listed using (part_id) order by part_id
        ) as part
      )
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
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
begin
  -- Row-level security only hides rows, so other users would get empty lists instead of null.
  if not private.is_owner() then
    return null;
  end if;

  return (
    with totals as materialized (
      select * from private.part_totals(array(select id from public.parts), what_if => what_if)
    ), items as (
      select id, totals.part_id, used.gear_id, type, name, item."position", used.cost, used.since,
        case when used.until <= clock or used.until = used.since then used.until end as until,
        case when used.until <= clock or used.until = used.since then ended_as end as ended_as,
        -- Applies the rule of private.install_periods to what-if dates: a part counts as installed from the start of its
        -- first day.
        used.since <> used.until and used.since::date <= clock::date as was_installed
      from totals cross join lateral unnest(items) as used join public.maintenance as item using (id)
    ), ends as (
      select part_id, jsonb_object_agg(
        "position", jsonb_build_object('rides', rides, 'distance', distance, 'moving_time', moving_time, 'days', days)
      ) as by_position
      from private.used_positions(array(select item from totals cross join lateral unnest(items) as item)) group by 1
    ), parts as (
      select totals.*, part.kind, case when has_ends then coalesce(by_position, '{}') end as by_position
      from totals join public.parts as part on part.id = part_id
      left join ends using (part_id) left join private.kinds as known on known.name = part.kind
    )
    select json_build_object(
      -- One array per column is faster than one object per row, and half the size.
      'items', (select json_build_object(
        'id', coalesce(array_agg(id), '{}'),
        'part_id', coalesce(array_agg(part_id), '{}'),
        'gear_id', coalesce(array_agg(gear_id), '{}'),
        'type', coalesce(array_agg(type), '{}'),
        'name', coalesce(array_agg(name), '{}'),
        'position', coalesce(array_agg("position"), '{}'),
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
        'earlier_moving_time', coalesce(array_agg(earlier_moving_time), '{}'),
        'kind', coalesce(array_agg(kind), '{}'),
        'by_position', coalesce(array_agg(by_position), '{}')
      ) from parts)
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.replaced_parts(gear_id bigint, day date, items bigint[] DEFAULT '{}'::bigint[], kind text DEFAULT NULL::text, "position" text DEFAULT NULL::text)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select json_build_object('items', coalesce(json_agg(listed), '[]')) from (
    select item.id, item.type, item.name, is_likely
    from private.replaced_by(items, replaced_parts.gear_id, day, replaced_parts.kind, replaced_parts."position")
    join public.maintenance as item using (id)
    order by is_likely desc, item."dateStarted", item.id
  ) as listed
$function$;

CREATE OR REPLACE FUNCTION public.to_check()
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  with found as (
    select * from private.check_bikes_of_rides
    union all select * from private.check_same_rides
    union all select * from private.check_dates
    union all select * from private.check_numbers
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
      'rides', (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200), 'started_at', started_at) order by nth), '[]')
        from unnest(shown.rides) with ordinality as listed (id, nth) join public.rides using (id)
      ),
      'items', (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200)) order by nth), '[]')
        from unnest(shown.items) with ordinality as listed (id, nth) join public.maintenance using (id)
      )
    ) || facts as line
    -- 100 lines of a kind are enough to see the problem, even if every ride has it.
    from shown where place <= 100
  )
  select json_build_object(
    'lines', (select coalesce(json_agg(line order by kind, place), '[]') from lines),
    'left_out', (select count(*) from shown where place > 100)
  )
  -- Row-level security only hides rows, so other users would get an empty list instead of null.
  where private.is_owner()
$function$;

CREATE VIEW "private"."kind_places" WITH (security_invoker=true) AS  SELECT item.id,
    part.kind,
    COALESCE(item."position", ''::text) AS place,
    known.is_single,
    known.is_needed,
    ends.at_end AS "position"
   FROM (((public.maintenance item
     JOIN public.parts part ON ((part.id = item.part_id)))
     JOIN private.kinds known ON ((known.name = part.kind)))
     CROSS JOIN LATERAL unnest(
        CASE
            WHEN (NOT known.has_ends) THEN '{""}'::text[]
            WHEN (item."position" = 'both'::text) THEN '{front,rear}'::text[]
            ELSE ARRAY[item."position"]
        END) ends(at_end));

CREATE VIEW "private"."check_parts" WITH (security_invoker=true) AS  WITH clock AS MATERIALIZED (
         SELECT private.wall_clock() AS now
        ), placed AS MATERIALIZED (
         SELECT period.id,
            period.part_id,
            period.gear_id,
            period.type,
            period.name,
            period.cost,
            period.since,
            period.until,
            period.ended_as,
            kind_places.kind AS family,
            kind_places.place,
            kind_places."position",
            kind_places.is_single,
            kind_places.is_needed
           FROM (private.install_periods period
             JOIN private.kind_places USING (id))
        ), fillers AS MATERIALIZED (
         SELECT period.id,
            period.part_id,
            period.gear_id,
            period.type,
            period.name,
            period.cost,
            period.since,
            period.until,
            period.ended_as,
            placed.family
           FROM (private.install_periods period
             LEFT JOIN placed USING (id))
          WHERE ((placed.family IS NULL) OR (placed."position" IS NULL))
        ), in_order AS (
         SELECT placed.id,
            placed.part_id,
            placed.gear_id,
            placed.type,
            placed.name,
            placed.cost,
            placed.since,
            placed.until,
            placed.ended_as,
            placed.family,
            placed.place,
            placed."position",
            placed.is_single,
            placed.is_needed,
            max(placed.until) OVER (by_start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier_until
           FROM placed
          WHERE ((placed."position" IS NOT NULL) AND placed.is_needed)
          WINDOW by_start AS (PARTITION BY placed.gear_id, placed.family, placed."position" ORDER BY placed.since, placed.id)
        ), gaps AS (
         SELECT 'no_part'::text AS kind,
            next.gear_id,
            next.family,
            next."position",
            next.earlier_until AS since,
            next.since AS until,
            ended.id AS other,
            next.id
           FROM (in_order next
             JOIN placed ended USING (gear_id, family, "position"))
          WHERE ((next.earlier_until < next.since) AND (ended.until = next.earlier_until) AND (ended.ended_as IS DISTINCT FROM 'stored'::text) AND (NOT (EXISTS ( SELECT
                   FROM fillers filler
                  WHERE ((filler.gear_id = next.gear_id) AND (filler.since < next.since) AND (filler.until > next.earlier_until) AND
                        CASE
                            WHEN (filler.family IS NOT NULL) THEN (filler.family = next.family)
                            ELSE ((filler.since >= (next.earlier_until - '7 days'::interval)) AND ((filler.type IS NULL) OR (filler.type = next.type)))
                        END)))))
        ), overlapping AS (
         SELECT 'two_parts'::text AS "?column?",
            one.gear_id,
            one.family,
            one."position",
            one.since,
            LEAST(other.until, one.until) AS "least",
            other.id,
            one.id
           FROM clock clock_1,
            (placed one
             JOIN placed other USING (gear_id, family, place, "position"))
          WHERE (one.is_single AND (ROW(other.since, other.id) < ROW(one.since, one.id)) AND (other.until > one.since))
          ORDER BY (LEAST(other.until, one.until, clock_1.now) - one.since) DESC, one.id, other.id
         LIMIT 1000
        ), ranges AS MATERIALIZED (
         SELECT found.kind,
            found.gear_id,
            found.family,
            found."position",
            found.since,
            found.until,
            found.other,
            found.id,
            row_number() OVER () AS number
           FROM ( SELECT gaps.kind,
                    gaps.gear_id,
                    gaps.family,
                    gaps."position",
                    gaps.since,
                    gaps.until,
                    gaps.other,
                    gaps.id
                   FROM gaps
                UNION ALL
                 SELECT overlapping."?column?",
                    overlapping.gear_id,
                    overlapping.family,
                    overlapping."position",
                    overlapping.since,
                    overlapping."least",
                    overlapping.id,
                    overlapping.id_1 AS id
                   FROM overlapping overlapping("?column?", gear_id, family, "position", since, "least", id, id_1)) found
        ), weighed AS MATERIALIZED (
         SELECT ranges.kind,
            ranges.gear_id,
            ranges.family,
            ranges."position",
            ranges.since,
            ranges.until,
            ranges.other,
            ranges.id,
            ranges.number,
            used.rides AS ride_count,
            used.distance
           FROM (ranges
             JOIN private.sum_rides(ARRAY( SELECT ROW(ranges_1.number, ranges_1.gear_id, ranges_1.since, ranges_1.until, ((ranges_1.kind = 'no_part'::text) AND (ranges_1.family = ANY (ARRAY['wheel'::text, 'tire'::text]))))::private.ride_range AS "row"
                   FROM ranges ranges_1)) used(key, rides, distance, moving_time, first_ride, last_ride) ON ((used.key = ranges.number)))
          WHERE ((used.rides > 0) AND (used.distance > (0)::numeric))
        )
 SELECT weighed.kind,
    concat_ws(':'::text, weighed.kind, weighed.gear_id, weighed.family, pairs.pair, weighed.id, (weighed.since)::date, (weighed.until)::date) AS key,
    weighed.since AS at,
    '{}'::bigint[] AS rides,
    ARRAY[min(weighed.other), weighed.id] AS items,
    jsonb_build_object('gear_id', weighed.gear_id, 'family', weighed.family, 'positions', array_agg(DISTINCT weighed."position") FILTER (WHERE (weighed."position" <> ''::text)), 'since', (weighed.since)::date, 'until',
        CASE
            WHEN (weighed.until < clock.now) THEN (weighed.until)::date
            ELSE NULL::date
        END, 'days', ((LEAST(weighed.until, clock.now))::date - (weighed.since)::date), 'ride_count', weighed.ride_count, 'distance', weighed.distance) AS facts
   FROM ((weighed
     CROSS JOIN clock)
     CROSS JOIN LATERAL ( SELECT
                CASE weighed.kind
                    WHEN 'two_parts'::text THEN weighed.other
                    ELSE NULL::bigint
                END AS pair) pairs)
  GROUP BY weighed.kind, weighed.gear_id, weighed.family, pairs.pair, weighed.id, weighed.since, weighed.until, weighed.ride_count, weighed.distance, clock.now;

CREATE VIEW "private"."parts_without_kind" WITH (security_invoker=true) AS  SELECT DISTINCT ON (period.part_id) period.part_id,
    period.id AS item_id,
    period.since
   FROM (private.install_periods period
     JOIN public.parts part ON ((part.id = period.part_id)))
  WHERE ((part.kind IS NULL) AND (period.part_id > ( SELECT COALESCE(max((split_part(dismissed_checks.key, ':'::text, 2))::bigint), (0)::bigint) AS "coalesce"
           FROM public.dismissed_checks
          WHERE (dismissed_checks.key ~ '^no_kind:\d{1,18}$'::text))))
  ORDER BY period.part_id, period.since DESC, period.id DESC;

CREATE VIEW "private"."check_kinds" WITH (security_invoker=true) AS  SELECT 'no_kind'::text AS kind,
    ('no_kind:'::text || max(part_id)) AS key,
    max(since) AS at,
    '{}'::bigint[] AS rides,
    (array_agg(item_id ORDER BY since DESC, item_id))[:100] AS items,
    jsonb_build_object('part_count', count(*), 'part_ids', to_jsonb((array_agg(part_id ORDER BY since DESC, item_id))[:100])) AS facts
   FROM private.parts_without_kind
 HAVING (count(*) > 0);

COMMENT ON FUNCTION "private"."add_item"(jsonb, jsonb) IS 'Adds an item, by default from today and of unknown kind, and ends the items that it replaces: [{id, ended_as}]. Returns {item}.';

COMMENT ON FUNCTION "private"."command_change_parts"(jsonb) IS 'Writes {day, take_off: [{id, ended_as}], put_on: [item]}, where an item is {bikeId, part_of} with the id of an item of the same part and what differs from it, such as its position, or {replaces, type, name, description, cost, earlier_distance, earlier_moving_time, kind, position}. Returns {ended, added}.';

COMMENT ON FUNCTION "private"."command_import_items"(jsonb) IS 'Writes {added: [item], changed: [{before, after}], records, newest} and returns {written} with the number of written items. With dry_run, returns what preview_import does. records and newest: the previewed log''s item count and highest id. Added items with the same part_id share a new part; items with part_of get that item''s part. earlier_distance, earlier_moving_time and kind, if present, belong to the item''s part.';

COMMENT ON FUNCTION "private"."command_name_kinds"(jsonb) IS 'Says what parts are, and where: {parts: [{id, kind, position}]}. Returns {named, cleared}: how many parts have another kind, and how many of their items lost their position, because the new kind has no ends.';

COMMENT ON FUNCTION "private"."command_rotate"(jsonb) IS 'Puts what is at the front of a bike to the rear, and the other way around: {gear_id, kind, day, without_words}, or {part_id, day, without_words} with either part, by default today. without_words takes "front" and "rear" out of the names. The answer is 409 for a day on or before a start (RMT13) or in the future (RMT14), and unless each end has at most one such part (RMT19). Returns what change_parts does.';

COMMENT ON FUNCTION "private"."command_set_up_bike"(jsonb) IS 'Adds parts to a bike: {gear_id, parts: [{type, name, description, cost, day, earlier_distance, earlier_moving_time, kind, position, count_from, tasks}]}. count_from is that of add_task; tasks is a list of its tasks. Returns {items}.';

COMMENT ON FUNCTION "private"."replaced_by"(bigint[], bigint, date, text, text) IS 'Lists the items in use on a bike since a day or earlier whose parts are of the same kind and in the same place as these items'' parts, or as a new part. is_likely: a bike has one such part, and the new parts are wherever it is, as a pair is for a front tire, but not the other way around; or it is the only one of its kind, if the place is unknown.';

COMMENT ON FUNCTION "private"."used_positions"(private.used_item[]) IS 'Adds up items by their parts and positions. Without positions, and without usage from before the log.';

COMMENT ON FUNCTION "private"."without_ends"(text) IS 'Takes "front" and "rear" out of a name, if anything is left.';

COMMENT ON FUNCTION "public"."part_lifetimes"(jsonb) IS 'Returns {items, parts}, each one array per column: the items with their dates and costs, and whether each was installed (false for work and planned parts), and the parts with their totals from private.part_totals, their kinds and private.used_positions. what_if, [{id, cost, dateStarted, dateEnded}], replaces the stored values of these items. Null for anyone but the owner.';

COMMENT ON FUNCTION "public"."replaced_parts"(bigint, date, bigint[], text, text) IS 'Lists what these items'' parts, or a new part of this kind in this position, would replace on a bike on a day: {items: [{id, type, name, is_likely}]}.';

COMMENT ON VIEW "private"."kind_places" IS 'Where each item''s part is on a bike, if its kind is known. position: front, rear, or empty for kinds without ends. Null: unknown, so the part may be at either end. A pair has two rows. place: its own position, or empty.';

COMMENT ON VIEW "private"."parts_without_kind" IS 'Parts of unknown kind, and their latest items, unless the owner wants none.';

REVOKE ALL ON FUNCTION "private"."command_name_kinds"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_name_kinds"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_rotate"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_rotate"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."replaced_by"(bigint[], bigint, date, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."replaced_by"(bigint[], bigint, date, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."used_positions"(private.used_item[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."used_positions"(private.used_item[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."without_ends"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."without_ends"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."replaced_parts"(bigint, date, bigint[], text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."replaced_parts"(bigint, date, bigint[], text, text) TO "authenticated";

GRANT SELECT ON TABLE "private"."check_kinds" TO "authenticated";

GRANT SELECT ON TABLE "private"."check_parts" TO "authenticated";

GRANT SELECT ON TABLE "private"."kind_places" TO "authenticated";

GRANT SELECT ON TABLE "private"."parts_without_kind" TO "authenticated";

insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('name_kinds', 'true', 'true', '{parts}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('rotate', 'true', 'true', '{gear_id,kind,part_id,day,without_words}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
