-- Replacing, moving, storing and installing parts. Each call is one transaction: all of it happens, or nothing.
--
-- A change ends items ("take_off") and starts items ("put_on") at the same moment. Replace: the old item off, its successor
-- on. Move: an item off one bike, the same part on another. Store: only off. Install: only on. Swap: two parts off and on.
-- The end of an item is excluded, so no ride counts for both an item and the one that starts where it ends.

-- Replaced by the migration that adds service tasks.
create or replace function private.hand_over_tasks(old_part bigint, new_part bigint) returns void
language sql volatile security invoker set search_path = ''
as $$ select $$;
comment on function private.hand_over_tasks(bigint, bigint) is 'The service tasks of a part continue with the part that replaces it.';
revoke all on function private.hand_over_tasks(bigint, bigint) from public;
grant execute on function private.hand_over_tasks(bigint, bigint) to authenticated;

create or replace function private.changed_parts(change jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with put as materialized (
    select * from jsonb_to_recordset(change -> 'put_on') as put (request_key uuid, replaces bigint)
  )
  select jsonb_build_object(
    'ended', (
      select coalesce(jsonb_agg(to_jsonb(item) order by item.id), '[]') from public.maintenance as item
      where item.id in (select (off ->> 'id')::bigint from jsonb_array_elements(change -> 'take_off') as off)
    ),
    'added', (
      select coalesce(jsonb_agg(to_jsonb(item) order by item.id), '[]') from public.maintenance as item join put using (request_key)
    ),
    'replaced', (
      select coalesce(jsonb_agg(jsonb_build_object('old_part', old.part_id, 'new_part', new.part_id)), '[]')
      from put join public.maintenance as new using (request_key) join public.maintenance as old on old.id = put.replaces
    )
  )
$$;
comment on function private.changed_parts(jsonb) is 'What a change wrote: the items that ended, the items added, and which part replaced which.';
revoke all on function private.changed_parts(jsonb) from public;
grant execute on function private.changed_parts(jsonb) to authenticated;

create or replace function public.change_parts(change jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  day constant date := change ->> 'day';
  off_ids constant bigint[] := array(select (off ->> 'id')::bigint from jsonb_array_elements(change -> 'take_off') as off);
  -- The items whose part is put on.
  from_ids constant bigint[] := array(
    select (put ->> 'part_of')::bigint from jsonb_array_elements(change -> 'put_on') as put where put ? 'part_of'
  );
  keys constant uuid[] := array(select (put ->> 'request_key')::uuid from jsonb_array_elements(change -> 'put_on') as put);
  moment timestamp;
  changed jsonb;
begin
  if not private.is_owner() then
    raise exception 'Only the owner can change parts.' using errcode = '42501';
  end if;

  -- A second attempt, or another tab, waits here and then sees what the first one wrote.
  perform from public.maintenance where id = any (off_ids || from_ids) order by id for update;

  -- Items that were imported or have the default start may start or end later than 01:00 that day.
  select greatest(day + interval '1 hour', max(times.at)) into moment
  from public.maintenance as item cross join lateral (values (item."dateStarted"), (item."dateEnded")) as times (at)
  where item.id = any (off_ids || from_ids) and times.at::date = day;

  if exists (select from public.maintenance where request_key = any (keys)) or keys = '{}' and not exists (
    select from jsonb_to_recordset(change -> 'take_off') as off (id bigint, ended_as text)
    left join public.maintenance as item on item.id = off.id and item."dateEnded" = moment
      and item.ended_as is not distinct from off.ended_as
    where item.id is null
  ) then
    -- An earlier attempt succeeded, but its response was lost.
    return private.changed_parts(change);
  end if;

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
    -- On a bike that is gone, parts can still be replaced, as every entry of its log can be edited.
    where put.replaces is null and not coalesce(bike.is_listed, false)
  ) then
    raise exception 'The bike is no longer on Ride with GPS.' using errcode = 'RMT16';
  end if;

  update public.maintenance as item set "dateEnded" = moment, ended_as = off.ended_as
  from jsonb_to_recordset(change -> 'take_off') as off (id bigint, ended_as text)
  where item.id = off.id;

  insert into public.maintenance (request_key, "bikeId", part_id, type, name, description, cost, "dateStarted")
  select put.request_key, coalesce(replaced."bikeId", put."bikeId"), coalesce(source.part_id, private.add_part()),
    -- A part keeps what the log says about it now. Its cost stays with its first item.
    case when source.id is null then put.type else source.type end,
    case when source.id is null then coalesce(put.name, '') else source.name end,
    case when source.id is null then put.description else source.description end,
    case when source.id is null then coalesce(put.cost, 0) else 0 end, moment
  from jsonb_to_recordset(change -> 'put_on') as put (
    request_key uuid, "bikeId" bigint, part_of bigint, replaces bigint, type text, name text, description text, cost numeric
  )
  left join public.maintenance as source on source.id = put.part_of
  left join public.maintenance as replaced on replaced.id = put.replaces;

  changed := private.changed_parts(change);
  perform private.hand_over_tasks(old_part, new_part)
  from jsonb_to_recordset(changed -> 'replaced') as handed (old_part bigint, new_part bigint);
  return changed;
end
$$;
comment on function public.change_parts(jsonb) is
  'Writes {day, take_off: [{id, ended_as}], put_on: [item]}, where an item is {request_key, bikeId, part_of} with the id of an item whose part it is, or {request_key, replaces, type, name, description, cost}. Returns {ended, added, replaced} for undo_change_parts. Repeating a call changes nothing.';

create or replace function public.undo_change_parts(changed jsonb) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  ended constant bigint[] := array(select (item ->> 'id')::bigint from jsonb_array_elements(changed -> 'ended') as item);
  added constant bigint[] := array(select (item ->> 'id')::bigint from jsonb_array_elements(changed -> 'added') as item);
begin
  if not private.is_owner() then
    raise exception 'Only the owner can change parts.' using errcode = '42501';
  end if;
  perform from public.maintenance where id = any (ended || added) order by id for update;

  if not exists (select from public.maintenance where id = any (added) or id = any (ended) and "dateEnded" is not null) then
    -- An earlier attempt succeeded, but its response was lost.
    return false;
  end if;
  -- Undo never discards a later edit: the added items must be unchanged, the others must still end as they did.
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

  perform private.hand_over_tasks(new_part, old_part)
  from jsonb_to_recordset(changed -> 'replaced') as handed (old_part bigint, new_part bigint);
  delete from public.maintenance where id = any (added);
  -- Only items without an end are taken off, so this is what they were.
  update public.maintenance set "dateEnded" = null where id = any (ended);
  return true;
end
$$;
comment on function public.undo_change_parts(jsonb) is
  'Undoes a change with the answer of change_parts, unless its items were edited since (RMT11). Returns whether anything was left to undo.';

create or replace function public.change_part_day(change jsonb) returns boolean
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
  if not private.is_owner() then
    raise exception 'Only the owner can change parts.' using errcode = '42501';
  end if;
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
  'Writes {from, to, ended: [id], started: [id]}: these items ended and started at one time, and now at another. Returns whether anything was left to change.';

-- Security invoker: the owner may make the same changes one by one.
revoke all on function public.change_parts(jsonb), public.undo_change_parts(jsonb), public.change_part_day(jsonb)
  from public, anon, service_role;
grant execute on function public.change_parts(jsonb), public.undo_change_parts(jsonb), public.change_part_day(jsonb)
  to authenticated;
