-- What each sync changed: its rides before and after. Written by triggers on rides, and therefore in the transaction that
-- stores or removes the rides. Usage never reads it.

create table public.ride_changes (
  id bigint generated always as identity primary key,
  -- No foreign keys: removed rides are gone, syncs are never deleted, and a check per row would slow down every page of a sync.
  sync_id bigint not null,
  ride_id bigint not null,
  is_after boolean not null,
  name text,
  gear_id bigint,
  started_at timestamp,
  time_zone text not null,
  distance numeric,
  duration integer,
  moving_time integer,
  max_speed numeric,
  avg_speed numeric,
  avg_hr numeric,
  max_hr numeric,
  avg_watts numeric,
  max_watts numeric,
  avg_cad numeric,
  elevation_gain numeric,
  is_stationary boolean not null
);
comment on table public.ride_changes is
  'What syncs changed in the last year: a ride as it was before the sync and as it is after it. An added ride has no row before, and a removed one no row after. The first sync of an account is not recorded. The other columns are those of rides.';
comment on column public.ride_changes.is_after is 'Whether this is the ride after the sync.';

create index ride_changes_sync_idx on public.ride_changes (sync_id, ride_id);

alter table public.ride_changes enable row level security;
revoke all on public.ride_changes from public, anon, authenticated, service_role;
revoke all on sequence public.ride_changes_id_seq from public, anon, authenticated, service_role;

create policy "The owner reads the ride changes" on public.ride_changes
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_changes to authenticated;
-- No insert, update or delete for authenticated: history is not edited.
-- Nothing for service_role: the triggers write, and no function reads it without the owner's token. Nothing for anon.

-- Security definer: no role may write the changes.
create function private.record_ride_changes() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- What a rider sees of a ride. The tracker's own columns and the photo are left out.
  facts constant text := 'id, name, gear_id, started_at, time_zone, distance, duration, moving_time, max_speed, avg_speed,
    avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, is_stationary';
  has_rides boolean;
  sync public.ride_syncs;
begin
  -- Every page of a sync gets here, and most have no news.
  execute format('select exists (select from %s)', case tg_op when 'DELETE' then 'old_rides' else 'new_rides' end) into has_rides;
  if not has_rides then
    return null;
  end if;

  -- remove_missing_rides is the only statement of the owner, and counts for the last successful sync.
  select * into sync from public.ride_syncs
  where outcome = case when private.is_owner() then 'ok' else 'running' end order by id desc limit 1;
  -- Everything is new until a list of this account was read to its end.
  if not exists (select from public.ride_syncs where outcome = 'ok' and rwgps_user_id = sync.rwgps_user_id) then
    return null;
  end if;

  -- A ride whose facts are the same before and after appears in neither difference.
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

create trigger record_added_rides
after insert on public.rides referencing new table as new_rides
for each statement execute function private.record_ride_changes();

create trigger record_changed_rides
after update on public.rides referencing old table as old_rides new table as new_rides
for each statement execute function private.record_ride_changes();

create trigger record_removed_rides
after delete on public.rides referencing old table as old_rides
for each statement execute function private.record_ride_changes();

-- Security definer: no role may delete the changes.
create function private.forget_ride_changes() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Only reads the syncs of about a year, and nothing if there are no changes.
  delete from public.ride_changes where sync_id in (
    select id from public.ride_syncs
    where id >= (select min(sync_id) from public.ride_changes)
      and (started_at < now() - interval '1 year' or rwgps_user_id is null)
  );
  return null;
end
$$;
comment on function private.forget_ride_changes() is 'Deletes changes that are older than a year or of an account that was forgotten.';

create trigger forget_ride_changes
after update of outcome, rwgps_user_id on public.ride_syncs
for each statement execute function private.forget_ride_changes();

revoke all on function private.record_ride_changes(), private.forget_ride_changes() from public;
