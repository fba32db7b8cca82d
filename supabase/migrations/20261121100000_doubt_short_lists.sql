-- A list that lacks many rides is more likely a fault of the server than the truth. Its missing rides stay until a later
-- sync misses the same ones, or the owner removes them.

alter table public.rides add column missed_by bigint;
comment on column public.rides.missed_by is
  'The first of the latest syncs in a row whose lists lacked this ride; null: the latest list has it.';
-- There is rarely any such ride, and every sync asks for them.
create index rides_missed_idx on public.rides (missed_by) where missed_by is not null;

alter table public.ride_syncs
  drop column found_empty,
  add column waiting integer not null default 0,
  add column doubt text check (
    doubt in ('empty_list', 'many_missing', 'unreadable_count', 'wrong_count', 'rows_without_id')
  ),
  add column waiting_from bigint,
  add constraint ride_syncs_waiting_check check ((waiting > 0) = (doubt is not null));
comment on column public.ride_syncs.removed is
  'Rides removed because the list lacked them, by this sync or afterwards by the owner.';
comment on column public.ride_syncs.waiting is 'Rides that stay although the list lacked them.';
comment on column public.ride_syncs.doubt is 'Why they stay.';
comment on column public.ride_syncs.waiting_from is
  'The first of the latest syncs in a row that missed exactly these rides; null: this list can never be believed.';

grant update (waiting, doubt, waiting_from) on public.ride_syncs to service_role;

drop function public.remove_rides_except(bigint, bigint[]);

create function public.remove_rides_except(sync_id bigint, listed bigint[], list_doubt text default null)
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
    raise exception 'This run was closed; another one may have begun.' using errcode = 'RMT02';
  end if;

  update public.rides as ride set missed_by = sync_id
  where missed_by is null and not exists (select from unnest(listed) as kept (id) where kept.id = ride.id);
  get diagnostics newly_missing = row_count;
  update public.rides as ride set missed_by = null
  where missed_by is not null and exists (select from unnest(listed) as kept (id) where kept.id = ride.id);
  get diagnostics returned = row_count;
  -- Rides that this sync added say nothing about how much of the earlier ones is missing.
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
        -- A sync that failed after this step left its marks, and so it counts as well.
        select previous.waiting_from into first_sync from public.ride_syncs as previous
        where previous.id < sync_id and (previous.outcome = 'ok' or previous.waiting > 0)
        order by previous.id desc limit 1;
      end if;
      first_sync := coalesce(first_sync, sync_id);
    end if;

    -- Ten minutes less than an hourly schedule takes, so that the next scheduled sync decides.
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
  'Removes the rides that the list lacks, or notes why they stay; returns how many it removed. list_doubt: what makes the list doubtful by itself (unreadable_count) or proves it incomplete (wrong_count, rows_without_id).';

drop function public.finish_ride_sync(bigint, text, text);

create function public.finish_ride_sync(sync_id bigint, outcome text, code text default null) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  nothing_waits boolean;
begin
  update public.ride_syncs as sync
  set outcome = finish_ride_sync.outcome, code = finish_ride_sync.code, finished_at = now()
  where sync.id = sync_id and sync.outcome = 'running'
  returning finish_ride_sync.outcome = 'ok' and sync.waiting = 0 into nothing_waits;
  -- A sync that finds every stored ride in the list never asks to remove any.
  if nothing_waits then
    update public.rides set missed_by = null where missed_by is not null;
  end if;
  return nothing_waits is not null;
end
$$;
comment on function public.finish_ride_sync(bigint, text, text) is 'Closes a sync; false if it was closed already.';

-- Security definer: the owner has no right to delete rides, only to agree to what a sync would have removed.
create function private.remove_missing_rides(shown_by bigint) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  gone integer;
begin
  if not private.is_owner() then
    raise exception 'Only the owner may remove rides.' using errcode = '42501';
  end if;

  -- No sync can start before this is done.
  lock table public.ride_syncs in share row exclusive mode;
  -- A running sync may have seen some of these rides just now, and its result decides.
  if exists (select from public.ride_syncs where outcome = 'running' and started_at > now() - interval '5 minutes') then
    return null;
  end if;

  -- A ride that came back in the meantime has no mark, or that of a later sync.
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
revoke all on function private.remove_missing_rides(bigint) from public;
grant execute on function private.remove_missing_rides(bigint) to authenticated;

create function public.remove_missing_rides(shown_by bigint) returns integer
language sql volatile security invoker set search_path = ''
as $$ select private.remove_missing_rides(shown_by) $$;
comment on function public.remove_missing_rides(bigint) is
  'Removes the rides that wait since the sync shown to the owner, as far as they are still missing; returns how many, or null while a sync is running.';

revoke all on function public.remove_rides_except(bigint, bigint[], text) from public, anon, authenticated;
revoke all on function public.finish_ride_sync(bigint, text, text) from public, anon, authenticated;
revoke all on function public.remove_missing_rides(bigint) from public, anon, service_role;
grant execute on function public.remove_rides_except(bigint, bigint[], text) to service_role;
grant execute on function public.finish_ride_sync(bigint, text, text) to service_role;
grant execute on function public.remove_missing_rides(bigint) to authenticated;
