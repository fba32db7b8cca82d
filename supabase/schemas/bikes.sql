-- Bikes, from the gear list of the Ride with GPS account.

create table public.bikes (
  gear_id bigint primary key,
  name text not null,
  is_listed boolean not null default true,
  brand text,
  model text,
  is_retired boolean not null default false,
  in_use_since timestamptz
);
comment on table public.bikes is
  'Every bike ever listed on Ride with GPS. Bikes that were deleted there keep their row and log here.';
comment on column public.bikes.gear_id is 'The gear''s id on Ride with GPS.';
comment on column public.bikes.name is 'The gear''s nickname, else its name, else its make and model, else "Bike {id}".';
-- Parts can't be moved to unlisted bikes.
comment on column public.bikes.is_listed is 'Whether this bike is in the latest gear list on Ride with GPS.';
comment on column public.bikes.brand is 'The gear''s make. Null: unknown.';
comment on column public.bikes.model is 'Null: unknown.';
comment on column public.bikes.is_retired is
  'Whether the gear is archived on Ride with GPS. Bikes that were deleted there keep their last state.';
comment on column public.bikes.in_use_since is 'When the bike came back into use. Null: it was never retired, as far as is known.';

alter table public.bikes enable row level security;

create policy "The owner reads the bikes" on public.bikes
for select to authenticated using ((select private.is_owner()));

grant select (gear_id, name, is_listed, brand, model, is_retired, in_use_since) on public.bikes to authenticated;
-- No insert, update or delete for authenticated: bikes come from Ride with GPS. No grants for anon: reading requires signing in.

grant select, insert, update on public.bikes to service_role;
-- No delete for service_role: deleting gear on Ride with GPS must not delete its history here.

create function private.bike_names() returns jsonb
language sql stable security invoker set search_path = ''
as $$ select coalesce(jsonb_object_agg(gear_id, name), '{}') from public.bikes $$;
comment on function private.bike_names() is 'Returns the bikes'' names by gear_id.';
grant execute on function private.bike_names to authenticated;
