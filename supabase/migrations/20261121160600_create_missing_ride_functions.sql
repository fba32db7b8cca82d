-- Removes rides that are no longer on Ride with GPS. A list that lacks many rides is more likely a server error than the
-- truth, so its missing rides stay until a later sync misses the same ones, or the owner removes them.

create or replace function public.remove_rides_except(sync_id bigint, listed bigint[], list_doubt text default null)
returns integer
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  sync public.ride_syncs;
  reason text;
  is_incomplete constant boolean := coalesce(list_doubt in ('wrong_count', 'rows_without_id'), false);
  stored bigint;
  missing bigint;
  newly_missing bigint;
  returned bigint;
  first_sync bigint;
begin
  select * into sync from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This sync was closed. Another one may have started.' using errcode = 'RMT02';
  end if;

  update public.rides as ride set missed_by = sync_id
  where missed_by is null and not exists (select from unnest(listed) as found (id) where found.id = ride.id);
  get diagnostics newly_missing = row_count;
  update public.rides as ride set missed_by = null
  where missed_by is not null and exists (select from unnest(listed) as found (id) where found.id = ride.id);
  get diagnostics returned = row_count;
  -- Rides that this sync added say nothing about the share of earlier rides that is missing.
  select count(*) - sync.added, count(missed_by) into stored, missing from public.rides;
  if missing = 0 then
    return 0;
  end if;

  reason := case
    when is_incomplete then list_doubt
    when cardinality(listed) = 0 then 'empty_list'
    when list_doubt is not null then list_doubt
    when missing > 10 and missing * 20 > stored then 'many_missing'
  end;

  if reason is not null then
    if not is_incomplete then
      if newly_missing = 0 and returned = 0 then
        -- A sync that failed after this step also marked its missing rides, so it counts too.
        select previous.waiting_from into first_sync from public.ride_syncs as previous
        where previous.id < sync_id and (previous.outcome = 'ok' or previous.waiting > 0)
        order by previous.id desc limit 1;
      end if;
      first_sync := coalesce(first_sync, sync_id);
    end if;

    -- Ten minutes less than an hourly schedule, so the next scheduled sync decides.
    if not exists (
      select from public.ride_syncs as earlier
      where earlier.id = first_sync and earlier.started_at <= sync.started_at - interval '50 minutes'
    ) then
      update public.ride_syncs set waiting = missing, doubt = reason, waiting_from = first_sync where id = sync_id;
      return 0;
    end if;
  end if;

  delete from public.rides where missed_by is not null;
  update public.ride_syncs set removed = missing where id = sync_id;
  return missing;
end
$$;
comment on function public.remove_rides_except(bigint, bigint[], text) is
  'Removes the rides that the list lacks, or records why they stay. Returns how many were removed. list_doubt: why the list is doubtful (unreadable_count) or incomplete (wrong_count, rows_without_id).';

-- Security definer: the owner may not delete rides, only confirm what a sync would have removed.
create or replace function private.remove_missing_rides(shown_by bigint) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  gone integer;
begin
  if not private.is_owner() then
    raise exception 'Only the owner can remove rides.' using errcode = '42501';
  end if;

  -- No sync can start until this transaction ends.
  lock table public.ride_syncs in share row exclusive mode;
  -- A running sync may just have seen some of these rides, so its result decides.
  if exists (select from public.ride_syncs where outcome = 'running' and started_at > now() - interval '5 minutes') then
    return null;
  end if;

  -- Rides that have come back since have no mark, or the mark of a later sync.
  delete from public.rides where missed_by <= shown_by;
  get diagnostics gone = row_count;
  if gone > 0 then
    update public.ride_syncs as latest set
      removed = latest.removed + gone,
      waiting = still.waiting,
      doubt = case when still.waiting > 0 then latest.doubt end,
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

create or replace function public.remove_missing_rides(shown_by bigint) returns integer
language sql volatile security invoker set search_path = ''
as $$ select private.remove_missing_rides(shown_by) $$;
comment on function public.remove_missing_rides(bigint) is
  'Removes the rides that were missing in the sync shown to the owner and still are. Returns how many, or null while a sync is running.';

revoke all on function public.remove_rides_except(bigint, bigint[], text) from public, anon, authenticated;
revoke all on function private.remove_missing_rides(bigint) from public;
revoke all on function public.remove_missing_rides(bigint) from public, anon, service_role;

grant execute on function public.remove_rides_except(bigint, bigint[], text) to service_role;
grant execute on function private.remove_missing_rides(bigint) to authenticated;
grant execute on function public.remove_missing_rides(bigint) to authenticated;
