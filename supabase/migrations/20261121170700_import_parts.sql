-- Imports say which part an item belongs to and why it ended. A file may also leave these columns out.

create or replace function public.import_maintenance(plan jsonb) returns integer
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  updated integer;
  added integer;
begin
  if not private.is_owner() then
    raise exception 'Only the owner can import.' using errcode = '42501';
  end if;

  -- Reads continue. Other writes wait until this transaction ends, including a second import of the same file.
  lock table public.maintenance in share row exclusive mode;

  -- The trash shows the changes of this transaction as an import.
  perform set_config('tracker.log_source', 'import', true);

  -- The preview compared the file with the complete log, so no item may be missing or new. Items are compared by the
  -- columns that the preview shows, so columns added later don't matter.
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
        -- An open page from before an update of the tracker doesn't know the reason.
        case when change -> 'before' ? 'ended_as' then shown.ended_as else item.ended_as end
      )
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

  -- A part that was never in this log is new, and the items that name it share it.
  with rows as materialized (
    select * from jsonb_populate_recordset(null::public.maintenance, plan -> 'added')
  ), parts as materialized (
    select named.part_id as in_file, coalesce(part.id, private.add_part()) as part_id
    from (select distinct part_id from rows where part_id is not null) as named
    left join public.parts as part on part.id = named.part_id
  )
  insert into public.maintenance ("bikeId", part_id, type, name, description, cost, "dateStarted", "dateEnded", ended_as)
  select "bikeId", coalesce(parts.part_id, private.add_part()), type, name, description, cost, "dateStarted", "dateEnded", ended_as
  from rows left join parts on parts.in_file = rows.part_id;
  get diagnostics added = row_count;
  return updated + added;
end
$$;
comment on function public.import_maintenance(jsonb) is
  'Writes {added: [item], changed: [{before, after}], records, newest} and returns how many items were written. records and newest: the item count and the highest id of the previewed log. Added items with the same part_id share a part.';
