-- What the owner agreed to in an import's preview, written whole or not at all. One statement to the data API, and so one
-- transaction. Where the log is no longer what the preview showed, nothing is written (RMT04): the owner looks again.

create function public.import_maintenance(plan jsonb) returns integer
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  written integer;
  made integer;
begin
  if not private.is_owner() then
    raise exception 'The log is its owner''s.' using errcode = '42501';
  end if;

  -- Readers go on; whoever writes to the log waits until this is done, a second import of the same file too.
  lock table public.maintenance in share row exclusive mode;

  -- Which lines are new was decided beside the whole log: it has to have as many records still, and none that came since.
  if (select count(*) from public.maintenance) <> (plan ->> 'records')::bigint
    or exists (select from public.maintenance where id > (plan ->> 'newest')::bigint)
    or exists (
      select from jsonb_array_elements(plan -> 'changed') as change
      cross join lateral jsonb_populate_record(null::public.maintenance, change -> 'before') as shown
      left join public.maintenance as item on item.id = shown.id
      where item is distinct from shown
    )
  then
    -- The code is in the words too: Supabase Lite passes only these on.
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
comment on function public.import_maintenance(jsonb) is
  'Writes {added: [record], changed: [{before, after}], records, newest} and returns how many were written; the last two say how many records the previewed log had, and its greatest id.';

revoke all on function public.import_maintenance(jsonb) from public, anon, service_role;
-- Security invoker: it writes what the owner may write anyway, only all at once.
grant execute on function public.import_maintenance(jsonb) to authenticated;
