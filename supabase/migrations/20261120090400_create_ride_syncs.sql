-- The ledger of refreshes: a row per run of update-rides, also of one that failed or died.

create table public.ride_syncs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  triggered_by text not null check (triggered_by in ('owner', 'schedule')),
  outcome text not null default 'running' check (outcome in ('running', 'ok', 'failed', 'interrupted')),
  code text,
  fetched integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  removed integer not null default 0,
  set_aside integer not null default 0,
  found_empty boolean not null default false,
  constraint ride_syncs_finished_check check ((outcome = 'running') = (finished_at is null))
);
comment on table public.ride_syncs is 'A row per refresh of rides; the counts of a running one are its progress.';
comment on column public.ride_syncs.code is 'Why it failed: the code that update-rides answered with.';
comment on column public.ride_syncs.fetched is 'Rides received so far.';
comment on column public.ride_syncs.added is 'Rides that were not here before.';
comment on column public.ride_syncs.changed is 'Rides that differed from what was here.';
comment on column public.ride_syncs.removed is 'Rides that a complete list no longer held.';
comment on column public.ride_syncs.set_aside is 'Rows that could not be read; the rides that they stand for were left as they were.';
comment on column public.ride_syncs.found_empty is 'Whether a complete list held no trip at all while there were rides here.';

-- The lock: two runs cannot be running at once, whoever started them.
create unique index ride_syncs_one_running_idx on public.ride_syncs (outcome) where outcome = 'running';
-- "When were rides last updated?"
create index ride_syncs_last_ok_idx on public.ride_syncs (finished_at desc) where outcome = 'ok';

alter table public.ride_syncs enable row level security;
revoke all on public.ride_syncs from public, anon, authenticated, service_role;
revoke all on sequence public.ride_syncs_id_seq from public, anon, authenticated, service_role;

create policy "The owner reads the ledger" on public.ride_syncs
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_syncs to authenticated;
-- No insert, update or delete for authenticated: the ledger tells what happened, and is not to be edited.
-- anon: nothing.

grant select, insert on public.ride_syncs to service_role;
grant update (finished_at, outcome, code, fetched, added, changed, removed, set_aside, found_empty)
  on public.ride_syncs to service_role;
-- No delete for service_role: nothing removes a line from the ledger.
