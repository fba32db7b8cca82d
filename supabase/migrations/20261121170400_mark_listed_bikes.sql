-- A part can't move to a bike that was deleted on Ride with GPS, so every sync records which bikes its gear list has.

alter table public.bikes add column if not exists is_listed boolean not null default true;
comment on column public.bikes.is_listed is 'Whether the latest gear list on Ride with GPS has this bike.';
grant select (is_listed) on public.bikes to authenticated;
-- No insert or update for authenticated: bikes come from Ride with GPS.

create or replace function private.mark_listed_bikes(gear jsonb) returns void
language sql volatile security invoker set search_path = ''
as $$
  update public.bikes as bike set is_listed = not bike.is_listed
  where bike.is_listed is distinct from exists (
    select from jsonb_to_recordset(gear) as listed (gear_id bigint) where listed.gear_id = bike.gear_id
  )
  -- An empty list is more likely a fault of Ride with GPS than an owner without bikes.
  and gear <> '[]'
$$;
comment on function private.mark_listed_bikes(jsonb) is 'Sets is_listed of every bike from a gear list, [{gear_id}].';
revoke all on function private.mark_listed_bikes(jsonb) from public;
grant execute on function private.mark_listed_bikes(jsonb) to service_role;
