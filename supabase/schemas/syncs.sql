-- The sync history: one row per sync, including failed and crashed syncs.

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
  skipped integer not null default 0,
  pending_removals integer not null default 0,
  mismatch text check (
    mismatch in ('empty_list', 'many_missing', 'unreadable_count', 'wrong_count', 'rows_without_id')
  ),
  pending_since bigint,
  skipped_rows text not null default '',
  rwgps_user_id bigint,
  follows_check boolean not null default false,
  list_count bigint,
  digest text,
  checked_at timestamptz,
  retry_at timestamptz,
  rwgps_user_name text,
  constraint ride_syncs_finished_check check ((outcome = 'running') = (finished_at is null)),
  constraint ride_syncs_pending_check check (pending_removals = 0 or mismatch is not null)
);
comment on table public.ride_syncs is 'The sync history. The counts of a running sync are its progress.';
comment on column public.ride_syncs.code is 'The error code that update-rides returned.';
comment on column public.ride_syncs.fetched is 'Rows received so far, including skipped rows.';
comment on column public.ride_syncs.changed is 'Rides that differed from the stored ones.';
comment on column public.ride_syncs.removed is
  'Rides removed because the list lacked them, by this sync or later by the owner.';
comment on column public.ride_syncs.skipped is
  'Rows skipped because their id, time or distance was unreadable. Rides stored earlier stay as they were.';
comment on column public.ride_syncs.pending_removals is 'Rides that were not removed although the list lacked them.';
comment on column public.ride_syncs.mismatch is
  'Why missing rides were not removed. wrong_count also occurs if no ride is missing, because the list may lack rides that were never stored.';
comment on column public.ride_syncs.pending_since is
  'The first of the consecutive syncs that missed exactly these rides. Null: the list is known to be incomplete, so waiting proves nothing.';
-- Text rather than JSON, because backups hold only plain values.
comment on column public.ride_syncs.skipped_rows is
  'The first 100 skipped rows, one per line: the ride''s id, or # and the row''s position in the list, then the unreadable field. If the sync failed because most rows lack a field, the rows without that field.';
comment on column public.ride_syncs.rwgps_user_id is
  'The Ride with GPS account whose rides this sync stored. Null: the sync was refused or failed before it could store rides, or the account was forgotten.';
comment on column public.ride_syncs.rwgps_user_name is
  'The name of that account when this sync signed in. Null: it has none, or an older version of the tracker synced.';
comment on column public.ride_syncs.follows_check is 'Whether a quick check with another digest started this sync.';
comment on column public.ride_syncs.list_count is 'The server''s latest count of all trips. Null: none, or unreadable.';
comment on column public.ride_syncs.digest is 'A hash of the first 20 rows of the list and its count. Null: the sync has not succeeded.';
comment on column public.ride_syncs.checked_at is 'The last time a quick check found no changes since this sync.';
comment on column public.ride_syncs.retry_at is 'Ride with GPS asked not to be called before this time.';

-- Mutex: only one sync can run at a time.
create unique index ride_syncs_one_running_idx on public.ride_syncs (outcome) where outcome = 'running';
-- For "last synced".
create index ride_syncs_last_ok_idx on public.ride_syncs (finished_at desc) where outcome = 'ok';

alter table public.ride_syncs enable row level security;

create policy "The owner reads the sync history" on public.ride_syncs
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_syncs to authenticated;
-- No insert, update or delete for authenticated: history is not edited. No grants for anon.

grant select, insert on public.ride_syncs to service_role;
grant update (
  finished_at, outcome, code, fetched, added, changed, removed, skipped, pending_removals, mismatch, pending_since, skipped_rows,
  rwgps_user_id, list_count, digest, checked_at, retry_at, rwgps_user_name
) on public.ride_syncs to service_role;
-- No delete for service_role: history is not deleted.

-- Sync steps. The data API runs each function call in its own transaction.
--
-- Every step passes its sync's id. Once a sync is closed, for example because it hung and another one took over, its steps
-- fail with RMT02 and change nothing. All functions are security invoker and only for service_role.

create function public.start_ride_sync(triggered_by text, follows_check boolean default false) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  started bigint;
begin
  -- A sync takes at most 120 seconds, so a sync that is still open after 5 minutes has crashed.
  update public.ride_syncs set outcome = 'interrupted', finished_at = now()
  where outcome = 'running' and ride_syncs.started_at < now() - interval '5 minutes';

  insert into public.ride_syncs (triggered_by, follows_check)
  values (start_ride_sync.triggered_by, start_ride_sync.follows_check)
  on conflict (outcome) where outcome = 'running' do nothing
  returning id into started;
  return started;
end
$$;
comment on function public.start_ride_sync(text, boolean) is
  'Starts a sync and returns its id, or null while another sync is running. follows_check: whether a quick check with another digest starts it.';
grant execute on function public.start_ride_sync to service_role;

-- The lock makes a second step wait for the first.
create function private.require_running_sync(sync_id bigint) returns public.ride_syncs
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  sync public.ride_syncs;
begin
  select * into sync from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  perform private.reject_if(not found, 'RMT02', 'This sync was closed. Another one may have started.');
  return sync;
end
$$;
comment on function private.require_running_sync(bigint) is 'Locks and returns a running sync. Raises RMT02 if it was closed.';
grant execute on function private.require_running_sync to service_role;

create function private.store_bikes(gear jsonb) returns void
language sql volatile security invoker set search_path = ''
as $$
  insert into public.bikes as stored (gear_id, name, brand, model, is_retired)
  select gear_id, name, brand, model, coalesce(is_retired, false)
  from jsonb_to_recordset(gear) as listed (gear_id bigint, name text, brand text, model text, is_retired boolean)
  on conflict (gear_id) do update set
    name = excluded.name, brand = excluded.brand, model = excluded.model, is_retired = excluded.is_retired,
    in_use_since = case when stored.is_retired and not excluded.is_retired then now() else stored.in_use_since end
  where (stored.name, stored.brand, stored.model, stored.is_retired)
    is distinct from (excluded.name, excluded.brand, excluded.model, excluded.is_retired);

  update public.bikes as bike set is_listed = not bike.is_listed
  where bike.is_listed is distinct from exists (
    select from jsonb_to_recordset(gear) as listed (gear_id bigint) where listed.gear_id = bike.gear_id
  )
  -- An empty list is more likely a Ride with GPS fault than an owner without bikes.
  and gear <> '[]'
$$;
comment on function private.store_bikes(jsonb) is
  'Upserts a gear list, [{gear_id, name, brand, model, is_retired}], and updates is_listed for every bike. Never deletes bikes.';
grant execute on function private.store_bikes to service_role;

-- Rides of two Ride with GPS accounts never mix: each sync records its account, and other accounts are refused until the
-- owner explicitly switches.

create function public.claim_rwgps_account(
  sync_id bigint, rwgps_user_id bigint, gear jsonb, listed bigint[] default null, rwgps_user_name text default null
) returns json
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  known bigint;
  accepted boolean;
  stored json;
begin
  perform private.require_running_sync(sync_id);

  select sync.rwgps_user_id into known from public.ride_syncs as sync
  where sync.rwgps_user_id is not null order by sync.id desc limit 1;

  if known is not null then
    accepted := known = claim_rwgps_account.rwgps_user_id;
  elsif not exists (select from public.rides) then
    accepted := true;
  elsif listed is null then
    return json_build_object('claim', 'unknown');
  else
    -- Rides stored before accounts were recorded belong to this account if its list has most of them.
    select count(found.id) * 2 > count(*) into accepted
    from public.rides as ride left join unnest(listed) as found (id) on found.id = ride.id;
  end if;

  if not accepted then
    return json_build_object('claim', 'refused');
  end if;
  update public.ride_syncs as sync set
    rwgps_user_id = claim_rwgps_account.rwgps_user_id, rwgps_user_name = claim_rwgps_account.rwgps_user_name
  where sync.id = sync_id;
  perform private.store_bikes(gear);
  execute format('select json_build_object(%s) from public.rides', private.ride_columns('%1$L, count(%1$I)')) into stored;
  return json_build_object('claim', 'accepted', 'stored', stored);
end
$$;
comment on function public.claim_rwgps_account(bigint, bigint, jsonb, bigint[], text) is
  'Decides whether this sync may store rides of this account: accepted, refused or unknown. If accepted, stores the account''s bikes and also returns how many stored rides have each field. If unknown, call it again with the ids of the complete list (listed, each once).';
grant execute on function public.claim_rwgps_account to service_role;

-- Ride with GPS may send time zone names that PostgreSQL doesn't know, and computing rides.started_at would fail.
create function private.is_time_zone(name text) returns boolean
language plpgsql stable security invoker set search_path = ''
as $$
begin
  perform timezone(name, now());
  return true;
exception when invalid_parameter_value then
  return false;
end
$$;
grant execute on function private.is_time_zone to service_role;

create function private.differing_rides(page json) returns setof private.listed_rides
language sql stable security invoker set search_path = ''
as $$
  with differing as materialized (
    -- The first row holds the defaults of missing keys.
    select listed.* from json_populate_recordset(
      json_populate_record(null::private.listed_rides, '{"time_zone": "UTC", "is_stationary": false, "has_map": false}'), page
    ) as listed
    left join private.listed_rides as stored on stored.id = listed.id
    where listed is distinct from stored
  ), unknown_zones as materialized (
    select zone from (select distinct time_zone as zone from differing) as named where not private.is_time_zone(zone)
  )
  select * from differing where time_zone not in (select zone from unknown_zones)
  union all
  select in_utc.* from differing
  cross join lateral json_populate_record(differing::private.listed_rides, '{"time_zone": "UTC"}') as in_utc
  left join private.listed_rides as stored on stored.id = in_utc.id
  where differing.time_zone in (select zone from unknown_zones) and in_utc is distinct from stored
$$;
comment on function private.differing_rides(json) is
  'Returns the rides of a page that are new or differ from the stored rides.';
grant execute on function private.differing_rides to service_role;

-- Custom plans: a plan cached while the table was small would read the complete table for every page.
create function public.store_rides(sync_id bigint, page json, skipped text[] default '{}', list_count bigint default null)
returns table (added integer, changed integer)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  perform private.require_running_sync(sync_id);

  -- Listed rides are no longer missing, even if this sync fails later, and the wait for other missing rides starts over.
  if exists (select from public.rides where missing_since_sync is not null) then
    update public.rides as ride set missing_since_sync = null
    from json_to_recordset(page) as listed (id bigint)
    where ride.id = listed.id and ride.missing_since_sync is not null;
    if found then
      update public.ride_syncs set pending_since = null where pending_since is not null;
    end if;
  end if;

  -- Unchanged rows aren't updated, so a sync without changes writes no rides.
  execute format(
    'with written as (
      insert into public.rides (%1$s) select %1$s from private.differing_rides($1)
      on conflict (id) do update set (%1$s) = row(%2$s) returning (xmax = 0) as is_new
    )
    select count(*) filter (where is_new), count(*) filter (where not is_new) from written',
    private.ride_columns('%1$I'), private.ride_columns('excluded.%1$I')
  ) into added, changed using page;

  update public.ride_syncs as sync set
    fetched = sync.fetched + json_array_length(page) + cardinality(store_rides.skipped),
    added = sync.added + store_rides.added,
    changed = sync.changed + store_rides.changed,
    skipped = sync.skipped + cardinality(store_rides.skipped),
    -- 100 rows are enough to find the problem, even if every row of a long list is skipped.
    skipped_rows = array_to_string((string_to_array(sync.skipped_rows, E'\n') || store_rides.skipped)[:100], E'\n'),
    list_count = store_rides.list_count
  where sync.id = sync_id;
  return next;
end
$$;
comment on function public.store_rides(bigint, json, text[], bigint) is
  'Upserts a page of rides with unique ids, adds them and the skipped rows to the sync''s counts, and returns how many rides were new and how many differed. list_count: the server''s count of all trips, if known.';
grant execute on function public.store_rides to service_role;

-- A list that lacks many rides is more likely a server error than many deletions, so missing rides stay until a later sync
-- misses the same rides or the owner removes them.
create function private.remove_rides_except(
  sync public.ride_syncs, listed bigint[], is_complete boolean, count_kind text, rows_without_id integer
) returns void
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  found_mismatch text;
  is_permanent boolean;
  stored bigint;
  missing bigint;
  newly_missing bigint;
  returned bigint;
  first_sync bigint;
begin
  update public.rides as ride set missing_since_sync = sync.id
  where missing_since_sync is null and not exists (select from unnest(listed) as found (id) where found.id = ride.id);
  get diagnostics newly_missing = row_count;
  update public.rides as ride set missing_since_sync = null
  where missing_since_sync is not null and exists (select from unnest(listed) as found (id) where found.id = ride.id);
  get diagnostics returned = row_count;
  -- Don't count rides that this sync added: they would lower the missing share of earlier rides.
  select count(*) - sync.added, count(missing_since_sync) into stored, missing from public.rides;

  found_mismatch := case
    -- Also recorded if no ride is missing, because the list may lack rides that were never stored.
    when not is_complete and count_kind = 'readable' then 'wrong_count'
    when missing = 0 then null
    when rows_without_id > 0 then 'rows_without_id'
    when cardinality(listed) = 0 then 'empty_list'
    when not is_complete or count_kind = 'unreadable' then 'unreadable_count'
    when missing > 10 and missing * 20 > stored then 'many_missing'
  end;
  -- The list is known to be incomplete, so a second sync that misses the same rides proves nothing.
  is_permanent := coalesce(found_mismatch in ('wrong_count', 'rows_without_id'), false);

  if found_mismatch is not null then
    if not is_permanent then
      if newly_missing = 0 and returned = 0 then
        select previous.pending_since into first_sync from public.ride_syncs as previous
        where previous.id < sync.id and previous.outcome = 'ok' order by previous.id desc limit 1;
      end if;
      first_sync := coalesce(first_sync, sync.id);
    end if;

    -- begin_quick_check requests a sync as soon as this wait is over.
    if not exists (
      select from public.ride_syncs as earlier
      where earlier.id = first_sync and earlier.started_at <= sync.started_at - interval '50 minutes'
    ) then
      update public.ride_syncs set pending_removals = missing, mismatch = found_mismatch, pending_since = first_sync
      where id = sync.id;
      return;
    end if;
  end if;

  delete from public.rides where missing_since_sync is not null;
  update public.ride_syncs set removed = missing where id = sync.id;
end
$$;
comment on function private.remove_rides_except(public.ride_syncs, bigint[], boolean, text, integer) is
  'Removes the rides that the list lacks, or records why they stay. The parameters are those of finish_ride_sync.';
grant execute on function private.remove_rides_except to service_role;

create function public.finish_ride_sync(
  sync_id bigint, listed bigint[] default null, is_complete boolean default true, count_kind text default 'readable',
  rows_without_id integer default 0, digest text default null
) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  sync public.ride_syncs := private.require_running_sync(sync_id);
begin
  if listed is not null then
    perform private.remove_rides_except(sync, listed, is_complete, count_kind, rows_without_id);
  else
    update public.rides set missing_since_sync = null where missing_since_sync is not null;
  end if;
  update public.ride_syncs as finished set
    outcome = 'ok', finished_at = now(), digest = finish_ride_sync.digest
  where id = sync_id returning * into sync;
  return json_build_object(
    'id', sync.id, 'finished_at', sync.finished_at, 'fetched', sync.fetched, 'added', sync.added, 'changed', sync.changed,
    'removed', sync.removed, 'skipped', sync.skipped, 'pending_removals', sync.pending_removals, 'mismatch', sync.mismatch,
    'skipped_rows', sync.skipped_rows
  );
end
$$;
comment on function public.finish_ride_sync(bigint, bigint[], boolean, text, integer, text) is
  'Removes the rides that the list lacks, or records why they stay, and closes a successful sync. Returns its row in the sync history. listed: the ids of the list, or null if it has every stored ride. is_complete: whether the list matched the server''s count and didn''t shift. count_kind: readable, unreadable or none. digest: what later quick checks compare.';
grant execute on function public.finish_ride_sync to service_role;

create function public.fail_ride_sync(sync_id bigint, code text, retry_after numeric default null) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  update public.ride_syncs as sync set
    outcome = 'failed', code = fail_ride_sync.code, finished_at = now(),
    -- Limit the wait, so a wrong Retry-After date can't stop the schedule for longer than a day.
    retry_at = case when retry_after is not null then now() + make_interval(secs => least(retry_after, 86400)) end
  where sync.id = sync_id and sync.outcome = 'running';
  return found;
end
$$;
comment on function public.fail_ride_sync(bigint, text, numeric) is
  'Closes a failed sync. Returns false if it was already closed. retry_after: the seconds that Ride with GPS asked to wait, if any.';
grant execute on function public.fail_ride_sync to service_role;

-- Quick checks: between full syncs, the schedule only compares the newest list rows, without writing or removing rides. Each
-- wait is five minutes shorter than documented, so a scheduled call is never seconds too early.

create function private.last_ride_sync() returns public.ride_syncs
language sql stable security invoker set search_path = ''
as $$ select * from public.ride_syncs where outcome = 'ok' order by id desc limit 1 $$;
comment on function private.last_ride_sync() is 'Returns the last successful sync. Null if there is none.';
grant execute on function private.last_ride_sync to authenticated, service_role;

create function public.begin_quick_check(rwgps_user_id bigint default null) returns text
language plpgsql stable security invoker set search_path = ''
as $$
declare
  last_ok constant public.ride_syncs := private.last_ride_sync();
  failures bigint;
  last_failure timestamptz;
  retry_at timestamptz;
begin
  select count(*) filter (where triggered_by = 'schedule'), max(started_at) filter (where triggered_by = 'schedule'),
    max(failed.retry_at)
  into failures, last_failure, retry_at
  from public.ride_syncs as failed
  where id > coalesce(last_ok.id, 0) and started_at > coalesce(last_ok.checked_at, '-infinity');

  -- Every wait has an upper limit, so timestamps from a clock that ran ahead can't stop the schedule.
  return case
    when exists (select from public.ride_syncs where outcome = 'running' and started_at > now() - interval '5 minutes')
      then 'running'
    when retry_at > now() and retry_at <= now() + interval '1 day'
      or now() - last_failure between interval '0'
        and least(interval '10 minutes' * 2 ^ least(failures - 1, 6), interval '6 hours') - interval '5 minutes'
      then 'wait'
    when last_ok.rwgps_user_id is null or last_ok.rwgps_user_id <> begin_quick_check.rwgps_user_id
      or last_ok.started_at not between now() - interval '5 hours 55 minutes' and now()
      -- Missing rides have waited long enough for a sync to remove them.
      or exists (select from public.ride_syncs where id = last_ok.pending_since and started_at <= now() - interval '50 minutes')
      then 'sync'
    when begin_quick_check.rwgps_user_id is not null then 'check'
    when failures > 0 or last_ok.started_at <= now() - interval '55 minutes' then 'sync'
    else 'wait'
  end;
end
$$;
comment on function public.begin_quick_check(bigint) is
  'Returns the schedule''s next step: check (the newest rows), sync (a full sync), wait, or running (another sync). rwgps_user_id: the account of the known token. Without a token, only a full sync can sign in, at most hourly.';
grant execute on function public.begin_quick_check to service_role;

create function public.finish_quick_check(digest text) returns text
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  last_ok constant public.ride_syncs := private.last_ride_sync();
begin
  if digest is distinct from last_ok.digest then
    return case
      -- The last difference was none, and no check has agreed since. The server may not sort the list.
      when last_ok.follows_check and last_ok.checked_at is null and last_ok.added + last_ok.changed + last_ok.removed = 0
        and last_ok.started_at > now() - interval '55 minutes' then 'wait'
      else 'sync'
    end;
  end if;
  update public.ride_syncs set checked_at = now() where id = last_ok.id;
  return case
    when private.wall_clock(greatest(last_ok.finished_at, last_ok.checked_at))::date < private.today()
      or private.has_unsent_notifications() then 'notify'
    else 'unchanged'
  end;
end
$$;
comment on function public.finish_quick_check(text) is
  'Compares the digest of a list with the last full sync''s. If they are equal, updates checked_at and returns unchanged, or notify if more tasks may be due since it is the first check of the owner''s day, or if a notification has to be sent again. Otherwise returns sync, or wait if the last difference was none and is less than an hour ago.';
grant execute on function public.finish_quick_check to service_role;

-- Security definer: the owner may not delete rides, only confirm removals that a sync postponed.
create function private.remove_missing_rides(shown_by bigint) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  gone integer;
begin
  perform private.require_owner();

  -- Keep syncs from starting until this transaction ends.
  lock table public.ride_syncs in share row exclusive mode;
  -- A running sync may have just found some of these rides, so leave the decision to it.
  if exists (select from public.ride_syncs where outcome = 'running' and started_at > now() - interval '5 minutes') then
    return null;
  end if;

  -- Rides that have reappeared since have no missing_since_sync, or a later sync's id.
  delete from public.rides where missing_since_sync <= shown_by;
  get diagnostics gone = row_count;
  if gone > 0 then
    update public.ride_syncs as latest set
      removed = latest.removed + gone,
      pending_removals = still.pending_removals,
      mismatch = case when still.pending_removals > 0 or latest.mismatch = 'wrong_count' then latest.mismatch end,
      pending_since = case when still.pending_removals > 0 then latest.pending_since end
    from (
      select id, least(last.pending_removals, (select count(missing_since_sync) from public.rides)) as pending_removals
      from private.last_ride_sync() as last
    ) as still
    where latest.id = still.id;
  end if;
  return gone;
end
$$;
grant execute on function private.remove_missing_rides to authenticated;

create function public.remove_missing_rides(shown_by bigint) returns integer
language sql volatile security invoker set search_path = ''
as $$ select private.remove_missing_rides(shown_by) $$;
comment on function public.remove_missing_rides(bigint) is
  'Removes the rides that were missing in the sync shown to the owner and still are. Returns their number, or null while a sync is running.';
grant execute on function public.remove_missing_rides to authenticated;

-- Security definer: no role may delete bikes.
create function public.switch_rwgps_account() returns table (rides integer, bikes integer)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  bike bigint;
begin
  -- Close a running sync of the old account, so it can't store more rides.
  lock table public.ride_syncs in share row exclusive mode;
  update public.ride_syncs set outcome = 'interrupted', finished_at = now() where outcome = 'running';
  update public.ride_syncs set rwgps_user_id = null, rwgps_user_name = null where rwgps_user_id is not null;
  update public.ride_syncs set pending_removals = 0, mismatch = null, pending_since = null where mismatch is not null;

  -- Hosted projects reject a delete without a condition.
  delete from public.rides where id is not null;
  get diagnostics rides = row_count;
  bikes := 0;
  for bike in select gear_id from public.bikes loop
    begin
      delete from public.bikes where gear_id = bike;
      bikes := bikes + 1;
    exception when foreign_key_violation then
      -- Keep the bike, because it has log entries or service tasks.
      continue;
    end;
  end loop;
  return next;
end
$$;
comment on function public.switch_rwgps_account() is
  'Forgets the Ride with GPS account and removes its rides and the bikes without a log or service tasks, so the next sync accepts any account. Returns how many were removed. Back up first.';
grant execute on function public.switch_rwgps_account to service_role;
