-- Actions on several log items, each in one transaction. Security invoker: the owner may make each change separately.

-- Replacing, moving, storing and installing parts.
--
-- A change ends items ("take_off") and starts items ("put_on") at the same moment. Replace: take off a part, put on its
-- successor. Move: take a part off one bike, put it on another. Store: only take off. Install: only put on. Swap: take off
-- two parts, put them on again. An item's end is excluded, so no ride counts for both the old and the new item.

create function private.put_on(put jsonb, moment timestamp) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
    -- What was to be replaced once is done.
    insert into public.service_events (task_id, part_id, done_at)
    select task.id, task.part_id, moment from public.service_tasks as task
    where task.part_id = replaced.part_id and task.once and task.kind = 'replace'
      and not exists (select from public.service_events as done where done.task_id = task.id);
    perform private.transfer_tasks(replaced.part_id, added.part_id);
  end if;
  return to_jsonb(added);
end
$$;
comment on function private.put_on(jsonb, timestamp) is 'Adds an item of change_parts and returns it. A successor gets the tasks of the part that it replaces.';
grant execute on function private.put_on to authenticated;

create function private.command_change_parts(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_change_parts(jsonb) is
  'Writes {day, take_off: [{id, ended_as}], put_on: [item]}, where an item is {bikeId, part_of} with the id of an item of the same part and what differs from it, such as its position, or {replaces, type, name, description, cost, earlier_distance, earlier_moving_time, kind, position}. Returns {ended, added}.';
grant execute on function private.command_change_parts to authenticated;

create function private.add_item(item jsonb, replaces jsonb default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.add_item(jsonb, jsonb) is
  'Adds an item, by default from today and of unknown kind, and ends the items that it replaces: [{id, ended_as}]. Returns {item}.';
grant execute on function private.add_item to authenticated;

create function private.command_add_item(arguments jsonb) returns jsonb
language sql volatile security invoker set search_path = ''
as $$ select private.add_item(arguments -> 'item', arguments -> 'replaces') $$;
comment on function private.command_add_item(jsonb) is 'Adds an item: {item, replaces}. Returns what add_item does.';
grant execute on function private.command_add_item to authenticated;

create function private.command_replace_part(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item constant public.maintenance := private.latest_item((arguments ->> 'part_id')::bigint);
begin
  return private.command_change_parts(jsonb_build_object(
    'day', coalesce(arguments ->> 'day', private.today()::text),
    'take_off', jsonb_build_array(jsonb_build_object('id', item.id, 'ended_as', arguments -> 'ended_as')),
    'put_on', jsonb_build_array(jsonb_build_object('replaces', item.id, 'type', item.type, 'name', item.name) || (arguments -> 'successor'))
  ));
end
$$;
comment on function private.command_replace_part(jsonb) is
  'Replaces a part, {part_id, ended_as, day, successor}, by default today and by one of the same type and name. Returns what change_parts does.';
grant execute on function private.command_replace_part to authenticated;

create function private.command_move_part(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_move_part(jsonb) is
  'Moves a part to a bike, or installs a stored one: {part_id, gear_id, day, replaces}, by default today. replaces: the ids of the entries on that bike that end as stored. Without it, nothing may be in the part''s place: otherwise, the answer is 409 with [{entry_id, name}] as "stored". Returns what change_parts does.';
grant execute on function private.command_move_part to authenticated;

-- Security definer: an entry and a task keep their bike otherwise, and the owner may not write what is attached.
create function private.attach_log(former bigint, gear_id bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.require_owner();
  update public.maintenance set "bikeId" = attach_log.gear_id where "bikeId" = former;
  update public.service_tasks set gear_id = attach_log.gear_id where gear_id = former;
  -- What the bike that is there now doesn't say.
  update public.bike_details as details set
    serial_number = coalesce(details.serial_number, was.serial_number), size = coalesce(details.size, was.size),
    color = coalesce(details.color, was.color), sold_on = coalesce(details.sold_on, was.sold_on),
    sold_for = case when details.sold_on is null then was.sold_for else details.sold_for end
  from public.bike_details as was where was.gear_id = former and details.gear_id = attach_log.gear_id;
  delete from public.bike_details where gear_id = former
    and exists (select from public.bike_details as details where details.gear_id = attach_log.gear_id);
  update public.bike_details set gear_id = attach_log.gear_id where gear_id = former;
  -- What was dismissed stays dismissed, under the key that the finding has now.
  update public.dismissed_checks as dismissed set key = renamed.key
  from public.dismissed_checks as was
  cross join lateral (
    select regexp_replace(
      was.key, format('^((no_part|two_parts|late_end|sold_bike|wrong_bike:\d+|wrong_bike:\d+:\d+):)%s(?=:|$)', former), '\1' || attach_log.gear_id
    )
  ) as renamed (key)
  where was.id = dismissed.id and renamed.key <> was.key and renamed.key not in (select other.key from public.dismissed_checks as other);
  -- A log that was attached to the former bike comes along, and a bike that returns has its own rides.
  delete from public.attached_logs as attached where attached.former_gear_id = attach_log.gear_id and attached.gear_id = former;
  update public.attached_logs as attached set gear_id = attach_log.gear_id where attached.gear_id = former;
  insert into public.attached_logs (former_gear_id, gear_id) values (former, attach_log.gear_id);
end
$$;
comment on function private.attach_log(bigint, bigint) is 'Attaches the log, the tasks, the details, the dismissed findings and the rides of a former bike to another one.';
grant execute on function private.attach_log to authenticated;

create function private.command_attach_log(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  former constant bigint := arguments ->> 'from';
  bike constant bigint := arguments ->> 'to';
begin
  if not exists (select from public.bikes where gear_id = former and not is_listed and public.attached_to(bikes) is null)
    or not exists (select from public.bikes where gear_id = bike and is_listed) then
    return private.refuse('RMT18', 'Only the log of a bike that is no longer on Ride with GPS can be attached, to a bike that is.', null);
  end if;
  perform private.attach_log(former, bike);
  return '{}';
end
$$;
comment on function private.command_attach_log(jsonb) is
  'Attaches the log of a bike that was deleted at Ride with GPS to the one that it is now, with its tasks, details and rides: {from, to}. Otherwise, the answer is 409.';
grant execute on function private.command_attach_log to authenticated;

create function private.command_delete_item(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  delete from public.maintenance
  where id = (arguments ->> 'id')::bigint and "bikeId" = coalesce((arguments ->> 'bikeId')::bigint, "bikeId");
  return '{}';
end
$$;
comment on function private.command_delete_item(jsonb) is 'Deletes an item, {bikeId, id}. Succeeds even if it is gone.';
grant execute on function private.command_delete_item to authenticated;

-- at_end, because Supabase Lite doesn't quote a parameter that is a keyword, such as position.
create function public.replaced_parts(
  gear_id bigint, day date, items bigint[] default '{}', kind text default null, at_end text default null
)
returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object('items', coalesce(json_agg(listed), '[]')) from (
    select item.id, item.type, item.name, is_likely
    from private.replaced_by(items, replaced_parts.gear_id, day, replaced_parts.kind, replaced_parts.at_end)
    join public.maintenance as item using (id)
    order by is_likely desc, item."dateStarted", item.id
  ) as listed
$$;
comment on function public.replaced_parts(bigint, date, bigint[], text, text) is
  'Lists what these items'' parts, or a new part of this kind in this position, would replace on a bike on a day: {items: [{id, type, name, is_likely}]}.';
grant execute on function public.replaced_parts to authenticated;

create function private.without_ends(name text) returns text
language sql immutable security invoker set search_path = ''
as $$
  select case when name ~* '\m(front|rear)\M' then coalesce(upper(left(shorter, 1)) || substr(shorter, 2), name) else name end
  from (
    select nullif(btrim(regexp_replace(regexp_replace(name, '[,\s]*\m(front|rear)\M\s*', ' ', 'gi'), '\(\s*\)', '', 'g'), ' ,-–'), '') as shorter
  ) as shortened
$$;
comment on function private.without_ends(text) is 'Takes "front" and "rear" out of a name, if anything is left.';
grant execute on function private.without_ends to authenticated;

create function private.command_rotate(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_rotate(jsonb) is
  'Puts what is at the front of a bike to the rear, and the other way around: {gear_id, kind, day, without_words}, or {part_id, day, without_words} with either part, by default today. without_words takes "front" and "rear" out of the names. The answer is 409 for a day on or before a start (RMT13) or in the future (RMT14), and unless each end has at most one such part (RMT19). Returns what change_parts does.';
grant execute on function private.command_rotate to authenticated;

create function private.command_name_kinds(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_name_kinds(jsonb) is
  'Says what parts are, and where: {parts: [{id, kind, position}]}. Returns {named, cleared}: how many parts have another kind, and how many of their items lost their position, because the new kind has no ends.';
grant execute on function private.command_name_kinds to authenticated;

create function private.command_change_part_day(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_change_part_day(jsonb) is
  'Moves the end and start of items to another time: {from, to, ended: [id], started: [id]}.';
grant execute on function private.command_change_part_day to authenticated;

create function private.command_set_up_bike(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_set_up_bike(jsonb) is
  'Adds parts to a bike: {gear_id, parts: [{type, name, description, cost, day, earlier_distance, earlier_moving_time, kind, position, count_from, tasks}]}. count_from is that of add_task; tasks is a list of its tasks. Returns {items}.';
grant execute on function private.command_set_up_bike to authenticated;

-- Imports the items that the owner confirmed in the preview. If the log has changed since the preview, nothing is written
-- (RMT04) and the owner previews again. A file may omit an item's part and end reason.

create function private.command_import_items(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_import_items(jsonb) is
  'Writes {added: [item], changed: [{before, after}], records, newest} and returns {written} with the number of written items. With dry_run, returns what preview_import does. records and newest: the previewed log''s item count and highest id. Added items with the same part_id share a new part; items with part_of get that item''s part. earlier_distance, earlier_moving_time and kind, if present, belong to the item''s part.';
grant execute on function private.command_import_items to authenticated;

create function private.lines_in_two_places(plan jsonb) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
declare
  -- In the order of the file.
  new_ids constant bigint[] := array(select id from public.maintenance where id > (plan ->> 'newest')::bigint order by id);
  -- By item.
  lines constant jsonb := (
    select coalesce(jsonb_object_agg(id, line), '{}') from (
      select change #>> '{before,id}' as id, change -> 'line' as line from jsonb_array_elements(plan -> 'changed') as change
      union all
      select new_ids[place]::text, entry -> 'line' from jsonb_array_elements(plan -> 'added') with ordinality as entries (entry, place)
    ) as of_items
  );
  item public.maintenance;
  message text;
  refused jsonb := '{}';
begin
  for item in
    select stored.* from public.maintenance as stored
    where lines ? id::text and exists (select from private.overlapping_periods where overlapping_periods.id = stored.id) order by "dateStarted", id
  loop
    -- Of two lines, the first one stays.
    select private.period_message(other) into message from private.overlapping_periods
    where id = item.id and (
      not lines ? (other).id::text
      or ((other)."dateStarted", (other).id) < (item."dateStarted", item.id) and not refused ? (lines ->> (other).id::text)
    ) order by (other)."dateStarted" limit 1;
    if found then
      refused := refused || jsonb_build_object(lines ->> item.id::text, message);
    end if;
  end loop;
  return refused;
end
$$;
comment on function private.lines_in_two_places(jsonb) is
  'Returns messages, by line, for the lines of an import that would put a part in two places. The import is written already.';
grant execute on function private.lines_in_two_places to authenticated;

create function private.preview_import(plan jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.preview_import(jsonb) is
  'Imports as import_items does, and rolls it back. Each entry and change also has a line. Returns {written, refused}: messages, by line, for lines that would put a part in two places; written counts the others.';
grant execute on function private.preview_import to authenticated;

-- Renaming spelling variants to one name merges their groups of lifetimes.
create function private.command_rename_items(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_rename_items(jsonb) is 'Renames items: {names: [{id, name, was}]}. was is optional; an item with another name by now isn''t renamed. Returns {renamed} with the number of renamed items.';
grant execute on function private.command_rename_items to authenticated;
