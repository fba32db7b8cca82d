-- Bikes: the gear list of the Ride with GPS account.

create table public.bikes (
  gear_id bigint primary key,
  name text not null
);
comment on table public.bikes is
  'A bike per piece of gear ever seen at Ride with GPS. A gear that vanishes there keeps its row, and so its log.';
comment on column public.bikes.gear_id is 'The gear''s id at Ride with GPS.';
comment on column public.bikes.name is 'Its nickname, else its name, else make and model, else "Bike {id}".';

alter table public.bikes enable row level security;
revoke all on public.bikes from public, anon, authenticated, service_role;

create policy "The owner reads the bikes" on public.bikes
for select to authenticated using ((select private.is_owner()));

grant select (gear_id, name) on public.bikes to authenticated;
-- No insert, update or delete for authenticated: bikes are what Ride with GPS says they are.
-- anon: nothing; nobody reads without signing in.

grant select, insert, update on public.bikes to service_role;
-- No delete for service_role either: history is never lost because a gear vanished at its source.
