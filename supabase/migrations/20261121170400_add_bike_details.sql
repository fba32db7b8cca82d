-- Brand, model and state of a bike, from the gear list on Ride with GPS.

alter table public.bikes
  add column if not exists is_listed boolean not null default true,
  add column if not exists brand text,
  add column if not exists model text,
  add column if not exists is_retired boolean not null default false;
-- A part can't move to a bike that was deleted on Ride with GPS.
comment on column public.bikes.is_listed is 'Whether the latest gear list on Ride with GPS has this bike.';
comment on column public.bikes.brand is 'The gear''s make. Null: unknown.';
comment on column public.bikes.model is 'Null: unknown.';
comment on column public.bikes.is_retired is
  'Whether the gear is archived on Ride with GPS. A bike that was deleted there keeps its last state.';

grant select (is_listed, brand, model, is_retired) on public.bikes to authenticated;
-- No insert, update or delete for authenticated: bikes come from Ride with GPS.

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

create or replace function public.store_bikes(sync_id bigint, gear jsonb) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This sync was closed. Another one may have started.' using errcode = 'RMT02';
  end if;

  insert into public.bikes as stored (gear_id, name, brand, model, is_retired)
  select gear_id, name, brand, model, coalesce(is_retired, false)
  from jsonb_to_recordset(gear) as listed (gear_id bigint, name text, brand text, model text, is_retired boolean)
  on conflict (gear_id) do update set
    name = excluded.name, brand = excluded.brand, model = excluded.model, is_retired = excluded.is_retired
  where (stored.name, stored.brand, stored.model, stored.is_retired)
    is distinct from (excluded.name, excluded.brand, excluded.model, excluded.is_retired);
  perform private.mark_listed_bikes(gear);
end
$$;
comment on function public.store_bikes(bigint, jsonb) is
  'Upserts [{gear_id, name, brand, model, is_retired}]. Bikes that are not in the list stay.';
