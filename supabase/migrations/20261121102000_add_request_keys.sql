-- An item is added once, however often it is sent: the client chooses a key for it, and the same key again adds nothing.

alter table public.maintenance add column request_key uuid constraint maintenance_request_key_key unique;
comment on column public.maintenance.request_key is
  'Chosen by the client for a new item, so it can send the item again after a lost response; null for imported items.';

grant select (request_key) on public.maintenance to authenticated;
grant insert (request_key) on public.maintenance to authenticated;
-- No update: the key identifies the request that added the item.

-- The preview of an import shows neither the key nor any column to come, so only what it shows is compared.
create or replace function public.import_maintenance(plan jsonb) returns integer
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  written integer;
  made integer;
begin
  if not private.is_owner() then
    raise exception 'Only the owner can import.' using errcode = '42501';
  end if;

  -- Reads go on. Other writes wait until this transaction ends, including a second import of the same file.
  lock table public.maintenance in share row exclusive mode;

  -- Which lines are new was decided by comparing the file with the complete log, so no item may be missing or new.
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
  get diagnostics written = row_count;

  insert into public.maintenance ("bikeId", type, name, description, cost, "dateStarted", "dateEnded")
  select "bikeId", type, name, description, cost, "dateStarted", "dateEnded"
  from jsonb_populate_recordset(null::public.maintenance, plan -> 'added');
  get diagnostics made = row_count;
  return written + made;
end
$$;
