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
  set_aside integer not null default 0,
  waiting integer not null default 0,
  doubt text check (
    doubt in ('empty_list', 'many_missing', 'unreadable_count', 'wrong_count', 'rows_without_id')
  ),
  waiting_from bigint,
  skipped_rows text not null default '',
  rwgps_user_id bigint,
  home_zone text,
  list_count bigint,
  newest_ids text not null default '',
  checked_at timestamptz,
  retry_at timestamptz,
  constraint ride_syncs_finished_check check ((outcome = 'running') = (finished_at is null)),
  constraint ride_syncs_waiting_check check (waiting = 0 or doubt is not null)
);
comment on table public.ride_syncs is 'The sync history. The counts of a running sync are its progress.';
comment on column public.ride_syncs.code is 'The error code that update-rides returned.';
comment on column public.ride_syncs.fetched is 'Rows received so far, including skipped rows.';
comment on column public.ride_syncs.added is 'New rides.';
comment on column public.ride_syncs.changed is 'Rides that differed from the stored ones.';
comment on column public.ride_syncs.removed is
  'Rides removed because the list lacked them, by this sync or later by the owner.';
comment on column public.ride_syncs.set_aside is
  'Rows skipped because their id, time or distance was unreadable. Rides stored earlier stay as they were.';
comment on column public.ride_syncs.waiting is 'Rides that were not removed although the list lacked them.';
comment on column public.ride_syncs.doubt is
  'Why missing rides were not removed. wrong_count also occurs if no ride is missing, because the list may lack rides that were never stored.';
comment on column public.ride_syncs.waiting_from is
  'The first of the consecutive syncs that missed exactly these rides. Null: the list is known to be incomplete, so waiting proves nothing.';
-- Text rather than JSON, because backups hold only plain values.
comment on column public.ride_syncs.skipped_rows is
  'The first 100 skipped rows, one per line: the ride''s id, or # and the row''s position in the list, then the unreadable field. If the sync failed because most rows lack a field, the rows without that field.';
comment on column public.ride_syncs.rwgps_user_id is
  'The Ride with GPS account whose rides this sync stored. Null: the sync was refused or failed before it could store rides, or the account was forgotten.';
comment on column public.ride_syncs.home_zone is 'IANA name of the time zone for trips without one. Null: UTC.';
comment on column public.ride_syncs.list_count is 'The server''s latest count of all trips. Null: none, or unreadable.';
comment on column public.ride_syncs.newest_ids is 'The ids of the first 20 rows of the list, separated by commas.';
comment on column public.ride_syncs.checked_at is 'The last time a quick check found no changes since this sync.';
comment on column public.ride_syncs.retry_at is 'Ride with GPS asked not to be called before this time.';

-- Mutex: only one sync can run at a time.
create unique index ride_syncs_one_running_idx on public.ride_syncs (outcome) where outcome = 'running';
-- For "last synced".
create index ride_syncs_last_ok_idx on public.ride_syncs (finished_at desc) where outcome = 'ok';

alter table public.ride_syncs enable row level security;
revoke all on public.ride_syncs from public, anon, authenticated, service_role;
revoke all on sequence public.ride_syncs_id_seq from public, anon, authenticated, service_role;

create policy "The owner reads the sync history" on public.ride_syncs
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_syncs to authenticated;
-- No insert, update or delete for authenticated: history is not edited. No grants for anon.

grant select, insert on public.ride_syncs to service_role;
grant update (
  finished_at, outcome, code, fetched, added, changed, removed, set_aside, waiting, doubt, waiting_from, skipped_rows,
  rwgps_user_id, home_zone, list_count, newest_ids, checked_at, retry_at
) on public.ride_syncs to service_role;
-- No delete for service_role: history is not deleted.

-- Sync steps. The data API runs each function call in its own transaction.
--
-- Every step passes its sync's id. Once a sync is closed, for example because it hung and another one took over, its steps
-- fail with RMT02 and change nothing. All functions are security invoker and only for service_role.

create function public.start_ride_sync(triggered_by text) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  started bigint;
begin
  -- A sync takes at most 120 seconds, so a sync that is still open after 5 minutes has crashed.
  update public.ride_syncs set outcome = 'interrupted', finished_at = now()
  where outcome = 'running' and ride_syncs.started_at < now() - interval '5 minutes';

  insert into public.ride_syncs (triggered_by) values (start_ride_sync.triggered_by)
  on conflict (outcome) where outcome = 'running' do nothing
  returning id into started;
  return started;
end
$$;
comment on function public.start_ride_sync(text) is 'Starts a sync and returns its id, or null while another sync is running.';
revoke all on function public.start_ride_sync(text) from public, anon, authenticated;
grant execute on function public.start_ride_sync(text) to service_role;

-- The lock makes a second step wait for the first.
create function private.require_running_sync(sync_id bigint) returns public.ride_syncs
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  sync public.ride_syncs;
begin
  select * into sync from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This sync was closed. Another one may have started.' using errcode = 'RMT02';
  end if;
  return sync;
end
$$;
comment on function private.require_running_sync(bigint) is 'Locks and returns a running sync. Raises RMT02 if it was closed.';
revoke all on function private.require_running_sync(bigint) from public;
grant execute on function private.require_running_sync(bigint) to service_role;

create function private.store_bikes(gear jsonb) returns void
language sql volatile security invoker set search_path = ''
as $$
  insert into public.bikes as stored (gear_id, name, brand, model, is_retired)
  select gear_id, name, brand, model, coalesce(is_retired, false)
  from jsonb_to_recordset(gear) as listed (gear_id bigint, name text, brand text, model text, is_retired boolean)
  on conflict (gear_id) do update set
    name = excluded.name, brand = excluded.brand, model = excluded.model, is_retired = excluded.is_retired
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
revoke all on function private.store_bikes(jsonb) from public;
grant execute on function private.store_bikes(jsonb) to service_role;

-- Rides of two Ride with GPS accounts never mix: each sync records its account, and other accounts are refused until the
-- owner explicitly switches.

create function public.claim_rwgps_account(sync_id bigint, rwgps_user_id bigint, gear jsonb, listed bigint[] default null)
returns json
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  known bigint;
  accepted boolean;
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
  update public.ride_syncs as sync set rwgps_user_id = claim_rwgps_account.rwgps_user_id where sync.id = sync_id;
  perform private.store_bikes(gear);
  return (
    select json_build_object('claim', 'accepted', 'stored', stored) from (
      select count(id) as id, count(distance) as distance, count(moving_time) as moving_time, count(duration) as duration,
        count(departed_at) as departed_at, count(created_at) as created_at, count(gear_id) as gear_id, count(name) as name,
        count(max_speed) as max_speed, count(avg_speed) as avg_speed, count(avg_hr) as avg_hr, count(max_hr) as max_hr,
        count(avg_watts) as avg_watts, count(max_watts) as max_watts, count(avg_cad) as avg_cad,
        count(elevation_gain) as elevation_gain, count(highlighted_photo_id) as highlighted_photo_id
      from public.rides
    ) as stored
  );
end
$$;
comment on function public.claim_rwgps_account(bigint, bigint, jsonb, bigint[]) is
  'Decides whether this sync may store rides of this account: accepted, refused or unknown. If accepted, stores the account''s bikes and also returns how many stored rides have each field. If unknown, call it again with the ids of the complete list (listed, each once).';
revoke all on function public.claim_rwgps_account(bigint, bigint, jsonb, bigint[]) from public, anon, authenticated;
grant execute on function public.claim_rwgps_account(bigint, bigint, jsonb, bigint[]) to service_role;

-- Ride with GPS may send time zone names that PostgreSQL doesn't know, and computing rides.started_at would fail.
create function private.known_time_zone(zone text) returns text
language plpgsql stable security invoker set search_path = ''
as $$
begin
  perform timezone(zone, now());
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end
$$;
revoke all on function private.known_time_zone(text) from public;
grant execute on function private.known_time_zone(text) to service_role;

create function private.differing_rides(page json) returns setof public.rides
language sql stable security invoker set search_path = ''
as $$
  with listed as materialized (
    select * from json_populate_recordset(null::public.rides, page)
  ), zones as materialized (
    select zone, private.known_time_zone(zone) as known from (select distinct time_zone as zone from listed) as named
  )
  -- In the table's column order.
  select
    listed.id, listed.gear_id, null::timestamp, listed.departed_at, listed.created_at, listed.duration, listed.moving_time,
    given.is_stationary, listed.distance, listed.name, given.time_zone, listed.updated_at, listed.max_speed,
    listed.avg_speed, listed.avg_hr, listed.max_hr, listed.avg_watts, listed.max_watts, listed.avg_cad, listed.elevation_gain,
    listed.highlighted_photo_id, given.has_map, null::bigint
  from listed
  left join zones on zones.zone = listed.time_zone
  cross join lateral (
    select coalesce(zones.known, 'UTC'), coalesce(listed.is_stationary, false), coalesce(listed.has_map, false)
  ) as given (time_zone, is_stationary, has_map)
  left join public.rides as stored on stored.id = listed.id
  where (
    listed.id, listed.name, listed.gear_id, listed.created_at, listed.departed_at, given.time_zone, listed.updated_at,
    listed.distance, listed.duration, listed.moving_time, listed.max_speed, listed.avg_speed, listed.avg_hr,
    listed.max_hr, listed.avg_watts, listed.max_watts, listed.avg_cad, listed.elevation_gain,
    listed.highlighted_photo_id, given.is_stationary, given.has_map
  ) is distinct from (
    stored.id, stored.name, stored.gear_id, stored.created_at, stored.departed_at, stored.time_zone, stored.updated_at,
    stored.distance, stored.duration, stored.moving_time, stored.max_speed, stored.avg_speed, stored.avg_hr,
    stored.max_hr, stored.avg_watts, stored.max_watts, stored.avg_cad, stored.elevation_gain,
    stored.highlighted_photo_id, stored.is_stationary, stored.has_map
  )
$$;
comment on function private.differing_rides(json) is
  'Returns the rides of a page that are new or differ from the stored rides, without the generated started_at.';
revoke all on function private.differing_rides(json) from public;
grant execute on function private.differing_rides(json) to service_role;

-- Custom plans: a plan cached while the table was small would read the complete table for every page.
create function public.store_rides(sync_id bigint, page json, skipped text[] default '{}', list_count bigint default null)
returns table (added integer, changed integer)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
begin
  perform private.require_running_sync(sync_id);

  -- Listed rides are no longer missing, even if this sync fails later, and the wait for other missing rides starts over.
  if exists (select from public.rides where missed_by is not null) then
    update public.rides as ride set missed_by = null
    from json_to_recordset(page) as listed (id bigint)
    where ride.id = listed.id and ride.missed_by is not null;
    if found then
      update public.ride_syncs set waiting_from = null where waiting_from is not null;
    end if;
  end if;

  -- Unchanged rows aren't updated, so a sync without changes writes no rides.
  with written as (
    insert into public.rides (
      id, name, gear_id, created_at, departed_at, time_zone, updated_at, distance, duration, moving_time, max_speed,
      avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, is_stationary, has_map
    )
    select
      id, name, gear_id, created_at, departed_at, time_zone, updated_at, distance, duration, moving_time, max_speed,
      avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, is_stationary, has_map
    from private.differing_rides(page)
    on conflict (id) do update set
      name = excluded.name, gear_id = excluded.gear_id, created_at = excluded.created_at,
      departed_at = excluded.departed_at, time_zone = excluded.time_zone, updated_at = excluded.updated_at,
      distance = excluded.distance, duration = excluded.duration, moving_time = excluded.moving_time,
      max_speed = excluded.max_speed, avg_speed = excluded.avg_speed, avg_hr = excluded.avg_hr, max_hr = excluded.max_hr,
      avg_watts = excluded.avg_watts, max_watts = excluded.max_watts, avg_cad = excluded.avg_cad,
      elevation_gain = excluded.elevation_gain, highlighted_photo_id = excluded.highlighted_photo_id,
      is_stationary = excluded.is_stationary, has_map = excluded.has_map
    returning (xmax = 0) as is_new
  )
  select count(*) filter (where is_new), count(*) filter (where not is_new) into added, changed from written;

  update public.ride_syncs as sync set
    fetched = sync.fetched + json_array_length(page) + cardinality(skipped),
    added = sync.added + store_rides.added,
    changed = sync.changed + store_rides.changed,
    set_aside = sync.set_aside + cardinality(skipped),
    -- 100 rows are enough to find the problem, even if every row of a long list is skipped.
    skipped_rows = array_to_string((string_to_array(sync.skipped_rows, E'\n') || skipped)[:100], E'\n'),
    list_count = store_rides.list_count
  where sync.id = sync_id;
  return next;
end
$$;
comment on function public.store_rides(bigint, json, text[], bigint) is
  'Upserts a page of rides with unique ids, adds them and the skipped rows to the sync''s counts, and returns how many rides were new and how many differed. list_count: the server''s count of all trips, if known.';
revoke all on function public.store_rides(bigint, json, text[], bigint) from public, anon, authenticated;
grant execute on function public.store_rides(bigint, json, text[], bigint) to service_role;

-- A list that lacks many rides is more likely a server error than many deletions, so missing rides stay until a later sync
-- misses the same rides or the owner removes them.
create function private.remove_rides_except(sync public.ride_syncs, listed bigint[], list_doubt text) returns void
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  reason text;
  is_incomplete constant boolean := coalesce(list_doubt in ('wrong_count', 'rows_without_id'), false);
  stored bigint;
  missing bigint;
  newly_missing bigint;
  returned bigint;
  first_sync bigint;
begin
  update public.rides as ride set missed_by = sync.id
  where missed_by is null and not exists (select from unnest(listed) as found (id) where found.id = ride.id);
  get diagnostics newly_missing = row_count;
  update public.rides as ride set missed_by = null
  where missed_by is not null and exists (select from unnest(listed) as found (id) where found.id = ride.id);
  get diagnostics returned = row_count;
  -- Don't count rides that this sync added: they would lower the missing share of earlier rides.
  select count(*) - sync.added, count(missed_by) into stored, missing from public.rides;

  reason := case
    when missing = 0 then case list_doubt when 'wrong_count' then list_doubt end
    when is_incomplete then list_doubt
    when cardinality(listed) = 0 then 'empty_list'
    when list_doubt is not null then list_doubt
    when missing > 10 and missing * 20 > stored then 'many_missing'
  end;

  if reason is not null then
    if not is_incomplete then
      if newly_missing = 0 and returned = 0 then
        select previous.waiting_from into first_sync from public.ride_syncs as previous
        where previous.id < sync.id and previous.outcome = 'ok' order by previous.id desc limit 1;
      end if;
      first_sync := coalesce(first_sync, sync.id);
    end if;

    -- begin_quick_check requests a sync as soon as this wait is over.
    if not exists (
      select from public.ride_syncs as earlier
      where earlier.id = first_sync and earlier.started_at <= sync.started_at - interval '50 minutes'
    ) then
      update public.ride_syncs set waiting = missing, doubt = reason, waiting_from = first_sync where id = sync.id;
      return;
    end if;
  end if;

  delete from public.rides where missed_by is not null;
  update public.ride_syncs set removed = missing where id = sync.id;
end
$$;
comment on function private.remove_rides_except(public.ride_syncs, bigint[], text) is
  'Removes the rides that the list lacks, or records why they stay. list_doubt: why the list is doubtful (unreadable_count) or incomplete (wrong_count, rows_without_id).';
revoke all on function private.remove_rides_except(public.ride_syncs, bigint[], text) from public;
grant execute on function private.remove_rides_except(public.ride_syncs, bigint[], text) to service_role;

create function public.finish_ride_sync(
  sync_id bigint, listed bigint[] default null, list_doubt text default null, list_count bigint default null,
  newest bigint[] default '{}', home_zone text default null
) returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  sync public.ride_syncs := private.require_running_sync(sync_id);
begin
  if listed is not null then
    perform private.remove_rides_except(sync, listed, list_doubt);
  else
    update public.rides set missed_by = null where missed_by is not null;
  end if;
  update public.ride_syncs as finished set
    outcome = 'ok', finished_at = now(), list_count = finish_ride_sync.list_count, newest_ids = array_to_string(newest, ','),
    home_zone = finish_ride_sync.home_zone
  where id = sync_id returning * into sync;
  return json_build_object(
    'id', sync.id, 'finished_at', sync.finished_at, 'fetched', sync.fetched, 'added', sync.added, 'changed', sync.changed,
    'removed', sync.removed, 'set_aside', sync.set_aside, 'waiting', sync.waiting, 'doubt', sync.doubt,
    'skipped_rows', sync.skipped_rows
  );
end
$$;
comment on function public.finish_ride_sync(bigint, bigint[], text, bigint, bigint[], text) is
  'Removes the rides that the list lacks, or records why they stay, and closes a successful sync. Returns its row in the sync history. listed: the ids of the complete list, or null if it has every stored ride. The last three parameters are for quick checks: the server''s count, the ids of the first rows, and the time zone for trips without one.';
revoke all on function public.finish_ride_sync(bigint, bigint[], text, bigint, bigint[], text) from public, anon, authenticated;
grant execute on function public.finish_ride_sync(bigint, bigint[], text, bigint, bigint[], text) to service_role;

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
revoke all on function public.fail_ride_sync(bigint, text, numeric) from public, anon, authenticated;
grant execute on function public.fail_ride_sync(bigint, text, numeric) to service_role;

-- Quick checks: between full syncs, the schedule only compares the newest list rows, without writing or removing rides. Each
-- wait is five minutes shorter than documented, so a scheduled call is never seconds too early.

create function private.last_ride_sync() returns public.ride_syncs
language sql stable security invoker set search_path = ''
as $$ select * from public.ride_syncs where outcome = 'ok' order by id desc limit 1 $$;
comment on function private.last_ride_sync() is 'Returns the last successful sync. Null if there is none.';
revoke all on function private.last_ride_sync() from public;
grant execute on function private.last_ride_sync() to service_role;

create function public.begin_quick_check(rwgps_user_id bigint default null) returns json
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
  return json_build_object('home_zone', last_ok.home_zone, 'next', case
    when exists (select from public.ride_syncs where outcome = 'running' and started_at > now() - interval '5 minutes')
      then 'running'
    when retry_at > now() and retry_at <= now() + interval '1 day'
      or now() - last_failure between interval '0'
        and least(interval '10 minutes' * 2 ^ least(failures - 1, 6), interval '6 hours') - interval '5 minutes'
      then 'wait'
    when last_ok.rwgps_user_id is null or last_ok.rwgps_user_id <> begin_quick_check.rwgps_user_id
      or last_ok.started_at not between now() - interval '5 hours 55 minutes' and now()
      -- Missing rides have waited long enough for a sync to remove them.
      or exists (select from public.ride_syncs where id = last_ok.waiting_from and started_at <= now() - interval '50 minutes')
      then 'sync'
    when begin_quick_check.rwgps_user_id is not null then 'check'
    when failures > 0 or last_ok.started_at <= now() - interval '55 minutes' then 'sync'
    else 'wait'
  end);
end
$$;
comment on function public.begin_quick_check(bigint) is
  'Returns the schedule''s next step, {next, home_zone}: check (the newest rows), sync (a full sync), wait, or running (another sync). rwgps_user_id: the account of the known token. Without a token, only a full sync can sign in, at most hourly.';
revoke all on function public.begin_quick_check(bigint) from public, anon, authenticated;
grant execute on function public.begin_quick_check(bigint) to service_role;

create function public.finish_quick_check(
  page json, listed bigint[], skipped text[], newest_by text[] default '{}', list_count bigint default null
) returns text
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  last_ok constant public.ride_syncs := private.last_ride_sync();
  newest constant bigint[] := string_to_array(last_ok.newest_ids, ',')::bigint[];
  known_skips constant text[] := string_to_array(last_ok.skipped_rows, E'\n');
  -- Some servers send the page's row count instead of the total.
  counts_page constant boolean := list_count = cardinality(listed) and cardinality(listed) = cardinality(newest);
begin
  if exists (select from private.differing_rides(page))
    or exists (select from public.rides where id = any (listed) and missed_by is not null)
    -- Syncs only record the first 100 skipped rows.
    or (cardinality(known_skips) < 100 and not skipped <@ known_skips)
    or (list_count <> last_ok.list_count and not counts_page)
    or exists (
      -- Compare only the last full sync's first rows, because a list may be out of order further down.
      with dated as (
        select ride.id, dates.name, date
        from public.rides as ride
        cross join lateral (values ('departed_at', coalesce(departed_at, created_at)), ('created_at', created_at)) as dates (name, date)
        where ride.id = any (newest || listed) and dates.name = any (newest_by)
      ), oldest as (
        select name, min(date) as date from dated where id = any (listed) group by name
      )
      select from dated join oldest using (name)
      where id <> all (listed)
      -- Rows with the same date may swap places.
      group by id having bool_or(dated.date > oldest.date) and not bool_or(dated.date = oldest.date)
    )
  then
    return 'sync';
  end if;

  if newest_by = '{}' or list_count is null or list_count is distinct from last_ok.list_count then
    return case when last_ok.started_at <= now() - interval '55 minutes' then 'sync' else 'wait' end;
  end if;
  update public.ride_syncs set checked_at = now() where id = last_ok.id;
  return case
    when private.wall_clock(greatest(last_ok.finished_at, last_ok.checked_at))::date < private.today() then 'new_day'
    else 'unchanged'
  end;
end
$$;
comment on function public.finish_quick_check(json, bigint[], text[], text[], bigint) is
  'Compares the first rows of the list with the stored rides and the last full sync. If nothing is new, changed or missing, updates checked_at and returns unchanged, or new_day for the first check of the owner''s day. Returns sync if a full sync has to run, or wait if the list has no usable count or order and the last full sync was within the hour. newest_by: the dates by which the rows are sorted, newest first.';
revoke all on function public.finish_quick_check(json, bigint[], text[], text[], bigint) from public, anon, authenticated;
grant execute on function public.finish_quick_check(json, bigint[], text[], text[], bigint) to service_role;

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

  -- Rides that have reappeared since have no missed_by, or a later sync's id.
  delete from public.rides where missed_by <= shown_by;
  get diagnostics gone = row_count;
  if gone > 0 then
    update public.ride_syncs as latest set
      removed = latest.removed + gone,
      waiting = still.waiting,
      doubt = case when still.waiting > 0 or latest.doubt = 'wrong_count' then latest.doubt end,
      waiting_from = case when still.waiting > 0 then latest.waiting_from end
    from (
      select last.id, least(last.waiting, (select count(missed_by) from public.rides)) as waiting
      from public.ride_syncs as last where last.outcome = 'ok' order by last.id desc limit 1
    ) as still
    where latest.id = still.id;
  end if;
  return gone;
end
$$;

create function public.remove_missing_rides(shown_by bigint) returns integer
language sql volatile security invoker set search_path = ''
as $$ select private.remove_missing_rides(shown_by) $$;
comment on function public.remove_missing_rides(bigint) is
  'Removes the rides that were missing in the sync shown to the owner and still are. Returns their number, or null while a sync is running.';
revoke all on function private.remove_missing_rides(bigint) from public;
revoke all on function public.remove_missing_rides(bigint) from public, anon, service_role;
grant execute on function private.remove_missing_rides(bigint) to authenticated;
grant execute on function public.remove_missing_rides(bigint) to authenticated;

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
  update public.ride_syncs set rwgps_user_id = null where rwgps_user_id is not null;
  update public.ride_syncs set waiting = 0, doubt = null, waiting_from = null where doubt is not null;

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
revoke all on function public.switch_rwgps_account() from public, anon, authenticated;
grant execute on function public.switch_rwgps_account() to service_role;

-- Security definer: no role may write public.ride_changes.
create function private.record_ride_changes() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- The columns shown to riders, except the photo.
  facts constant text := 'id, name, gear_id, started_at, time_zone, distance, duration, moving_time, max_speed, avg_speed,
    avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, is_stationary';
  has_rides boolean;
  sync public.ride_syncs;
begin
  -- This runs for every page of a sync, and most pages change nothing.
  execute format('select exists (select from %s)', case tg_op when 'DELETE' then 'old_rides' else 'new_rides' end) into has_rides;
  if not has_rides then
    return null;
  end if;

  -- The owner only deletes rides in remove_missing_rides. Those changes belong to the last successful sync.
  select * into sync from public.ride_syncs
  where outcome = case when private.is_owner() then 'ok' else 'running' end order by id desc limit 1;
  -- Don't record an account's first sync, because every ride is new.
  if not exists (select from public.ride_syncs where outcome = 'ok' and rwgps_user_id = sync.rwgps_user_id) then
    return null;
  end if;

  -- Rides with unchanged facts appear in neither difference.
  execute format(
    'insert into public.ride_changes (sync_id, is_after, ride_id, %s) select $1, version.* from (%s) as version',
    substr(facts, 5),
    case tg_op
      when 'INSERT' then format('select true, %s from new_rides', facts)
      when 'DELETE' then format('select false, %s from old_rides', facts)
      else format(
        'select false, * from (select %1$s from old_rides except select %1$s from new_rides) as differing
        union all
        select true, * from (select %1$s from new_rides except select %1$s from old_rides) as differing', facts
      )
    end
  ) using sync.id;
  return null;
end
$$;
comment on function private.record_ride_changes() is 'Records which rides the running sync added, changed or removed.';
revoke all on function private.record_ride_changes() from public;

create trigger record_added_rides
after insert on public.rides referencing new table as new_rides
for each statement execute function private.record_ride_changes();

create trigger record_changed_rides
after update on public.rides referencing old table as old_rides new table as new_rides
for each statement execute function private.record_ride_changes();

create trigger record_removed_rides
after delete on public.rides referencing old table as old_rides
for each statement execute function private.record_ride_changes();

-- Security definer: no role may write public.ride_changes.
create function private.forget_ride_changes() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Reads about a year of syncs, and none if there are no changes.
  delete from public.ride_changes where sync_id in (
    select id from public.ride_syncs
    where id >= (select min(sync_id) from public.ride_changes)
      and (started_at < now() - interval '1 year' or rwgps_user_id is null)
  );
  return null;
end
$$;
comment on function private.forget_ride_changes() is 'Deletes changes that are older than a year or belong to a forgotten account.';
revoke all on function private.forget_ride_changes() from public;

create trigger forget_ride_changes
after update of outcome, rwgps_user_id on public.ride_syncs
for each statement execute function private.forget_ride_changes();
