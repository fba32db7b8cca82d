-- Imports the items that the owner confirmed in the preview, in one transaction. If the log has changed since the preview,
-- nothing is written (RMT04) and the owner previews again.

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

  -- The preview compared the file with the complete log, so no item may be missing or new. Items are compared by the
  -- columns that the preview shows, so columns added later don't matter.
  if (select count(*) from public.maintenance) <> (plan ->> 'records')::bigint
    or exists (select from public.maintenance where id > (plan ->> 'newest')::bigint)
    or exists (
      select from jsonb_array_elements(plan -> 'changed') as change
      cross join lateral jsonb_populate_record(null::public.maintenance, change -> 'before') as shown
      left join public.maintenance as item on item.id = shown.id
      where (item.id, item."bikeId", item.type, item.name, item.description, item.cost, item."dateStarted", item."dateEnded")
        is distinct from
        (shown.id, shown."bikeId", shown.type, shown.name, shown.description, shown.cost, shown."dateStarted", shown."dateEnded")
    )
  then
    -- The message repeats the code because Supabase Lite only returns the message.
    raise exception 'RMT04: The log has changed since the preview.' using errcode = 'RMT04';
  end if;

  update public.maintenance as item
  set type = wanted.type, name = wanted.name, description = wanted.description, cost = wanted.cost,
    "dateStarted" = wanted."dateStarted", "dateEnded" = wanted."dateEnded"
  from jsonb_array_elements(plan -> 'changed') as change
  cross join lateral jsonb_populate_record(null::public.maintenance, change -> 'after') as wanted
  where item.id = (change #>> '{before,id}')::bigint;
  get diagnostics updated = row_count;

  insert into public.maintenance ("bikeId", type, name, description, cost, "dateStarted", "dateEnded")
  select "bikeId", type, name, description, cost, "dateStarted", "dateEnded"
  from jsonb_populate_recordset(null::public.maintenance, plan -> 'added');
  get diagnostics added = row_count;
  return updated + added;
end
$$;
comment on function public.import_maintenance(jsonb) is
  'Writes {added: [item], changed: [{before, after}], records, newest} and returns how many items were written. records and newest: the item count and the highest id of the previewed log.';

revoke all on function public.import_maintenance(jsonb) from public, anon, service_role;
-- Security invoker: the owner may make the same changes one by one.
grant execute on function public.import_maintenance(jsonb) to authenticated;
