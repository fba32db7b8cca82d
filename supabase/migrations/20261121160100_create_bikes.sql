-- Bikes: the gear list of the Ride with GPS account.

create table public.bikes (
  gear_id bigint primary key,
  name text not null
);
comment on table public.bikes is
  'Every bike ever seen on Ride with GPS. A bike that was deleted there keeps its row here, and with it its log.';
comment on column public.bikes.gear_id is 'The gear''s id on Ride with GPS.';
comment on column public.bikes.name is 'The gear''s nickname, else its name, else its make and model, else "Bike {id}".';

alter table public.bikes enable row level security;
revoke all on public.bikes from public, anon, authenticated, service_role;

create policy "The owner reads the bikes" on public.bikes
for select to authenticated using ((select private.is_owner()));

grant select (gear_id, name) on public.bikes to authenticated;
-- No insert, update or delete for authenticated: bikes come from Ride with GPS.
-- Nothing for anon: reading requires signing in.

grant select, insert, update on public.bikes to service_role;
-- No delete for service_role: deleting gear on Ride with GPS must not delete its history here.
