-- Actions on several log items, each in one transaction. Security invoker: the owner may make each change separately.

-- Replacing, moving, storing and installing parts.
--
-- A change ends items ("take_off") and starts items ("put_on") at the same moment. Replace: take off a part, put on its
-- successor. Move: take a part off one bike, put it on another. Store: only take off. Install: only put on. Swap: take off
-- two parts, put them on again. An item's end is excluded, so no ride counts for both the old and the new item.

create function public.change_parts(change jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  request_key constant uuid := change ->> 'request_key';
  content constant jsonb := change - 'request_key';
  day constant date := change ->> 'day';
  off_ids constant bigint[] := array(select (off ->> 'id')::bigint from jsonb_array_elements(change -> 'take_off') as off);
  -- Items whose parts are put back on.
  from_ids constant bigint[] := array(
    select (put ->> 'part_of')::bigint from jsonb_array_elements(change -> 'put_on') as put where put ? 'part_of'
  );
  earlier private.requests;
  addition record;
  new_item public.maintenance;
  moment timestamp;
  added jsonb := '[]';
  replaced jsonb := '[]';
begin
  perform private.require_owner();

  earlier := private.earlier_request(request_key);
  -- Make the change again if it has been undone since.
  if earlier.key is not null and not exists (
    select from jsonb_populate_recordset(null::public.maintenance, (earlier.answer -> 'ended') || (earlier.answer -> 'added')) as written
    left join public.maintenance as item using (id)
    where item.id is null or written."dateEnded" is not null and item."dateEnded" is null
  ) then
    return private.answer_again(earlier, content);
  end if;

  if change ? 'instead_of' then
    earlier := private.earlier_request((change ->> 'instead_of')::uuid);
    if earlier.key is null then
      raise exception 'The earlier change is unknown.' using errcode = 'RMT11';
    end if;
    perform public.undo_change_parts(earlier.answer);
  end if;

  -- A concurrent change from another tab waits here and then sees this change.
  perform from public.maintenance where id = any (off_ids || from_ids) order by id for update;

  -- Some items, such as imported ones, start or end after 01:00 that day.
  select greatest(day + interval '1 hour', max(times.at)) into moment
  from public.maintenance as item cross join lateral (values (item."dateStarted"), (item."dateEnded")) as times (at)
  where item.id = any (off_ids || from_ids) and times.at::date = day;

  if exists (
    select from unnest(off_ids || from_ids) as used (id) left join public.maintenance as item using (id) where item.id is null
  ) then
    raise exception 'An item was deleted.' using errcode = 'RMT11';
  end if;
  if exists (select from public.maintenance where id = any (off_ids) and "dateEnded" is not null) then
    raise exception 'An item has already ended.' using errcode = 'RMT12';
  end if;
  if exists (select from public.maintenance where id = any (off_ids) and "dateStarted" > moment) then
    raise exception 'The day is before the start of an item.' using errcode = 'RMT13';
  end if;
  if day > private.today() then
    raise exception 'The day is in the future.' using errcode = 'RMT14';
  end if;
  if exists (
    select from jsonb_to_recordset(change -> 'put_on') as put ("bikeId" bigint, part_of bigint)
    join public.maintenance as item on item.id = put.part_of
    where item."bikeId" = put."bikeId" and item.id = any (off_ids)
  ) then
    raise exception 'The part is already on this bike.' using errcode = 'RMT15';
  end if;
  if exists (
    select from jsonb_to_recordset(change -> 'put_on') as put ("bikeId" bigint, replaces bigint)
    left join public.bikes as bike on bike.gear_id = put."bikeId"
    -- The log of an unlisted bike can still be edited, so its parts can be replaced.
    where put.replaces is null and not coalesce(bike.is_listed, false)
  ) then
    raise exception 'The bike is no longer on Ride with GPS.' using errcode = 'RMT16';
  end if;

  update public.maintenance as item set "dateEnded" = moment, ended_as = off.ended_as
  from jsonb_to_recordset(change -> 'take_off') as off (id bigint, ended_as text)
  where item.id = off.id;

  for addition in
    select wanted.*, replaced_item.part_id as old_part,
      coalesce(replaced_item."bikeId", wanted."bikeId") as gear_id,
      coalesce(source.part_id, private.add_part(wanted.earlier_distance, wanted.earlier_moving_time)) as part_id,
      -- A part that is put back on gets a copy of its item (part_of), except for the cost.
      case when source.id is null then wanted.type else source.type end as item_type,
      case when source.id is null then coalesce(wanted.name, '') else source.name end as item_name,
      case when source.id is null then wanted.description else source.description end as item_description,
      case when source.id is null then coalesce(wanted.cost, 0) else 0 end as item_cost
    from rows from (
      jsonb_to_recordset(change -> 'put_on') as (
        "bikeId" bigint, part_of bigint, replaces bigint, type text, name text, description text, cost numeric,
        earlier_distance numeric, earlier_moving_time integer
      )
    ) with ordinality as wanted (
      "bikeId", part_of, replaces, type, name, description, cost, earlier_distance, earlier_moving_time, place
    )
    left join public.maintenance as source on source.id = wanted.part_of
    left join public.maintenance as replaced_item on replaced_item.id = wanted.replaces
    order by place
  loop
    insert into public.maintenance ("bikeId", part_id, type, name, description, cost, "dateStarted")
    values (
      addition.gear_id, addition.part_id, addition.item_type, addition.item_name, addition.item_description, addition.item_cost,
      moment
    )
    returning * into new_item;
    added := added || to_jsonb(new_item);
    if addition.replaces is not null then
      perform private.transfer_tasks(addition.old_part, addition.part_id);
      replaced := replaced || jsonb_build_object('old_part', addition.old_part, 'new_part', addition.part_id);
    end if;
  end loop;

  return private.remember_request(request_key, content, jsonb_build_object(
    'ended', (
      select coalesce(jsonb_agg(to_jsonb(item) order by item.id), '[]') from public.maintenance as item where id = any (off_ids)
    ),
    'added', added, 'replaced', replaced
  ));
end
$$;
comment on function public.change_parts(jsonb) is
  'Writes {request_key, day, take_off: [{id, ended_as}], put_on: [item]}, where an item is {bikeId, part_of} with the id of an item of the same part, or {replaces, type, name, description, cost, earlier_distance, earlier_moving_time}. Returns {ended, added, replaced} for undo_change_parts. Retrying a request changes nothing; reusing its key with different content is answered with 409. instead_of: the key of an earlier request to undo first.';
revoke all on function public.change_parts(jsonb) from public, anon, service_role;
grant execute on function public.change_parts(jsonb) to authenticated;

create function public.undo_change_parts(changed jsonb) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  ended constant bigint[] := array(select (item ->> 'id')::bigint from jsonb_array_elements(changed -> 'ended') as item);
  added constant bigint[] := array(select (item ->> 'id')::bigint from jsonb_array_elements(changed -> 'added') as item);
begin
  perform private.require_owner();
  perform from public.maintenance where id = any (ended || added) order by id for update;

  if not exists (select from public.maintenance where id = any (added) or id = any (ended) and "dateEnded" is not null) then
    -- An earlier attempt succeeded, but its response was lost.
    return false;
  end if;
  -- Undo never discards later edits: the added items must be unchanged, and the ended items must still have the same end.
  if exists (
    select from jsonb_array_elements(changed -> 'added') as before
    left join public.maintenance as item on item.id = (before ->> 'id')::bigint
    where to_jsonb(item) is distinct from before
  ) or exists (
    select from jsonb_populate_recordset(null::public.maintenance, changed -> 'ended') as before
    left join public.maintenance as item using (id)
    where (item."dateEnded", item.ended_as) is distinct from (before."dateEnded", before.ended_as) or item.id is null
  ) then
    raise exception 'The log has changed since.' using errcode = 'RMT11';
  end if;

  perform set_config('tracker.log_source', 'restore', true);
  perform private.transfer_tasks(new_part, old_part)
  from jsonb_to_recordset(changed -> 'replaced') as replaced (old_part bigint, new_part bigint);
  delete from public.maintenance where id = any (added);
  -- Only items without an end can be taken off, so clear the end again.
  update public.maintenance set "dateEnded" = null where id = any (ended);
  -- change_parts may continue in this transaction, so reset the source.
  perform set_config('tracker.log_source', '', true);
  return true;
end
$$;
comment on function public.undo_change_parts(jsonb) is
  'Undoes a change, given the answer of change_parts. Raises RMT11 if its items have been edited since. Returns false if nothing was left to undo.';
revoke all on function public.undo_change_parts(jsonb) from public, anon, service_role;
grant execute on function public.undo_change_parts(jsonb) to authenticated;

create function public.change_part_day(change jsonb) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  before constant timestamp := change ->> 'from';
  after constant timestamp := change ->> 'to';
  ended constant bigint[] := array(select jsonb_array_elements_text(change -> 'ended')::bigint);
  started constant bigint[] := array(select jsonb_array_elements_text(change -> 'started')::bigint);
  at_before bigint;
  at_after bigint;
begin
  perform private.require_owner();
  perform from public.maintenance where id = any (ended || started) order by id for update;

  select count(*) filter (where at = before), count(*) filter (where at = after) into at_before, at_after
  from (
    select "dateEnded" from public.maintenance where id = any (ended)
    union all
    select "dateStarted" from public.maintenance where id = any (started)
  ) as times (at);
  if at_after = cardinality(ended || started) then
    -- An earlier attempt succeeded, but its response was lost.
    return false;
  end if;
  if at_before <> cardinality(ended || started) then
    raise exception 'The log has changed since.' using errcode = 'RMT11';
  end if;
  if after::date > private.today() then
    raise exception 'The day is in the future.' using errcode = 'RMT14';
  end if;

  update public.maintenance set
    "dateEnded" = case when id = any (ended) then after else "dateEnded" end,
    "dateStarted" = case when id = any (started) then after else "dateStarted" end
  where id = any (ended || started);
  return true;
end
$$;
comment on function public.change_part_day(jsonb) is
  'Moves the end and start of items to another time: {from, to, ended: [id], started: [id]}. Returns false if nothing was left to change.';
revoke all on function public.change_part_day(jsonb) from public, anon, service_role;
grant execute on function public.change_part_day(jsonb) to authenticated;

create function public.set_up_bike(request_key uuid, gear_id bigint, parts jsonb, instead_of uuid default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  content constant jsonb := jsonb_build_object('gear_id', gear_id, 'parts', parts, 'instead_of', instead_of);
  earlier private.requests;
  line record;
  new_item public.maintenance;
  items jsonb := '[]';
  tasks jsonb := '[]';
begin
  perform private.require_owner();

  earlier := private.earlier_request(request_key);
  -- Set up the bike again if that has been undone since.
  if earlier.key is not null and exists (
    select from jsonb_to_recordset(earlier.answer -> 'items') as written (id bigint) join public.maintenance using (id)
  ) then
    return private.answer_again(earlier, content);
  end if;

  if instead_of is not null then
    earlier := private.earlier_request(instead_of);
    if earlier.key is null then
      raise exception 'The earlier request is unknown.' using errcode = 'RMT11';
    end if;
    perform public.undo_set_up_bike(earlier.answer);
  end if;

  for line in
    select wanted.*
    from rows from (
      jsonb_to_recordset(set_up_bike.parts) as (
        type text, name text, description text, cost numeric, day date, earlier_distance numeric, earlier_moving_time integer,
        tasks jsonb
      )
    ) with ordinality as wanted (type, name, description, cost, day, earlier_distance, earlier_moving_time, tasks, place)
    order by place
  loop
    insert into public.maintenance ("bikeId", part_id, type, name, description, cost, "dateStarted")
    values (
      set_up_bike.gear_id, private.add_part(line.earlier_distance, line.earlier_moving_time), line.type, coalesce(line.name, ''),
      line.description, coalesce(line.cost, 0), line.day + interval '1 hour'
    )
    returning * into new_item;
    items := items || to_jsonb(new_item);

    with added as (
      insert into public.service_tasks (part_id, name, kind, every_distance, every_moving_time, every_days, outdoor_only)
      select new_item.part_id, coalesce(task.name, ''), coalesce(task.kind, 'service'), task.every_distance, task.every_moving_time,
        task.every_days, coalesce(task.outdoor_only, false)
      from jsonb_populate_recordset(null::public.service_tasks, line.tasks) as task
      returning *
    )
    select tasks || coalesce(jsonb_agg(to_jsonb(added) order by added.id), '[]') into tasks from added;
  end loop;

  return private.remember_request(request_key, content, jsonb_build_object(
    'items', items,
    'parts', (
      select coalesce(jsonb_agg(to_jsonb(part) order by part.id), '[]') from public.parts as part
      where part.id in (select (item ->> 'part_id')::bigint from jsonb_array_elements(items) as item)
    ),
    'tasks', tasks
  ));
end
$$;
comment on function public.set_up_bike(uuid, bigint, jsonb, uuid) is
  'Adds parts to a bike: [{type, name, description, cost, day, earlier_distance, earlier_moving_time, tasks}], where tasks is [{name, kind, every_distance, every_moving_time, every_days, outdoor_only}]. Returns {items, parts, tasks} for undo_set_up_bike. Retrying a request adds nothing; reusing its key with different content is answered with 409. instead_of: the key of an earlier request to undo first.';
revoke all on function public.set_up_bike(uuid, bigint, jsonb, uuid) from public, anon, service_role;
grant execute on function public.set_up_bike(uuid, bigint, jsonb, uuid) to authenticated;

create function public.undo_set_up_bike(written jsonb) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item_ids constant bigint[] := array(select (item ->> 'id')::bigint from jsonb_array_elements(written -> 'items') as item);
  part_ids constant bigint[] := array(select (part ->> 'id')::bigint from jsonb_array_elements(written -> 'parts') as part);
  task_ids constant bigint[] := array(select (task ->> 'id')::bigint from jsonb_array_elements(written -> 'tasks') as task);
begin
  perform private.require_owner();
  perform from public.maintenance where id = any (item_ids) order by id for update;
  perform from public.parts where id = any (part_ids) order by id for update;
  perform from public.service_tasks where id = any (task_ids) order by id for update;

  if not exists (select from public.maintenance where id = any (item_ids))
    and not exists (select from public.service_tasks where id = any (task_ids)) then
    -- An earlier attempt succeeded, but its response was lost.
    return false;
  end if;
  -- Undo never discards later edits: the rows must be unchanged, and the parts must have no new items, tasks, events or
  -- measurements.
  if exists (
    select from jsonb_array_elements(written -> 'items') as before
    left join public.maintenance as item on item.id = (before ->> 'id')::bigint
    where to_jsonb(item) is distinct from before
  ) or exists (
    select from jsonb_array_elements(written -> 'parts') as before
    left join public.parts as part on part.id = (before ->> 'id')::bigint
    where to_jsonb(part) is distinct from before
  ) or exists (
    select from jsonb_array_elements(written -> 'tasks') as before
    left join public.service_tasks as task on task.id = (before ->> 'id')::bigint
    where to_jsonb(task) is distinct from before
  ) or exists (
    select from public.maintenance where part_id = any (part_ids) and id <> all (item_ids)
  ) or exists (
    select from public.service_tasks where part_id = any (part_ids) and id <> all (task_ids)
  ) or exists (
    select from public.service_events where part_id = any (part_ids)
  ) or exists (
    select from public.wear_measurements where part_id = any (part_ids)
  ) then
    raise exception 'The log has changed since.' using errcode = 'RMT11';
  end if;

  perform set_config('tracker.log_source', 'restore', true);
  delete from public.service_tasks where id = any (task_ids);
  delete from public.maintenance where id = any (item_ids);
  perform set_config('tracker.log_source', '', true);
  return true;
end
$$;
comment on function public.undo_set_up_bike(jsonb) is
  'Undoes set_up_bike, given its answer. Raises RMT11 if anything has been edited or used since. Returns false if nothing was left to undo.';
revoke all on function public.undo_set_up_bike(jsonb) from public, anon, service_role;
grant execute on function public.undo_set_up_bike(jsonb) to authenticated;

-- Imports the items that the owner confirmed in the preview. If the log has changed since the preview, nothing is written
-- (RMT04) and the owner previews again. A file may omit an item's part and end reason.

create function public.import_maintenance(plan jsonb) returns integer
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  updated integer;
  added integer;
begin
  perform private.require_owner();

  -- Block other writes, including a second import of the same file, until this transaction ends. Reads continue.
  lock table public.maintenance in share row exclusive mode;

  -- The trash shows this transaction's changes as an import.
  perform set_config('tracker.log_source', 'import', true);

  -- The preview compared the file with the complete log, so no item may be missing or new. Compare only the columns that the
  -- preview shows, so columns added later don't matter.
  if (select count(*) from public.maintenance) <> (plan ->> 'records')::bigint
    or exists (select from public.maintenance where id > (plan ->> 'newest')::bigint)
    or exists (
      select from jsonb_array_elements(plan -> 'changed') as change
      cross join lateral jsonb_populate_record(null::public.maintenance, change -> 'before') as shown
      left join public.maintenance as item on item.id = shown.id
      where (
        item.id, item."bikeId", item.type, item.name, item.description, item.cost, item."dateStarted", item."dateEnded", item.ended_as
      ) is distinct from (
        shown.id, shown."bikeId", shown.type, shown.name, shown.description, shown.cost, shown."dateStarted", shown."dateEnded",
        -- A page loaded before the tracker was updated doesn't send ended_as.
        case when change -> 'before' ? 'ended_as' then shown.ended_as else item.ended_as end
      )
    )
    or exists (
      select from jsonb_array_elements(plan -> 'changed') as change
      cross join lateral jsonb_populate_record(null::public.parts, change -> 'before') as shown
      join public.maintenance as item on item.id = shown.id
      join public.parts as part on part.id = item.part_id
      where change -> 'before' ? 'earlier_distance'
        and (part.earlier_distance, part.earlier_moving_time) is distinct from (shown.earlier_distance, shown.earlier_moving_time)
    )
  then
    -- The message repeats the code because Supabase Lite only returns the message.
    raise exception 'RMT04: The log has changed since the preview.' using errcode = 'RMT04';
  end if;

  update public.maintenance as item
  set type = wanted.type, name = wanted.name, description = wanted.description, cost = wanted.cost,
    "dateStarted" = wanted."dateStarted", "dateEnded" = wanted."dateEnded",
    ended_as = case
      when wanted."dateEnded" is null then null when change -> 'after' ? 'ended_as' then wanted.ended_as else item.ended_as
    end
  from jsonb_array_elements(plan -> 'changed') as change
  cross join lateral jsonb_populate_record(null::public.maintenance, change -> 'after') as wanted
  where item.id = (change #>> '{before,id}')::bigint;
  get diagnostics updated = row_count;

  update public.parts as part
  set earlier_distance = wanted.earlier_distance, earlier_moving_time = wanted.earlier_moving_time
  from jsonb_array_elements(plan -> 'changed') as change
  cross join lateral jsonb_populate_record(null::public.parts, change -> 'after') as wanted
  join public.maintenance as item on item.id = (change #>> '{before,id}')::bigint
  where part.id = item.part_id and change -> 'after' ? 'earlier_distance'
    and (part.earlier_distance, part.earlier_moving_time) is distinct from (wanted.earlier_distance, wanted.earlier_moving_time);

  -- The file may come from another tracker, so its part numbers don't identify parts in this log.
  with rows as materialized (
    select line.*, (entry ->> 'part_of')::bigint as part_of, (entry ->> 'earlier_distance')::numeric as earlier_distance,
      (entry ->> 'earlier_moving_time')::integer as earlier_moving_time, place
    from jsonb_array_elements(plan -> 'added') with ordinality as entries (entry, place)
    cross join lateral jsonb_populate_record(null::public.maintenance, entry) as line
  ), parts as materialized (
    select in_file, private.add_part(earlier_distance, earlier_moving_time) as part_id
    from (
      select part_id as in_file, max(earlier_distance) as earlier_distance, max(earlier_moving_time) as earlier_moving_time
      from rows where part_id is not null and part_of is null group by part_id
    ) as named
  )
  insert into public.maintenance ("bikeId", part_id, type, name, description, cost, "dateStarted", "dateEnded", ended_as)
  select rows."bikeId", coalesce(joined.part_id, parts.part_id, private.add_part(rows.earlier_distance, rows.earlier_moving_time)),
    rows.type, rows.name, rows.description, rows.cost, rows."dateStarted", rows."dateEnded", rows.ended_as
  from rows
  left join public.maintenance as joined on joined.id = rows.part_of
  left join parts on parts.in_file = rows.part_id and rows.part_of is null
  order by place;
  get diagnostics added = row_count;
  return updated + added;
end
$$;
comment on function public.import_maintenance(jsonb) is
  'Writes {added: [item], changed: [{before, after}], records, newest} and returns the number of written items. records and newest: the previewed log''s item count and highest id. Added items with the same part_id share a new part; items with part_of get that item''s part. earlier_distance and earlier_moving_time, if present, belong to the item''s part.';
revoke all on function public.import_maintenance(jsonb) from public, anon, service_role;
grant execute on function public.import_maintenance(jsonb) to authenticated;

-- Renaming spelling variants to one name merges their groups of lifetimes.
create function public.rename_items(names jsonb) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  before json;
begin
  perform private.require_owner();
  perform from public.maintenance as item
  where item.id in (select id from jsonb_to_recordset(names) as renamed (id bigint)) order by item.id for update;

  select coalesce(json_agg(json_build_object('id', item.id, 'name', item.name, 'was', renamed.name) order by item.id), '[]') into before
  from public.maintenance as item
  join jsonb_to_recordset(names) as renamed (id bigint, name text, was text) using (id)
  -- Undo doesn't overwrite names that have been edited since.
  where item.name <> renamed.name and (renamed.was is null or item.name = renamed.was);

  update public.maintenance as item set name = renamed.was
  from json_to_recordset(before) as renamed (id bigint, was text)
  where item.id = renamed.id;
  return before;
end
$$;
comment on function public.rename_items(jsonb) is
  'Renames items: [{id, name, was}]. was is optional; an item whose name differs from it isn''t renamed. Returns a list of the same form to undo the changes. Repeating a call changes nothing.';
revoke all on function public.rename_items(jsonb) from public, anon, service_role;
grant execute on function public.rename_items(jsonb) to authenticated;
