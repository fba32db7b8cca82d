-- The sync history: one row per sync, including those that failed or crashed.

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
  waiting integer not null default 0,
  doubt text check (
    doubt in ('empty_list', 'many_missing', 'unreadable_count', 'wrong_count', 'rows_without_id')
  ),
  waiting_from bigint,
  skipped_rows text not null default '',
  rwgps_user_id bigint,
  constraint ride_syncs_finished_check check ((outcome = 'running') = (finished_at is null)),
  constraint ride_syncs_waiting_check check ((waiting > 0) = (doubt is not null))
);
comment on table public.ride_syncs is 'The sync history. The counts of a running sync are its progress.';
comment on column public.ride_syncs.code is 'The error code that update-rides answered with.';
comment on column public.ride_syncs.fetched is 'Rows received so far, including skipped ones.';
comment on column public.ride_syncs.added is 'New rides.';
comment on column public.ride_syncs.changed is 'Rides that differed from the stored ones.';
comment on column public.ride_syncs.removed is
  'Rides removed because the list lacked them, by this sync or later by the owner.';
comment on column public.ride_syncs.set_aside is
  'Rows skipped because their id, time or distance was unreadable. Rides stored earlier stay as they were.';
comment on column public.ride_syncs.waiting is 'Rides that stay although the list lacked them.';
comment on column public.ride_syncs.doubt is 'Why they stay.';
comment on column public.ride_syncs.waiting_from is
  'The first of the latest consecutive syncs that missed exactly these rides. Null: the list proved incomplete, so waiting changes nothing.';
-- Text rather than JSON: a backup holds plain values only.
comment on column public.ride_syncs.skipped_rows is
  'The first 100 skipped rows, one per line: the ride''s id, or # and the row''s position in the list, then the unreadable field.';
comment on column public.ride_syncs.rwgps_user_id is
  'The Ride with GPS account whose rides this sync stored. Null: the sync was refused, failed earlier, or the account was forgotten.';

-- The mutex: only one sync can be running.
create unique index ride_syncs_one_running_idx on public.ride_syncs (outcome) where outcome = 'running';
-- For "last synced".
create index ride_syncs_last_ok_idx on public.ride_syncs (finished_at desc) where outcome = 'ok';

alter table public.ride_syncs enable row level security;
revoke all on public.ride_syncs from public, anon, authenticated, service_role;
revoke all on sequence public.ride_syncs_id_seq from public, anon, authenticated, service_role;

create policy "The owner reads the sync history" on public.ride_syncs
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_syncs to authenticated;
-- No insert, update or delete for authenticated: history is not edited.
-- Nothing for anon.

grant select, insert on public.ride_syncs to service_role;
grant update (
  finished_at, outcome, code, fetched, added, changed, removed, set_aside, waiting, doubt, waiting_from, skipped_rows,
  rwgps_user_id
) on public.ride_syncs to service_role;
-- No delete for service_role: history is not deleted.
