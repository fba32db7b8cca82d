-- Brand, model and archive state of a bike, from the gear list on Ride with GPS.

alter table public.bikes
  add column if not exists brand text,
  add column if not exists model text,
  add column if not exists is_retired boolean not null default false;
comment on column public.bikes.brand is 'The gear''s make. Null: unknown.';
comment on column public.bikes.model is 'Null: unknown.';
comment on column public.bikes.is_retired is
  'Whether the gear is archived on Ride with GPS. A bike that was deleted there keeps its last state.';

grant select (brand, model, is_retired) on public.bikes to authenticated;
-- No insert, update or delete for authenticated: bikes come from Ride with GPS.

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
