set local check_function_bodies = off;

DROP FUNCTION "private"."add_measurement"(bigint, jsonb);

DROP FUNCTION "private"."add_push_subscription"(text, text, text);

DROP FUNCTION "private"."change_part_day"(jsonb);

DROP FUNCTION "private"."change_parts"(jsonb);

DROP FUNCTION "private"."import_items"(jsonb);

DROP FUNCTION "private"."known_command"(text);

DROP FUNCTION "private"."log_entries"(bigint, text, text, date, date, bigint, integer);

DROP FUNCTION "private"."preview_task"(jsonb, date, text);

DROP FUNCTION "private"."remove_event"(bigint);

DROP FUNCTION "private"."remove_push_subscription"(text);

DROP FUNCTION "private"."rename_items"(jsonb);

DROP FUNCTION "private"."run"(private.commands, jsonb, uuid);

DROP VIEW "private"."commands";

DROP FUNCTION "private"."services"(bigint, bigint, date, date, bigint, integer);

DROP FUNCTION "private"."set_settings"(jsonb);

DROP FUNCTION "private"."set_time_zone"(text);

DROP FUNCTION "private"."set_up_bike"(bigint, jsonb);

DROP FUNCTION "private"."snooze"(bigint, date, numeric);

CREATE TABLE "private"."commands" ("name" text NOT NULL, "is_write" boolean NOT NULL, "for_tokens" boolean NOT NULL, "arguments" text[] NOT NULL, "touches" text[], CONSTRAINT "commands_pkey" PRIMARY KEY (name));

ALTER TABLE "private"."commands" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.add_item(item jsonb, replaces jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moment constant timestamp := coalesce((item ->> 'dateStarted')::timestamp, private.today() + time '01:00');
  added jsonb;
begin
  if replaces -> 0 is not null then
    added := private.command_change_parts(jsonb_build_object(
      -- One part's tasks go to the new one.
      'day', moment::date, 'take_off', replaces, 'put_on', jsonb_build_array(item || jsonb_build_object('replaces', replaces #> '{0,id}'))
    )) #> '{added,0}';
  else
    select to_jsonb(new_item) into added
    from private.add_items(jsonb_build_array(item || jsonb_build_object('dateStarted', moment, 'part_id', private.add_part()))) as new_item;
  end if;
  return jsonb_build_object('item', added);
end
$function$;

CREATE OR REPLACE FUNCTION private.command_add_item(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.add_item(arguments -> 'item', arguments -> 'replaces') $function$;

CREATE OR REPLACE FUNCTION private.command_add_measurement(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  item constant public.maintenance := private.latest_item((arguments ->> 'part_id')::bigint);
  new_row public.wear_measurements := jsonb_populate_record(null::public.wear_measurements, arguments -> 'measurement');
begin
  new_row.measured_on := coalesce(new_row.measured_on, private.today());
  perform private.reject_if(new_row.measured_on > private.today(), 'RMT14', 'The day is in the future.');
  insert into public.wear_measurements (part_id, measured_on, value, reading, unit, tool, "limit", note)
  values (
    item.part_id, new_row.measured_on, new_row.value, new_row.reading, new_row.unit, coalesce(new_row.tool, ''), new_row."limit", new_row.note
  ) returning * into new_row;
  return jsonb_build_object('id', new_row.id);
end
$function$;

CREATE OR REPLACE FUNCTION private.command_add_push_subscription(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_owner();
  -- Don't announce tasks that were already due when the first browser subscribed.
  if not exists (select from private.push_subscriptions) then
    insert into private.announced_tasks (channel, task_id, announced_for)
    select 'web_push', task_id, announced_for from private.due_announcements() where task_id > 0
    on conflict on constraint announced_tasks_pkey do update set retry_at = null;
  end if;
  insert into private.push_subscriptions (endpoint, p256dh, auth)
  values (arguments ->> 'endpoint', arguments ->> 'p256dh', arguments ->> 'auth')
  on conflict on constraint push_subscriptions_pkey
  do update set p256dh = excluded.p256dh, auth = excluded.auth, added_at = excluded.added_at;
  -- An owner rarely has more than 20 browsers, so the oldest are probably gone.
  delete from private.push_subscriptions as old where old.endpoint in (
    select each.endpoint from private.push_subscriptions as each order by added_at desc, each.endpoint offset 20
  );
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_add_task(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.add_task(arguments -> 'task', (arguments ->> 'last_done')::date, arguments ->> 'count_from') $function$;

CREATE OR REPLACE FUNCTION private.command_bikes(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'garage', public.garage(), 'tasks', public.service_due() -> 'tasks',
    'bikes', (select coalesce(jsonb_agg(jsonb_build_object('gear_id', gear_id, 'name', name, 'is_retired', is_retired)), '[]') from public.bikes)
  )
$function$;

CREATE OR REPLACE FUNCTION private.command_change_part_day(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  before constant timestamp := arguments ->> 'from';
  after constant timestamp := arguments ->> 'to';
  ended constant bigint[] := array(select jsonb_array_elements_text(arguments -> 'ended')::bigint);
  started constant bigint[] := array(select jsonb_array_elements_text(arguments -> 'started')::bigint);
  at_before constant bigint := (
    select count(*)
    from (
      select "dateEnded" from public.maintenance where id = any (ended)
      union all
      select "dateStarted" from public.maintenance where id = any (started)
    ) as times (at)
    where at = before
  );
begin
  perform private.reject_if(at_before <> cardinality(ended || started), 'RMT11', 'The log has changed since.');
  perform private.reject_if(after::date > private.today(), 'RMT14', 'The day is in the future.');
  update public.maintenance set
    "dateEnded" = case when id = any (ended) then after else "dateEnded" end,
    "dateStarted" = case when id = any (started) then after else "dateStarted" end
  where id = any (ended || started);
  return '{}';
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
  perform private.reject_if(bool_or(item."bikeId" = put."bikeId" and item.id = any (off_ids)), 'RMT15', 'The part is already on this bike.'),
    -- The log of an unlisted bike can still be edited, so its parts can be replaced.
    private.reject_if(bool_or(put.replaces is null and bike.is_listed is not true), 'RMT16', 'The bike is no longer on Ride with GPS.')
  from jsonb_to_recordset(arguments -> 'put_on') as put ("bikeId" bigint, part_of bigint, replaces bigint)
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

CREATE OR REPLACE FUNCTION private.command_checks(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select jsonb_build_object('found', public.to_check(), 'bikes', private.bike_names()) $function$;

CREATE OR REPLACE FUNCTION private.command_correct_event(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.correct_event(
    (arguments ->> 'event_id')::bigint, arguments -> 'shown', arguments -> 'wanted',
    array(select jsonb_array_elements_text(arguments -> 'also_done')::bigint)
  )
$function$;

CREATE OR REPLACE FUNCTION private.command_delete_item(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from public.maintenance
  where id = (arguments ->> 'id')::bigint and "bikeId" = coalesce((arguments ->> 'bikeId')::bigint, "bikeId");
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_dismiss_check(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.dismissed_checks (key) values (arguments ->> 'key') on conflict (key) do nothing;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_due(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'tasks', public.service_due() -> 'tasks', 'bikes', private.bike_names(),
    'last_sync', (select coalesce(checked_at, finished_at) from private.last_ride_sync())
  )
$function$;

CREATE OR REPLACE FUNCTION private.command_edit_row(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.edit_row(arguments ->> 'relation', (arguments ->> 'row_id')::bigint, arguments -> 'shown', arguments -> 'wanted')
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
    insert into public.parts (earlier_distance, earlier_moving_time)
    select max((entry ->> 'earlier_distance')::numeric), max((entry ->> 'earlier_moving_time')::integer)
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
        'part_id', case when exists (select from private.install_periods as period where period.id = page.id) then part_id end,
        'rides', rides, 'distance', distance, 'moving_time', moving_time
      ) order by "dateStarted" desc, id desc), '[]'),
      'has_more', (select count(*) > entries from listed), 'bikes', private.bike_names()
    )
    from page join used on key = id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.command_mark_done(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.mark_done(
    (arguments ->> 'task_id')::bigint, (arguments ->> 'seen')::bigint, (arguments ->> 'done_on')::date,
    (arguments ->> 'cost')::numeric, arguments ->> 'note'
  )
$function$;

CREATE OR REPLACE FUNCTION private.command_move_part(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  item constant public.maintenance := private.latest_item((arguments ->> 'part_id')::bigint);
begin
  return private.command_change_parts(jsonb_build_object(
    'day', coalesce(arguments ->> 'day', private.today()::text),
    -- A part in storage is installed.
    'take_off', case when item.ended_as = 'stored' then '[]' else jsonb_build_array(jsonb_build_object('id', item.id, 'ended_as', 'moved')) end,
    'put_on', jsonb_build_array(jsonb_build_object('bikeId', arguments -> 'gear_id', 'part_of', item.id))
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.command_parts(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select jsonb_build_object('used', public.part_lifetimes(), 'bikes', private.bike_names()) $function$;

CREATE OR REPLACE FUNCTION private.command_preview_task(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  added jsonb;
  due jsonb;
begin
  added := private.command_add_task(arguments);
  select shown into due from json_array_elements(public.service_due() -> 'tasks') as shown
  where shown ->> 'id' = added #>> '{tasks,0,id}';
  raise exception using errcode = 'RMT00';
exception when sqlstate 'RMT00' then
  -- Only the variables keep their values.
  return jsonb_build_object('task', due);
end
$function$;

CREATE OR REPLACE FUNCTION private.command_remove_event(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  item_id bigint;
begin
  delete from public.service_events where id = (arguments ->> 'event_id')::bigint returning maintenance_id into item_id;
  delete from public.maintenance where id = item_id;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_remove_measurement(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from public.wear_measurements where id = (arguments ->> 'id')::bigint;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_remove_push_subscription(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_owner();
  delete from private.push_subscriptions where endpoint = arguments ->> 'endpoint';
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_remove_task(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from public.service_tasks where id = (arguments ->> 'task_id')::bigint;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_rename_items(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  renamed integer;
begin
  update public.maintenance as item set name = wanted.name
  from jsonb_to_recordset(arguments -> 'names') as wanted (id bigint, name text, was text)
  -- An item that was renamed elsewhere keeps that name.
  where item.id = wanted.id and item.name <> wanted.name and (wanted.was is null or item.name = wanted.was);
  get diagnostics renamed = row_count;
  return jsonb_build_object('renamed', renamed);
end
$function$;

CREATE OR REPLACE FUNCTION private.command_replace_part(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  item constant public.maintenance := private.latest_item((arguments ->> 'part_id')::bigint);
begin
  return private.command_change_parts(jsonb_build_object(
    'day', coalesce(arguments ->> 'day', private.today()::text),
    'take_off', jsonb_build_array(jsonb_build_object('id', item.id, 'ended_as', arguments -> 'ended_as')),
    'put_on', jsonb_build_array(jsonb_build_object('replaces', item.id, 'type', item.type, 'name', item.name) || (arguments -> 'successor'))
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.command_ride_months(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('bikes', private.bike_names(), 'months', coalesce(jsonb_agg(months order by month), '[]'))
  from private.ride_months((arguments ->> 'gear_id')::bigint, (arguments ->> 'from')::date, (arguments ->> 'to')::date) as months
$function$;

CREATE OR REPLACE FUNCTION private.command_rides(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select public.ride_days((arguments ->> 'days')::integer)::jsonb $function$;

CREATE OR REPLACE FUNCTION private.command_services(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  wanted_task constant bigint := arguments ->> 'task_id';
  wanted_bike constant bigint := arguments ->> 'gear_id';
  from_day constant date := arguments ->> 'from';
  to_day constant date := arguments ->> 'to';
  entries constant integer := coalesce((arguments ->> 'limit')::integer, 100);
  last constant private.service_places := (select place from private.service_places as place where id = (arguments ->> 'after')::bigint);
begin
  perform private.reject_if(
    wanted_task is not null and not exists (select from public.service_tasks where id = wanted_task), 'RMT22', 'RMT22: The task was removed.'
  );
  perform private.reject_if(arguments ->> 'after' is not null and last.id is null, 'PT422', 'after: No service has this id.');
  return (
    with listed as materialized (
      select * from private.service_places
      where (wanted_task is null or task_id = wanted_task) and (wanted_bike is null or gear_id = wanted_bike)
        and (from_day is null or done_at >= from_day) and (to_day is null or done_at < to_day + 1)
        and (last.id is null or (done_at, id) < (last.done_at, last.id))
      order by done_at desc, id desc limit entries + 1
    ), page as (
      select * from listed order by done_at desc, id desc limit entries
    ), used as (
      select key, distance
      from private.usage_between(array(
        select (id, part_id, case when part_id is null then task_gear_id end, null, done_at, false)::private.used_span from page
      ))
    )
    select jsonb_build_object(
      'services', coalesce(jsonb_agg(jsonb_build_object(
        'id', page.id, 'task_id', task_id, 'task', page.name, 'gear_id', gear_id, 'part_id', page.part_id, 'part', item_name,
        'done_on', done_at::date, 'note', note, 'cost', item.cost, 'distance', distance
      ) order by done_at desc, page.id desc), '[]'),
      'has_more', (select count(*) > entries from listed), 'bikes', private.bike_names()
    )
    from page join used on key = page.id left join public.maintenance as item on item.id = maintenance_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.command_set_settings(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.settings default values on conflict do nothing;
  update public.settings set
    distance = coalesce(arguments ->> 'distance', distance), dates = coalesce(arguments ->> 'dates', dates),
    currency = coalesce(arguments ->> 'currency', currency), week_start = coalesce(arguments ->> 'week_start', week_start);
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_set_time_zone(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted constant text := arguments ->> 'name';
begin
  perform private.require_owner();
  -- Validating a name reads every time zone file, which takes 50 to 100 ms, so skip it if the name is already stored.
  if exists (select from private.owner as stored where stored.time_zone = wanted) then
    return '{}';
  end if;
  perform private.reject_if(
    not exists (select from pg_catalog.pg_timezone_names as zone where zone.name = wanted), 'PT422', format('name: There is no time zone called %s.', wanted)
  );
  update private.owner set time_zone = wanted;
  return '{}';
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
    'bikeId', arguments -> 'gear_id', 'part_id', private.add_part((line ->> 'earlier_distance')::numeric, (line ->> 'earlier_moving_time')::integer),
    'dateStarted', (line ->> 'day')::date + interval '1 hour'
  ) order by place) into lines
  from jsonb_array_elements(arguments -> 'parts') with ordinality as listed (line, place);
  select coalesce(jsonb_agg(to_jsonb(item)), '[]') into items from private.add_items(coalesce(lines, '[]')) as item;
  perform private.add_task(task || jsonb_build_object('part_id', line -> 'part_id'), null, line ->> 'count_from')
  from jsonb_array_elements(lines) as line cross join lateral jsonb_array_elements(line -> 'tasks') as task;
  return jsonb_build_object('items', items);
end
$function$;

CREATE OR REPLACE FUNCTION private.command_snooze(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  until constant date := coalesce((arguments ->> 'until')::date, private.today() + (arguments ->> 'days')::integer);
  more constant numeric := arguments ->> 'distance';
  shown json;
begin
  select task into shown from json_array_elements(public.service_due() -> 'tasks') as task
  where task ->> 'id' = arguments ->> 'task_id';
  perform private.reject_if(shown is null, 'RMT22', 'RMT22: The task was removed.');
  update public.service_tasks set
    snoozed_until = until,
    snoozed_distance = (shown #>> '{used,distance}')::numeric + more,
    snoozed_from = case when num_nonnulls(until, more) > 0 then (shown ->> 'baseline')::timestamp end,
    snoozed_part = null
  where id = (shown ->> 'id')::bigint;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_spending(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'costs', public.spending((arguments ->> 'from')::date, (arguments ->> 'to')::date),
    'months', (
      select coalesce(jsonb_agg(costs order by month desc), '[]')
      from private.cost_months((arguments ->> 'from')::date, (arguments ->> 'to')::date) as costs
    ),
    'used', public.part_lifetimes(),
    'bikes', private.bike_names()
  )
$function$;

CREATE OR REPLACE FUNCTION private.command_token(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select null::jsonb $function$;

CREATE OR REPLACE FUNCTION private.command_undo(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select private.undo((arguments ->> 'change')::uuid, coalesce((arguments ->> 'keep_changed')::boolean, false)) $function$;

CREATE OR REPLACE FUNCTION private.execute(command text, arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  answer jsonb;
begin
  -- Only functions with this prefix can be reached, and private.run looks the name up first.
  execute format('select private.%I($1)', 'command_' || command) into answer using arguments;
  return answer;
end
$function$;

CREATE OR REPLACE FUNCTION private.known_command(name text)
 RETURNS private.commands
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  known private.commands;
begin
  select * into known from private.commands as listed where listed.name = known_command.name;
  perform private.reject_if(known.name is null, 'PT422', format('Unknown command: %s.', known_command.name));
  return known;
end
$function$;

CREATE OR REPLACE FUNCTION private.preview_import(plan jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  written jsonb;
  in_two_places jsonb;
  refused jsonb := '{}';
begin
  loop
    begin
      perform set_config('tracker.previews', 'on', true);
      set constraints public.maintenance_one_place_at_a_time deferred;
      written := private.command_import_items(plan);
      in_two_places := private.lines_in_two_places(plan);
      raise exception using errcode = 'RMT00';
    exception when sqlstate 'RMT00' then
      -- Only the variables keep their values.
    end;
    exit when in_two_places = '{}';
    refused := refused || in_two_places;
    -- Without its change, an item may be in the way of other lines.
    select plan || jsonb_object_agg(key, kept) into plan from unnest('{added,changed}'::text[]) as key cross join lateral (
      select coalesce(jsonb_agg(entry order by place), '[]') as kept
      from jsonb_array_elements(plan -> key) with ordinality as entries (entry, place) where not refused ? (entry ->> 'line')
    ) as lines;
  end loop;
  return written || jsonb_build_object('refused', refused);
end
$function$;

CREATE OR REPLACE FUNCTION private.run(known private.commands, arguments jsonb, key uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  content constant jsonb := jsonb_build_array(known.name, arguments);
  unknown constant text := (select min(name) from jsonb_object_keys(arguments) as name where name <> all (known.arguments));
  earlier private.requests;
  answer jsonb;
  change uuid;
begin
  perform private.require_owner();
  perform private.reject_if(unknown is not null, 'PT422', format('Unknown argument: %s.', unknown));
  if not known.is_write then
    return jsonb_build_object('answer', private.execute(known.name, arguments));
  end if;

  -- A retry waits here until the first attempt has ended.
  perform private.lock_writes();
  select * into earlier from private.requests as request where request.key = run.key;
  if found and earlier.digest = private.digest(content) then
    return earlier.answer;
  elsif found then
    return private.refuse('RMT07', 'This key belongs to a request with other content.', earlier.answer);
  elsif key is not null then
    perform private.name_change(key);
  end if;

  perform set_config('tracker.command', known.name, true);
  answer := private.execute(known.name, arguments);
  perform set_config('tracker.command', '', true);
  if current_setting('response.status', true) = '409' then
    return answer;
  end if;
  select written.change into change from public.changes as written
  where written.change = nullif(current_setting('tracker.change', true), '')::uuid limit 1;
  answer := jsonb_build_object('answer', answer, 'change', change, 'touched', case
    when known.touches is null then private.touched(change)
    else jsonb_build_object('tables', known.touches, 'columns', '{}'::text[], 'bikes', '{}'::bigint[], 'parts', '{}'::bigint[])
  end);
  delete from private.requests where answered_at < now() - interval '30 days';
  -- A request that wrote nothing may be repeated.
  insert into private.requests (key, digest, answer) select run.key, private.digest(content), answer
  where key is not null and (change is not null or known.touches is not null);
  return answer;
end
$function$;

CREATE POLICY "Everyone who is signed in reads the list" ON "private"."commands" FOR SELECT TO "authenticated" USING (true);

COMMENT ON COLUMN "private"."commands"."arguments" IS 'The names of its arguments. Others are rejected.';

COMMENT ON COLUMN "private"."commands"."for_tokens" IS 'Whether a token may run it at all.';

COMMENT ON COLUMN "private"."commands"."is_write" IS 'The journal records it, unless it touches other tables. Only a token that may write can run it.';

COMMENT ON COLUMN "private"."commands"."touches" IS 'The tables that a command outside the journal writes.';

COMMENT ON FUNCTION "private"."command_add_item"(jsonb) IS 'Adds an item: {item, replaces}. Returns what add_item does.';

COMMENT ON FUNCTION "private"."command_add_measurement"(jsonb) IS 'Adds a wear measurement, {part_id, measurement} with the columns of wear_measurements, by default of today. Returns {id}.';

COMMENT ON FUNCTION "private"."command_add_push_subscription"(jsonb) IS 'Subscribes this browser, {endpoint, p256dh, auth}, to notifications. Repeating it changes nothing. Keeps the latest 20 browsers.';

COMMENT ON FUNCTION "private"."command_add_task"(jsonb) IS 'Adds a service task: {task, last_done, count_from}. Returns what add_task does.';

COMMENT ON FUNCTION "private"."command_bikes"(jsonb) IS 'Returns {garage, tasks, bikes}, with the tasks of service_due.';

COMMENT ON FUNCTION "private"."command_change_part_day"(jsonb) IS 'Moves the end and start of items to another time: {from, to, ended: [id], started: [id]}.';

COMMENT ON FUNCTION "private"."command_change_parts"(jsonb) IS 'Writes {day, take_off: [{id, ended_as}], put_on: [item]}, where an item is {bikeId, part_of} with the id of an item of the same part, or {replaces, type, name, description, cost, earlier_distance, earlier_moving_time}. Returns {ended, added}.';

COMMENT ON FUNCTION "private"."command_checks"(jsonb) IS 'Returns {found, bikes}, with the findings of to_check.';

COMMENT ON FUNCTION "private"."command_correct_event"(jsonb) IS 'Corrects an event: {event_id, shown, wanted, also_done}. Returns what correct_event does.';

COMMENT ON FUNCTION "private"."command_delete_item"(jsonb) IS 'Deletes an item, {bikeId, id}. Succeeds even if it is gone.';

COMMENT ON FUNCTION "private"."command_dismiss_check"(jsonb) IS 'Dismisses a finding, {key}. Repeating it changes nothing.';

COMMENT ON FUNCTION "private"."command_due"(jsonb) IS 'Returns {tasks, bikes, last_sync}, with the tasks of service_due.';

COMMENT ON FUNCTION "private"."command_edit_row"(jsonb) IS 'Edits a row: {relation, row_id, shown, wanted}. Returns what edit_row does.';

COMMENT ON FUNCTION "private"."command_import_items"(jsonb) IS 'Writes {added: [item], changed: [{before, after}], records, newest} and returns {written} with the number of written items. With dry_run, returns what preview_import does. records and newest: the previewed log''s item count and highest id. Added items with the same part_id share a new part; items with part_of get that item''s part. earlier_distance and earlier_moving_time, if present, belong to the item''s part.';

COMMENT ON FUNCTION "private"."command_log"(jsonb) IS 'Returns a page of the log, {gear_id, type, word, from, to, after, limit}, with each item''s rides, meters and seconds, newest first: {entries, has_more, bikes}. The period is that of the starts, and word is part of private.searched_text. part_id is null for work. after: the id of the last item of the page before.';

COMMENT ON FUNCTION "private"."command_mark_done"(jsonb) IS 'Marks a task done: {task_id, seen, done_on, cost, note}. Returns what mark_done does.';

COMMENT ON FUNCTION "private"."command_move_part"(jsonb) IS 'Moves a part to a bike, or installs a stored one: {part_id, gear_id, day}, by default today. Returns what change_parts does.';

COMMENT ON FUNCTION "private"."command_parts"(jsonb) IS 'Returns {used, bikes}, with the answer of part_lifetimes.';

COMMENT ON FUNCTION "private"."command_preview_task"(jsonb) IS 'Returns {task}: what service_due would say of a task that add_task adds with the same arguments. Writes nothing.';

COMMENT ON FUNCTION "private"."command_remove_event"(jsonb) IS 'Removes an event, {event_id}, and the item with its cost.';

COMMENT ON FUNCTION "private"."command_remove_measurement"(jsonb) IS 'Removes a wear measurement, {id}. Succeeds even if it is gone.';

COMMENT ON FUNCTION "private"."command_remove_push_subscription"(jsonb) IS 'Stops notifications to this browser, {endpoint}. Succeeds even if it wasn''t subscribed.';

COMMENT ON FUNCTION "private"."command_remove_task"(jsonb) IS 'Removes a task, {task_id}, with its events. Succeeds even if it is gone.';

COMMENT ON FUNCTION "private"."command_rename_items"(jsonb) IS 'Renames items: {names: [{id, name, was}]}. was is optional; an item with another name by now isn''t renamed. Returns {renamed} with the number of renamed items.';

COMMENT ON FUNCTION "private"."command_replace_part"(jsonb) IS 'Replaces a part, {part_id, ended_as, day, successor}, by default today and by one of the same type and name. Returns what change_parts does.';

COMMENT ON FUNCTION "private"."command_ride_months"(jsonb) IS 'Returns {bikes, months} with the ride_months of a bike or all rides: {gear_id, from, to}.';

COMMENT ON FUNCTION "private"."command_rides"(jsonb) IS 'Returns the ride_days of the last {days}.';

COMMENT ON FUNCTION "private"."command_services"(jsonb) IS 'Returns a page of the services, {task_id, gear_id, from, to, after, limit}, of a task, or done on a bike, or all, in a period, newest first: {services, has_more, bikes}. after: the id of the last service of the page before. distance: the part''s or bike''s meters at the time. Raises RMT22 for an unknown task.';

COMMENT ON FUNCTION "private"."command_set_settings"(jsonb) IS 'Stores the settings that are named, even if there are none: the owner has chosen.';

COMMENT ON FUNCTION "private"."command_set_time_zone"(jsonb) IS 'Stores the owner''s time zone, {name}: an IANA name that PostgreSQL knows.';

COMMENT ON FUNCTION "private"."command_set_up_bike"(jsonb) IS 'Adds parts to a bike: {gear_id, parts: [{type, name, description, cost, day, earlier_distance, earlier_moving_time, count_from, tasks}]}. count_from is that of add_task; tasks is a list of its tasks. Returns {items}.';

COMMENT ON FUNCTION "private"."command_snooze"(jsonb) IS 'Snoozes a task, {task_id, until, days, distance}, until a day, for days, or for this many more meters. With none, ends the snooze.';

COMMENT ON FUNCTION "private"."command_spending"(jsonb) IS 'Returns {costs, months, used, bikes}: spending, the costs of each month and part_lifetimes, in a period {from, to}.';

COMMENT ON FUNCTION "private"."command_token"(jsonb) IS 'Returns null: run_command_as answers whether the token is known, and with what scope.';

COMMENT ON FUNCTION "private"."command_undo"(jsonb) IS 'Undoes a change: {change, keep_changed}. Returns what undo does.';

COMMENT ON FUNCTION "private"."known_command"(text) IS 'Returns a command. Raises PT422 for an unknown name.';

COMMENT ON FUNCTION "private"."run"(private.commands, jsonb, uuid) IS 'Runs a command as run_command does. A repeated key is answered as before; with other arguments, the response is 409 with that answer as "stored".';

COMMENT ON TABLE "private"."commands" IS 'The closed list of commands. Each is a function private.command_<name>(arguments jsonb) returns jsonb, which checks what it is sent.';

REVOKE ALL ON FUNCTION "private"."command_add_item"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_add_item"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_add_measurement"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_add_measurement"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_add_push_subscription"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_add_push_subscription"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_add_task"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_add_task"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_bikes"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_bikes"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_change_part_day"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_change_part_day"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_change_parts"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_change_parts"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_checks"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_checks"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_correct_event"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_correct_event"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_delete_item"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_delete_item"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_dismiss_check"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_dismiss_check"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_due"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_due"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_edit_row"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_edit_row"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_import_items"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_import_items"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_log"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_log"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_mark_done"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_mark_done"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_move_part"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_move_part"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_parts"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_parts"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_preview_task"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_preview_task"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_remove_event"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_remove_event"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_remove_measurement"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_remove_measurement"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_remove_push_subscription"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_remove_push_subscription"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_remove_task"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_remove_task"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_rename_items"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_rename_items"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_replace_part"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_replace_part"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_ride_months"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_ride_months"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_rides"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_rides"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_services"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_services"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_set_settings"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_set_settings"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_set_time_zone"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_set_time_zone"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_set_up_bike"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_set_up_bike"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_snooze"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_snooze"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_spending"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_spending"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_token"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_token"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_undo"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_undo"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."known_command"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."known_command"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."run"(private.commands, jsonb, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."run"(private.commands, jsonb, uuid) TO "authenticated";

GRANT SELECT ON TABLE "private"."commands" TO "authenticated";

insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('add_item', 'true', 'true', '{item,replaces}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('add_measurement', 'true', 'true', '{part_id,measurement}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('add_push_subscription', 'true', 'false', '{endpoint,p256dh,auth}', '{push_subscriptions}')
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('add_task', 'true', 'true', '{task,last_done,count_from}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('bikes', 'false', 'true', '{}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('change_part_day', 'true', 'false', '{from,to,ended,started}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('change_parts', 'true', 'false', '{day,take_off,put_on}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('checks', 'false', 'true', '{}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('correct_event', 'true', 'false', '{event_id,shown,wanted,also_done}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('delete_item', 'true', 'true', '{bikeId,id}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('dismiss_check', 'true', 'false', '{key}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('due', 'false', 'true', '{}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('edit_row', 'true', 'true', '{relation,row_id,shown,wanted}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('import_items', 'true', 'false', '{added,changed,records,newest,dry_run}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('log', 'false', 'true', '{gear_id,type,word,from,to,after,limit}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('mark_done', 'true', 'true', '{task_id,seen,done_on,cost,note}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('move_part', 'true', 'true', '{part_id,gear_id,day}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('parts', 'false', 'true', '{}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('preview_task', 'false', 'false', '{task,last_done,count_from}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('remove_event', 'true', 'false', '{event_id}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('remove_measurement', 'true', 'false', '{id}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('remove_push_subscription', 'true', 'false', '{endpoint}', '{push_subscriptions}')
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('remove_task', 'true', 'true', '{task_id}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('rename_items', 'true', 'false', '{names}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('replace_part', 'true', 'true', '{part_id,ended_as,day,successor}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('ride_months', 'false', 'true', '{gear_id,from,to}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('rides', 'false', 'true', '{days}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('services', 'false', 'true', '{task_id,gear_id,from,to,after,limit}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('set_settings', 'true', 'false', '{distance,dates,currency,week_start}', '{settings}')
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('set_time_zone', 'true', 'false', '{name}', '{owner}')
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('set_up_bike', 'true', 'false', '{gear_id,parts}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('snooze', 'true', 'true', '{task_id,until,days,distance}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('spending', 'false', 'true', '{from,to}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('token', 'false', 'true', '{}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('undo', 'true', 'true', '{change,keep_changed}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
