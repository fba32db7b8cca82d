-- supabase/schemas as of version 1.0, in the order of config.toml.

create schema private;
comment on schema private is 'Hidden from the data API, which exposes only "public".';

alter default privileges revoke execute on functions from public;
alter default privileges in schema public, private revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public, private revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public, private revoke all on sequences from anon, authenticated, service_role;

revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

create function private.reject_if(condition boolean, code text, message text) returns void
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  if condition then
    raise exception using errcode = code, message = message;
  end if;
end
$$;
comment on function private.reject_if(boolean, text, text) is
  'Raises an error with this code. Some messages repeat the code, because Supabase Lite only returns the message.';
grant execute on function private.reject_if to authenticated, service_role;

create table private.owner (
  is_the_one boolean primary key default true check (is_the_one),
  -- Deleting the account deletes only this row, so the next account becomes the owner of the existing log and rides.
  user_id uuid not null unique references auth.users (id) on delete cascade,
  -- Determines today, this year, and when service tasks are due.
  time_zone text
);
comment on table private.owner is 'At most one row: the account that owns everything in this database.';
comment on column private.owner.time_zone is 'IANA name, at first that of the first browser. Null until the owner opens the tracker.';

alter table private.owner enable row level security;

create function private.is_anonymous(account jsonb) returns boolean
language sql immutable security invoker set search_path = ''
as $$ select coalesce((account ->> 'is_anonymous')::boolean, false) $$;

create function private.claim_ownership() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken constant text := 'This tracker already has an owner. It allows only one account.';
begin
  perform private.reject_if(exists (select from private.owner), 'RMT01', taken);
  if private.is_anonymous(to_jsonb(new)) then
    return null;
  end if;

  -- An administrator must choose the owner if there were several accounts before the tracker was installed.
  perform private.reject_if(
    exists (select from auth.users as other where other.id <> new.id and not private.is_anonymous(to_jsonb(other))),
    'RMT01', 'There are accounts but no owner. Insert the owner''s user id into private.owner.'
  );

  -- If two first sign-ups race, the primary key lets only one succeed.
  insert into private.owner (user_id) values (new.id) on conflict (is_the_one) do nothing;
  perform private.reject_if(not found, 'RMT01', taken);
  return null;
end
$$;

create trigger claim_ownership
after insert on auth.users
for each row execute function private.claim_ownership();

insert into private.owner (user_id)
select account.id from auth.users as account
where not private.is_anonymous(to_jsonb(account))
  and 1 = (select count(*) from auth.users as counted where not private.is_anonymous(to_jsonb(counted)));

create function private.is_owner() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  claims jsonb := coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
begin
  if not exists (select from private.owner where user_id = auth.uid()) then
    return false;
  end if;

  -- Not every Auth server has the following tables. PL/pgSQL looks them up only when it runs the statement.

  -- Auth deletes the session at sign-out, but its access token would be valid until it expires. An error, because empty
  -- tables would look as if the data were gone.
  if claims ->> 'session_id' is not null and to_regclass('auth.sessions') is not null then
    perform private.reject_if(
      not exists (select from auth.sessions where id = (claims ->> 'session_id')::uuid), 'PT401', 'Your session has ended. Sign in again.'
    );
  end if;

  -- Owners with a verified second factor must have signed in with it (aal2).
  if to_regclass('auth.mfa_factors') is not null then
    return coalesce(claims ->> 'aal' = 'aal2', false)
      or not exists (select from auth.mfa_factors where user_id = auth.uid() and status::text = 'verified');
  end if;
  return true;
end
$$;
comment on function private.is_owner() is
  'Returns whether the user is the owner, with their second factor if they have one. Raises PT401 after a sign-out.';
grant execute on function private.is_owner to authenticated;

create function public.is_owner() returns boolean
language sql stable security invoker set search_path = ''
as $$ select private.is_owner() $$;
comment on function public.is_owner() is 'Returns whether the caller is the owner.';
grant execute on function public.is_owner to authenticated;

create function private.require_owner() returns void
language sql stable security invoker set search_path = ''
as $$ select private.reject_if(not private.is_owner(), '42501', 'Only the owner can do this.') $$;
comment on function private.require_owner() is 'Raises 42501 unless the caller is the owner.';
grant execute on function private.require_owner to authenticated;

create function private.set_time_zone(name text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  -- Validating a name reads every time zone file, which takes 50 to 100 ms, so skip it if the name is already stored.
  if exists (select from private.owner as stored where stored.time_zone = set_time_zone.name) then
    return;
  end if;
  perform private.reject_if(
    not exists (select from pg_catalog.pg_timezone_names as zone where zone.name = set_time_zone.name), 'PT422', format('name: There is no time zone called %s.', name)
  );
  update private.owner set time_zone = set_time_zone.name;
end
$$;
comment on function private.set_time_zone(text) is 'Stores the owner''s time zone, an IANA name that PostgreSQL knows.';
grant execute on function private.set_time_zone to authenticated;

create function private.time_zone() returns text
language sql stable security definer set search_path = ''
as $$
  select private.require_owner();
  select time_zone from private.owner;
$$;
grant execute on function private.time_zone to authenticated;

create function public.time_zone() returns text
language sql stable security invoker set search_path = ''
as $$ select private.time_zone() $$;
comment on function public.time_zone() is 'Returns the owner''s time zone. Null until a browser has stored one.';
grant execute on function public.time_zone to authenticated;

create table public.settings (
  -- No user id: like the log, the settings outlive the account, and a backup restores them under another one.
  is_the_one boolean primary key default true constraint settings_is_the_one_check check (is_the_one),
  distance text not null default 'mi' constraint settings_distance_check check (distance in ('mi', 'km')),
  dates text not null default 'MM/DD/YYYY'
    constraint settings_dates_check check (dates in ('MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY', 'YYYY-MM-DD')),
  -- The form of an ISO 4217 code, because the list of codes changes. Intl shows a code without a symbol as itself.
  currency text not null default 'USD' constraint settings_currency_check check (currency ~ '^[A-Z]{3}$'),
  week_start text not null default 'Sunday'
    constraint settings_week_start_check check (week_start in ('Sunday', 'Monday', 'Saturday'))
);
comment on table public.settings is 'At most one row: the owner''s settings. Without a row, the defaults apply.';
comment on column public.settings.currency is 'The sign of all amounts. Changing it converts nothing.';

alter table public.settings enable row level security;

create policy "The owner reads and writes the settings" on public.settings
for all to authenticated using ((select private.is_owner()));

grant select, insert (distance, dates, currency, week_start), update (distance, dates, currency, week_start) on public.settings to authenticated;

create function private.set_settings(wanted jsonb) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  insert into public.settings default values on conflict do nothing;
  update public.settings set
    distance = coalesce(wanted ->> 'distance', distance), dates = coalesce(wanted ->> 'dates', dates),
    currency = coalesce(wanted ->> 'currency', currency), week_start = coalesce(wanted ->> 'week_start', week_start);
end
$$;
comment on function private.set_settings(jsonb) is 'Stores the settings that are named, even if there are none: the owner has chosen.';
grant execute on function private.set_settings to authenticated;

create function private.chosen_settings() returns json
language sql stable security invoker set search_path = ''
as $$
  select row_to_json(chosen) from (select distance, dates, currency, week_start from public.settings) as chosen
$$;
comment on function private.chosen_settings() is 'Returns the settings. Null: the defaults apply.';

create function private.shown_day(moment timestamp) returns text
language sql stable security invoker set search_path = ''
as $$
  -- The names of the formats are also patterns of to_char.
  select to_char(moment, coalesce((select dates from public.settings), 'MM/DD/YYYY'))
$$;
comment on function private.shown_day(timestamp) is 'Returns a day as the owner reads it, for messages.';
grant execute on function private.shown_day(timestamp) to authenticated;

create table public.bikes (
  gear_id bigint primary key,
  name text not null,
  is_listed boolean not null default true,
  brand text,
  model text,
  is_retired boolean not null default false
);
comment on table public.bikes is
  'Every bike ever listed on Ride with GPS. Bikes that were deleted there keep their row and log here.';
comment on column public.bikes.gear_id is 'The gear''s id on Ride with GPS.';
comment on column public.bikes.name is 'The gear''s nickname, else its name, else its make and model, else "Bike {id}".';
comment on column public.bikes.is_listed is 'Whether this bike is in the latest gear list on Ride with GPS.';
comment on column public.bikes.brand is 'The gear''s make. Null: unknown.';
comment on column public.bikes.model is 'Null: unknown.';
comment on column public.bikes.is_retired is
  'Whether the gear is archived on Ride with GPS. Bikes that were deleted there keep their last state.';

alter table public.bikes enable row level security;

create policy "The owner reads the bikes" on public.bikes
for select to authenticated using ((select private.is_owner()));

grant select (gear_id, name, is_listed, brand, model, is_retired) on public.bikes to authenticated;

grant select, insert, update on public.bikes to service_role;

create function private.bike_names() returns jsonb
language sql stable security invoker set search_path = ''
as $$ select coalesce(jsonb_object_agg(gear_id, name), '{}') from public.bikes $$;
comment on function private.bike_names() is 'Returns the bikes'' names by gear_id.';
grant execute on function private.bike_names to authenticated;

create table public.rides (
  id bigint primary key,
  -- No foreign key: rides on unknown gear are stored too, and count as soon as the gear is listed.
  gear_id bigint,
  started_at timestamp generated always as (timezone(time_zone, coalesce(departed_at, created_at))) stored,
  departed_at timestamptz,
  created_at timestamptz,
  duration integer,
  moving_time integer,
  -- Sums read this column, so placing it before the columns that they skip makes them 7% faster.
  is_stationary boolean not null default false,
  distance numeric,
  name text,
  time_zone text not null default 'UTC',
  updated_at timestamptz,
  max_speed numeric,
  avg_speed numeric,
  avg_hr numeric,
  max_hr numeric,
  avg_watts numeric,
  max_watts numeric,
  avg_cad numeric,
  elevation_gain numeric,
  highlighted_photo_id bigint,
  has_map boolean not null default false,
  missing_since_sync bigint
);
comment on table public.rides is 'The trips on Ride with GPS. Only update-rides writes them.';
comment on column public.rides.id is 'The trip''s id on Ride with GPS.';
comment on column public.rides.gear_id is 'The gear that the owner assigned on Ride with GPS. Null: none.';
comment on column public.rides.started_at is
  'Wall clock time in the ride''s time zone. Usage compares it with item dates.';
comment on column public.rides.departed_at is 'When the ride started.';
comment on column public.rides.created_at is 'When the trip was uploaded, which may be years after the ride.';
comment on column public.rides.duration is 'Seconds from start to end.';
comment on column public.rides.moving_time is 'Seconds in motion.';
comment on column public.rides.distance is 'Meters. Numeric, so sums are exact.';
comment on column public.rides.time_zone is
  'IANA name: the trip''s own zone, else the user''s, else UTC. started_at fails on a name that PostgreSQL does not know.';
comment on column public.rides.max_speed is 'km/h.';
comment on column public.rides.avg_speed is 'km/h.';
comment on column public.rides.avg_watts is 'Watts. Estimated by Ride with GPS if max_watts is null.';
comment on column public.rides.elevation_gain is 'Meters.';
comment on column public.rides.highlighted_photo_id is 'Null: no photo (Ride with GPS sends 0).';
comment on column public.rides.is_stationary is 'Whether this is an indoor ride on a trainer.';
comment on column public.rides.has_map is 'Whether the trip has a track, and therefore a map image.';
comment on column public.rides.missing_since_sync is
  'The first of the most recent consecutive syncs whose list lacked this ride. Null: the latest list has it.';

create index rides_gear_started_idx on public.rides (gear_id, started_at);
create index rides_missing_idx on public.rides (missing_since_sync) where missing_since_sync is not null;

alter table public.rides enable row level security;

create policy "The owner reads the rides" on public.rides
for select to authenticated using ((select private.is_owner()));

grant select on public.rides to authenticated;

grant select, insert, update, delete on public.rides to service_role;

create view private.listed_rides with (security_invoker = true) as
select id, name, gear_id, created_at, departed_at, time_zone, updated_at, distance, duration, moving_time, max_speed, avg_speed,
  avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, is_stationary, has_map
from public.rides;
comment on view private.listed_rides is 'What syncs store of a trip: all columns of rides, except the ones that the tracker itself sets.';
grant select on private.listed_rides to service_role;

create function private.ride_columns(template text) returns text
language sql stable security invoker set search_path = ''
as $$
  select string_agg(format(template, attname), ', ' order by attnum)
  from pg_catalog.pg_attribute where attrelid = 'private.listed_rides'::regclass and attnum > 0
$$;
comment on function private.ride_columns(text) is 'Lists the columns that syncs store, each formatted with a template such as excluded.%1$I.';
grant execute on function private.ride_columns(text) to service_role;

create table public.ride_changes (
  id bigint generated always as identity primary key,
  -- No foreign keys: removed rides are gone, syncs are never deleted, and a check per row would slow down syncs.
  sync_id bigint not null,
  ride_id bigint not null,
  is_after boolean not null,
  name text,
  gear_id bigint,
  started_at timestamp,
  time_zone text not null
);

do $$
begin
  execute 'alter table public.ride_changes ' || string_agg(
    format('add %I %s %s', listed.attname, format_type(ride.atttypid, ride.atttypmod), case when ride.attnotnull then 'not null' end),
    ', ' order by listed.attnum
  )
  from pg_catalog.pg_attribute as listed
  join pg_catalog.pg_attribute as ride on ride.attrelid = 'public.rides'::regclass and ride.attname = listed.attname
  where listed.attrelid = 'private.listed_rides'::regclass and listed.attnum > 0 and listed.attname not in (
    'id', 'name', 'gear_id', 'created_at', 'departed_at', 'time_zone', 'updated_at', 'highlighted_photo_id', 'has_map'
  );
end
$$;
comment on table public.ride_changes is
  'Rides before and after each sync of the last year. Added rides have no row before the sync, removed rides none after it. An account''s first sync is not recorded. The other columns are copied from rides.';
comment on column public.ride_changes.is_after is 'Whether the row shows the ride after the sync. False: before it.';

create index ride_changes_sync_idx on public.ride_changes (sync_id, ride_id);

alter table public.ride_changes enable row level security;

create policy "The owner reads the ride changes" on public.ride_changes
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_changes to authenticated;

create view private.counted_rides with (security_invoker = true) as
select id, gear_id, started_at, departed_at, distance, duration, coalesce(moving_time, duration) as moving_time, is_stationary
from public.rides
where coalesce(departed_at, created_at, '-infinity') <= now();
comment on view private.counted_rides is
  'The rides that count: all except future rides. Compares instants, because wall clock times in different zones aren''t comparable. A ride without a date counts for its bike, but for no period of time. If moving_time is null, the duration counts.';
grant select on private.counted_rides to authenticated;

create function public.list_order(bike public.bikes) returns bigint
language sql stable security invoker set search_path = ''
as $$
  select index
  from (
    select gear_id, row_number() over (order by is_retired, last_ride desc nulls last, name, gear_id) as index
    from public.bikes
    cross join lateral (select max(started_at) as last_ride from private.counted_rides as ride where ride.gear_id = bikes.gear_id) as ridden
  ) as listed
  where listed.gear_id = bike.gear_id
$$;
comment on function public.list_order(public.bikes) is
  'Returns a bike''s index in lists of bikes: by the last ride, latest first, and retired bikes last.';
grant execute on function public.list_order to authenticated;

create view private.counted_ride_changes with (security_invoker = true) as
select sync_id, ride_id, is_after, gear_id, started_at, coalesce(distance, 0) as distance,
  coalesce(moving_time, duration, 0) as moving_time, is_stationary
from public.ride_changes
where timezone(time_zone, started_at) <= now();
comment on view private.counted_ride_changes is 'Applies the rule of counted_rides to rides before and after a sync. Leaves out rides without a date.';
grant select on private.counted_ride_changes to authenticated;

create type private.ride_range as (key bigint, gear_id bigint, since timestamp, until timestamp, outdoor_only boolean);
comment on type private.ride_range is
  'A bike''s rides with since <= started_at < until. Null until: no end. The caller chooses the key.';

create function private.sum_rides(ranges private.ride_range[], changed_by bigint default null)
returns table (key bigint, rides bigint, distance numeric, moving_time bigint, first_ride timestamp, last_ride timestamp)
language plpgsql stable security invoker set search_path = ''
set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  bike record;
  -- Element n describes the nth interval with rides: the running sums at its end, and its first and last ride.
  rides_until bigint[];
  distance_until numeric[];
  moving_time_until bigint[];
  first_rides timestamp[];
  last_rides timestamp[];
begin
  for bike in
    select gear_id, coalesce(outdoor_only, false) as outdoor_only, array_agg(range.key) as keys, array_agg(since) as since,
      array_agg(coalesce(until, 'infinity')) as until
    from unnest(ranges) as range group by 1, 2
  loop
    with bounds as materialized (
      select array_agg(at order by at) as bounds from unnest(bike.since || bike.until) as at
    ), ridden as (
      select started_at, 1 as rides, distance, moving_time from private.counted_rides
      where changed_by is null and gear_id = bike.gear_id and started_at >= (select bounds[1] from bounds)
        and not (is_stationary and bike.outdoor_only)
      union all
      select started_at, sign, sign * distance, sign * moving_time
      from private.counted_ride_changes cross join lateral (select case when is_after then 1 else -1 end as sign) as side
      where sync_id = changed_by and gear_id = bike.gear_id and started_at >= (select bounds[1] from bounds)
        and not (is_stationary and bike.outdoor_only)
    ), intervals as (
      select width_bucket(started_at, (select bounds from bounds)) as number, sum(rides)::integer as rides, sum(distance) as distance,
        sum(moving_time) as moving_time, min(started_at) as first_ride, max(started_at) as last_ride
      from ridden group by 1
    ), running as (
      select first_ride, last_ride, sum(rides) over so_far as rides, coalesce(sum(distance) over so_far, 0) as distance,
        coalesce(sum(moving_time) over so_far, 0) as moving_time
      from intervals window so_far as (order by number rows unbounded preceding)
      order by number
    )
    select array_agg(rides), array_agg(distance), array_agg(moving_time), array_agg(first_ride), array_agg(last_ride)
    into rides_until, distance_until, moving_time_until, first_rides, last_rides
    from running;

    return query
    select range.key, coalesce(rides_until[last], 0) - coalesce(rides_until[first], 0),
      coalesce(distance_until[last], 0) - coalesce(distance_until[first], 0),
      coalesce(moving_time_until[last], 0) - coalesce(moving_time_until[first], 0),
      case when last > first then first_rides[first + 1] end, case when last > first then last_rides[last] end
    -- [:] and offset 0 flatten the array once; otherwise width_bucket does it for every range.
    from (select coalesce(first_rides[:], '{}') as firsts offset 0) as flattened
    cross join unnest(bike.keys, bike.since, bike.until) as range (key, since, until)
    cross join lateral (
      -- The number of intervals before the range's start and before its end. Subtracting a microsecond, a timestamp's
      -- resolution, excludes an interval whose first ride starts exactly then.
      select width_bucket(since - interval '1 microsecond', firsts), width_bucket(until - interval '1 microsecond', firsts)
      offset 0
    ) as place (first, last);
  end loop;
end
$$;
comment on function private.sum_rides(private.ride_range[], bigint) is
  'Returns each range''s rides, meters and seconds, and when its first and last ride started. With changed_by, sums that sync''s changes instead.';
grant execute on function private.sum_rides to authenticated;

create function private.wall_clock(instant timestamptz default now()) returns timestamp
language plpgsql stable security definer set search_path = ''
as $$
begin
  return timezone(
    coalesce(
      (select time_zone from private.owner),
      -- Fall back to the latest upload's zone. It has the highest id, which the primary key finds quickly.
      (select time_zone from public.rides where started_at is not null order by id desc limit 1),
      'UTC'
    ), instant
  );
end
$$;
comment on function private.wall_clock(timestamptz) is 'Converts an instant, by default now, to the owner''s time zone.';

create function private.today() returns date
language sql stable security invoker set search_path = ''
as $$ select private.wall_clock()::date $$;
comment on function private.today() is 'Returns today in the owner''s time zone.';

grant execute on function private.wall_clock(timestamptz), private.today() to authenticated, service_role;

create function public.ride_days(days integer, gear_id bigint default null) returns json
language sql stable security invoker set search_path = ''
as $$
  -- Read the owner's clock once, not for every ride.
  with clock as materialized (select private.today() as today),
  bikes as (
    select ride.gear_id, ride.is_stationary,
      -- A ride in a time zone ahead of the owner's may be dated tomorrow. Count it for today.
      array_agg(greatest((select today from clock) - ride.started_at::date, 0)) as ago,
      array_agg(coalesce(ride.distance, 0)::integer) as distance,
      array_agg(coalesce(ride.moving_time, 0)) as moving_time
    from private.counted_rides as ride
    where (ride_days.gear_id is null or ride.gear_id = ride_days.gear_id) and ride.gear_id is not null
      and ride.started_at >= (select today from clock) - (ride_days.days - 1)
    group by ride.gear_id, ride.is_stationary
  )
  select json_build_object(
    'today', (select today from clock),
    'bikes', coalesce((select json_agg(bikes order by gear_id, is_stationary) from bikes), '[]')
  )
$$;
comment on function public.ride_days(integer, bigint) is
  'Lists each bike''s outdoor and indoor rides of the last days, unordered: days ago, meters and seconds. Also returns today in the owner''s time zone. Usage counts the same rides.';
grant execute on function public.ride_days to authenticated;

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
comment on column public.ride_syncs.skipped_rows is
  'The first 100 skipped rows, one per line: the ride''s id, or # and the row''s position in the list, then the unreadable field. If the sync failed because most rows lack a field, the rows without that field.';
comment on column public.ride_syncs.rwgps_user_id is
  'The Ride with GPS account whose rides this sync stored. Null: the sync was refused or failed before it could store rides, or the account was forgotten.';
comment on column public.ride_syncs.follows_check is 'Whether a quick check with another digest started this sync.';
comment on column public.ride_syncs.list_count is 'The server''s latest count of all trips. Null: none, or unreadable.';
comment on column public.ride_syncs.digest is 'A hash of the first 20 rows of the list and its count. Null: the sync has not succeeded.';
comment on column public.ride_syncs.checked_at is 'The last time a quick check found no changes since this sync.';
comment on column public.ride_syncs.retry_at is 'Ride with GPS asked not to be called before this time.';

create unique index ride_syncs_one_running_idx on public.ride_syncs (outcome) where outcome = 'running';
create index ride_syncs_last_ok_idx on public.ride_syncs (finished_at desc) where outcome = 'ok';

alter table public.ride_syncs enable row level security;

create policy "The owner reads the sync history" on public.ride_syncs
for select to authenticated using ((select private.is_owner()));

grant select on public.ride_syncs to authenticated;

grant select, insert on public.ride_syncs to service_role;
grant update (
  finished_at, outcome, code, fetched, added, changed, removed, skipped, pending_removals, mismatch, pending_since, skipped_rows,
  rwgps_user_id, list_count, digest, checked_at, retry_at
) on public.ride_syncs to service_role;

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
grant execute on function private.store_bikes to service_role;

create function public.claim_rwgps_account(sync_id bigint, rwgps_user_id bigint, gear jsonb, listed bigint[] default null)
returns json
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
  update public.ride_syncs as sync set rwgps_user_id = claim_rwgps_account.rwgps_user_id where sync.id = sync_id;
  perform private.store_bikes(gear);
  execute format('select json_build_object(%s) from public.rides', private.ride_columns('%1$L, count(%1$I)')) into stored;
  return json_build_object('claim', 'accepted', 'stored', stored);
end
$$;
comment on function public.claim_rwgps_account(bigint, bigint, jsonb, bigint[]) is
  'Decides whether this sync may store rides of this account: accepted, refused or unknown. If accepted, stores the account''s bikes and also returns how many stored rides have each field. If unknown, call it again with the ids of the complete list (listed, each once).';
grant execute on function public.claim_rwgps_account to service_role;

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

create table public.parts (
  id bigint generated by default as identity primary key,
  -- The upper bounds, 100,000 miles and 10,000 hours, catch typos and also reject 'NaN'.
  earlier_distance numeric constraint parts_earlier_distance_check check (earlier_distance >= 0 and earlier_distance <= 160900000),
  earlier_moving_time integer constraint parts_earlier_moving_time_check check (
    earlier_moving_time >= 0 and earlier_moving_time <= 36000000
  )
);
comment on table public.parts is
  'Parts outlive their last item, so undoing its deletion restores the link. Items show where and when a part was installed.';
comment on column public.parts.earlier_distance is
  'Meters ridden before the part was logged. Included in its lifetime and service tasks, never in items or rides. Null: unknown.';
comment on column public.parts.earlier_moving_time is 'Seconds ridden before the part was logged. Null: unknown.';

alter table public.parts enable row level security;

create policy "The owner reads and writes the parts" on public.parts
for all to authenticated using ((select private.is_owner()));

grant select (id, earlier_distance, earlier_moving_time), insert (id, earlier_distance, earlier_moving_time),
  update (earlier_distance, earlier_moving_time) on public.parts to authenticated;

create function private.add_part(earlier_distance numeric default null, earlier_moving_time integer default null) returns bigint
language sql volatile security invoker set search_path = ''
as $$
  insert into public.parts (earlier_distance, earlier_moving_time)
  values (add_part.earlier_distance, add_part.earlier_moving_time) returning id
$$;
comment on function private.add_part(numeric, integer) is 'Adds a part and returns its id.';
grant execute on function private.add_part to authenticated;

create table public.maintenance (
  id bigint generated by default as identity primary key,
  -- No cascade: deleting a bike must not delete its log.
  "bikeId" bigint not null references public.bikes (gear_id) on delete restrict,
  type text check (
    type in ('Frame', 'Wheels', 'Pedals', 'Tires', 'Drivetrain', 'Brakes', 'Handlebar', 'Saddle')
  ),
  name text not null constraint maintenance_name_check check (name ~ '\S' and char_length(name) <= 1000),
  description text constraint maintenance_description_check check (char_length(description) <= 10000),
  -- PostgreSQL accepts 'NaN' as numeric, and a single one would turn every total cost into NaN.
  cost numeric(12, 2) not null default 0 constraint maintenance_cost_check check (cost <> 'NaN'),
  -- Wall clock time without a time zone. Days that the owner enters are stored as 01:00.
  "dateStarted" timestamp not null default (date_trunc('day', timezone('UTC', now())) + interval '1 hour'),
  "dateEnded" timestamp,
  -- Restrict: nothing may delete a part that has items.
  part_id bigint not null default private.add_part() references public.parts (id) on delete restrict,
  ended_as text constraint maintenance_ended_as_check check (
    ended_as in ('worn', 'damaged', 'stored', 'moved', 'sold')
  ),
  replaces bigint,
  -- Other schemes, such as javascript:, could run code.
  link text constraint maintenance_link_check check (char_length(link) <= 2000 and link ~* '^https?://[^\s/?#]+\S*$'),
  constraint maintenance_years_check check (
    "dateStarted" >= '1900-01-01' and "dateStarted" < '2101-01-01'
    and ("dateEnded" is null or "dateEnded" < '2101-01-01')
  ),
  constraint maintenance_ends_after_start_check check ("dateEnded" is null or "dateEnded" >= "dateStarted"),
  constraint maintenance_ended_as_needs_end_check check (ended_as is null or "dateEnded" is not null),
  -- A part can't be in two places at the same time. int8range avoids the btree_gist extension. An item that ends when it
  -- starts has an empty range, which overlaps nothing.
  constraint maintenance_one_place_at_a_time exclude using gist (
    int8range(part_id, part_id, '[]') with &&, tsrange("dateStarted", "dateEnded") with &&
  )
  -- Checked at the end of the statement, because changing a move's day changes two adjacent periods.
  deferrable initially immediate
);
comment on table public.maintenance is 'Log items: parts and work on a bike, each with a start and an end.';
comment on column public.maintenance."bikeId" is 'The bike''s gear_id.';
comment on column public.maintenance.link is 'A shop, a receipt or a manual.';
comment on column public.maintenance.cost is 'In the currency of the settings. Refunds are negative.';
comment on column public.maintenance."dateStarted" is
  'Rides count from this time on. The client always sends the owner''s local day; the default is a fallback in UTC.';
comment on column public.maintenance."dateEnded" is 'Rides count before this time. Null: still in use.';
comment on column public.maintenance.part_id is
  'Items with the same part_id are install periods of one part. By default, a new item gets a new part.';
comment on column public.maintenance.ended_as is 'Why the item ended. Null: unknown, or still in use.';
comment on column public.maintenance.replaces is
  'The item that this one replaced, whose part''s tasks belong to this item''s part since. No foreign key: the item may be deleted, and restored.';

create index maintenance_bike_started_idx on public.maintenance ("bikeId", "dateStarted", id);
create index maintenance_part_idx on public.maintenance (part_id, "dateStarted");
create index maintenance_replaces_idx on public.maintenance (replaces) where replaces is not null;

alter table public.maintenance enable row level security;

create policy "The owner reads and writes the log" on public.maintenance
for all to authenticated using ((select private.is_owner()));

grant select on public.maintenance to authenticated;
grant insert (id, "bikeId", type, name, description, cost, "dateStarted", "dateEnded", part_id, ended_as, link)
  on public.maintenance to authenticated;
grant update (type, name, description, cost, "dateStarted", "dateEnded", ended_as, link) on public.maintenance to authenticated;
grant delete on public.maintenance to authenticated;

create function public.log_items(gear_id bigint default null) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object('items', (
    select coalesce(json_agg(item order by case when log_items.gear_id is not null then "dateStarted" end, id), '[]')
    from public.maintenance as item where log_items.gear_id is null or "bikeId" = log_items.gear_id
  ))
  where log_items.gear_id is null or exists (select from public.bikes as bike where bike.gear_id = log_items.gear_id)
$$;
comment on function public.log_items(bigint) is
  'Lists a bike''s log, by start and id, or all items, by id: {items}. One answer, because the data API limits the rows of others. Null for an unknown bike.';
grant execute on function public.log_items to authenticated;

create function private.item_columns(privilege text) returns text
language sql stable security invoker set search_path = ''
as $$
  select string_agg(quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
  where attrelid = 'public.maintenance'::regclass and attnum > 0 and not attisdropped and attname <> 'id'
    and has_column_privilege('authenticated', attrelid, attnum, privilege)
$$;
comment on function private.item_columns(text) is
  'Lists the columns of items that the owner may insert or update, except the id, so that a new column is copied and imported like the others.';
grant execute on function private.item_columns to authenticated;

create function private.searched_text(item public.maintenance) returns text
language sql immutable security invoker set search_path = ''
as $$ select concat_ws(' ', item.name, item.description, item.link) $$;
comment on function private.searched_text(public.maintenance) is 'Returns the texts of an item that the log is searched for.';
grant execute on function private.searched_text to authenticated;

create function private.add_items(items jsonb) returns setof public.maintenance
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  return query execute format(
    'insert into public.maintenance (%1$s) select %1$s
    from jsonb_array_elements($1) with ordinality as entries (entry, place)
    cross join lateral jsonb_populate_record(null::public.maintenance, ''{"name": "", "cost": 0}'' || jsonb_strip_nulls(entry))
    order by place returning *', private.item_columns('insert')
  ) using items;
end
$$;
comment on function private.add_items(jsonb) is 'Adds items and returns them, in order. They need a part_id and a start.';
grant execute on function private.add_items to authenticated;

create function private.set_replaced(item_id bigint, replaced_id bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update public.maintenance set replaces = replaced_id where id = item_id;
end
$$;
comment on function private.set_replaced(bigint, bigint) is 'Stores which item an item replaced.';
grant execute on function private.set_replaced to authenticated;

create function private.successor(part_id bigint) returns bigint
language sql stable security invoker set search_path = ''
as $$
  with recursive line as (
    select successor.part_id as id, 0::bigint as latest_item
    union all
    select following.part_id, following.id
    from line
    cross join lateral (
      select item.id, item."dateEnded" from public.maintenance as item where item.part_id = line.id order by item.id desc limit 1
    ) as latest
    -- Ids only grow along the line, so it ends.
    join public.maintenance as following on following.replaces = latest.id and following.id > latest.id
    where latest."dateEnded" is not null
  )
  select id from line order by latest_item desc limit 1
$$;
comment on function private.successor(bigint) is
  'Returns the part that replaced this one, or its own successor. The part itself if it wasn''t replaced, or is in use again.';
grant execute on function private.successor to authenticated;

create function private.clear_column() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], null));
end
$$;
comment on function private.clear_column() is 'Clears the column that the trigger names.';

create trigger clear_blank_description
before insert or update of description on public.maintenance
for each row when (new.description !~ '\S') execute function private.clear_column('description');

create trigger clear_ended_as
before update of "dateEnded" on public.maintenance
for each row when (new."dateEnded" is null) execute function private.clear_column('ended_as');

create view private.overlapping_periods with (security_invoker = true) as
select item.id, other
from public.maintenance as item
cross join lateral (
  -- Read only the part's items (offset 0). In a new tracker without statistics, PostgreSQL would search all periods of the day.
  select same_part as other from public.maintenance as same_part where part_id = item.part_id and same_part.id <> item.id offset 0
) as others
where tsrange((other)."dateStarted", (other)."dateEnded") && tsrange(item."dateStarted", item."dateEnded");
comment on view private.overlapping_periods is 'Items with the other items that have their part at the same time.';
grant select on private.overlapping_periods to authenticated;

create function private.period_message(item public.maintenance) returns text
language sql stable security invoker set search_path = ''
as $$
  select case
      when item."dateEnded" is null then format('This part has been on %s since %s.', name, private.shown_day(item."dateStarted"))
      else format('This part was on %s from %s to %s.', name, private.shown_day(item."dateStarted"), private.shown_day(item."dateEnded"))
    end from public.bikes where gear_id = item."bikeId"
$$;
comment on function private.period_message(public.maintenance) is 'Says where a part was, and when.';
grant execute on function private.period_message to authenticated;

create function private.refuse_overlapping_period() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  message text;
begin
  select private.period_message(other) into message from private.overlapping_periods where id = new.id order by (other)."dateStarted" limit 1;
  if found then
    raise exception using errcode = 'RMT10', message = message || ' Choose another day.';
  end if;
  return null;
end
$$;
comment on function private.refuse_overlapping_period() is
  'Raises RMT10, naming the overlapping install period, if the part is already installed at that time. Simultaneous writes don''t see each other, so the constraint refuses the second one (23P01).';

create trigger "Refuse overlapping period"
after insert or update of "dateStarted", "dateEnded" on public.maintenance
for each row when (current_setting('tracker.previews', true) is distinct from 'on') execute function private.refuse_overlapping_period();

create view private.install_periods with (security_invoker = true) as
select id, part_id, "bikeId" as gear_id, type, name, cost, "dateStarted" as since,
  coalesce("dateEnded", 'infinity') as until, ended_as
from public.maintenance
where "dateEnded" is distinct from "dateStarted";
comment on view private.install_periods is
  'Items that are install periods of parts. Items that end when they start are work. Without an end, until is infinity.';
grant select on private.install_periods to authenticated;

create view private.part_kinds with (security_invoker = true) as
with families (family, nouns, of_type, pair, both_ends) as (
  -- Only parts that every bike needs, one per bike or one per end. of_type: the item type that implies the part if the name
  -- doesn't mention one. pair: words that mean both ends.
  values
    ('chain', '{chain}'::text[], null, null::text[], null),
    ('cassette', '{cassette,freewheel}', null, null, null),
    ('bottom bracket', '{bb,bottombracket}', null, null, null),
    ('saddle', '{saddle}', 'Saddle', null, null),
    ('pedals', '{pedals}', 'Pedals', null, null),
    ('tire', '{tire,tires,tyre,tyres}', 'Tires', '{tires,tyres,pair,both,set}', 'tires'),
    ('wheel', '{wheel,wheels,wheelset}', 'Wheels', '{wheels,wheelset,pair,both,set}', 'wheels'),
    ('brake pads', '{pad,pads}', null, '{both}', 'front and rear brake pads')
), items as materialized (
  select ids, type, words, thing
  from (
    select type, string_to_array(regexp_replace(lower(plain_name), '[^a-z]+', ' ', 'g'), ' ') as words, plain_name as name, ids
    -- Process each distinct name only once.
    from (select type, name, array_agg(id) as ids from public.maintenance group by 1, 2 offset 0) as spelled
    cross join lateral (
      -- A waxed chain with a quick link is a chain, but "Waxed", "Chain waxed" and "Chain quick link" are not.
      select regexp_replace(name, '\m((hot|pre)[- ]?)?waxed (?=([^ ]+ ){0,3}chain)|(\mwith|,|\+)( a)? (quick|missing|master)[- ]?links?', '', 'gi') as chain_name
    ) as of_chain
    cross join lateral (
      select regexp_replace(regexp_replace(chain_name, '\mrim[- ]brake\M', 'brake', 'i'), '\m(bb\d+\w*|bottom bracket)', 'bottombracket', 'gi') as plain_name
    ) as of_others
    -- Most names contain no known part, and this test is faster than splitting them into words.
    where type in ('Saddle', 'Pedals', 'Tires', 'Wheels')
      or lower(name) like any ('{%chain%,%cassette%,%freewheel%,%bb%,%bottom bracket%,%saddle%,%pedals%,%tire%,%tyre%,%wheel%,%pad%}')
  ) as named
  -- The part is named before a comma, bracket or preposition: "Speed sensor, rear wheel" is a sensor.
  cross join lateral unnest(regexp_split_to_array(
    regexp_replace(name, '\s*([,(/:;]|\s-\s|\m(at|by|for|from|in|of|on|per|to|with)\M).*$', '', 'i'), '\s+and\s+|\s*[&+]\s*', 'i'
  )) as thing
)
select distinct unnest(ids) as id, case
    when both_ends is null then family
    when words && '{front}' and words && '{rear,back}' or not words && '{front,rear,back}' and words && pair then both_ends
    when words && '{front}' then 'front ' || family
    when words && '{rear,back}' then 'rear ' || family
    else family
  end as kind
from items
cross join lateral (
  -- The last word that isn't a brand or position: "Chain KMC X11" is a chain, "Chain wear gauge" is a gauge. A word that
  -- begins with a part is something else: saddlebag, chainstay, tirelever.
  select (array_agg(lower(word) order by nth desc))[1] as noun
  from unnest(string_to_array(thing, ' ')) with ordinality as spelled (word, nth)
  where lower(word) in (select unnest(nouns) from families)
    or word ~ '^[a-z]' and word <> all ('{front,rear,back,left,right,new,pair,set,both}')
    -- Two more letters, so a plural isn't a compound.
    or lower(word) like any ('{chain__%,handlebar__%,pedal__%,saddle__%,seat__%,tire__%,tyre__%,wheel__%}')
) as head
join families on case
    when noun is null then type = of_type
    else noun = any (nouns) and (family <> 'brake pads' or type = 'Brakes' or words && '{brake,disc,disk}')
  end
where not case family when 'brake pads' then array_remove(words, 'guide') else words end && '{
  adjusted,adjustment,axle,bag,basement,battery,bearing,bearings,bleed,bleeding,board,bolt,bolts,boot,breaker,cable,cables,caliper,calipers,catcher,
  check,checked,clamp,clean,cleaned,cleaning,cleat,cleats,cover,dropper,freehub,garage,gauge,guard,guide,housing,hub,hubs,innertube,innertubes,
  insert,inserts,jockey,keeper,left,lever,levers,light,lights,liner,liners,link,links,lockring,lube,lubed,magnet,mudguard,mudguards,nipple,nipples,
  nut,nuts,oil,oiled,patch,patched,pin,pins,plug,plugs,post,pouch,proofide,protector,pulley,pulleys,pump,rack,rebuild,rebuilt,reflector,
  reflectors,repair,repaired,right,rim,rims,rimtape,ring,rings,rotor,rotors,sealant,seatpost,sensor,service,serviced,shelf,skewer,skewers,spacer,
  spacers,spare,spoke,spokes,stand,stay,storage,strap,straps,tape,tensioner,toeclips,toestraps,tool,training,trued,truing,tube,tubes,tubolito,tug,
  tugs,tune,tuned,valve,valves,wash,washed,washer,washers,wax,waxed,whip,wrench}';
comment on view private.part_kinds is
  'Each item''s kind of part, derived from its name and type: chain, front tire, tires (both), tire (front or rear unknown). One row per kind, so "Chain and cassette" has two. No row: unknown.';
grant select on private.part_kinds to authenticated;

create view private.kind_places with (security_invoker = true) as
with places (kind, family, "position") as (
  select kind, kind, '' from (values ('chain'), ('cassette'), ('bottom bracket'), ('saddle'), ('pedals')) as single (kind)
  union all
  select spelling.kind, family, "position"
  from (values ('tire', 'tires'), ('wheel', 'wheels'), ('brake pads', 'front and rear brake pads')) as pairs (family, both_ends)
  cross join lateral (values
    ('front ' || family, 'front'), ('rear ' || family, 'rear'), (both_ends, 'front'), (both_ends, 'rear'), (family, null)
  ) as spelling (kind, "position")
)
select id, kind, family, "position" from private.part_kinds join places using (kind);
comment on view private.kind_places is
  'Where each item''s part is on a bike, by its kind. position: front, rear, or empty for parts without a position. Null: unknown, so the part may be at either end. A pair has two rows.';
grant select on private.kind_places to authenticated;

create function private.replaced_by(items bigint[], gear_id bigint, day date) returns table (id bigint, is_likely boolean)
language sql stable security invoker set search_path = ''
as $$
  with new_places as materialized (
    select kind, family, "position" from private.kind_places as place where place.id = any (items)
  ), old_places as materialized (
    select place.* from private.kind_places as place join public.maintenance as item using (id)
    where item."bikeId" = replaced_by.gear_id and item."dateEnded" is null and item."dateStarted"::date <= day
      and item.part_id not in (select part_id from public.maintenance as new_item where new_item.id = any (items))
  )
  select old.id, bool_and(
    coalesce(found.is_there, false)
    or found.is_same_kind and (select count(*) from old_places as same where same.kind = old.kind) = 1
  )
  from old_places as old
  cross join lateral (
    select bool_or(new."position" = old."position") as is_there, bool_or(new.kind = old.kind) as is_same_kind,
      bool_or(coalesce(new."position" = old."position", true)) as may_be_there
    from new_places as new where new.family = old.family
  ) as found
  group by old.id having bool_or(found.may_be_there)
$$;
comment on function private.replaced_by(bigint[], bigint, date) is
  'Lists the items in use on a bike since a day or earlier whose parts are of the same kind and in the same place as these items'' parts. is_likely: the new parts are wherever it is, as a pair is for a front tire, but not the other way around; or it is the only one of its kind, if the place is unknown.';
grant execute on function private.replaced_by to authenticated;

create function private.latest_item(part_id bigint) returns public.maintenance
language plpgsql stable security invoker set search_path = ''
as $$
declare
  latest public.maintenance;
begin
  select * into latest from public.maintenance as item where item.part_id = latest_item.part_id
  order by item."dateStarted" desc, item.id desc limit 1;
  perform private.reject_if(
    latest.id is null or latest."dateEnded" = latest."dateStarted" and latest.ended_as is null, 'RMT23', 'RMT23: The part is not in the log.'
  );
  return latest;
end
$$;
comment on function private.latest_item(bigint) is 'Returns a part''s latest item. Raises RMT23 for an unknown part, and for work.';
grant execute on function private.latest_item to authenticated;

create table public.service_tasks (
  id bigint generated by default as identity primary key,
  -- Restrict: nothing may delete a part or a bike that has tasks.
  part_id bigint references public.parts (id) on delete restrict,
  gear_id bigint references public.bikes (gear_id) on delete restrict,
  name text not null constraint service_tasks_name_check check (name ~ '\S' and char_length(name) <= 200),
  kind text not null default 'service' constraint service_tasks_kind_check check (kind in ('service', 'replace', 'check')),
  -- The upper bounds, 100,000 miles, 10,000 hours and 10 years, catch typos and also reject 'NaN'. The lower bound of 1
  -- meter prevents an overflow when dividing by it.
  every_distance numeric constraint service_tasks_distance_check check (every_distance >= 1 and every_distance <= 160900000),
  every_moving_time integer constraint service_tasks_moving_time_check check (
    every_moving_time > 0 and every_moving_time <= 36000000
  ),
  every_days integer constraint service_tasks_days_check check (every_days > 0 and every_days <= 3650),
  outdoor_only boolean not null default false,
  snoozed_until date constraint service_tasks_years_check check (
    snoozed_until >= '1900-01-01' and snoozed_until < '2101-01-01'
  ),
  snoozed_distance numeric constraint service_tasks_snoozed_distance_check check (
    snoozed_distance > 0 and snoozed_distance <= 1e9
  ),
  snoozed_from timestamp,
  snoozed_part bigint,
  counted_from timestamp constraint service_tasks_counted_from_check check (
    counted_from >= '1900-01-01' and counted_from < '2101-01-01'
  ),
  constraint service_tasks_part_or_bike_check check (num_nonnulls(part_id, gear_id) = 1),
  constraint service_tasks_limit_check check (num_nonnulls(every_distance, every_moving_time, every_days) > 0),
  constraint service_tasks_snooze_check check (num_nonnulls(snoozed_until, snoozed_distance) <= 1)
);
comment on table public.service_tasks is 'Recurring work on a part, or on a bike. Due when the first of its limits is reached.';
comment on column public.service_tasks.kind is 'service: the part stays. replace: done by replacing the part. check: an inspection.';
comment on column public.service_tasks.every_distance is 'Meters. Null: no such limit.';
comment on column public.service_tasks.every_moving_time is 'Seconds of riding. Null: no such limit.';
comment on column public.service_tasks.outdoor_only is 'Whether indoor rides are left out: a direct-drive trainer doesn''t wear the rear tire.';
comment on column public.service_tasks.snoozed_until is 'The day on which the snooze ends.';
comment on column public.service_tasks.snoozed_distance is 'Snoozed until this many meters are used.';
comment on column public.service_tasks.snoozed_from is
  'The baseline when the task was snoozed. Doing the task moves the baseline, which ends the snooze; undoing it restores the snooze.';
comment on column public.service_tasks.snoozed_part is
  'The part that had the task when it was snoozed, if a successor has taken over the task since. That ends the snooze; undoing the replacement restores it.';
comment on column public.service_tasks.counted_from is
  'Wall clock time from which a task counts that was never done. Null: from the part''s first install, or the bike''s first ride.';

create index service_tasks_part_idx on public.service_tasks (part_id);
create index service_tasks_gear_idx on public.service_tasks (gear_id);

alter table public.service_tasks enable row level security;

create policy "The owner reads and writes the service tasks" on public.service_tasks
for all to authenticated using ((select private.is_owner()));

grant select, insert, delete on public.service_tasks to authenticated;
grant update (part_id, name, kind, every_distance, every_moving_time, every_days, outdoor_only, snoozed_until, snoozed_distance,
  snoozed_from, snoozed_part, counted_from) on public.service_tasks to authenticated;

create table public.service_events (
  id bigint generated by default as identity primary key,
  task_id bigint not null references public.service_tasks (id) on delete cascade,
  -- The serviced part, which keeps its events when a successor takes over the task.
  part_id bigint references public.parts (id) on delete restrict,
  done_at timestamp not null constraint service_events_years_check check (done_at >= '1900-01-01' and done_at < '2101-01-01'),
  note text constraint service_events_note_check check (char_length(note) <= 10000),
  maintenance_id bigint constraint service_events_maintenance_key unique references public.maintenance (id) on delete set null,
  pressed_at timestamptz
);
comment on table public.service_events is 'Each time a service task was done.';
comment on column public.service_events.part_id is 'Null for a bike''s task.';
comment on column public.service_events.done_at is 'Wall clock time: the current time, or 01:00 on an earlier day. Rides count from this time on.';
comment on column public.service_events.pressed_at is
  'When Done was pressed. Null: the owner chose a day. The event with the latest instant is the baseline, because the wall clock goes back when the owner travels west.';
comment on column public.service_events.maintenance_id is
  'The item with the cost, which ends when it starts. Null: free, or the item was deleted.';

create index service_events_task_idx on public.service_events (task_id, part_id, done_at);
create index service_events_part_idx on public.service_events (part_id);

alter table public.service_events enable row level security;

create policy "The owner reads and writes the service events" on public.service_events
for all to authenticated using ((select private.is_owner()));

grant select, insert, delete on public.service_events to authenticated;
grant update (done_at, pressed_at, note, maintenance_id) on public.service_events to authenticated;

create view private.done_events with (security_invoker = true) as
select id, task_id, part_id, done_at, pressed_at, maintenance_id from public.service_events
where coalesce(pressed_at < now() + interval '1 day', done_at::date <= (select private.today()));
comment on view private.done_events is 'The service events that count: those whose day has come.';
grant select on private.done_events to authenticated;

create view private.paid_services with (security_invoker = true) as
select event.part_id, item.cost, item."dateStarted" as paid_at
from private.done_events as event join public.maintenance as item on item.id = event.maintenance_id
where item.part_id <> event.part_id and not exists (select from private.install_periods as period where period.id = item.id);
comment on view private.paid_services is
  'The cost of each service of a part from its day on, which adds to the part''s cost. Leaves out replacements, whose cost belongs to the successor.';
grant select on private.paid_services to authenticated;

create view private.part_places with (security_invoker = true) as
select id, part_id, gear_id, type, name, since, until from private.install_periods
union all
select id, part_id, "bikeId", type, name, "dateStarted", "dateEnded" from public.maintenance as item
where not exists (select from private.install_periods as period where period.part_id = item.part_id);
comment on view private.part_places is
  'The bikes that each part is or was on, from its install periods. A part that was stored on the day it was installed has none, so its items are listed instead, although they end when they start.';
grant select on private.part_places to authenticated;

create view private.service_places with (security_invoker = true) as
select event.id, event.task_id, event.part_id, event.done_at, event.note, event.maintenance_id, task.name, task.gear_id as task_gear_id,
  place.id as item_id, place.name as item_name, coalesce(place."bikeId", task.gear_id) as gear_id
from public.service_events as event
join public.service_tasks as task on task.id = event.task_id
left join lateral (
  -- The part's latest period that had started by then, or its first period.
  select period.id, period."bikeId", period.name from public.maintenance as period where period.part_id = event.part_id
  order by greatest(period."dateStarted" - event.done_at, interval '0'), period."dateStarted" desc, period.id desc
  limit 1
) as place on true;
comment on view private.service_places is
  'The service events with the bike that they were done on, and the part''s item there. task_gear_id and no item: a bike''s task.';
grant select on private.service_places to authenticated;

create type private.used_span as (
  key bigint, part_id bigint, gear_id bigint, since timestamp, until timestamp, outdoor_only boolean
);
comment on type private.used_span is
  'A part, or else a bike, between two moments: since <= … < until. Null since: from its beginning. Null until: no end. The caller chooses the key.';

create function private.usage_between(spans private.used_span[])
returns table (key bigint, distance numeric, moving_time bigint, earlier_distance numeric, earlier_moving_time integer)
language plpgsql stable security invoker set search_path = ''
set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with used as (
      select key, sum(used.distance) as distance, sum(used.moving_time) as moving_time
      from private.sum_rides(array(
        select (span.key, "bikeId", greatest("dateStarted", span.since), least("dateEnded", span.until), outdoor_only)::private.ride_range
        from unnest(spans) as span join public.maintenance as item using (part_id)
        where (span.until is null or "dateStarted" < span.until) and (span.since is null or "dateEnded" is null or "dateEnded" > span.since)
        union all
        select (span.key, gear_id, coalesce(span.since, '-infinity'), span.until, outdoor_only)::private.ride_range
        from unnest(spans) as span where part_id is null
      )) as used group by key
    )
    select key, coalesce(used.distance, 0) + coalesce(part.earlier_distance, 0),
      (coalesce(used.moving_time, 0) + coalesce(part.earlier_moving_time, 0))::bigint, part.earlier_distance, part.earlier_moving_time
    from unnest(spans) as span left join used using (key)
    left join public.parts as part on part.id = part_id and span.since is null;
end
$$;
comment on function private.usage_between(private.used_span[]) is
  'Returns each span''s meters and seconds. Without a since, they include the part''s usage from before the log.';
grant execute on function private.usage_between to authenticated;

create type private.used_item as (
  id bigint, gear_id bigint, cost numeric, since timestamp, until timestamp, days bigint, rides bigint, distance numeric, moving_time bigint,
  first_ride timestamp, last_ride timestamp
);
comment on type private.used_item is 'An item, its days, and the rides that count for it. Without an end, until is infinity.';

create function private.part_totals(
  parts bigint[], until timestamp default null, gear_id bigint default null, what_if jsonb default '[]'
)
returns table (
  part_id bigint, rides bigint, distance numeric, moving_time bigint, days bigint, price numeric, cost numeric,
  earlier_distance numeric, earlier_moving_time integer, items private.used_item[]
)
language plpgsql stable security invoker set search_path = '' set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  clock constant timestamp := private.wall_clock();
begin
  return query
    with log as (
      select item.id, part_id, "bikeId" as gear_id, case when changed.id is null then item.cost else changed.cost end as cost,
        case when changed.id is null then item."dateStarted" else changed."dateStarted" end as since,
        coalesce(case when changed.id is null then item."dateEnded" else changed."dateEnded" end, 'infinity') as until
      from unnest(parts) as part (part_id)
      join public.maintenance as item using (part_id)
      left join jsonb_to_recordset(what_if)
        as changed (id bigint, cost numeric, "dateStarted" timestamp, "dateEnded" timestamp) on changed.id = item.id
    ), periods as materialized (
      select id, part_id, gear_id, cost, since, least(until, part_totals.until) as until,
        greatest(least(until, part_totals.until, clock)::date - since::date, 0)::bigint as days
      from log where part_totals.until is null or since < part_totals.until
    ), used as materialized (
      select * from private.sum_rides(array(
        select (id, gear_id, since, until, false)::private.ride_range from periods
        union all
        -- The bike itself has no item.
        select (null, part_totals.gear_id, '-infinity', part_totals.until, false)::private.ride_range where part_totals.gear_id is not null
      ))
    ), sums as (
      select part_id, sum(rides)::bigint as rides, sum(distance) as distance, sum(moving_time)::bigint as moving_time,
        sum(days)::bigint as days, sum(cost) as price,
        array_agg((id, gear_id, cost, since, until, days, rides, distance, moving_time, first_ride, last_ride)::private.used_item) as items
      from periods join used on key = id group by part_id
    ), services as (
      select part_id, sum(cost) as cost from private.paid_services
      where part_totals.until is null or paid_at < part_totals.until group by part_id
    )
    select part_id, rides, distance + coalesce(part.earlier_distance, 0), moving_time + coalesce(part.earlier_moving_time, 0), days,
      price, price + coalesce(services.cost, 0), part.earlier_distance, part.earlier_moving_time, items
    from sums join public.parts as part on part.id = part_id left join services using (part_id)
    union all
    select null, rides, distance, moving_time, null, null, null, null, null, null from used where key is null;
end
$$;
comment on function private.part_totals(bigint[], timestamp, bigint, jsonb) is
  'Adds up the items of each part that started before a moment (until) or all: rides, meters and seconds, including usage from before the log; the days of its install periods; the price of its items, and the cost, which is the price and the paid services. items: its items, unordered. gear_id adds a row for a bike, with its rides, meters and seconds until then. what_if, [{id, cost, dateStarted, dateEnded}], replaces the stored values of these items.';
grant execute on function private.part_totals to authenticated;

create function public.maintenance_use(gear_id bigint, day date default null) returns json
language plpgsql stable security invoker set search_path = '' set jit = off
as $$
declare
  -- Null without a day: all rides and items count.
  midnight constant timestamp := maintenance_use.day + 1;
  parts constant bigint[] := array(
    select distinct part_id from public.maintenance
    where "bikeId" = maintenance_use.gear_id
      and (midnight is null or "dateStarted" < midnight and ("dateEnded" is null or "dateEnded" >= midnight))
  );
begin
  return (
    with totals as materialized (
      select * from private.part_totals(parts, midnight, maintenance_use.gear_id)
    ), items as materialized (
      select part_id, item.* from totals cross join lateral unnest(items) as item
    ), kinds as (
      select id, min(kind) as kind from private.part_kinds group by id
    ), listed as (
      select part_id, array_agg(id order by since, id) as item_ids,
        -- A part has the kind of its latest item.
        (array_agg(kind order by since desc, id desc))[1] as kind
      from items left join kinds using (id) group by part_id
    ), total as (
      select rides, distance, moving_time from totals where part_id is null
      union all
      -- Add rides without a date, but only if no day is requested.
      select count(*), coalesce(sum(distance), 0), coalesce(sum(moving_time), 0) from private.counted_rides as ride
      where ride.gear_id = maintenance_use.gear_id and started_at is null and midnight is null
    )
    select json_build_object(
      'gear_id', bike.gear_id,
      'total', (
        select json_build_object('rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time)) from total
      ),
      'items', (
        select coalesce(json_agg(item), '[]') from (
          select id, rides, distance, moving_time, days, first_ride, last_ride from items
          where items.gear_id = maintenance_use.gear_id and (midnight is null or until = midnight)
          order by id
        ) as item
      ),
      'parts', (
        select coalesce(json_agg(part), '[]') from (
          select part_id, item_ids, rides, distance, moving_time, earlier_distance, earlier_moving_time, cost, kind
          from totals join listed using (part_id) order by part_id
        ) as part
      )
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$$;
comment on function public.maintenance_use(bigint, date) is
  'Returns rides, meters and seconds of a bike, its log items, and their parts over all bikes, as maintenance-use does, and the items'' days. With a day: as of the end of that day, only for items on the bike at the time. Null for an unknown bike.';
grant execute on function public.maintenance_use to authenticated;

create function public.part_history(part_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  with totals as materialized (
    select * from private.part_totals(array[part_history.part_id])
  ), periods as materialized (
    select item.id, item."bikeId" as gear_id, item.name, item.cost, item."dateStarted", item."dateEnded", item.ended_as,
      used.rides, used.distance, used.moving_time, lag(item."bikeId") over by_start as from_bike, lag(item."dateEnded") over by_start as from_time
    from totals cross join lateral unnest(items) as used join public.maintenance as item using (id)
    window by_start as (order by item."dateStarted", item.id)
  ), last as (
    select * from periods order by "dateStarted" desc, id desc limit 1
  )
  select json_build_object(
    'part_id', part_history.part_id,
    'lifetime', (
      select to_json(lifetime) from (
        select rides, distance, moving_time, earlier_distance, earlier_moving_time, cost, days from totals
      ) as lifetime
    ),
    'periods', (
      select json_agg(listed) from (
        select id, gear_id, name, cost, "dateStarted", "dateEnded", ended_as, rides, distance, moving_time
        from periods order by "dateStarted", id
      ) as listed
    ),
    'moved_together', (
      -- The parts that moved to this bike with this part: from the same bike on the same day.
      select coalesce(json_agg(arrived.part_id order by arrived.part_id), '[]')
      from last
      join public.maintenance as arrived on arrived."bikeId" = last.gear_id
        and arrived."dateStarted"::date = last."dateStarted"::date and arrived.part_id <> part_history.part_id
      where exists (
        select from public.maintenance as origin where origin.part_id = arrived.part_id and origin."bikeId" = last.from_bike
          and origin."dateEnded"::date = last.from_time::date
      )
    )
  )
  where exists (select from periods)
$$;
comment on function public.part_history(bigint) is
  'Returns a part''s lifetime, including usage from before the log, its install periods with their usage, and the parts that moved with it in its last move. Null for an unknown part.';
grant execute on function public.part_history to authenticated;

create function public.stored_parts() returns json
language sql stable security invoker set search_path = ''
as $$
  with stored as materialized (
    select latest.* from (
      select distinct on (part_id) * from public.maintenance
      order by part_id, coalesce("dateEnded", 'infinity') desc, "dateStarted" desc, id desc
    ) as latest
    where latest.ended_as = 'stored' and latest."dateEnded"::date <= private.today()
  )
  select json_build_object('parts', coalesce(json_agg(listed), '[]')) from (
    select part_id, stored.id as item_id, stored."bikeId" as gear_id, stored.type, stored.name, stored."dateEnded" as stored_at,
      rides, distance, moving_time, totals.earlier_distance, totals.earlier_moving_time, totals.cost, days
    from private.part_totals(array(select part_id from stored)) as totals join stored using (part_id)
    order by stored."dateEnded" desc, stored.id
  ) as listed
$$;
comment on function public.stored_parts() is
  'Lists the parts in storage, whose last item ended as stored: {parts} with their usage over all bikes. item_id, gear_id and stored_at come from that item.';
grant execute on function public.stored_parts to authenticated;

create function private.ride_months(gear_id bigint default null, from_day date default null, to_day date default null)
returns table (month text, rides bigint, distance numeric, moving_time bigint)
language sql stable security invoker set search_path = ''
as $$
  select to_char(ride.started_at, 'YYYY-MM'), count(*), coalesce(sum(ride.distance), 0), coalesce(sum(ride.moving_time), 0)
  from private.counted_rides as ride
  where (ride_months.gear_id is null or ride.gear_id = ride_months.gear_id)
    and (from_day is null or started_at >= from_day) and (to_day is null or started_at < to_day + 1)
  group by 1 order by 1
$$;
comment on function private.ride_months(bigint, date, date) is
  'Adds up rides, meters and seconds by month, of a bike or of all rides, in a period. Without a period, the last row has the rides without a date.';
grant execute on function private.ride_months to authenticated;

create function public.bike_timeline(gear_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'months', (
      select coalesce(json_agg(months order by month), '[]') from private.ride_months(bike.gear_id) as months where month is not null
    ),
    'services', (
      select coalesce(json_agg(services), '[]') from (
        select id, name, done_at::date as day, item_id, maintenance_id as paid_item_id
        from private.service_places as service where service.gear_id = bike.gear_id
        order by done_at, id
      ) as services
    )
  )
  from public.bikes as bike where bike.gear_id = bike_timeline.gear_id
$$;
comment on function public.bike_timeline(bigint) is
  'Returns a bike''s rides, meters and seconds by month, and the service events of the bike and its parts, each with the part''s item and the item with the cost. Null for an unknown bike.';
grant execute on function public.bike_timeline to authenticated;

create function private.log_entries(
  gear_id bigint default null, type text default null, word text default null, from_day date default null, to_day date default null,
  after bigint default null, entries integer default 100
) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
#variable_conflict use_column
declare
  last constant public.maintenance := (select item from public.maintenance as item where id = log_entries.after);
begin
  perform private.reject_if(log_entries.after is not null and last.id is null, 'PT422', 'after: No entry has this id.');
  return (
    with listed as materialized (
      select * from public.maintenance as item
      where (log_entries.gear_id is null or "bikeId" = log_entries.gear_id) and (log_entries.type is null or type = log_entries.type)
        and (log_entries.word is null or strpos(lower(private.searched_text(item)), lower(log_entries.word)) > 0)
        and (log_entries.from_day is null or "dateStarted" >= log_entries.from_day)
        and (log_entries.to_day is null or "dateStarted" < log_entries.to_day + 1)
        and (last.id is null or ("dateStarted", id) < (last."dateStarted", last.id))
      order by "dateStarted" desc, id desc limit log_entries.entries + 1
    ), page as (
      select * from listed order by "dateStarted" desc, id desc limit log_entries.entries
    ), used as (
      select * from private.sum_rides(array(
        select (id, "bikeId", "dateStarted", "dateEnded", false)::private.ride_range from page
      ))
    )
    select jsonb_build_object(
      'entries', coalesce(jsonb_agg(to_jsonb(page) || jsonb_build_object(
        'part_id', case when exists (select from private.install_periods as period where period.id = page.id) then part_id end,
        'rides', rides, 'distance', distance, 'moving_time', moving_time
      ) order by "dateStarted" desc, id desc), '[]'),
      'has_more', (select count(*) > log_entries.entries from listed), 'bikes', private.bike_names()
    )
    from page join used on key = id
  );
end
$$;
comment on function private.log_entries(bigint, text, text, date, date, bigint, integer) is
  'Returns a page of the log with each item''s rides, meters and seconds, newest first: {entries, has_more, bikes}. The period is that of the starts, and word is part of private.searched_text. part_id is null for work. after: the id of the last item of the page before.';
grant execute on function private.log_entries to authenticated;

create view private.current_places with (security_invoker = true) as
select distinct on (part_id) part_id, id as item_id, gear_id, type, name, not is_ahead and until > clock as is_installed,
  min(since) over (partition by part_id) as first_installed
from private.part_places
cross join (select private.wall_clock() as clock offset 0) as owner
cross join lateral (select since::date > clock::date as is_ahead) as place
where part_id in (select part_id from public.service_tasks)
order by part_id, is_ahead, case when is_ahead then since end, since desc, id desc;
comment on view private.current_places is
  'The current, last or next item of each part with tasks, and when the part was first installed.';
grant select on private.current_places to authenticated;

create view private.last_events with (security_invoker = true) as
select distinct on (task_id, part_id) task_id, part_id, done_at, max(id) over (partition by task_id, part_id) as newest_event
from private.done_events
order by task_id, part_id, coalesce(timezone('UTC', pressed_at), done_at - (select private.wall_clock() - timezone('UTC', now()))) desc,
  id desc;
comment on view private.last_events is 'When each task was last done on each part, and the event that was added last.';
grant select on private.last_events to authenticated;

create view private.current_tasks with (security_invoker = true) as
with latest as materialized (
  -- Materialized, because PostgreSQL expects a single task and would sort the events again for every task.
  select * from private.last_events
)
select task.id, task.part_id, coalesce(place.gear_id, task.gear_id) as gear_id, place.item_id, place.type as item_type,
  place.name as item_name, coalesce(place.is_installed, true) as is_installed, task.name, task.kind, task.every_distance,
  task.every_moving_time, task.every_days, task.outdoor_only, task.snoozed_until, task.snoozed_distance,
  (latest.done_at is null or latest.done_at = task.snoozed_from) and coalesce(task.snoozed_part = task.part_id, true) as is_snooze_current,
  latest.newest_event, latest.done_at as last_done, rides_from, coalesce(rides_from, place.first_installed, first_ride.started_at) as baseline
from public.service_tasks as task
left join private.current_places as place on place.part_id = task.part_id
left join latest on latest.task_id = task.id and latest.part_id is not distinct from task.part_id
cross join lateral (
  select coalesce(latest.done_at, case when coalesce(task.counted_from > place.first_installed, true) then task.counted_from end) as rides_from
) as counted
left join lateral (
  select ride.started_at from private.counted_rides as ride
  where task.part_id is null and ride.gear_id = task.gear_id order by ride.started_at limit 1
) as first_ride on true
where task.part_id is null or place.part_id is not null;
comment on view private.current_tasks is 'Each task with its part''s current place and its baseline.';
grant select on private.current_tasks to authenticated;

create function public.service_due(gear_id bigint default null) returns json
language plpgsql stable security invoker set search_path = ''
set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  today constant date := private.today();
begin
  if service_due.gear_id is not null
    and not exists (select from public.bikes where bikes.gear_id = service_due.gear_id) then
    return null;
  end if;

  return (
    with tasks as materialized (
      select * from private.current_tasks where service_due.gear_id is null or gear_id = service_due.gear_id
    ), used as (
      select key as id, distance, moving_time, earlier_distance, earlier_moving_time
      from private.usage_between(array(
        select (id, part_id, gear_id, case when part_id is null then baseline else rides_from end, null, outdoor_only)::private.used_span
        from tasks where baseline is not null
      ))
    ), fractions as materialized (
      select *,
        distance::float8 / every_distance::float8 as of_distance,
        moving_time::float8 / every_moving_time as of_moving_time,
        days::float8 / every_days as of_days,
        coalesce(is_snooze_current and (today < snoozed_until or distance < snoozed_distance), false) as is_snoozed
      from (
        select tasks.*, coalesce(distance, 0) as distance, coalesce(moving_time, 0) as moving_time, earlier_distance, earlier_moving_time,
          coalesce(greatest(today - baseline::date, 0), 0) as days
        from tasks left join used using (id)
      ) as amounts
    ), states as materialized (
      select *, greatest(of_distance, of_moving_time, of_days) as fraction, case
        when not is_installed then 'paused'
        when is_snoozed then 'snoozed'
        when greatest(of_distance, of_moving_time) >= 1.1 or days > every_days then 'overdue'
        when greatest(of_distance, of_moving_time, of_days) >= 1 then 'due'
        when greatest(of_distance, of_moving_time, of_days) >= 0.9 then 'soon'
        else 'ok' end as state
      from fractions
    )
    select json_build_object('tasks', coalesce(json_agg(task order by fraction desc, id), '[]'))
    from (
      select id, gear_id, item_id, name, kind,
        json_build_object('distance', every_distance, 'moving_time', every_moving_time, 'days', every_days) as every,
        outdoor_only, json_build_object('distance', distance, 'moving_time', moving_time, 'days', days) as used,
        earlier_distance, earlier_moving_time, fraction,
        case fraction when of_distance then 'distance' when of_moving_time then 'moving_time' else 'days' end as axis, state,
        case when is_snoozed then snoozed_until end as snoozed_until,
        case when is_snoozed then snoozed_distance end as snoozed_distance,
        part_id, item_name, item_type, baseline, last_done, newest_event
      from states
    ) as task
  );
end
$$;
comment on function public.service_due(bigint) is
  'Returns the service tasks of one or all bikes, as service-due does but without forecasts. Null for an unknown bike.';
grant execute on function public.service_due to authenticated;

create function public.service_history(part_id bigint default null, gear_id bigint default null) returns json
language sql stable security invoker set search_path = ''
as $$
  with events as materialized (
    select event.id, event.task_id, task.name, event.done_at, event.note, event.maintenance_id, item.cost
    from public.service_events as event
    join public.service_tasks as task on task.id = event.task_id
    left join public.maintenance as item on item.id = event.maintenance_id
    where case when service_history.part_id is null
      then event.part_id is null and task.gear_id = service_history.gear_id
      else event.part_id = service_history.part_id end
  ), used as (
    select key as id, distance, earlier_distance
    from private.usage_between(array(
      select (id, service_history.part_id, service_history.gear_id, null, done_at, false)::private.used_span from events
    ))
  )
  select json_build_object('events', coalesce(json_agg(json_build_object(
    'id', id, 'task_id', task_id, 'name', name, 'done_at', done_at, 'note', note, 'maintenance_id', maintenance_id,
    'cost', cost, 'distance', distance, 'earlier_distance', earlier_distance
  ) order by done_at desc, id desc), '[]'))
  from events join used using (id)
$$;
comment on function public.service_history(bigint, bigint) is
  'Lists a part''s or bike''s service events, latest first: {events: [{id, task_id, name, done_at, note, maintenance_id, cost, distance, earlier_distance}]}. distance: the part''s or bike''s meters at the time, including earlier_distance.';
grant execute on function public.service_history to authenticated;

create function private.services(
  task_id bigint default null, gear_id bigint default null, from_day date default null, to_day date default null,
  after bigint default null, entries integer default 100
) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
#variable_conflict use_column
declare
  last constant private.service_places := (select place from private.service_places as place where id = services.after);
begin
  perform private.reject_if(
    services.task_id is not null and not exists (select from public.service_tasks where id = services.task_id), 'RMT22', 'RMT22: The task was removed.'
  );
  perform private.reject_if(services.after is not null and last.id is null, 'PT422', 'after: No service has this id.');
  return (
    with listed as materialized (
      select * from private.service_places
      where (services.task_id is null or task_id = services.task_id) and (services.gear_id is null or gear_id = services.gear_id)
        and (services.from_day is null or done_at >= services.from_day) and (services.to_day is null or done_at < services.to_day + 1)
        and (last.id is null or (done_at, id) < (last.done_at, last.id))
      order by done_at desc, id desc limit services.entries + 1
    ), page as (
      select * from listed order by done_at desc, id desc limit services.entries
    ), used as (
      select key, distance
      from private.usage_between(array(
        select (id, part_id, case when part_id is null then task_gear_id end, null, done_at, false)::private.used_span from page
      ))
    )
    select jsonb_build_object(
      'services', coalesce(jsonb_agg(jsonb_build_object(
        'id', page.id, 'task_id', task_id, 'task', page.name, 'gear_id', gear_id, 'part_id', page.part_id, 'part', item_name,
        'done_on', done_at::date, 'note', note, 'cost', item.cost, 'distance', distance
      ) order by done_at desc, page.id desc), '[]'),
      'has_more', (select count(*) > services.entries from listed), 'bikes', private.bike_names()
    )
    from page join used on key = page.id left join public.maintenance as item on item.id = maintenance_id
  );
end
$$;
comment on function private.services(bigint, bigint, date, date, bigint, integer) is
  'Returns a page of the services of a task, or done on a bike, or all, in a period, newest first: {services, has_more, bikes}. after: the id of the last service of the page before. distance: the part''s or bike''s meters at the time. Raises RMT22 for an unknown task.';
grant execute on function private.services to authenticated;

create function private.check_service_day(part_id bigint, day date) returns void
language plpgsql stable security invoker set search_path = ''
as $$
declare
  first_installed constant date := (
    select min(since) from private.part_places as place where place.part_id = check_service_day.part_id
  );
begin
  perform private.reject_if(
    day > private.today() or day < first_installed, 'RMT20', 'RMT20: The day is in the future or before the part was installed.'
  );
end
$$;
comment on function private.check_service_day(bigint, date) is
  'Raises RMT20 if the day is in the future or before the part was installed. part_id is null for a bike''s task.';
grant execute on function private.check_service_day to authenticated;

create function private.service_time(day date, out done_at timestamp, out pressed_at timestamptz)
language sql stable security invoker set search_path = ''
as $$
  select case when is_today then private.wall_clock() else day + time '01:00' end, case when is_today then now() end
  from (select coalesce(day = private.today(), true)) as days (is_today)
$$;
comment on function private.service_time(date) is 'Returns the wall clock time to store for work done on a day, by default today. For today, also returns the instant.';
grant execute on function private.service_time to authenticated;

create function private.add_task(task jsonb, last_done date default null, count_from text default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  new_task public.service_tasks := jsonb_populate_record(null::public.service_tasks, task);
begin
  if new_task.part_id is not null then
    perform private.reject_if(
      not exists (select from public.maintenance as item where item.part_id = new_task.part_id),
      'RMT23', 'RMT23: The part is no longer in the log.'
    );
    perform private.reject_if(
      not exists (select from private.install_periods as period where period.part_id = new_task.part_id),
      'RMT21', 'RMT21: This is an entry for work, not a part.'
    );
  end if;
  insert into public.service_tasks (
    part_id, gear_id, name, kind, every_distance, every_moving_time, every_days, outdoor_only
  )
  values (
    new_task.part_id, new_task.gear_id, coalesce(new_task.name, ''), coalesce(new_task.kind, 'service'),
    new_task.every_distance, new_task.every_moving_time, new_task.every_days, coalesce(new_task.outdoor_only, false)
  ) returning id into new_task.id;
  -- Only now, because the trigger may have given it to the part's successor.
  update public.service_tasks as stored
  set counted_from = case when count_from is distinct from 'installed' then (private.service_time(count_from::date)).done_at end
  where stored.id = new_task.id returning stored.* into new_task;
  perform private.check_service_day(new_task.part_id, last_done),
    private.check_service_day(new_task.part_id, case when count_from <> 'installed' then count_from::date end);
  insert into public.service_events (task_id, part_id, done_at, pressed_at)
  select new_task.id, new_task.part_id, done_at, pressed_at from private.service_time(last_done) where last_done is not null;
  return jsonb_build_object(
    'tasks', jsonb_build_array(to_jsonb(new_task)),
    'events', (select jsonb_agg(to_jsonb(event)) from public.service_events as event where event.task_id = new_task.id),
    'successor', case when new_task.part_id::text <> task ->> 'part_id' then private.subject('service_tasks', to_jsonb(new_task)) -> 'item' end
  );
end
$$;
comment on function private.add_task(jsonb, date, text) is
  'Adds a task with the columns of service_tasks and, optionally, the day on which it was last done. count_from: a day, by default today, or "installed" for the part''s first install or the bike''s first ride. Returns {tasks: [task], events: [event] or null, successor}. successor: the item whose part got the task because it replaced the task''s part, else null.';
grant execute on function private.add_task to authenticated;

create function private.preview_task(task jsonb, last_done date default null, count_from text default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  added jsonb;
  due jsonb;
begin
  added := private.add_task(task, last_done, count_from);
  select shown into due from json_array_elements(public.service_due() -> 'tasks') as shown
  where shown ->> 'id' = added #>> '{tasks,0,id}';
  raise exception using errcode = 'RMT00';
exception when sqlstate 'RMT00' then
  -- Only the variables keep their values.
  return jsonb_build_object('task', due);
end
$$;
comment on function private.preview_task(jsonb, date, text) is
  'Returns {task}: what service_due would say of a task that add_task adds. Writes nothing.';
grant execute on function private.preview_task to authenticated;

create function private.set_service_cost(event_id bigint, cost numeric) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item_id bigint;
begin
  if coalesce(cost, 0) = 0 then
    delete from public.maintenance where id = (select maintenance_id from public.service_events where id = event_id);
    return;
  end if;

  update public.maintenance as item
  set cost = set_service_cost.cost, "dateStarted" = event.done_at, "dateEnded" = event.done_at
  from public.service_events as event where event.id = event_id and item.id = event.maintenance_id;
  if found then
    return;
  end if;

  insert into public.maintenance ("bikeId", type, name, description, cost, "dateStarted", "dateEnded")
  select coalesce(latest.gear_id, task.gear_id), latest.type, task.name, event.note, set_service_cost.cost,
    event.done_at, event.done_at
  from public.service_events as event
  join public.service_tasks as task on task.id = event.task_id
  left join lateral (
    select place.gear_id, place.type from private.part_places as place
    where place.part_id = event.part_id order by place.since desc, place.id desc limit 1
  ) as latest on true
  where event.id = event_id returning id into item_id;
  update public.service_events set maintenance_id = item_id where id = event_id;
end
$$;
comment on function private.set_service_cost(bigint, numeric) is
  'Stores an event''s cost in the log, as an item that ends when it starts, on the part''s current or last bike. Null or 0 deletes the item.';
grant execute on function private.set_service_cost to authenticated;

create function private.mark_done(
  task_id bigint, seen bigint default null, done_on date default null, cost numeric default null, note text default null
) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  moment constant record := private.service_time(done_on);
  new_note constant text := nullif(btrim(mark_done.note), '');
  task public.service_tasks;
  event public.service_events;
  stored_cost numeric;
begin
  select * into task from public.service_tasks where id = mark_done.task_id;
  perform private.reject_if(not found, 'RMT22', 'RMT22: The task was removed.');
  perform private.check_service_day(task.part_id, moment.done_at::date);

  -- An event that the caller hasn't seen comes from a second press, another tab, or an attempt whose response was lost.
  select * into event from public.service_events as newer
  where newer.task_id = task.id and newer.part_id is not distinct from task.part_id
    and newer.id > coalesce(seen, 0) and newer.done_at::date = moment.done_at::date
  order by newer.id desc limit 1;
  if found then
    select item.cost into stored_cost from public.maintenance as item where id = event.maintenance_id;
    if new_note is not null and new_note is distinct from event.note
      or mark_done.cost <> 0 and round(mark_done.cost, 2) is distinct from stored_cost
    then
      return private.refuse(
        'PT409', 'It was already done that day, with another cost or note.', jsonb_build_object('note', event.note, 'cost', stored_cost)
      );
    end if;
    return jsonb_build_object('id', event.id);
  end if;

  insert into public.service_events (task_id, part_id, done_at, pressed_at, note)
  values (task.id, task.part_id, moment.done_at, moment.pressed_at, new_note) returning id into event.id;
  perform private.set_service_cost(event.id, mark_done.cost);
  return jsonb_build_object('id', event.id);
end
$$;
comment on function private.mark_done(bigint, bigint, date, numeric, text) is
  'Marks a task done, by default today, and returns {id} of the event. seen: newest_event from service_due. If the day already has a newer event, returns that one instead. If that event has another cost or note than requested, the answer is 409 (PT409) with those as "stored".';
grant execute on function private.mark_done to authenticated;

create function private.snooze(task_id bigint, until date default null, distance numeric default null) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  shown json;
begin
  select task into shown from json_array_elements(public.service_due() -> 'tasks') as task
  where (task ->> 'id')::bigint = snooze.task_id;
  perform private.reject_if(shown is null, 'RMT22', 'RMT22: The task was removed.');
  update public.service_tasks set
    snoozed_until = until,
    snoozed_distance = (shown #>> '{used,distance}')::numeric + snooze.distance,
    snoozed_from = case when num_nonnulls(until, snooze.distance) > 0 then (shown ->> 'baseline')::timestamp end,
    snoozed_part = null
  where id = snooze.task_id;
end
$$;
comment on function private.snooze(bigint, date, numeric) is
  'Snoozes a task until a day, or for this many more meters. With neither, ends the snooze.';
grant execute on function private.snooze to authenticated;

create function private.correct_event(event_id bigint, shown jsonb, wanted jsonb, also_done bigint[] default '{}') returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  event public.service_events;
  was jsonb;
  became jsonb;
  done_on date;
begin
  select * into event from public.service_events where id = event_id;
  perform private.reject_if(not found, 'RMT22', 'RMT22: The event was removed.');
  was := jsonb_build_object('done_on', event.done_at::date, 'note', event.note, 'cost', (
    select item.cost from public.maintenance as item where id = event.maintenance_id
  ));
  became := was || wanted;
  became := became || jsonb_build_object('note', nullif(btrim(became ->> 'note'), ''), 'cost', nullif((became ->> 'cost')::numeric, 0));
  if private.is_stale(was, was || shown, became) then
    return private.refuse('RMT31', 'The values have changed since.', was);
  end if;

  done_on := became ->> 'done_on';
  if event.done_at::date <> done_on then
    perform private.check_service_day(event.part_id, done_on);
    -- Keep the snooze attached to this event.
    update public.service_tasks set snoozed_from = (private.service_time(done_on)).done_at
    where id = event.task_id and part_id is not distinct from event.part_id and snoozed_from = event.done_at;
    select done_at, pressed_at into event.done_at, event.pressed_at from private.service_time(done_on);
  end if;
  -- The item's description is the event's note, unless the owner has edited it in the log.
  update public.maintenance as item set description = became ->> 'note'
  where item.id = event.maintenance_id and item.description is not distinct from event.note;
  update public.service_events set done_at = event.done_at, pressed_at = event.pressed_at, note = became ->> 'note' where id = event_id;
  perform private.set_service_cost(event_id, (became ->> 'cost')::numeric);

  insert into public.service_events (task_id, part_id, done_at, pressed_at)
  select task.id, task.part_id, event.done_at, event.pressed_at
  from public.service_tasks as task
  where task.id = any (also_done) and task.id <> event.task_id
    and task.part_id is not distinct from event.part_id
    and task.gear_id is not distinct from (select gear_id from public.service_tasks where id = event.task_id);
  return '{}';
end
$$;
comment on function private.correct_event(bigint, jsonb, jsonb, bigint[]) is
  'Changes an event''s done_on, cost or note (wanted), given what the owner saw (shown), and marks other tasks of the same part or bike done at the same time. If a value is neither the shown nor the wanted one, the answer is 409 with the values as "stored", and nothing is written.';
grant execute on function private.correct_event to authenticated;

create function private.remove_event(event_id bigint) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item_id bigint;
begin
  delete from public.service_events where id = event_id returning maintenance_id into item_id;
  delete from public.maintenance where id = item_id;
end
$$;
comment on function private.remove_event(bigint) is 'Removes an event and the item with its cost.';
grant execute on function private.remove_event to authenticated;

create function private.transfer_tasks(old_part bigint, new_part bigint) returns void
language sql volatile security invoker set search_path = ''
as $$
  update public.service_tasks
  set part_id = new_part, counted_from = null,
    snoozed_part = case when num_nonnulls(snoozed_until, snoozed_distance) > 0 then coalesce(snoozed_part, old_part) end
  where part_id = old_part
$$;
comment on function private.transfer_tasks(bigint, bigint) is
  'Moves a part''s tasks to its successor, where usage counts from the successor''s start. Past events stay with the old part.';
grant execute on function private.transfer_tasks to authenticated;

create function private.follow_successor() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  successor constant bigint := private.successor(new.part_id);
begin
  if successor <> new.part_id then
    perform private.transfer_tasks(new.part_id, successor);
  end if;
  return null;
end
$$;
comment on function private.follow_successor() is 'Gives a new or restored task to the part that replaced its part.';

create trigger follow_successor
after insert on public.service_tasks
for each row when (new.part_id is not null and current_setting('tracker.command', true) is distinct from 'backup')
execute function private.follow_successor();

create table private.calendar_feed (
  is_the_one boolean primary key default true check (is_the_one),
  content_hash bytea not null,
  revision integer not null default 1,
  changed_at timestamptz not null default now()
);
comment on table private.calendar_feed is 'At most one row: the feed''s last content and when it changed. It outlives tokens, so the revision never decreases.';
alter table private.calendar_feed enable row level security;

create function private.due_since(task_id bigint, baseline timestamp, earlier_distance numeric, earlier_moving_time integer)
returns date
language sql stable security invoker set search_path = ''
as $$
  with task as (
    select * from public.service_tasks where id = due_since.task_id
  ), ridden as (
    select due_since.baseline as started_at, null::bigint as id, due_since.earlier_distance as distance,
      due_since.earlier_moving_time as moving_time
    union all
    select ride.started_at, ride.id, ride.distance, ride.moving_time
    from private.counted_rides as ride, task
    where ride.started_at >= due_since.baseline and not (task.outdoor_only and ride.is_stationary)
      and case when task.part_id is null then ride.gear_id = task.gear_id else exists (
        select from private.install_periods as period
        where period.part_id = task.part_id and period.gear_id = ride.gear_id
          and period.since <= ride.started_at and ride.started_at < period.until
      ) end
  ), counted as (
    select started_at, sum(distance) over so_far as distance, sum(moving_time) over so_far as moving_time
    from ridden window so_far as (order by started_at, id nulls first)
  )
  select least(
    (select min(started_at)::date from counted, task where distance >= every_distance or moving_time >= every_moving_time),
    (select baseline::date + every_days from task where baseline::date + every_days <= private.today())
  )
$$;
comment on function private.due_since(bigint, timestamp, numeric, integer) is
  'Returns the day on which a task reached its first limit. The baseline and the usage before the log come from service_due. Null: not due.';

create function public.calendar_feed(token text, days integer) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due json;
begin
  if private.open_token(sha256(convert_to(token, 'UTF8')), '{calendar}') is null then
    return null;
  end if;
  due := public.service_due();
  return json_build_object(
    'tasks', due -> 'tasks',
    'rides', public.ride_days(days),
    'settings', private.chosen_settings(),
    'bikes', private.bike_names(),
    'due_since', (
      select coalesce(json_object_agg(task ->> 'id', private.due_since(
        (task ->> 'id')::bigint, (task ->> 'baseline')::timestamp, (task ->> 'earlier_distance')::numeric,
        (task ->> 'earlier_moving_time')::integer
      )), '{}')
      from json_array_elements(due -> 'tasks') as task
      where (task ->> 'fraction')::float8 >= 1
    )
  );
end
$$;
comment on function public.calendar_feed(text, integer) is
  'Returns the feed''s content: tasks as service_due returns them, the rides of the last days, the owner''s settings, bike names, and the day on which each due task became due. Null for an invalid token.';
grant execute on function public.calendar_feed(text, integer) to service_role;

create function public.stamp_calendar_feed(token text, content text) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  hash constant bytea := sha256(convert_to(content, 'UTF8'));
begin
  if private.open_token(sha256(convert_to(token, 'UTF8')), '{calendar}') is null then
    return null;
  end if;
  insert into private.calendar_feed as feed (content_hash) values (hash)
  on conflict (is_the_one) do update set content_hash = hash, revision = feed.revision + 1, changed_at = now()
  where feed.content_hash <> hash;
  return (select json_build_object('revision', revision, 'changed_at', changed_at) from private.calendar_feed);
end
$$;
comment on function public.stamp_calendar_feed(text, text) is
  'Returns the revision of this content and the time of its first appearance. Both stay the same until the content changes. Null for an invalid token.';
grant execute on function public.stamp_calendar_feed(text, text) to service_role;

create table private.push_subscriptions (
  -- Only browsers' push services, so a sync can't be made to send requests anywhere else.
  endpoint text primary key constraint push_subscriptions_endpoint_check check (
    char_length(endpoint) <= 1000
    and endpoint ~ '^https://([a-z0-9-]+\.)*(googleapis\.com|google\.com|push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com)/[!-~]+$'
  ),
  -- p256dh is an uncompressed P-256 point and auth is 16 bytes, both in base64url.
  p256dh text not null constraint push_subscriptions_p256dh_check check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  auth text not null constraint push_subscriptions_auth_check check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  added_at timestamptz not null default clock_timestamp()
);
comment on table private.push_subscriptions is 'The browsers that get notifications: their push endpoints and encryption keys.';
alter table private.push_subscriptions enable row level security;

create policy "The owner reads which browsers get notifications" on private.push_subscriptions
for select to authenticated using ((select private.is_owner()));

grant select (endpoint) on private.push_subscriptions to authenticated;

create table private.announced_tasks (
  -- By its name in _shared/channels. The preview of 1.0 only had Web Push and didn't store the channel.
  channel text not null,
  -- No foreign key: a removed task that is restored keeps its old id and stays announced.
  task_id bigint not null,
  announced_for jsonb not null,
  announced_at timestamptz not null default now(),
  -- The message that announces it, which keeps its id if it has to be sent again.
  message uuid,
  -- From when on the message may be sent again. Null: it was sent.
  retry_at timestamptz,
  primary key (channel, task_id, announced_for)
);
comment on table private.announced_tasks is
  'Tasks that were announced as due, per channel, with their part, last Done and limits. When one of these changes, the task is announced again once it is due. Task 0: Ride with GPS refused the sign-in after this successful sync.';
alter table private.announced_tasks enable row level security;

create table private.channel_states (
  channel text primary key,
  sent_at timestamptz,
  failed_at timestamptz,
  error text constraint channel_states_error_check check (char_length(error) <= 200)
);
comment on table private.channel_states is 'When each channel last worked and last failed. error is null if the last message was sent.';
alter table private.channel_states enable row level security;

create policy "The owner reads the channels" on private.channel_states
for select to authenticated using ((select private.is_owner()));

grant select on private.channel_states to authenticated;

create function private.due_announcements() returns table (task_id bigint, announced_for jsonb, place bigint, task json)
language sql stable security invoker set search_path = ''
as $$
  select 0, jsonb_build_object('sync', (private.last_ride_sync()).id), 0, null
  from public.ride_syncs as latest
  where latest.id = (select max(id) from public.ride_syncs) and latest.code = 'rwgps_unauthorized'
    and latest.started_at > coalesce((private.last_ride_sync()).checked_at, '-infinity')
  union all
  select (task ->> 'id')::bigint, 
    -- Not the baseline, which moves with the bike's first ride.
    jsonb_build_object('part', task -> 'part_id', 'done', task -> 'last_done', 'every', task -> 'every'), place,
    json_build_object(
      'id', task -> 'id', 'name', task -> 'name', 'state', task -> 'state', 'gear_id', task -> 'gear_id', 'bike', bikes.name,
      'part_id', task -> 'part_id', 'item_name', task -> 'item_name', 'axis', task -> 'axis', 'used', task -> 'used',
      'every', task -> 'every'
    )
  from json_array_elements(public.service_due() -> 'tasks') with ordinality as tasks (task, place)
  left join public.bikes on bikes.gear_id = (task ->> 'gear_id')::bigint
  where task ->> 'state' in ('due', 'overdue')
$$;
comment on function private.due_announcements() is
  'Returns what should be announced now: due tasks, most urgent first, and task 0 if Ride with GPS refused the sign-in. announced_for distinguishes it from earlier announcements of the task.';

create function private.add_push_subscription(endpoint text, p256dh text, auth text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  -- Don't announce tasks that were already due when the first browser subscribed.
  if not exists (select from private.push_subscriptions) then
    insert into private.announced_tasks (channel, task_id, announced_for)
    select 'web_push', task_id, announced_for from private.due_announcements() where task_id > 0
    on conflict on constraint announced_tasks_pkey do update set retry_at = null;
  end if;
  insert into private.push_subscriptions (endpoint, p256dh, auth)
  values (add_push_subscription.endpoint, add_push_subscription.p256dh, add_push_subscription.auth)
  on conflict on constraint push_subscriptions_pkey
  do update set p256dh = excluded.p256dh, auth = excluded.auth, added_at = excluded.added_at;
  -- An owner rarely has more than 20 browsers, so the oldest are probably gone.
  delete from private.push_subscriptions as old where old.endpoint in (
    select each.endpoint from private.push_subscriptions as each order by added_at desc, each.endpoint offset 20
  );
end
$$;
comment on function private.add_push_subscription(text, text, text) is
  'Subscribes this browser to notifications. Repeating it changes nothing. Keeps the latest 20 browsers.';
grant execute on function private.add_push_subscription to authenticated;

create function public.has_push_subscription(endpoint text) returns boolean
language sql stable security invoker set search_path = ''
as $$ select exists (select from private.push_subscriptions as each where each.endpoint = has_push_subscription.endpoint) $$;
comment on function public.has_push_subscription(text) is
  'Returns whether this browser gets notifications. False for anyone but the owner.';
grant execute on function public.has_push_subscription to authenticated;

create function private.remove_push_subscription(endpoint text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  delete from private.push_subscriptions as each where each.endpoint = remove_push_subscription.endpoint;
end
$$;
comment on function private.remove_push_subscription(text) is
  'Stops notifications to this browser. Succeeds even if it wasn''t subscribed.';
grant execute on function private.remove_push_subscription to authenticated;

create function public.remove_push_subscriptions(endpoints text[]) returns bigint
language sql volatile security definer set search_path = ''
as $$
  with removed as (
    delete from private.push_subscriptions where endpoint = any (endpoints) returning endpoint
  )
  select count(*) from removed
$$;
comment on function public.remove_push_subscriptions(text[]) is 'Removes expired browser subscriptions. Returns how many.';
grant execute on function public.remove_push_subscriptions to service_role;

create function public.push_subscriptions() returns json
language sql stable security definer set search_path = ''
as $$
  select coalesce(json_agg(json_build_object('endpoint', endpoint, 'p256dh', p256dh, 'auth', auth) order by added_at), '[]')
  from private.push_subscriptions
$$;
comment on function public.push_subscriptions() is 'Returns the browsers to notify: [{endpoint, p256dh, auth}].';
grant execute on function public.push_subscriptions to service_role;

create function public.claim_notifications(channels text[]) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  messages json;
begin
  if not exists (select from private.push_subscriptions) then
    channels := array_remove(channels, 'web_push');
  end if;
  if channels = '{}' then
    return '[]';
  end if;
  with due as materialized (
    select * from private.due_announcements()
  ), targets as materialized (
    select channel, is_refusal, gen_random_uuid() as message
    from unnest(channels) as channel cross join unnest(array[true, false]) as is_refusal
  ), claimed as (
    insert into private.announced_tasks as known (channel, task_id, announced_for, message, retry_at)
    -- The caller takes seconds, so a minute later, it must have been interrupted.
    select channel, task_id, announced_for, message, now() + interval '1 minute'
    from targets join due on is_refusal = (task_id = 0)
    on conflict (channel, task_id, announced_for) do update set retry_at = excluded.retry_at
    where known.retry_at <= now() and known.announced_at > now() - interval '1 day'
    returning channel, task_id, announced_for, announced_at, message
  ), forgotten as (
    delete from private.announced_tasks as old
    where announced_at < now() - interval '30 days'
      and not exists (select from due where (due.task_id, due.announced_for) = (old.task_id, old.announced_for))
      and announced_for <> jsonb_build_object('sync', (private.last_ride_sync()).id)
  ), sent_together as (
    select channel, message, min(announced_at) as announced_at,
      json_agg(task order by place) filter (where task_id > 0) as tasks, private.chosen_settings() as settings
    from claimed join due using (task_id, announced_for) group by channel, message
  )
  select coalesce(json_agg(sent_together order by announced_at), '[]') into messages from sent_together;
  return messages;
end
$$;
comment on function public.claim_notifications(text[]) is
  'Claims the messages to send after a sync: [{channel, message, announced_at, tasks, settings}]. Each task is in one message per channel, part, Done and limits. tasks is null if Ride with GPS refused the sign-in, for the first time since a sync succeeded. A message that failed is returned again for a day, without what is no longer due. web_push has no messages without a subscribed browser.';
grant execute on function public.claim_notifications to service_role;

create function public.finish_notification(channel text, error text, message uuid default null) returns boolean
language sql volatile security definer set search_path = ''
as $$
  update private.announced_tasks as announced set retry_at = case when finish_notification.error is not null then now() end
  where announced.message = finish_notification.message and retry_at is not null;
  insert into private.channel_states as known (channel, sent_at, failed_at, error)
  values (finish_notification.channel, case when error is null then now() end, case when error is not null then now() end, finish_notification.error)
  on conflict on constraint channel_states_pkey do update set
    sent_at = coalesce(excluded.sent_at, known.sent_at),
    failed_at = coalesce(excluded.failed_at, known.failed_at),
    error = excluded.error
  returning error is null
$$;
comment on function public.finish_notification(text, text, uuid) is
  'Records that a claimed message, or a test, was sent. With an error, the next sync may claim the message again. Returns whether it was sent.';
grant execute on function public.finish_notification to service_role;

create function private.has_unsent_notifications() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.announced_tasks where retry_at <= now() and announced_at > now() - interval '1 day'
  )
$$;
comment on function private.has_unsent_notifications() is 'Returns whether a message failed and may be sent again.';
grant execute on function private.has_unsent_notifications() to service_role;

create function public.channel_states() returns json
language sql stable security invoker set search_path = ''
as $$
  select case when private.is_owner() then coalesce(
    json_object_agg(channel, json_build_object('sent_at', sent_at, 'failed_at', failed_at, 'error', error)), '{}'
  ) end
  from private.channel_states
$$;
comment on function public.channel_states() is
  'Returns when the owner''s channels last worked and failed: {channel: {sent_at, failed_at, error}}. Null for anyone but the owner.';
grant execute on function public.channel_states to authenticated;

create table public.wear_measurements (
  id bigint generated by default as identity primary key,
  -- Restrict: nothing may delete a part that has measurements.
  part_id bigint not null references public.parts (id) on delete restrict,
  measured_on date not null constraint wear_measurements_day_check check (
    measured_on >= '1900-01-01' and measured_on < '2101-01-01'
  ),
  -- The bounds catch typos and also reject 'NaN'.
  value numeric constraint wear_measurements_value_check check (value >= 0 and value <= 1000),
  reading text constraint wear_measurements_reading_check check (reading in ('under', 'at', 'over')),
  unit text not null constraint wear_measurements_unit_check check (unit ~ '\S' and char_length(unit) <= 40),
  tool text not null default '' constraint wear_measurements_tool_check check (char_length(tool) <= 200),
  "limit" numeric constraint wear_measurements_limit_check check ("limit" >= 0 and "limit" <= 1000),
  note text constraint wear_measurements_note_check check (char_length(note) <= 10000),
  constraint wear_measurements_value_or_reading_check check (num_nonnulls(value, reading) > 0)
);
comment on table public.wear_measurements is 'A part''s wear on a day.';
comment on column public.wear_measurements.value is 'The exact value; with a reading, the gauge''s mark. Null: the mark is the limit.';
comment on column public.wear_measurements.reading is 'The reading of a go/no-go gauge: under, at or over its mark. Null: the value is exact.';
comment on column public.wear_measurements.unit is '"chain %", "pad mm", "rotor mm" or "tread mm", or the owner''s own words.';
comment on column public.wear_measurements.tool is 'Tools disagree, so values are only compared with those of the same tool.';
comment on column public.wear_measurements."limit" is 'The value at which the part is worn out. Null: the unit''s usual limit, if any.';

create index wear_measurements_part_idx on public.wear_measurements (part_id, measured_on);

alter table public.wear_measurements enable row level security;

create policy "The owner reads and writes the wear measurements" on public.wear_measurements
for all to authenticated using ((select private.is_owner()));

grant select, insert, delete on public.wear_measurements to authenticated;
grant update (measured_on, value, reading, unit, tool, "limit", note) on public.wear_measurements to authenticated;

create function private.require_item() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform private.reject_if(
    not exists (select from public.maintenance as item where item.part_id = new.part_id), 'RMT23', 'RMT23: The part is no longer in the log.'
  );
  return null;
end
$$;
comment on function private.require_item() is 'Raises RMT23 if a new measurement''s part has no items, where nobody would see it.';

create trigger "Part is in the log"
after insert on public.wear_measurements
for each row when (coalesce(current_setting('tracker.command', true), '') not in ('undo', 'backup')) execute function private.require_item();

create function private.add_measurement(part_id bigint, measured jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item constant public.maintenance := private.latest_item(part_id);
  new_row public.wear_measurements := jsonb_populate_record(null::public.wear_measurements, measured);
begin
  new_row.measured_on := coalesce(new_row.measured_on, private.today());
  perform private.reject_if(new_row.measured_on > private.today(), 'RMT14', 'The day is in the future.');
  insert into public.wear_measurements (part_id, measured_on, value, reading, unit, tool, "limit", note)
  values (
    item.part_id, new_row.measured_on, new_row.value, new_row.reading, new_row.unit, coalesce(new_row.tool, ''), new_row."limit", new_row.note
  ) returning * into new_row;
  return jsonb_build_object('id', new_row.id);
end
$$;
comment on function private.add_measurement(bigint, jsonb) is
  'Adds a wear measurement with the columns of wear_measurements, by default of today. Returns {id}.';
grant execute on function private.add_measurement to authenticated;

create function public.part_wear(part_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  with measurements as materialized (
    select * from public.wear_measurements as measurement where measurement.part_id = part_wear.part_id
  ), used as materialized (
    select key as id, distance, earlier_distance
    from private.usage_between(array(
      -- Riders measure after riding, so the rides of that day count.
      select (id, part_wear.part_id, null, null, measured_on + 1, false)::private.used_span from measurements
      union all select (0, part_wear.part_id, null, null, null, false)::private.used_span
    ))
  ), latest as (
    select "bikeId" as gear_id, coalesce("dateEnded" > private.wall_clock(), true) as is_installed from public.maintenance as item
    where item.part_id = part_wear.part_id order by "dateStarted" desc limit 1
  )
  select json_build_object(
    'gear_id', latest.gear_id,
    'is_installed', latest.is_installed,
    'distance', distance,
    'earlier_distance', earlier_distance,
    'measurements', (
      select coalesce(json_agg(listed), '[]') from (
        select id, measured_on, value, reading, unit, tool, "limit", note, distance
        from measurements join used using (id) order by measured_on, id
      ) as listed
    )
  )
  from latest cross join used where id = 0
$$;
comment on function public.part_wear(bigint) is
  'Returns a part''s measurements, oldest first, each with the part''s meters at the end of that day; the part''s meters until now, including usage from before the log; and its current or last bike. Null for an unknown part.';
grant execute on function public.part_wear(bigint) to authenticated;

create function public.part_lifetimes(what_if jsonb default '[]') returns json
language plpgsql stable security invoker set search_path = ''
set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  clock constant timestamp := private.wall_clock();
  kinds constant jsonb := (select jsonb_object_agg(id, kind) from private.part_kinds);
begin
  -- Row-level security only hides rows, so other users would get empty lists instead of null.
  if not private.is_owner() then
    return null;
  end if;

  return (
    with totals as materialized (
      select * from private.part_totals(array(select id from public.parts), what_if => what_if)
    ), items as (
      select id, totals.part_id, used.gear_id, type, name, kinds ->> id::text as kind, used.cost, used.since,
        case when used.until <= clock or used.until = used.since then used.until end as until,
        case when used.until <= clock then ended_as end as ended_as,
        -- Applies the rule of private.install_periods to what-if dates: a part counts as installed from the start of its
        -- first day.
        used.since <> used.until and used.since::date <= clock::date as was_installed
      from totals cross join lateral unnest(items) as used join public.maintenance as item using (id)
    )
    select json_build_object(
      -- One array per column is faster than one object per row, and half the size.
      'items', (select json_build_object(
        'id', coalesce(array_agg(id), '{}'),
        'part_id', coalesce(array_agg(part_id), '{}'),
        'gear_id', coalesce(array_agg(gear_id), '{}'),
        'type', coalesce(array_agg(type), '{}'),
        'name', coalesce(array_agg(name), '{}'),
        'kind', coalesce(array_agg(kind), '{}'),
        'cost', coalesce(array_agg(cost), '{}'),
        'since', coalesce(array_agg(since), '{}'),
        'until', coalesce(array_agg(until), '{}'),
        'ended_as', coalesce(array_agg(ended_as), '{}'),
        'was_installed', coalesce(array_agg(was_installed), '{}')
      ) from items),
      'parts', (select json_build_object(
        'part_id', coalesce(array_agg(part_id), '{}'),
        'rides', coalesce(array_agg(rides), '{}'),
        'distance', coalesce(array_agg(distance), '{}'),
        'moving_time', coalesce(array_agg(moving_time), '{}'),
        'days', coalesce(array_agg(days), '{}'),
        'price', coalesce(array_agg(price), '{}'),
        'cost', coalesce(array_agg(cost), '{}'),
        'earlier_distance', coalesce(array_agg(earlier_distance), '{}'),
        'earlier_moving_time', coalesce(array_agg(earlier_moving_time), '{}')
      ) from totals)
    )
  );
end
$$;
comment on function public.part_lifetimes(jsonb) is
  'Returns {items, parts}, each one array per column: the items with their dates and costs, and whether each was installed (false for work and planned parts), and the parts with their totals from private.part_totals. what_if, [{id, cost, dateStarted, dateEnded}], replaces the stored values of these items. Null for anyone but the owner.';
grant execute on function public.part_lifetimes to authenticated;

create function public.spending(from_day date default null, to_day date default null) returns json
language plpgsql stable security invoker set search_path = ''
set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
  today constant date := private.today();
  since constant timestamp := coalesce(from_day, '-infinity');
  until constant timestamp := coalesce(to_day + 1, 'infinity');
  is_all constant boolean := num_nonnulls(from_day, to_day) = 0;
  -- 365 days, today included.
  year_ago constant timestamp := today - 364;
begin
  if not private.is_owner() then
    return null;
  end if;

  return (
    with costs as materialized (
      select "dateStarted"::date as day, "bikeId" as gear_id, type, cost from public.maintenance where cost <> 0
    ), months as (
      select to_char(day, 'YYYY-MM') as month, gear_id, type, sum(cost) as cost from costs group by 1, 2, 3
    ), ridden as materialized (
      -- Without a period, rides without a date count, too.
      select gear_id, sum(distance) filter (where is_all or started_at >= since and started_at < until) as distance,
        sum(moving_time) filter (where is_all or started_at >= since and started_at < until) as moving_time,
        sum(distance) filter (where started_at >= year_ago) as distance_of_year
      from private.counted_rides
      group by 1
    ), spent as materialized (
      select gear_id, type, cost from costs where day >= since and day < until
    ), bikes as materialized (
      select bikes.gear_id, coalesce((select sum(cost) from spent where spent.gear_id = bikes.gear_id), 0) as cost,
        coalesce(distance, 0) as distance, coalesce(moving_time, 0) as moving_time,
        coalesce(distance_of_year, 0) as distance_of_year
      from public.bikes left join ridden using (gear_id)
      order by public.list_order(bikes)
    ), types as (
      select type, sum(cost) as cost from spent group by 1
    )
    select json_build_object(
      'today', today,
      'months', (select coalesce(json_agg(months order by month, gear_id, type), '[]') from months),
      'this_year', (
        select coalesce(sum(cost), 0) from costs where day >= date_trunc('year', today) and day <= today
      ),
      'last_year_to_date', (
        select coalesce(sum(cost), 0) from costs
        where day >= date_trunc('year', today) - interval '1 year' and day <= today - interval '1 year'
      ),
      'bikes', (select coalesce(json_agg(bikes), '[]') from bikes),
      'types', (select coalesce(json_agg(types order by cost desc, type), '[]') from types),
      'total', (
        select json_build_object(
          'cost', coalesce(sum(cost), 0), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0)
        ) from bikes
      )
    )
  );
end
$$;
comment on function public.spending(date, date) is
  'Returns costs by month, bike and type; costs this year until today, and last year until the same day; and for a period, dollars by type, and dollars, meters and seconds by bike. Without a period, rides without a date count, too. distance_of_year covers the last 365 days, today included. Null for anyone but the owner.';
grant execute on function public.spending to authenticated;

create function private.cost_months(from_day date default null, to_day date default null) returns table (month text, cost numeric)
language sql stable security invoker set search_path = ''
as $$
  select to_char("dateStarted", 'YYYY-MM'), sum(item.cost) from public.maintenance as item
  where item.cost <> 0 and (from_day is null or "dateStarted" >= from_day) and (to_day is null or "dateStarted" < to_day + 1)
  group by 1
$$;
comment on function private.cost_months(date, date) is 'Adds up the costs of the log by month, in a period.';
grant execute on function private.cost_months to authenticated;

create function public.garage() returns json
language sql stable security invoker set search_path = ''
set jit = off
as $$
  with today as materialized (
    select private.today()::timestamp as today
  ), ridden as materialized (
    select gear_id, date_trunc('month', started_at) as month, count(*) as rides, sum(distance) as distance,
      sum(moving_time) as moving_time, max(started_at) as last_ride
    from private.counted_rides
    group by 1, 2
  ), usage as (
    select ridden.gear_id, sum(rides) as rides, sum(distance) as distance, sum(moving_time) as moving_time,
      sum(distance) filter (where date_trunc('year', month) = date_trunc('year', today)) as distance_this_year,
      max(last_ride) as last_ride
    from ridden, today
    group by 1
  ), costs as (
    select "bikeId" as gear_id, sum(cost) as cost,
      sum(cost) filter (
        where date_trunc('year', "dateStarted") = date_trunc('year', today) and "dateStarted" < today + interval '1 day'
      ) as cost_this_year
    from public.maintenance, today
    group by 1
  ), newest_items as (
    select distinct on (gear_id) gear_id, json_build_object('name', name, 'dateStarted', since) as newest_item
    from private.install_periods, today
    where since < today + interval '1 day'
    order by gear_id, since desc, id desc
  ), months as (
    select bikes.gear_id, json_agg(coalesce(ridden.distance, 0) order by start) as months
    from public.bikes
    cross join today
    cross join lateral generate_series(date_trunc('month', today) - interval '23 months', today, '1 month') as start
    left join ridden on ridden.gear_id = bikes.gear_id and month = start
    group by 1
  ), garage as (
    select bikes.gear_id, coalesce(rides, 0) as rides, coalesce(distance, 0) as distance,
      coalesce(moving_time, 0) as moving_time, coalesce(distance_this_year, 0) as distance_this_year,
      coalesce(cost, 0) as cost, coalesce(cost_this_year, 0) as cost_this_year, last_ride, newest_item, months
    from public.bikes
    left join usage using (gear_id)
    left join costs using (gear_id)
    left join newest_items using (gear_id)
    left join months using (gear_id)
    order by public.list_order(bikes)
  )
  select json_build_object(
    'bikes', (select coalesce(json_agg(garage), '[]') from garage),
    'total', (
      select json_build_object(
        'rides', coalesce(sum(rides), 0), 'distance', coalesce(sum(distance), 0),
        'moving_time', coalesce(sum(moving_time), 0), 'distance_this_year', coalesce(sum(distance_this_year), 0),
        'cost', coalesce(sum(cost), 0), 'cost_this_year', coalesce(sum(cost_this_year), 0)
      ) from garage
    ),
    'rides_without_bike', (
      select coalesce(sum(rides), 0) from usage
      where not exists (select from public.bikes where bikes.gear_id = usage.gear_id)
    )
  )
  -- Row-level security only hides rows, so other users would get an empty garage instead of null.
  where private.is_owner()
$$;
comment on function public.garage() is
  'Returns the bikes in the order of the Bikes row, with meters, seconds, costs and the meters of each of the last 24 months, and their totals. Null for anyone but the owner.';
grant execute on function public.garage to authenticated;

create table public.dismissed_checks (
  id bigint generated by default as identity primary key,
  key text not null constraint dismissed_checks_key_key unique
    constraint dismissed_checks_key_check check (key ~ '\S' and char_length(key) <= 500),
  dismissed_at timestamptz not null default now()
);
comment on table public.dismissed_checks is 'The lines of "To check" that the owner dismissed.';
comment on column public.dismissed_checks.key is
  'Identifies the line and its facts, as returned by to_check. If a fact changes, so does the key, and the line shows again.';

alter table public.dismissed_checks enable row level security;

create policy "The owner reads and writes the dismissed checks" on public.dismissed_checks
for all to authenticated using ((select private.is_owner()));

grant select, insert (key), delete on public.dismissed_checks to authenticated;

create view private.check_numbers (kind, key, at, rides, items, facts) with (security_invoker = true) as
select rule.kind, format('%s:%s:%s', rule.kind, id, value), started_at, array[id], '{}'::bigint[], jsonb_build_object(
  'gear_id', gear_id, 'value', value, 'distance', distance, 'duration', duration, 'moving_time', moving_time
)
from public.rides
cross join lateral (
  select coalesce(nullif(moving_time, 0), nullif(duration, 0)) as ridden
) as times
cross join lateral (
  -- km/h. Numeric, so rounding errors don't push 60 over the limit of 60.
  select coalesce(distance * 3.6 / ridden, avg_speed) as average
) as speed
cross join lateral (
  select case
    when coalesce(departed_at, created_at) > now() + interval '1 day' or started_at < '1990-01-01' then 'date'
    when (moving_time - 60) * bigint '100' > nullif(duration, 0) * bigint '101' then 'moving_time'
    -- Indoor games allow faster descents than any road.
    when max_speed > 120 and not is_stationary then 'max_speed'
    -- 60 to 300 km/h suggests a ride in a car. At higher speeds, the time is wrong.
    when average > 60 and average < 300 and distance > 1000 and not is_stationary then 'average_speed'
    when distance > 1000000 and coalesce(duration, ridden, 0) < 86400 then 'distance'
    when ridden > 86400 and coalesce(average, 0) < 5 then 'time'
    when coalesce(distance, 0) < 100 and coalesce(moving_time, duration) >= 3600 and not is_stationary then 'no_distance'
  end as kind
) as rule
cross join lateral (
  select case rule.kind
    when 'date' then extract(epoch from started_at) when 'moving_time' then moving_time when 'max_speed' then max_speed
    when 'average_speed' then round(average, 1) when 'distance' then distance else ridden
  end as value
) as found
where rule.kind is not null;

create view private.check_same_rides (kind, key, at, rides, items, facts) with (security_invoker = true) as
with timed as materialized (
  select *, row_number() over by_start as place,
    max(until) over (by_start rows between unbounded preceding and 1 preceding) as earlier_until
  from (
    select id, departed_at as since, departed_at + make_interval(secs => elapsed) as until, elapsed, distance,
      greatest(coalesce(duration, moving_time) - moving_time, 0) as pause
    from private.counted_rides cross join lateral (select coalesce(nullif(duration, 0), moving_time, 0) as elapsed) as recorded
    -- A recording that was left running for days overlaps everything.
    where departed_at is not null and elapsed < 172800
  ) as ride
  window by_start as (order by since, id)
), overlapping as materialized (
  select * from timed where earlier_until >= since
), pairs as (
  select one.id as one, other.id as other, shared.overlap, shared.shorter, least(one.distance, other.distance) as distance
  from overlapping as other
  -- Comparing with the eight previous rides is enough.
  cross join generate_series(1, 8) as back
  join timed as one on one.place = other.place - back
  cross join lateral (
    select extract(epoch from least(one.until, other.until) - other.since)::bigint as overlap,
      least(one.elapsed, other.elapsed) as shorter
  ) as shared
  where shorter >= 300 and overlap >= 0.8 * shorter and (
      -- The overlap is longer than the pauses of both rides, so at some point both were moving.
      overlap > one.pause + other.pause
      or other.since - one.since <= interval '10 minutes'
      and greatest(one.until, other.until) - least(one.until, other.until) <= interval '10 minutes'
    )
    or one.since = other.since and one.distance = other.distance and one.distance > 0
)
select 'same_ride', format('same_ride:%s:%s', least(one, other), greatest(one, other)), ride.started_at, array[one, other], '{}'::bigint[],
  jsonb_build_object('gear_id', ride.gear_id, 'overlap', overlap, 'shorter', shorter, 'distance', pairs.distance)
from pairs join public.rides as ride on ride.id = other;

create view private.check_bikes_of_rides (kind, key, at, rides, items, facts) with (security_invoker = true) as
with dismissed as materialized (
  -- A new ride must not undo a dismissal, so only show rides that are newer than the dismissal.
  select coalesce(max(split_part(dismissed_checks.key, ':', 2)::bigint), 0) as newest from public.dismissed_checks
  where dismissed_checks.key ~ '^no_bike:\d{1,18}$'
), on_gear as materialized (
  select ride.gear_id, bikes.gear_id is not null as is_known, count(*) as ride_count, sum(distance) as distance, max(id) as newest,
    max(started_at) as last_ride
  from private.counted_rides as ride
  left join public.bikes using (gear_id)
  where case when bikes.gear_id is null then id > (select newest from dismissed) else not is_listed end
  group by 1, 2
), indoors as materialized (
  select id, gear_id, started_at, row_number() over by_start as place,
    lag(gear_id) over by_start as before, lead(gear_id) over by_start as after
  from private.counted_rides where is_stationary and gear_id is not null and departed_at is not null
  window by_start as (order by departed_at, id)
), odd_one_out as (
  -- Compare with the nearest indoor rides only, because the indoor bike may have changed over the years.
  select one.id, one.gear_id, one.started_at, min(near.gear_id) as likely, count(*) as ride_count
  from indoors as one
  cross join generate_series(-10, 10) as steps
  join indoors as near on near.place = one.place + steps
  where steps <> 0 and one.gear_id is distinct from one.before and one.gear_id is distinct from one.after
    and coalesce(one.before, one.after) = coalesce(one.after, one.before)
  group by one.id, one.gear_id, one.started_at
  having min(near.gear_id) = max(near.gear_id) and count(*) >= 10
), skipped as materialized (
  select split_part(line, ' ', 1) as id, split_part(line, ' ', 2) as field
  from private.last_ride_sync(), string_to_table(skipped_rows, E'\n') as line where line ~ '^\d{1,15} '
), lines (kind, key, at, rides, facts) as (
  select 'no_bike', 'no_bike:' || max(newest), max(last_ride), '{}'::bigint[], jsonb_build_object(
    'ride_count', sum(ride_count), 'distance', coalesce(sum(distance), 0),
    'of_unlisted_gear', coalesce(sum(ride_count) filter (where gear_id is not null), 0)
  )
  from on_gear where not is_known having count(*) > 0
  union all
  select 'gone_bike', format('gone_bike:%s:%s', gear_id, newest), last_ride, '{}',
    jsonb_build_object('gear_id', gear_id, 'ride_count', ride_count, 'distance', coalesce(distance, 0))
  from on_gear where is_known
  union all
  select 'wrong_bike', format('wrong_bike:%s:%s:%s', id, odd_one_out.gear_id, likely), started_at, array[id],
    jsonb_build_object('gear_id', odd_one_out.gear_id, 'likely', likely, 'ride_count', ride_count)
  from odd_one_out join public.bikes on bikes.gear_id = likely and is_listed
  union all
  select 'skipped', format('skipped:%s:%s', id, field), null, '{}', jsonb_build_object('ride_id', id::bigint, 'field', field)
  from skipped
  union all
  select 'skipped_others', 'skipped_others:' || others, null, '{}', jsonb_build_object('ride_count', others)
  from private.last_ride_sync() as last cross join lateral (select last.skipped - (select count(*) from skipped) as others) as rest where others > 0
)
select kind, key, at, rides, '{}'::bigint[], facts from lines;

create view private.check_parts (kind, key, at, rides, items, facts) with (security_invoker = true) as
with clock as materialized (
  select private.wall_clock() as now
), placed as materialized (
  select period.*, kind as part_kind, family, "position"
  from private.install_periods as period join private.kind_places using (id)
), fillers as materialized (
  -- Items of unknown kind or position may have filled a gap.
  select period.*, placed.family
  from private.install_periods as period left join placed using (id)
  where placed.family is null or placed."position" is null
), in_order as (
  select *,
    max(until) over (by_start rows between unbounded preceding and 1 preceding) as earlier_until
  from placed where "position" is not null
  window by_start as (partition by gear_id, family, "position" order by since, id)
), gaps as (
  -- Look only between two known parts, because the last part's successor may not be in the log.
  select 'no_part' as kind, gear_id, family, "position", next.earlier_until as since, next.since as until, ended.id as other, next.id
  from in_order as next join placed as ended using (gear_id, family, "position")
  where next.earlier_until < next.since and ended.until = next.earlier_until
    -- A part was stored to make room for another part, which may not be in the log.
    and ended.ended_as is distinct from 'stored'
    and not exists (
      -- A part that may be at this end, or an unknown item of the type that started in the gap or up to a week before.
      select from fillers as filler
      where filler.gear_id = next.gear_id and filler.since < next.since and filler.until > next.earlier_until and case
        when filler.family is not null then filler.family = next.family
        else filler.since >= next.earlier_until - interval '7 days' and (filler.type is null or filler.type = next.type)
      end
    )
), overlapping as (
  -- The same kind, because new rear pads don't end an item for front and rear pads.
  select 'two_parts', gear_id, family, "position", one.since, least(other.until, one.until), other.id, one.id
  from clock, placed as one join placed as other using (gear_id, family, part_kind, "position")
  where (other.since, other.id) < (one.since, one.id) and other.until > one.since
  -- In a log without ends, every part overlaps all later ones. The longest overlaps are enough.
  order by least(other.until, one.until, now) - one.since desc, one.id, other.id
  limit 1000
), ranges as materialized (
  select *, row_number() over () as number
  from (select * from gaps union all select * from overlapping) as found
), weighed as materialized (
  select ranges.*, used.rides as ride_count, used.distance
  from ranges
  join private.sum_rides(array(
    -- Indoor rides don't need a rear wheel or tire: the trainer may be direct-drive.
    select (number, gear_id, since, until, kind = 'no_part' and family in ('wheel', 'tire'))::private.ride_range from ranges
  )) as used on used.key = number
  where used.rides > 0 and used.distance > 0
)
select kind, concat_ws(':', kind, gear_id, family, pair, id, since::date, until::date), since, '{}'::bigint[],
  array[min(other), id], jsonb_build_object(
    'gear_id', gear_id, 'family', family,
    'positions', array_agg(distinct "position") filter (where "position" <> ''),
    'since', since::date, 'until', case when until < now then until::date end,
    'days', least(until, now)::date - since::date, 'ride_count', ride_count, 'distance', distance
  )
from weighed cross join clock
cross join lateral (select case kind when 'two_parts' then other end as pair) as pairs
group by kind, gear_id, family, pair, id, since, until, ride_count, distance, now;

create view private.check_ends (kind, key, at, rides, items, facts) with (security_invoker = true) as
with clock as materialized (
  select private.wall_clock() as now
)
select 'parts_in_use', format('parts_in_use:%s:%s:%s', gear_id, count(*), max(id)), max(since), '{}'::bigint[],
  array[min(id)], jsonb_build_object('gear_id', gear_id, 'item_count', count(*))
from clock, public.bikes join private.install_periods as period using (gear_id)
where not is_listed and since::date <= now::date and until > now
group by gear_id
union all
select 'late_end', format('late_end:%s:%s:%s', gear_id, until::date, count(*)), until, '{}', array[min(id)],
  jsonb_build_object(
    'gear_id', gear_id, 'item_count', count(*), 'until', until::date, 'last_ride', last_ride::date,
    'days', until::date - last_ride::date
  )
from (
  select gear_id, max(started_at) as last_ride from private.counted_rides group by gear_id
) as ridden
join private.install_periods as period using (gear_id)
cross join clock
where until > last_ride + interval '180 days' and until <= now
  -- A part can be taken off a resting bike, but it can't wear out on it.
  and coalesce(ended_as, 'worn') in ('worn', 'damaged')
group by gear_id, until, last_ride;

grant select on private.check_numbers, private.check_same_rides, private.check_bikes_of_rides, private.check_parts, private.check_ends
  to authenticated;

create function public.to_check() returns json
language sql stable security invoker set search_path = ''
set jit = off
as $$
  with found as (
    select * from private.check_bikes_of_rides
    union all select * from private.check_same_rides
    union all select * from private.check_numbers
    union all select * from private.check_parts
    union all select * from private.check_ends
  ), shown as (
    select *, row_number() over (
      partition by kind
      -- The longest overlap is the most likely mistake.
      order by case kind when 'two_parts' then (facts -> 'days')::integer end desc, at desc nulls last, key
    ) as place
    from found where key not in (select dismissed.key from public.dismissed_checks as dismissed)
  ), lines as (
    select kind, place, jsonb_build_object(
      'key', key, 'kind', kind,
      -- Names can be very long, and a list only needs their beginning.
      'rides', (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200), 'started_at', started_at) order by nth), '[]')
        from unnest(shown.rides) with ordinality as listed (id, nth) join public.rides using (id)
      ),
      'items', (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200)) order by nth), '[]')
        from unnest(shown.items) with ordinality as listed (id, nth) join public.maintenance using (id)
      )
    ) || facts as line
    -- 100 lines of a kind are enough to see the problem, even if every ride has it.
    from shown where place <= 100
  )
  select json_build_object(
    'lines', (select coalesce(json_agg(line order by kind, place), '[]') from lines),
    'left_out', (select count(*) from shown where place > 100)
  )
  -- Row-level security only hides rows, so other users would get an empty list instead of null.
  where private.is_owner()
$$;
comment on function public.to_check() is
  'Lists rides and log entries that look wrong: {lines: [{key, kind, rides, items, …}], left_out}, without dismissed lines and at most 100 of a kind. Meters, seconds, km/h and days. Null for anyone but the owner.';
grant execute on function public.to_check() to authenticated;

create function private.put_on(put jsonb, moment timestamp) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  -- A part that is put back on gets a copy of its item (part_of), except for the cost.
  source public.maintenance;
  replaced public.maintenance;
  added public.maintenance;
begin
  select * into source from public.maintenance where id = (put ->> 'part_of')::bigint;
  select * into replaced from public.maintenance where id = (put ->> 'replaces')::bigint;
  if source.id is null then
    source := jsonb_populate_record(null::public.maintenance, put - 'replaces');
    source.part_id := private.add_part((put ->> 'earlier_distance')::numeric, (put ->> 'earlier_moving_time')::integer);
  else
    source.cost := 0;
  end if;
  select * into added from private.add_items(jsonb_build_array(to_jsonb(source) || jsonb_build_object(
    'bikeId', coalesce(replaced."bikeId", (put ->> 'bikeId')::bigint), 'dateStarted', moment, 'dateEnded', null, 'ended_as', null
  )));
  if replaced.id is not null then
    perform private.set_replaced(added.id, replaced.id);
    added.replaces := replaced.id;
    perform private.transfer_tasks(replaced.part_id, added.part_id);
  end if;
  return to_jsonb(added);
end
$$;
comment on function private.put_on(jsonb, timestamp) is 'Adds an item of change_parts and returns it. A successor gets the tasks of the part that it replaces.';
grant execute on function private.put_on to authenticated;

create function private.change_parts(change jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  day constant date := change ->> 'day';
  off_ids constant bigint[] := array(select (off ->> 'id')::bigint from jsonb_array_elements(change -> 'take_off') as off);
  -- Items whose parts are put back on.
  from_ids constant bigint[] := array(
    select (put ->> 'part_of')::bigint from jsonb_array_elements(change -> 'put_on') as put where put ? 'part_of'
  );
  moment timestamp;
  added jsonb;
begin
  -- Some items, such as imported ones, start or end after 01:00 that day.
  select greatest(day + interval '1 hour', max(times.at)) into moment
  from public.maintenance as item cross join lateral (values (item."dateStarted"), (item."dateEnded")) as times (at)
  where item.id = any (off_ids || from_ids) and times.at::date = day;
  perform private.reject_if(exists (
    select from unnest(off_ids || from_ids) as used (id) left join public.maintenance as item using (id) where item.id is null
  ), 'RMT11', 'An item was deleted.');
  perform private.reject_if(bool_or("dateEnded" is not null), 'RMT12', 'An item has already ended.'),
    private.reject_if(bool_or("dateStarted" > moment), 'RMT13', 'The day is before the start of an item.')
  from public.maintenance where id = any (off_ids);
  perform private.reject_if(moment::date > private.today(), 'RMT14', 'The day is in the future.');
  perform private.reject_if(bool_or(item."bikeId" = put."bikeId" and item.id = any (off_ids)), 'RMT15', 'The part is already on this bike.'),
    -- The log of an unlisted bike can still be edited, so its parts can be replaced.
    private.reject_if(bool_or(put.replaces is null and bike.is_listed is not true), 'RMT16', 'The bike is no longer on Ride with GPS.')
  from jsonb_to_recordset(change -> 'put_on') as put ("bikeId" bigint, part_of bigint, replaces bigint)
  left join public.maintenance as item on item.id = put.part_of
  left join public.bikes as bike on bike.gear_id = put."bikeId";

  update public.maintenance as item set "dateEnded" = moment, ended_as = off.ended_as
  from jsonb_to_recordset(change -> 'take_off') as off (id bigint, ended_as text)
  where item.id = off.id;
  select coalesce(jsonb_agg(private.put_on(put, moment) order by place), '[]') into added
  from jsonb_array_elements(change -> 'put_on') with ordinality as puts (put, place);

  return jsonb_build_object(
    'ended', (
      select coalesce(jsonb_agg(to_jsonb(item) order by item.id), '[]') from public.maintenance as item where id = any (off_ids)
    ),
    'added', added
  );
end
$$;
comment on function private.change_parts(jsonb) is
  'Writes {day, take_off: [{id, ended_as}], put_on: [item]}, where an item is {bikeId, part_of} with the id of an item of the same part, or {replaces, type, name, description, cost, earlier_distance, earlier_moving_time}. Returns {ended, added}.';
grant execute on function private.change_parts to authenticated;

create function private.add_item(item jsonb, replaces jsonb default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  moment constant timestamp := coalesce((item ->> 'dateStarted')::timestamp, private.today() + time '01:00');
  added jsonb;
begin
  if replaces -> 0 is not null then
    added := private.change_parts(jsonb_build_object(
      -- One part's tasks go to the new one.
      'day', moment::date, 'take_off', replaces, 'put_on', jsonb_build_array(item || jsonb_build_object('replaces', replaces #> '{0,id}'))
    )) #> '{added,0}';
  else
    select to_jsonb(new_item) into added
    from private.add_items(jsonb_build_array(item || jsonb_build_object('dateStarted', moment, 'part_id', private.add_part()))) as new_item;
  end if;
  return jsonb_build_object('item', added);
end
$$;
comment on function private.add_item(jsonb, jsonb) is
  'Adds an item, by default from today, and ends the items that it replaces: [{id, ended_as}]. Returns {item}.';
grant execute on function private.add_item to authenticated;

create function public.replaced_parts(
  gear_id bigint, day date, items bigint[] default '{}', name text default null, type text default null
)
returns json
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  found json;
begin
  if name is not null then
    items := items || (private.add_item(jsonb_build_object('bikeId', gear_id, 'name', name, 'type', type)) #>> '{item,id}')::bigint;
  end if;
  select json_build_object('items', coalesce(json_agg(listed), '[]')) into found from (
    select item.id, item.type, item.name, is_likely
    from private.replaced_by(items, replaced_parts.gear_id, day) join public.maintenance as item using (id)
    order by is_likely desc, item."dateStarted", item.id
  ) as listed;
  raise exception using errcode = 'RMT00';
exception when sqlstate 'RMT00' then
  -- Only the variables keep their values.
  return found;
end
$$;
comment on function public.replaced_parts(bigint, date, bigint[], text, text) is
  'Lists what these items'' parts, or a new part with this name and type, would replace on a bike on a day: {items: [{id, type, name, is_likely}]}. Writes nothing.';
grant execute on function public.replaced_parts to authenticated;

create function private.change_part_day(change jsonb) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  before constant timestamp := change ->> 'from';
  after constant timestamp := change ->> 'to';
  ended constant bigint[] := array(select jsonb_array_elements_text(change -> 'ended')::bigint);
  started constant bigint[] := array(select jsonb_array_elements_text(change -> 'started')::bigint);
  at_before constant bigint := (
    select count(*)
    from (
      select "dateEnded" from public.maintenance where id = any (ended)
      union all
      select "dateStarted" from public.maintenance where id = any (started)
    ) as times (at)
    where at = before
  );
begin
  perform private.reject_if(at_before <> cardinality(ended || started), 'RMT11', 'The log has changed since.');
  perform private.reject_if(after::date > private.today(), 'RMT14', 'The day is in the future.');
  update public.maintenance set
    "dateEnded" = case when id = any (ended) then after else "dateEnded" end,
    "dateStarted" = case when id = any (started) then after else "dateStarted" end
  where id = any (ended || started);
end
$$;
comment on function private.change_part_day(jsonb) is
  'Moves the end and start of items to another time: {from, to, ended: [id], started: [id]}.';
grant execute on function private.change_part_day to authenticated;

create function private.set_up_bike(gear_id bigint, parts jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  lines jsonb;
  items jsonb;
begin
  select jsonb_agg(line || jsonb_build_object(
    'bikeId', gear_id, 'part_id', private.add_part((line ->> 'earlier_distance')::numeric, (line ->> 'earlier_moving_time')::integer),
    'dateStarted', (line ->> 'day')::date + interval '1 hour'
  ) order by place) into lines
  from jsonb_array_elements(parts) with ordinality as listed (line, place);
  select coalesce(jsonb_agg(to_jsonb(item)), '[]') into items from private.add_items(coalesce(lines, '[]')) as item;
  perform private.add_task(task || jsonb_build_object('part_id', line -> 'part_id'), null, line ->> 'count_from')
  from jsonb_array_elements(lines) as line cross join lateral jsonb_array_elements(line -> 'tasks') as task;
  return jsonb_build_object('items', items);
end
$$;
comment on function private.set_up_bike(bigint, jsonb) is
  'Adds parts to a bike: [{type, name, description, cost, day, earlier_distance, earlier_moving_time, count_from, tasks}]. count_from is that of add_task; tasks is a list of its tasks. Returns {items}.';
grant execute on function private.set_up_bike to authenticated;

create function private.import_items(plan jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  updated integer;
  added integer;
  items jsonb;
begin
  if (plan ->> 'dry_run')::boolean then
    return private.preview_import(plan - 'dry_run');
  end if;

  -- The preview compared the file with the complete log, so no item may be missing or new. Compare only the columns that the
  -- preview sends, because a page may have been loaded before the tracker was updated.
  perform private.reject_if(
    (select count(*) from public.maintenance) <> (plan ->> 'records')::bigint
    or exists (select from public.maintenance where id > (plan ->> 'newest')::bigint)
    or exists (
      select from jsonb_array_elements(plan -> 'changed') as change
      left join public.maintenance as item on item.id = (change #>> '{before,id}')::bigint
      left join public.parts as part on part.id = item.part_id
      where item.id is null or jsonb_populate_record(item, change -> 'before') is distinct from item
        or jsonb_populate_record(part, (change -> 'before') - 'id') is distinct from part
    ), 'RMT04', 'RMT04: The log has changed since the preview.'
  );

  -- What the file omits stays. A trigger clears the end reason of an item without an end.
  execute format(
    'update public.maintenance as item set (%1$s) = (select %1$s from jsonb_populate_record(item, change -> ''after''))
    from jsonb_array_elements($1) as change where item.id = (change #>> ''{before,id}'')::bigint', private.item_columns('update')
  ) using plan -> 'changed';
  get diagnostics updated = row_count;

  update public.parts as part
  set earlier_distance = wanted.earlier_distance, earlier_moving_time = wanted.earlier_moving_time
  from jsonb_array_elements(plan -> 'changed') as change
  cross join lateral jsonb_populate_record(null::public.parts, change -> 'after') as wanted
  join public.maintenance as item on item.id = (change #>> '{before,id}')::bigint
  where part.id = item.part_id and change -> 'after' ? 'earlier_distance'
    and (part.earlier_distance, part.earlier_moving_time) is distinct from (wanted.earlier_distance, wanted.earlier_moving_time);

  -- The file may come from another tracker, so its part numbers don't identify parts in this log.
  with rows as materialized (
    select *, (entry ->> 'part_of')::bigint as part_of, min(place) over (
      partition by entry ->> 'part_of' is null, coalesce('part ' || (entry ->> 'part_id'), 'line ' || place)
    ) as first_place
    from jsonb_array_elements(plan -> 'added') with ordinality as entries (entry, place)
  ), numbered as materialized (
    -- Counting the new parts is fast with any plan, unlike joining them by name: PostgreSQL expects few.
    select *, dense_rank() over (partition by part_of is null order by first_place) as nth from rows
  ), added_parts as (
    -- In one statement, because recording each part by itself would take as long as all the rest.
    insert into public.parts (earlier_distance, earlier_moving_time)
    select max((entry ->> 'earlier_distance')::numeric), max((entry ->> 'earlier_moving_time')::integer)
    from numbered where part_of is null group by nth order by nth returning id
  ), ids as materialized (
    select array_agg(id order by id) as list from added_parts
  )
  select jsonb_agg(item) into items
  -- Sort the finished items, because PostgreSQL would copy the list of ids into each row that an aggregate sorts.
  from (
    select entry || jsonb_build_object('part_id', case when part_of is null then list[nth] else joined.part_id end) as item
    from numbered cross join ids
    left join public.maintenance as joined on joined.id = part_of
    order by place
  ) as sorted;
  added := (select count(*) from private.add_items(coalesce(items, '[]')));
  return jsonb_build_object('written', updated + added);
end
$$;
comment on function private.import_items(jsonb) is
  'Writes {added: [item], changed: [{before, after}], records, newest} and returns {written} with the number of written items. With dry_run, returns what preview_import does. records and newest: the previewed log''s item count and highest id. Added items with the same part_id share a new part; items with part_of get that item''s part. earlier_distance and earlier_moving_time, if present, belong to the item''s part.';
grant execute on function private.import_items to authenticated;

create function private.lines_in_two_places(plan jsonb) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
declare
  -- In the order of the file.
  new_ids constant bigint[] := array(select id from public.maintenance where id > (plan ->> 'newest')::bigint order by id);
  -- By item.
  lines constant jsonb := (
    select coalesce(jsonb_object_agg(id, line), '{}') from (
      select change #>> '{before,id}' as id, change -> 'line' as line from jsonb_array_elements(plan -> 'changed') as change
      union all
      select new_ids[place]::text, entry -> 'line' from jsonb_array_elements(plan -> 'added') with ordinality as entries (entry, place)
    ) as of_items
  );
  item public.maintenance;
  message text;
  refused jsonb := '{}';
begin
  for item in
    select stored.* from public.maintenance as stored
    where lines ? id::text and exists (select from private.overlapping_periods where overlapping_periods.id = stored.id) order by "dateStarted", id
  loop
    -- Of two lines, the first one stays.
    select private.period_message(other) into message from private.overlapping_periods
    where id = item.id and (
      not lines ? (other).id::text
      or ((other)."dateStarted", (other).id) < (item."dateStarted", item.id) and not refused ? (lines ->> (other).id::text)
    ) order by (other)."dateStarted" limit 1;
    if found then
      refused := refused || jsonb_build_object(lines ->> item.id::text, message);
    end if;
  end loop;
  return refused;
end
$$;
comment on function private.lines_in_two_places(jsonb) is
  'Returns messages, by line, for the lines of an import that would put a part in two places. The import is written already.';
grant execute on function private.lines_in_two_places to authenticated;

create function private.preview_import(plan jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  written jsonb;
  in_two_places jsonb;
  refused jsonb := '{}';
begin
  loop
    begin
      perform set_config('tracker.previews', 'on', true);
      set constraints public.maintenance_one_place_at_a_time deferred;
      written := private.import_items(plan);
      in_two_places := private.lines_in_two_places(plan);
      raise exception using errcode = 'RMT00';
    exception when sqlstate 'RMT00' then
      -- Only the variables keep their values.
    end;
    exit when in_two_places = '{}';
    refused := refused || in_two_places;
    -- Without its change, an item may be in the way of other lines.
    select plan || jsonb_object_agg(key, kept) into plan from unnest('{added,changed}'::text[]) as key cross join lateral (
      select coalesce(jsonb_agg(entry order by place), '[]') as kept
      from jsonb_array_elements(plan -> key) with ordinality as entries (entry, place) where not refused ? (entry ->> 'line')
    ) as lines;
  end loop;
  return written || jsonb_build_object('refused', refused);
end
$$;
comment on function private.preview_import(jsonb) is
  'Imports as import_items does, and rolls it back. Each entry and change also has a line. Returns {written, refused}: messages, by line, for lines that would put a part in two places; written counts the others.';
grant execute on function private.preview_import to authenticated;

create function private.rename_items(names jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  renamed integer;
begin
  update public.maintenance as item set name = wanted.name
  from jsonb_to_recordset(names) as wanted (id bigint, name text, was text)
  -- An item that was renamed elsewhere keeps that name.
  where item.id = wanted.id and item.name <> wanted.name and (wanted.was is null or item.name = wanted.was);
  get diagnostics renamed = row_count;
  return jsonb_build_object('renamed', renamed);
end
$$;
comment on function private.rename_items(jsonb) is 'Renames items: [{id, name, was}]. was is optional; an item with another name by now isn''t renamed. Returns {renamed} with the number of renamed items.';
grant execute on function private.rename_items to authenticated;

create function private.lock_writes() returns void
language sql volatile security invoker set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('private.lock_writes', 0)) $$;
comment on function private.lock_writes() is
  'Waits until no other transaction is writing the owner''s data. A function that decides by what it reads calls this first, so nothing changes in between.';
grant execute on function private.lock_writes to authenticated;

create table public.changes (
  id bigint generated by default as identity primary key,
  change uuid not null,
  changed_at timestamptz not null default now(),
  command text,
  relation text not null,
  row_id bigint not null,
  before jsonb,
  after jsonb,
  constraint changes_before_or_after_check check (num_nonnulls(before, after) > 0)
);
comment on table public.changes is 'The owner''s changes of the last 30 days. Triggers write them, and saves remove older ones.';
comment on column public.changes.change is 'Shared by all rows that one transaction changed. Usually chosen by the client.';
comment on column public.changes.command is 'The command of private.commands that wrote the row. Null: a statement of the owner''s own.';
comment on column public.changes.relation is 'The row''s table.';
comment on column public.changes.row_id is 'No foreign key: the row may be gone.';
comment on column public.changes.before is 'The row before the change. Null: it was added.';
comment on column public.changes.after is 'The row after the change. Null: it was removed.';

create index changes_change_idx on public.changes (change);
create index changes_changed_at_idx on public.changes (changed_at);
create index changes_row_idx on public.changes (relation, row_id);

alter table public.changes enable row level security;

create policy "The owner reads the journal" on public.changes
for select to authenticated using ((select private.is_owner()));

grant select on public.changes to authenticated;

create function private.name_change(wanted uuid) returns uuid
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  name constant uuid := case
    -- The name of an earlier change stays with that change, so undoing it never undoes anything else.
    when wanted is null or exists (select from public.changes where change = wanted) then gen_random_uuid() else wanted
  end;
begin
  perform set_config('tracker.change', name::text, true);
  return name;
end
$$;
comment on function private.name_change(uuid) is 'Names the change that this transaction''s next writes belong to, and returns the name.';
grant execute on function private.name_change to authenticated;

create function private.record_changes() returns trigger
language plpgsql volatile security definer set search_path = ''
set timezone = 'UTC'
as $$
declare
  this_change constant uuid := coalesce(
    nullif(current_setting('tracker.change', true), '')::uuid, private.name_change(null)
  );
  this_command constant text := nullif(current_setting('tracker.command', true), '');
begin
  if tg_op = 'INSERT' then
    insert into public.changes (change, command, relation, row_id, after)
    select this_change, this_command, tg_table_name, id, to_jsonb(became) from new_rows as became order by id;
  elsif tg_op = 'DELETE' then
    insert into public.changes (change, command, relation, row_id, before)
    select this_change, this_command, tg_table_name, id, to_jsonb(was) from old_rows as was order by id;
  else
    insert into public.changes (change, command, relation, row_id, before, after)
    select this_change, this_command, tg_table_name, id, to_jsonb(was), to_jsonb(became)
    from old_rows as was join new_rows as became using (id) where was is distinct from became order by id;
  end if;

  -- Delete in batches, so no save waits long.
  delete from public.changes where id in (
    select id from public.changes where changed_at < now() - interval '30 days' limit 1000
  );
  return null;
end
$$;
comment on function private.record_changes() is
  'Records the rows that a statement changed. The setting tracker.command says by which command.';

create function private.take_turn() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform private.lock_writes();
  return null;
end
$$;
comment on function private.take_turn() is 'Makes each write of the owner''s data wait for the one before it, so none is based on rows that are about to change.';

create function private.track(tracked regclass) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  -- A restored backup brings its own journal.
  recorded constant text := 'for each statement when (current_setting(''tracker.command'', true) is distinct from ''backup'')
    execute function private.record_changes()';
begin
  execute format('create trigger take_turn before insert or update or delete on %s execute function private.take_turn()', tracked);
  -- A trigger with transition tables can have only one event.
  execute format('create trigger record_added_rows after insert on %s referencing new table as new_rows %s', tracked, recorded);
  execute format('create trigger record_removed_rows after delete on %s referencing old table as old_rows %s', tracked, recorded);
  execute format(
    'create trigger record_edited_rows after update on %s referencing old table as old_rows new table as new_rows %s', tracked, recorded
  );
end
$$;
comment on function private.track(regclass) is 'Records a table''s changes from now on. The table needs a bigint id.';

select private.track('public.parts');
select private.track('public.maintenance');
select private.track('public.service_tasks');
select private.track('public.service_events');
select private.track('public.wear_measurements');
select private.track('public.dismissed_checks');

create view private.tracked_tables with (security_invoker = true) as
with recursive levels (relation, level) as (
  select tgrelid, 0 from pg_catalog.pg_trigger where tgfoid = 'private.take_turn()'::regprocedure
  union
  select conrelid, level + 1
  from levels join pg_catalog.pg_constraint on confrelid = relation and contype = 'f' and conrelid <> confrelid
  join pg_catalog.pg_trigger on tgrelid = conrelid and tgfoid = 'private.take_turn()'::regprocedure
)
select relation, relname::text as name, max(level) as level
from levels join pg_catalog.pg_class on pg_class.oid = relation group by relation, relname;
comment on view private.tracked_tables is 'The tables whose changes are recorded. A row only refers to rows of tables on lower levels.';
grant select on private.tracked_tables to authenticated;

create table private.requests (
  key uuid primary key,
  digest bytea not null,
  answer jsonb not null,
  answered_at timestamptz not null default now()
);
comment on table private.requests is 'The requests of the last 30 days and their answers.';
comment on column private.requests.digest is 'SHA-256 of the content, which may be long, or hold a secret.';

create index requests_answered_at_idx on private.requests (answered_at);

alter table private.requests enable row level security;

create policy "The owner remembers requests" on private.requests
for all to authenticated using ((select private.is_owner()));

grant select, insert, delete on private.requests to authenticated;

create function private.refuse(code text, message text, stored jsonb) returns jsonb
language sql volatile security invoker set search_path = ''
as $$
  -- Return a response instead of raising: PostgreSQL logs exceptions, and this one would contain the owner's log.
  select jsonb_build_object('code', code, 'message', message, 'stored', stored) from set_config('response.status', '409', true)
$$;
comment on function private.refuse(text, text, jsonb) is 'Makes the response a 409, and returns its body. The caller must have written nothing.';
grant execute on function private.refuse to authenticated;

create function private.is_stale(stored jsonb, shown jsonb, wanted jsonb) returns boolean
language sql immutable security invoker set search_path = ''
as $$
  select exists (
    select from jsonb_each(stored) where value is distinct from shown -> key and value is distinct from wanted -> key
  )
$$;
comment on function private.is_stale(jsonb, jsonb, jsonb) is
  'Returns whether a value is neither what the owner saw nor what they want, because it was changed since.';
grant execute on function private.is_stale to authenticated;

create function private.digest(content jsonb) returns bytea
language sql immutable security invoker set search_path = ''
as $$ select sha256(convert_to(content::text, 'UTF8')) $$;
comment on function private.digest(jsonb) is 'Returns what a repeated request is compared by.';
grant execute on function private.digest to authenticated;

create function private.edit_row(relation text, row_id bigint, shown jsonb, wanted jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  was record;
  edited jsonb;
begin
  perform private.reject_if(
    not exists (select from private.tracked_tables where name = edit_row.relation), '22023', 'Unknown table.'
  );
  execute format($query$
    select to_jsonb(stored) as stored, to_jsonb(jsonb_populate_record(stored, $2)) as shown, to_jsonb(jsonb_populate_record(stored, $3)) as wanted
    from public.%I as stored where id = $1
  $query$, edit_row.relation) into was using edit_row.row_id, edit_row.shown, edit_row.wanted;
  if private.is_stale(was.stored, was.shown, was.wanted) then
    return private.refuse('RMT31', 'The values have changed since.', was.stored);
  end if;
  if edit_row.wanted = '{}' then
    return jsonb_build_object('row', was.stored);
  end if;
  execute format(
    'update public.%1$I as stored set (%2$s) = (select %2$s from jsonb_populate_record(stored, $2)) where id = $1 returning to_jsonb(stored)',
    edit_row.relation, (select string_agg(quote_ident(key), ', ') from jsonb_object_keys(edit_row.wanted) as key)
  ) into edited using edit_row.row_id, edit_row.wanted;
  return jsonb_build_object('row', edited);
end
$$;
comment on function private.edit_row(text, bigint, jsonb, jsonb) is
  'Edits a row of the owner: wanted has the new values, and shown the values that the owner saw. Returns {row}, which is null if it was removed. If one of these values is neither the shown nor the wanted one, the answer is 409 with the row as "stored", and nothing is written.';
grant execute on function private.edit_row to authenticated;

create function private.stored_rows(relation text, ids bigint[]) returns table (row_id bigint, stored jsonb)
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return query execute format('select id, to_jsonb(stored) from public.%I as stored where id = any ($1)', relation) using ids;
end
$$;
comment on function private.stored_rows(text, bigint[]) is 'Returns the stored rows of a table.';
grant execute on function private.stored_rows to authenticated;

create type private.changed_row as (
  change uuid, relation text, row_id bigint, before jsonb, after jsonb, present jsonb, target jsonb, state text
);
comment on type private.changed_row is
  'A row that a change wrote. target: the row after an undo; null if the undo removes it. state: ready (can be undone), done (nothing to undo), changed or deleted by a later change, or used (rows that were added later belong to it).';

create function private.changed_rows(names uuid[], ids bigint[] default null) returns setof private.changed_row
language sql stable security invoker set search_path = '' set timezone = 'UTC'
as $$
  with net as materialized (
    -- Several statements of one transaction may change the same row.
    select change, relation, row_id, (array_agg(before order by id))[1] as before, (array_agg(after order by id desc))[1] as after
    from public.changes
    where change = any (names) and (ids is null or row_id = any (ids)) and changed_at >= now() - interval '30 days'
      and relation in (select name from private.tracked_tables)
    group by change, relation, row_id
  ), present as materialized (
    select relation, row_id, stored
    from (select relation, array_agg(distinct row_id) as ids from net group by relation) as needed
    cross join lateral private.stored_rows(relation, ids)
  )
  select net.change, net.relation, net.row_id, net.before, net.after, stored,
    case when net.after is null or net.before is null then net.before || coalesce(lost.link, '{}') else stored || edited.columns end,
    case
      when net.before is null then case
        when stored is null or net.relation = 'parts' and stored @> net.after and part.stays then 'done'
        when stored @> net.after then 'ready'
        else 'changed'
      end
      when net.after is null then case when stored is not null then 'done' when lost.task then 'deleted' else 'ready' end
      when edited.columns is null or stored @> edited.columns then 'done'
      when stored is null then case when net.relation = 'service_events' and edited.columns - 'maintenance_id' = '{}' then 'done' else 'deleted' end
      when exists (
        select from jsonb_each(edited.columns)
        where stored -> key is distinct from value and stored -> key is distinct from net.after -> key
      ) then 'changed'
      else 'ready'
    end
  from net
  left join present using (relation, row_id)
  left join lateral (
    select jsonb_object_agg(key, value) as columns
    from jsonb_each(net.before) where net.after is not null and value is distinct from net.after -> key
  ) as edited on true
  -- A part goes with its items, unless another item has it or may come back.
  left join lateral (
    select count(*) = 0 or bool_or(item.id not in (select row_id from net where relation = 'maintenance' and before is null))
      or net.row_id in (
        select (gone.before ->> 'part_id')::bigint from public.changes as gone left join public.maintenance as present on present.id = gone.row_id
        where gone.relation = 'maintenance' and gone.after is null and present.id is null
      ) as stays
    from public.maintenance as item where item.part_id = net.row_id
  ) as part on net.relation = 'parts' and net.before is null
  -- An event only comes back with its task. The item with its cost may have been deleted or restored since.
  left join lateral (
    -- Other rows must not evaluate this: it may read all rows of the change.
    select
      case when net.relation = 'service_events' and net.after is null then not exists (select from public.service_tasks where id = (net.before ->> 'task_id')::bigint)
        and not exists (
          select from net as also where also.change = net.change and also.relation = 'service_tasks'
            and also.row_id = (net.before ->> 'task_id')::bigint
        ) end as task,
      case when net.relation = 'service_events' and net.after is null then case when not exists (
          select from net as also where also.change = net.change and also.relation = 'maintenance'
            and also.row_id = (net.before ->> 'maintenance_id')::bigint
        ) then jsonb_build_object('maintenance_id', (
          select item.id from public.changes as earlier
          join public.maintenance as item on item.id = (earlier.before ->> 'maintenance_id')::bigint
          where earlier.relation = 'service_events' and earlier.row_id = net.row_id order by earlier.id desc limit 1
        )) end end as link
  ) as lost on true
  where num_nonnulls(net.before, net.after) > 0
$$;
comment on function private.changed_rows(uuid[], bigint[]) is
  'Returns the rows that these changes wrote in the last 30 days. With ids, returns only those rows, and only "done" is a reliable state.';
grant execute on function private.changed_rows to authenticated;

create function private.has_come_since(relation text, row_id bigint, link text, owner_id bigint, since bigint) returns boolean
language sql stable security invoker set search_path = ''
as $$
  select coalesce((
    select later.before ->> link is distinct from owner_id::text
    from public.changes as later
    where later.relation = has_come_since.relation and later.row_id = has_come_since.row_id and later.id > since order by later.id limit 1
  ), false)
$$;
comment on function private.has_come_since(text, bigint, text, bigint, bigint) is
  'Returns whether a row didn''t belong to another one, by a link column, when the journal had this many entries.';
grant execute on function private.has_come_since to authenticated;

create function private.rows_in_the_way(undone private.changed_row[])
returns table (relation text, row_id bigint, by_relation text, by_id bigint)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  since constant bigint := (select max(id) from public.changes where changes.change = undone[1].change);
  items constant bigint[] := array(
    select step.row_id from unnest(undone) as step where step.relation = 'maintenance' and step.target is null
  );
  reference record;
begin
  for reference in
    select owner.name as relation, referring.name as by_relation, attname as link
    from pg_catalog.pg_constraint
    join private.tracked_tables as owner on owner.relation = confrelid
    join private.tracked_tables as referring on referring.relation = conrelid
    join pg_catalog.pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and referring.relation <> 'public.maintenance'::regclass
  loop
    return query execute format($query$
      select removed.relation, removed.row_id, %2$L, referring.id
      from (
        select step.relation, step.row_id, step.row_id as id from unnest($1) as step
        where step.relation = %1$L and step.relation <> 'parts' and step.target is null
        union all
        -- What belongs to a part would disappear with the part's last item.
        select 'maintenance', min(item.id), item.part_id from public.maintenance as item
        where item.id = any ($2) and %1$L = 'parts' and not exists (
          select from public.maintenance as other where other.part_id = item.part_id and other.id <> all ($2)
        ) group by item.part_id
      ) as removed join public.%2$I as referring on referring.%3$I = removed.id
      where not exists (select from unnest($1) as step where step.relation = %2$L and step.row_id = referring.id)
        and private.has_come_since(%2$L, referring.id, %3$L, removed.id, $3)
    $query$, reference.relation, reference.by_relation, reference.link) using undone, items, since;
  end loop;
  return query
    -- An item doesn't come back into use while another one that has replaced it since is there.
    select step.relation, step.row_id, 'maintenance', item.id
    from unnest(undone) as step join public.maintenance as item on item.replaces = step.row_id
    where step.relation = 'maintenance' and step.present is not null and step.target ->> 'dateEnded' is null and item.id <> all (items)
      and private.has_come_since('maintenance', item.id, 'replaces', step.row_id, since);
end
$$;
comment on function private.rows_in_the_way(private.changed_row[]) is
  'Returns the rows that keep an undo from removing the rows that they belong to, because they were added later.';
grant execute on function private.rows_in_the_way to authenticated;

create function private.subject(relation text, version jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with of_task as (
    select coalesce(
      case relation when 'service_tasks' then version end,
      (select to_jsonb(stored) from public.service_tasks as stored where id = (version ->> 'task_id')::bigint),
      (
        select coalesce(removed.after, removed.before) from public.changes as removed
        where removed.relation = 'service_tasks' and removed.row_id = (version ->> 'task_id')::bigint order by id desc limit 1
      )
    ) as task
  ), of_item as (
    select to_jsonb(latest) as item from public.maintenance as latest
    where latest.part_id = (case relation when 'parts' then version ->> 'id' else version ->> 'part_id' end)::bigint
    order by latest."dateStarted" desc, latest.id desc limit 1
  )
  select jsonb_build_object(
    'item', (
      select jsonb_build_object('id', item -> 'id', 'bikeId', item -> 'bikeId', 'type', item -> 'type', 'name', item -> 'name')
      from (select case relation when 'maintenance' then version else (select item from of_item) end as item) as shown
      where item is not null
    ),
    'task', (
      select jsonb_build_object('id', task -> 'id', 'name', task -> 'name', 'gear_id', task -> 'gear_id') from of_task
      where task is not null
    )
  )
$$;
comment on function private.subject(text, jsonb) is
  'Returns what a row is about: its item, or its part''s latest item, as {id, bikeId, type, name}, and its task as {id, name, gear_id}.';
grant execute on function private.subject to authenticated;

create function private.with_cost(relation text, version jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select case when relation = 'service_events' then version || jsonb_build_object('cost', (
    select to_jsonb(item) -> 'cost' from public.maintenance as item where item.id = (version ->> 'maintenance_id')::bigint
    union all
    select coalesce(item.after, item.before) -> 'cost' from public.changes as item
    where item.relation = 'maintenance' and item.row_id = (version ->> 'maintenance_id')::bigint
    limit 1
  )) else version end
$$;
comment on function private.with_cost(text, jsonb) is 'Adds the cost of its item to a service event. Returns other rows unchanged.';
grant execute on function private.with_cost to authenticated;

create function private.conflict(step private.changed_row, blockers jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object(
    'relation', step.relation, 'row_id', step.row_id, 'state', step.state, 'before', private.with_cost(step.relation, step.before),
    'after', private.with_cost(step.relation, step.after), 'present', private.with_cost(step.relation, step.present), 'added', (
      select coalesce(jsonb_agg(jsonb_build_object('relation', by_relation, 'row', stored) || private.subject(by_relation, stored)), '[]')
      from (
        select * from jsonb_to_recordset(blockers) as blocker (relation text, row_id bigint, by_relation text, by_id bigint)
        where blocker.relation = step.relation and blocker.row_id = step.row_id order by by_relation, by_id limit 5
      ) as blocker
      cross join lateral private.stored_rows(by_relation, array[by_id]) as present
    )
  ) || private.subject(step.relation, coalesce(step.present, step.after, step.before))
$$;
comment on function private.conflict(private.changed_row, jsonb) is 'Describes a row that could not be undone, as undo returns it.';
grant execute on function private.conflict to authenticated;

create function private.write_targets(undone private.changed_row[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  tracked record;
begin
  perform private.require_owner();
  -- Remove first and add last, so a part that returns to its earlier bike is never on two bikes.
  for tracked in select name from private.tracked_tables where name <> 'parts' order by level desc loop
    execute format('delete from public.%I where id = any ($1)', tracked.name)
    using array(select row_id from unnest(undone) where relation = tracked.name and target is null);
  end loop;

  for tracked in
    select name, list, pg_get_serial_sequence('public.' || name, 'id') as sequence
    from private.tracked_tables
    cross join lateral (
      select string_agg(quote_ident(attname), ', ') as list from pg_catalog.pg_attribute
      where attrelid = tracked_tables.relation and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    where name in (select relation from unnest(undone) where target is not null)
    order by level
  loop
    execute format($query$
      update public.%1$I as stored set (%2$s) = (select %2$s from jsonb_populate_record(stored, step.target))
      from unnest($1) as step where step.relation = %1$L and step.present is not null and step.target is not null and stored.id = step.row_id
    $query$, tracked.name, tracked.list) using undone;
    execute format($query$
      with inserted as (
        insert into public.%1$I (%2$s)
        select %2$s from unnest($1) as step cross join lateral jsonb_populate_record(null::public.%1$I, step.target)
        where step.relation = %1$L and step.present is null and step.target is not null
        returning id
      )
      -- No later row gets the id of a row that came back.
      select setval(%3$L, greatest(max(inserted.id), (select last_value from %3$s))) from inserted having count(*) > 0
    $query$, tracked.name, tracked.list, tracked.sequence) using undone;
  end loop;
  -- Tasks are back at their earlier parts by now.
  delete from public.parts where id in (select row_id from unnest(undone) where relation = 'parts' and target is null);
end
$$;
comment on function private.write_targets(private.changed_row[]) is 'Gives each row its target: writes or removes it, or adds it again.';
grant execute on function private.write_targets to authenticated;

create function private.undo(change uuid, keep_changed boolean default false) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  steps private.changed_row[];
  ready private.changed_row[];
  found jsonb;
  blockers jsonb := '[]';
  conflicts jsonb;
begin
  steps := array(select step from private.changed_rows(array[undo.change]) as step);
  perform private.reject_if(cardinality(steps) = 0, 'RMT30', 'RMT30: The change is unknown, or older than 30 days.');
  -- Repeat, because a row that stays may itself keep another one.
  loop
    ready := array(select step from unnest(steps) as step where state = 'ready');
    select jsonb_agg(to_jsonb(blocker)) into found from private.rows_in_the_way(ready) as blocker;
    exit when found is null;
    blockers := blockers || found;
    steps := array(
      select (
        step.change, step.relation, step.row_id, before, after, present, target, case when blocked.row_id is null then state else 'used' end
      )::private.changed_row
      from unnest(steps) as step
      left join (select distinct relation, row_id from jsonb_to_recordset(found) as blocker (relation text, row_id bigint)) as blocked
        on (blocked.relation, blocked.row_id) = (step.relation, step.row_id)
    );
  end loop;

  select jsonb_agg(private.conflict(step, blockers) order by relation, row_id) into conflicts
  from unnest(steps) as step where state not in ('done', 'ready');
  if conflicts is not null and not keep_changed then
    return jsonb_build_object('restored', 0, 'conflicts', conflicts);
  end if;

  -- A part stays with an item that stays.
  ready := array(
    select step from unnest(ready) as step where step.relation <> 'parts' or step.target is not null or not exists (
      select from public.maintenance as item
      where item.part_id = step.row_id and item.id not in (select row_id from unnest(ready) where relation = 'maintenance' and target is null)
    )
  );
  perform private.write_targets(ready);
  return jsonb_build_object('restored', (
      -- A part comes and goes with its items.
      select count(*) from unnest(ready) as step where step.relation <> 'parts' or num_nulls(before, after) = 0
    ), 'conflicts', '[]'::jsonb);
end
$$;
comment on function private.undo(uuid, boolean) is
  'Undoes a change. Returns {restored, conflicts}: the number of rows that it wrote, and the rows that have been changed since. If there are conflicts, nothing is undone, unless keep_changed is set: then only the conflicting rows are skipped.';
grant execute on function private.undo to authenticated;

create view private.recent_changes with (security_invoker = true) as
select *, case
    when num_nulls(before, after) > 0 then relation <> 'parts'
    else before - '{part_id,maintenance_id,snoozed_from,snoozed_part,counted_from,replaces}'::text[]
      <> after - '{part_id,maintenance_id,snoozed_from,snoozed_part,counted_from,replaces}'::text[]
  end as is_shown
from public.changes where changed_at >= now() - interval '30 days';
comment on view private.recent_changes is
  'The changes of the last 30 days. is_shown: the trash lists it; false for links to other rows, and for parts that came or went with an item.';
grant select on private.recent_changes to authenticated;

create function public.trash(older_than bigint default null, deletions boolean default false) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with page as materialized (
    select change, max(id) as last_id, min(changed_at) as changed_at, min(command) as command
    from private.recent_changes where is_shown group by change
    having (older_than is null or max(id) < older_than)
      and (not deletions or min(command) is distinct from 'undo' and bool_and(after is null and relation <> 'dismissed_checks'))
    order by max(id) desc limit 50
  ), net as materialized (
    -- Thousands of rows may have been imported, so read whole rows only for the first four.
    select change, relation, row_id, min(id) filter (where before is null) is not distinct from min(id) as is_added,
      max(id) filter (where after is null) is not distinct from max(id) as is_deleted
    from private.recent_changes where change in (select change from page) group by change, relation, row_id having bool_or(is_shown)
  ), shown as materialized (
    select *, row_number() over (partition by change order by not is_added, not is_deleted, relation, row_id) as place
    from net where not (is_added and is_deleted)
  ), first_rows as materialized (
    select * from private.changed_rows(array(select change from page), array(select row_id from shown where place <= 4))
    join shown using (change, relation, row_id) where place <= 4
  ), undone as (
    select change
    from private.changed_rows(array(select change from first_rows group by change having bool_and(state = 'done')))
    group by change having bool_and(state = 'done')
  ), bikes as (
    select change, jsonb_agg(bike order by bike) filter (where bike <> 'null') as bikes
    from (
      select distinct change, case relation when 'maintenance' then coalesce(after, before) -> 'bikeId' else (
        select coalesce(subject #> '{item,bikeId}', subject #> '{task,gear_id}')
        from private.subject(relation, coalesce(after, before)) as subject
      ) end as bike
      from private.recent_changes where is_shown and change in (select change from page)
    ) as of_row group by change
  ), details as (
    select change, jsonb_agg(
      jsonb_build_object('relation', relation, 'before', before, 'after', after) || private.subject(relation, coalesce(after, before))
      order by place
    ) as changes
    from first_rows group by change
  ), counts as (
    select change, count(*) filter (where is_added) as added, count(*) filter (where is_deleted) as deleted,
      count(*) filter (where not is_added and not is_deleted) as edited
    from shown group by change
  )
  select jsonb_build_object('groups', coalesce(jsonb_agg(
    jsonb_build_object(
      'id', change, 'last_id', last_id, 'changed_at', changed_at, 'command', command, 'added', added, 'edited', edited,
      'deleted', deleted, 'is_done', change in (select change from undone), 'bikes', coalesce(bikes, '[]'), 'changes', changes
    ) order by last_id desc
  ), '[]'))
  from page join counts using (change) join details using (change) join bikes using (change)
$$;
comment on function public.trash(bigint, boolean) is
  'Lists up to 50 changes of the last 30 days, newest first: {groups: [{id, last_id, changed_at, command, added, edited, deleted, is_done, bikes, changes}]}. changes: the first four rows, as {relation, before, after, item, task}. is_done: nothing is left to undo. older_than: the last_id of the previous page. deletions: only deletions, except those by an undo.';
grant execute on function public.trash to authenticated;

create function private.record_ride_changes() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- The ride's columns.
  facts constant text := (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
    where attrelid = 'public.ride_changes'::regclass and attnum > 0 and attname not in ('id', 'sync_id', 'ride_id', 'is_after')
  );
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
    'insert into public.ride_changes (sync_id, is_after, ride_id, %s) select $1, version.* from (%s) as version', facts,
    case tg_op
      when 'INSERT' then format('select true, id, %s from new_rides', facts)
      when 'DELETE' then format('select false, id, %s from old_rides', facts)
      else format(
        'select false, * from (select id, %1$s from old_rides except select id, %1$s from new_rides) as differing
        union all
        select true, * from (select id, %1$s from new_rides except select id, %1$s from old_rides) as differing', facts
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

create trigger forget_ride_changes
after update of outcome, rwgps_user_id on public.ride_syncs
for each statement execute function private.forget_ride_changes();

create function private.ride_versions(sync_id bigint, ride_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'ride_id', ride_versions.ride_id,
    'before', (array_agg(facts) filter (where not is_after))[1],
    'after', (array_agg(facts) filter (where is_after))[1]
  )
  from public.ride_changes as change
  cross join lateral (select to_jsonb(change) - '{id,sync_id,ride_id,is_after}'::text[]) as of_ride (facts)
  where change.sync_id = ride_versions.sync_id and change.ride_id = ride_versions.ride_id
$$;
comment on function private.ride_versions(bigint, bigint) is 'Returns a ride before and after a sync. before is null for an added ride, after for a removed one.';
grant execute on function private.ride_versions to authenticated;

create function public.changes_of_sync(sync_id bigint default null, skip integer default 0) returns json
language sql stable security invoker set search_path = '' set jit = off
as $$
  with sync as materialized (
    select * from public.ride_syncs
    where id = coalesce(changes_of_sync.sync_id, (select max(change.sync_id) from public.ride_changes as change))
  ), rides as materialized (
    select ride_id, max(started_at) as started_at,
      case when bool_and(is_after) then 'added' when bool_or(is_after) then 'changed' else 'removed' end as kind
    from public.ride_changes as change where change.sync_id = (select id from sync)
    group by ride_id
  ), parts as materialized (
    -- Parts are only returned with the first page.
    select key as part_id, sum(distance) as distance, sum(moving_time) as moving_time
    from sync cross join lateral private.sum_rides(array(
      select (part_id, "bikeId", "dateStarted", "dateEnded", false)::private.ride_range from public.maintenance
    ), sync.id)
    where changes_of_sync.skip = 0
    group by key having sum(distance) <> 0 or sum(moving_time) <> 0
  ), shown as materialized (
    select * from parts order by abs(distance) desc, abs(moving_time) desc, part_id limit 50
  ), periods as materialized (
    -- Materialized, because right after a sync the planner underestimates the versions and would compare them with every period.
    select part_id, shown.distance as total, period.gear_id, since, until
    from shown join private.install_periods as period using (part_id)
  ), versions as materialized (
    select *, case when is_after then 1 else -1 end as sign
    from private.counted_ride_changes as change
    where change.sync_id = (select id from sync) and exists (select from shown)
  ), moved as (
    -- Covers only the shown parts, because it compares each ride version with each period.
    select part_id, ride_id, total, sum(sign * version.distance) as distance,
      bool_or(not is_after) as counted_before, bool_or(is_after) as counted_after
    from periods join versions as version on version.gear_id = periods.gear_id and since <= started_at and started_at < until
    group by part_id, ride_id, total
    having bool_or(is_after) <> bool_or(not is_after) or sum(sign * version.distance) <> 0 or sum(sign * version.moving_time) <> 0
  ), reasons as (
    -- Pick the ride that changed the part's usage most, in the direction of the total change.
    select distinct on (part_id) part_id, ride_id, counted_before, counted_after, count(*) over (partition by part_id) as rides
    from moved order by part_id, sign(distance) * sign(total) desc, abs(distance) desc, ride_id
  )
  select json_build_object(
    'sync', (
      select json_build_object(
        'id', sync.id, 'started_at', sync.started_at, 'outcome', sync.outcome,
        'added', (select count(*) from rides where kind = 'added'),
        'changed', (select count(*) from rides where kind = 'changed'),
        'removed', (select count(*) from rides where kind = 'removed')
      ) from sync
    ),
    'rides', (
      select coalesce(json_agg(private.ride_versions((select id from sync), ride_id) order by number), '[]') from (
        select ride_id, row_number() over in_order as number from rides
        window in_order as (order by array_position('{changed,removed,added}', kind), started_at desc nulls last, ride_id)
        order by number limit 50 offset changes_of_sync.skip
      ) as page
    ),
    'parts', (
      select coalesce(json_agg(page), '[]') from (
        select shown.part_id, item.id as item_id, item."bikeId" as gear_id, item.type, item.name,
          rides, shown.distance, shown.moving_time, private.ride_versions((select id from sync), ride_id) as ride,
          counted_before, counted_after
        from shown
        join reasons using (part_id)
        cross join lateral (
          select * from public.maintenance where part_id = shown.part_id order by "dateStarted" desc, id desc limit 1
        ) as item
        order by abs(shown.distance) desc, abs(shown.moving_time) desc, shown.part_id
      ) as page
    ),
    'part_count', (select count(*) from parts),
    'older', (select max(change.sync_id) from public.ride_changes as change where change.sync_id < (select id from sync))
  )
  -- Row-level security only hides rows, so other users would get an empty answer instead of null.
  where private.is_owner()
$$;
comment on function public.changes_of_sync(bigint, integer) is
  'Returns a sync''s changes, by default those of the last sync with changes: 50 rides after the first `skip`, before and after the sync; on the first page also the 50 parts whose usage changed most; and the next older sync with changes. sync is null if no sync changed anything. Null for anyone but the owner.';
grant execute on function public.changes_of_sync to authenticated;

create function private.schema_version() returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_owner() or to_regclass('supabase_migrations.schema_migrations') is null then
    return null;
  end if;
  return (select max(version) from supabase_migrations.schema_migrations);
end
$$;
comment on function private.schema_version() is 'Returns the version of the newest migration. Null for anyone but the owner.';
grant execute on function private.schema_version to authenticated;

create view private.backup_tables with (security_invoker = true) as
with recursive levels (relation, level) as (
  select oid, 0 from pg_catalog.pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  union
  select conrelid, level + 1 from levels
  join pg_catalog.pg_constraint on confrelid = relation and contype = 'f' and conrelid <> confrelid
)
select row_number() over (order by max(level), relname) as place, relname::text as name, relation::regclass as relation,
  quote_ident(key.attname) as key, columns.list as columns
from levels join pg_catalog.pg_class on pg_class.oid = relation
join pg_catalog.pg_index on indrelid = relation and indisprimary
join pg_catalog.pg_attribute as key on key.attrelid = relation and key.attnum = indkey[0]
cross join lateral (
  -- Skip generated columns, which a restore recomputes.
  select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_catalog.pg_attribute
  where attrelid = relation and attnum > 0 and not attisdropped and attgenerated = ''
) as columns
where relnamespace = 'public'::regnamespace
group by relation, relname, key.attname, columns.list;
comment on view private.backup_tables is 'The tables of a backup. A row only refers to rows of tables in earlier places.';
grant select on private.backup_tables to authenticated;

create function private.backup_rows(size integer, after text, out tables json, out last text)
language plpgsql stable security invoker set search_path = '' set timezone = 'UTC'
as $$
declare
  source record;
  lines json;
  taken bigint;
  members text[] := '{}';
begin
  for source in
    select listed.*, case when listed.name = started.name then substr(after, length(listed.name) + 2) end as read_until
    from private.backup_tables as listed
    left join private.backup_tables as started on started.name = split_part(after, ':', 1)
    where listed.place >= coalesce(started.place, 0) order by listed.place
  loop
    execute format(
      'select coalesce(json_agg(row_to_json(line)::text order by line.%1$s), ''[]''), (array_agg(line.%1$s order by line.%1$s desc))[1], count(*)
      from (select %2$s from %3$s where %4$s and (%5$L is null or %1$s > %5$L) order by %1$s limit %6$L) as line',
      source.key, source.columns, source.relation,
      -- Skip running syncs, which won't be running after a restore.
      case source.name
        when 'ride_syncs' then 'outcome <> ''running'''
        when 'ride_changes' then 'sync_id not in (select id from public.ride_syncs where outcome = ''running'')'
        else 'true'
      end,
      source.read_until, size
    ) into lines, last, taken;
    members := members || concat(to_json(source.name), ': ', lines);
    size := size - taken;
    exit when size = 0;
  end loop;
  tables := '{' || array_to_string(members, ', ') || '}';
  last := case when size = 0 then source.name || ':' || last end;
end
$$;
comment on function private.backup_rows(integer, text) is
  'Returns up to `size` rows of a backup after the row `after`, as {name: [row]}, and the last of them, which is null at the end. Returns all rows if size is null.';
grant execute on function private.backup_rows to authenticated;

create function public.backup(size integer default null, after text default null) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'schema', private.schema_version(), 'tables', read.tables, 'next', read.last, 'snapshot', pg_current_snapshot()::text
  )
  from private.backup_rows(size, after) as read where private.is_owner()
$$;
comment on function public.backup(integer, text) is
  'Returns a complete backup, {schema, tables: {name: [row]}, next, snapshot}, where each row is a line of a backup file. With size, returns up to that many rows; pass next as after for more. Only answers with the same snapshot belong together. Null for anyone but the owner.';
grant execute on function public.backup to authenticated;

create function private.restore(schema text, tables text[], replace boolean) returns void
language plpgsql volatile security invoker set search_path = '' set timezone = 'UTC'
as $$
declare
  failed constant text := 'Could not restore the backup: %s. Nothing was changed.';
  target record;
  columns text;
  sources text;
  problem text;
  wanted bigint;
begin
  -- The backup already contains the journal, so don't record these changes.
  perform set_config('tracker.command', 'backup', true);
  perform private.reject_if(
    not exists (select from supabase_migrations.schema_migrations where version >= restore.schema), 'RMT05',
    'This backup was made by a newer version of the tracker. Update the tracker first. Nothing was changed.'
  );
  select coalesce(stored.name || ' is missing', given.name || ' is invalid') into problem
  from private.backup_tables as stored full join unnest(tables) as given (name) using (name)
  where stored.name is null or given.name is null order by stored.place limit 1;
  perform private.reject_if(problem is not null, 'RMT05', format(failed, problem));

  for target in select * from private.backup_tables order by place desc loop
    -- A database with only settings counts as empty.
    if replace or target.name = 'settings' then
      execute format('delete from %s', target.relation);
    else
      execute format('select ''row'' from %s limit 1', target.relation) into problem;
      perform private.reject_if(
        problem is not null, 'RMT05',
        'The tracker already has data. Restore into an empty data folder, or add --replace to replace the data. Nothing was changed.'
      );
    end if;
  end loop;

  for target in select * from private.backup_tables order by place loop
    select string_agg(quote_ident(name), ', '), string_agg('restored_row.' || quote_ident(name), ', ') into columns, sources
    from json_object_keys((select line from pg_temp.restored as given where given.relation = target.name limit 1)) as name;
    continue when columns is null;
    -- Columns missing from an older backup get their defaults. Unknown columns are an error.
    execute format(
      'insert into %1$s (%2$s) overriding system value select %3$s
      from pg_temp.restored cross join lateral json_populate_record(null::%1$s, line) as restored_row where restored.relation = %4$L',
      target.relation, columns, sources, target.name
    );
  end loop;

  -- This also rejects NaN, which sorts above every number. JavaScript would round integers outside this range, so ids could collide.
  for target in
    select stored.*, attname as number from private.backup_tables as stored
    join pg_catalog.pg_attribute on attrelid = stored.relation and attnum > 0 and not attisdropped
    where atttypid in ('bigint'::regtype, 'numeric'::regtype)
  loop
    execute format('select %1$I from %2$s where abs(%1$I::numeric) >= 2::numeric ^ 53 limit 1', target.number, target.relation) into problem;
    perform private.reject_if(
      problem is not null, 'RMT05', format(failed, format('%s.%s is out of range (%s)', target.name, target.number, problem))
    );
  end loop;
  select least(distance, duration, moving_time) into problem from public.rides
  where least(distance, duration, moving_time) < 0 limit 1;
  perform private.reject_if(
    problem is not null, 'RMT05', format(failed, format('a ride has a negative distance or time (%s)', problem))
  );

  for target in
    select *, pg_get_serial_sequence(relation::text, 'id') as ids from private.backup_tables where key = 'id'
  loop
    continue when target.ids is null;
    -- New rows get neither the id of a row nor of one in the trash, and half of the range stays free for them. A sequence is
    -- never lowered, so no id is used twice.
    execute format('select max(id) from %s', target.relation) into wanted;
    perform private.reject_if(
      wanted > 2::bigint ^ 52, 'RMT05', format(failed, format('the ids of %s are too high to leave any for new rows', target.name))
    );
    select greatest(wanted, max(row_id)) into wanted
    from public.changes where changes.relation = target.name and row_id <= 2::bigint ^ 52;
    perform setval(target.ids, wanted)
    where wanted > coalesce(pg_sequence_last_value(target.ids::regclass), 0);
  end loop;
end
$$;
comment on function private.restore(text, text[], boolean) is
  'Restores a backup of this schema version with these tables, whose rows are in pg_temp.restored (relation text, line json). With replace, current rows are removed. Otherwise, there may be none.';

do $$
declare
  offered record;
begin
  for offered in
    select wanted.name, wanted.home
    from (values ('pg_cron', 'pg_catalog'), ('pg_net', 'extensions')) as wanted (name, home)
    join pg_catalog.pg_available_extensions as available using (name)
  loop
    begin
      execute format('create extension if not exists %I with schema %I', offered.name, offered.home);
    exception when others then
      raise notice 'The extension % could not be enabled: %', offered.name, sqlerrm;
    end;
  end loop;
end
$$;

create function private.ride_check_obstacle() returns text
language plpgsql stable security invoker set search_path = ''
as $$
declare
  missing text;
begin
  select string_agg(needed.extension, ', ' order by needed.extension) into missing
  from (values ('pg_cron', 'cron'), ('pg_net', 'net'), ('supabase_vault', 'vault')) as needed (extension, namespace)
  where to_regnamespace(needed.namespace) is null;
  if missing is not null then
    return format('Missing extensions: %s. Enable them under Database, Extensions.', missing);
  end if;

  select string_agg(needed.name, ', ' order by needed.name) into missing
  from (values ('update_rides_url'), ('update_rides_schedule_key')) as needed (name)
  where not exists (
    select from vault.decrypted_secrets as secret
    where secret.name = needed.name and secret.decrypted_secret <> ''
  );
  if missing is not null then
    return format('Missing Vault secrets: %s. Add them with vault.create_secret.', missing);
  end if;
  return null;
end
$$;
comment on function private.ride_check_obstacle() is 'Returns a message about why syncs can''t be scheduled, or null if they can.';

create function private.request_ride_check(quick boolean default false) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  obstacle text := private.ride_check_obstacle();
  url text;
  key text;
begin
  perform private.reject_if(obstacle is not null, 'RMT03', obstacle);
  select secret.decrypted_secret into url from vault.decrypted_secrets as secret where secret.name = 'update_rides_url';
  select secret.decrypted_secret into key from vault.decrypted_secrets as secret where secret.name = 'update_rides_schedule_key';
  return net.http_post(
    url => url,
    body => case when quick then '{"check": true}' else '{}' end::jsonb,
    headers => jsonb_build_object('Content-Type', 'application/json', 'x-schedule-key', key),
    -- The time limit of hosted functions. If pg_net hung up earlier, the sync could be cut off.
    timeout_milliseconds => 150000
  );
end
$$;
comment on function private.request_ride_check(boolean) is
  'Starts a sync; with quick, only if a quick check finds changes. Returns the request''s id; its response is in net._http_response.';

create function private.schedule_ride_checks(cron text default '7-59/10 * * * *') returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  obstacle text := private.ride_check_obstacle();
begin
  perform private.reject_if(obstacle is not null, 'RMT03', obstacle);
  -- Replaces an existing job with this name.
  return cron.schedule('check-rides', schedule_ride_checks.cron, 'select private.request_ride_check(quick => true)');
end
$$;
comment on function private.schedule_ride_checks(text) is
  'Schedules quick checks or changes the schedule (cron expression, UTC). Returns the job''s id.';

create function private.connect_ride_checks(url text, key text) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  is_first boolean := true;
  wanted record;
  obstacle text;
begin
  if to_regnamespace('vault') is not null then
    for wanted in
      select given.name, given.value, stored.id
      from (
        values ('update_rides_url', connect_ride_checks.url), ('update_rides_schedule_key', connect_ride_checks.key)
      ) as given (name, value)
      left join vault.decrypted_secrets as stored using (name)
    loop
      if wanted.id is null then
        perform vault.create_secret(wanted.value, wanted.name);
      else
        is_first := false;
        perform vault.update_secret(wanted.id, wanted.value);
      end if;
    end loop;
  end if;
  obstacle := private.ride_check_obstacle();
  perform private.reject_if(obstacle is not null, 'RMT03', obstacle);
  if is_first then
    perform private.schedule_ride_checks();
  end if;
  return is_first;
end
$$;
comment on function private.connect_ride_checks(text, text) is
  'Stores the URL and the key of update-rides in Vault. The first time, it also schedules syncs and returns true.';

create function private.unschedule_ride_checks() returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  if to_regclass('cron.job') is null then
    return false;
  end if;
  perform cron.unschedule(job.jobid) from cron.job as job where job.jobname = 'check-rides';
  return found;
end
$$;
comment on function private.unschedule_ride_checks() is 'Stops scheduled syncs. Returns false if none were scheduled.';

create table private.access_tokens (
  id bigint generated always as identity primary key,
  -- A token stops working with the account that created it.
  owner_id uuid not null default auth.uid() references private.owner (user_id) on delete cascade,
  token_hash bytea not null unique,
  name text not null constraint access_tokens_name_check check (name ~ '\S' and char_length(name) <= 100),
  scope text not null constraint access_tokens_scope_check check (scope in ('read', 'read and write', 'calendar')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on table private.access_tokens is 'Tokens for other software. Expired and revoked ones are removed after 30 days.';
comment on column private.access_tokens.token_hash is 'SHA-256. Only the owner''s software knows the token.';
comment on column private.access_tokens.last_used_at is 'The hour of the last request, so most requests don''t write.';
comment on column private.access_tokens.revoked_at is
  'A revoked token keeps its row, so a repeated request to create it can''t bring it back.';
alter table private.access_tokens enable row level security;

create policy "The owner reads the tokens" on private.access_tokens
for select to authenticated using ((select private.is_owner()));

create policy "The owner creates tokens" on private.access_tokens
for insert to authenticated with check ((select private.is_owner()));

create policy "The owner revokes tokens" on private.access_tokens
for update to authenticated using ((select private.is_owner())) with check (revoked_at is not null);

create policy "The owner removes old tokens" on private.access_tokens
for delete to authenticated using ((select private.is_owner()) and least(expires_at, revoked_at) < now() - interval '30 days');

grant select, insert (token_hash, name, scope, expires_at), update (revoked_at), delete on private.access_tokens to authenticated;

create function private.remove_old_tokens() returns void
language sql volatile security invoker set search_path = ''
as $$ delete from private.access_tokens where least(expires_at, revoked_at) < now() - interval '30 days' $$;
comment on function private.remove_old_tokens() is 'Removes the tokens that expired or were revoked more than 30 days ago.';
grant execute on function private.remove_old_tokens to authenticated;

create function public.tokens() returns json
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform private.require_owner();
  perform private.remove_old_tokens();
  return (
    select json_build_object('tokens', coalesce(json_agg(listed order by id desc), '[]'))
    from (
      select id, name, scope, created_at, last_used_at, expires_at, coalesce(expires_at <= now(), false) as is_expired
      from private.access_tokens where revoked_at is null
    ) as listed
  );
end
$$;
comment on function public.tokens() is
  'Lists the owner''s tokens, newest first: {tokens: [{id, name, scope, created_at, last_used_at, expires_at, is_expired}]}. last_used_at is the hour of the last request, and null before the first. expires_at is null for tokens that don''t expire.';
grant execute on function public.tokens to authenticated;

create function public.create_token(token text, name text, scope text, days integer default null) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  hash constant bytea := sha256(convert_to(token, 'UTF8'));
  created private.access_tokens;
begin
  perform private.require_owner();
  perform private.reject_if((token ~ '^rmt_[A-Za-z0-9]{40}$') is not true, '22023', 'A token is rmt_ and 40 letters and digits.');
  perform private.reject_if(days not between 1 and 366, '22023', 'A token expires after 1 to 366 days, or never.');
  perform private.remove_old_tokens();
  insert into private.access_tokens (token_hash, name, scope, expires_at)
  values (hash, create_token.name, create_token.scope, now() + make_interval(days => create_token.days))
  on conflict (token_hash) do nothing;
  select * into created from private.access_tokens where token_hash = hash;
  perform private.reject_if(created.revoked_at is not null, '22023', 'The token was revoked. Create a new one.');
  return created.id;
end
$$;
comment on function public.create_token(text, text, text, integer) is
  'Creates a token with the scope read, read and write, or calendar, and returns its id. days: until it expires; null for never. The caller generates the token, so a retry after a lost response changes nothing. Only its hash is stored.';
grant execute on function public.create_token to authenticated;

create function public.revoke_token(token_id bigint) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.access_tokens set revoked_at = now() where id = token_id and revoked_at is null;
  return true;
end
$$;
comment on function public.revoke_token(bigint) is 'Revokes a token at once, and returns true. Repeating it changes nothing.';
grant execute on function public.revoke_token to authenticated;

create function private.open_token(hash bytea, scopes text[]) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  token private.access_tokens;
begin
  select * into token from private.access_tokens
  where token_hash = hash and scope = any (scopes) and revoked_at is null and (expires_at > now()) is not false;
  if token.id is null then
    return null;
  end if;
  update private.access_tokens set last_used_at = date_trunc('hour', now())
  where id = token.id and last_used_at is distinct from date_trunc('hour', now());
  -- Supabase Lite's auth.uid() reads the first setting, and Supabase's the second if the first is empty.
  perform set_config('request.jwt.claim.sub', token.owner_id::text, true);
  -- No session_id: a token doesn't end with a session. Creating it required the second factor, if there is one.
  perform set_config('request.jwt.claims', json_build_object('sub', token.owner_id, 'role', 'authenticated', 'aal', 'aal2')::text, true);
  return token.scope;
end
$$;
comment on function private.open_token(bytea, text[]) is
  'Returns a token''s scope, and makes its owner the user of this transaction. Null for an unknown, expired or revoked token, and for one with another scope.';
grant execute on function private.open_token to service_role;

create view private.commands (name, is_write, for_tokens, arguments, touches) with (security_invoker = true) as
values
  ('token', false, true, '{}'::text[], null::text[]),
  ('due', false, true, '{}', null),
  ('rides', false, true, '{days}', null),
  ('bikes', false, true, '{}', null),
  ('parts', false, true, '{}', null),
  ('log', false, true, '{gear_id,type,word,from,to,after,limit}', null),
  ('services', false, true, '{task_id,gear_id,from,to,after,limit}', null),
  ('ride_months', false, true, '{gear_id,from,to}', null),
  ('spending', false, true, '{from,to}', null),
  ('checks', false, true, '{}', null),
  ('add_item', true, true, '{item,replaces}', null),
  ('edit_row', true, true, '{relation,row_id,shown,wanted}', null),
  ('set_up_bike', true, false, '{gear_id,parts}', null),
  ('change_parts', true, false, '{day,take_off,put_on}', null),
  ('add_task', true, true, '{task,last_done,count_from}', null),
  ('preview_task', false, false, '{task,last_done,count_from}', null),
  ('correct_event', true, false, '{event_id,shown,wanted,also_done}', null),
  ('mark_done', true, true, '{task_id,seen,done_on,cost,note}', null),
  ('snooze', true, true, '{task_id,until,days,distance}', null),
  ('remove_task', true, true, '{task_id}', null),
  ('remove_event', true, false, '{event_id}', null),
  ('replace_part', true, true, '{part_id,ended_as,day,successor}', null),
  ('move_part', true, true, '{part_id,gear_id,day}', null),
  ('change_part_day', true, false, '{from,to,ended,started}', null),
  ('add_measurement', true, true, '{part_id,measurement}', null),
  ('remove_measurement', true, false, '{id}', null),
  ('delete_item', true, true, '{bikeId,id}', null),
  ('import_items', true, false, '{added,changed,records,newest,dry_run}', null),
  ('rename_items', true, false, '{names}', null),
  ('dismiss_check', true, false, '{key}', null),
  ('undo', true, true, '{change,keep_changed}', null),
  ('set_settings', true, false, '{distance,dates,currency,week_start}', '{settings}'),
  -- The owner's "today" changes with it.
  ('set_time_zone', true, false, '{name}', '{owner}'),
  ('add_push_subscription', true, false, '{endpoint,p256dh,auth}', '{push_subscriptions}'),
  ('remove_push_subscription', true, false, '{endpoint}', '{push_subscriptions}');
comment on view private.commands is
  'The closed list of commands and the names of their arguments. is_write: needs a token that may write. for_tokens: whether a token may run it at all. touches: the tables that a command outside the journal writes.';
grant select on private.commands to authenticated;

create function private.execute(command text, arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item public.maintenance;
begin
  case command
    when 'token' then
      return null;
    when 'due' then
      return jsonb_build_object(
        'tasks', public.service_due() -> 'tasks', 'bikes', private.bike_names(),
        'last_sync', (select coalesce(checked_at, finished_at) from private.last_ride_sync())
      );
    when 'rides' then
      return public.ride_days((arguments ->> 'days')::integer);
    when 'bikes' then
      return jsonb_build_object(
        'garage', public.garage(), 'tasks', public.service_due() -> 'tasks',
        'bikes', (select coalesce(jsonb_agg(jsonb_build_object('gear_id', gear_id, 'name', name, 'is_retired', is_retired)), '[]') from public.bikes)
      );
    when 'parts' then
      return jsonb_build_object('used', public.part_lifetimes(), 'bikes', private.bike_names());
    when 'log' then
      return private.log_entries(
        (arguments ->> 'gear_id')::bigint, arguments ->> 'type', arguments ->> 'word', (arguments ->> 'from')::date,
        (arguments ->> 'to')::date, (arguments ->> 'after')::bigint, (arguments ->> 'limit')::integer
      );
    when 'services' then
      return private.services(
        (arguments ->> 'task_id')::bigint, (arguments ->> 'gear_id')::bigint, (arguments ->> 'from')::date, (arguments ->> 'to')::date,
        (arguments ->> 'after')::bigint, (arguments ->> 'limit')::integer
      );
    when 'ride_months' then
      return jsonb_build_object('bikes', private.bike_names(), 'months', (
        select coalesce(jsonb_agg(months order by month), '[]')
        from private.ride_months((arguments ->> 'gear_id')::bigint, (arguments ->> 'from')::date, (arguments ->> 'to')::date) as months
      ));
    when 'spending' then
      return jsonb_build_object(
        'costs', public.spending((arguments ->> 'from')::date, (arguments ->> 'to')::date),
        'months', (
          select coalesce(jsonb_agg(costs order by month desc), '[]')
          from private.cost_months((arguments ->> 'from')::date, (arguments ->> 'to')::date) as costs
        ),
        'used', public.part_lifetimes(),
        'bikes', private.bike_names()
      );
    when 'checks' then
      return jsonb_build_object('found', public.to_check(), 'bikes', private.bike_names());
    when 'add_item' then
      return private.add_item(arguments -> 'item', arguments -> 'replaces');
    when 'edit_row' then
      return private.edit_row(arguments ->> 'relation', (arguments ->> 'row_id')::bigint, arguments -> 'shown', arguments -> 'wanted');
    when 'set_up_bike' then
      return private.set_up_bike((arguments ->> 'gear_id')::bigint, arguments -> 'parts');
    when 'change_parts' then
      return private.change_parts(arguments);
    when 'add_task' then
      return private.add_task(arguments -> 'task', (arguments ->> 'last_done')::date, arguments ->> 'count_from');
    when 'preview_task' then
      return private.preview_task(arguments -> 'task', (arguments ->> 'last_done')::date, arguments ->> 'count_from');
    when 'correct_event' then
      return private.correct_event(
        (arguments ->> 'event_id')::bigint, arguments -> 'shown', arguments -> 'wanted',
        array(select jsonb_array_elements_text(arguments -> 'also_done')::bigint)
      );
    when 'mark_done' then
      return private.mark_done(
        (arguments ->> 'task_id')::bigint, (arguments ->> 'seen')::bigint, (arguments ->> 'done_on')::date,
        (arguments ->> 'cost')::numeric, arguments ->> 'note'
      );
    when 'snooze' then
      perform private.snooze(
        (arguments ->> 'task_id')::bigint,
        coalesce((arguments ->> 'until')::date, private.today() + (arguments ->> 'days')::integer), (arguments ->> 'distance')::numeric
      );
    when 'remove_task' then
      delete from public.service_tasks where id = (arguments ->> 'task_id')::bigint;
    when 'remove_event' then
      perform private.remove_event((arguments ->> 'event_id')::bigint);
    when 'replace_part' then
      item := private.latest_item((arguments ->> 'part_id')::bigint);
      return private.change_parts(jsonb_build_object(
        'day', coalesce(arguments ->> 'day', private.today()::text),
        'take_off', jsonb_build_array(jsonb_build_object('id', item.id, 'ended_as', arguments -> 'ended_as')),
        'put_on', jsonb_build_array(jsonb_build_object('replaces', item.id, 'type', item.type, 'name', item.name) || (arguments -> 'successor'))
      ));
    when 'move_part' then
      item := private.latest_item((arguments ->> 'part_id')::bigint);
      return private.change_parts(jsonb_build_object(
        'day', coalesce(arguments ->> 'day', private.today()::text),
        -- A part in storage is installed.
        'take_off', case when item.ended_as = 'stored' then '[]' else jsonb_build_array(jsonb_build_object('id', item.id, 'ended_as', 'moved')) end,
        'put_on', jsonb_build_array(jsonb_build_object('bikeId', arguments -> 'gear_id', 'part_of', item.id))
      ));
    when 'change_part_day' then
      perform private.change_part_day(arguments);
    when 'add_measurement' then
      return private.add_measurement((arguments ->> 'part_id')::bigint, arguments -> 'measurement');
    when 'remove_measurement' then
      delete from public.wear_measurements where id = (arguments ->> 'id')::bigint;
    when 'delete_item' then
      delete from public.maintenance where id = (arguments ->> 'id')::bigint and "bikeId" = coalesce((arguments ->> 'bikeId')::bigint, "bikeId");
    when 'import_items' then
      return private.import_items(arguments);
    when 'rename_items' then
      return private.rename_items(arguments -> 'names');
    when 'dismiss_check' then
      insert into public.dismissed_checks (key) values (arguments ->> 'key') on conflict (key) do nothing;
    when 'undo' then
      return private.undo((arguments ->> 'change')::uuid, coalesce((arguments ->> 'keep_changed')::boolean, false));
    when 'set_settings' then
      perform private.set_settings(arguments);
    when 'set_time_zone' then
      perform private.set_time_zone(arguments ->> 'name');
    when 'add_push_subscription' then
      perform private.add_push_subscription(arguments ->> 'endpoint', arguments ->> 'p256dh', arguments ->> 'auth');
    when 'remove_push_subscription' then
      perform private.remove_push_subscription(arguments ->> 'endpoint');
  end case;
  return '{}';
end
$$;
comment on function private.execute(text, jsonb) is 'Runs a command of private.commands, and returns its answer.';
grant execute on function private.execute to authenticated;

create function private.touched(change uuid) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return (
  -- Only ids, because the rows of an import are long.
  with versions as materialized (
    select relation, row_id, (version ->> 'bikeId')::bigint as bike, (version ->> 'gear_id')::bigint as gear_id,
      case relation when 'parts' then row_id else (version ->> 'part_id')::bigint end as part_id,
      (version ->> 'task_id')::bigint as task_id, (version ->> 'maintenance_id')::bigint as paid_item
    from public.changes cross join lateral (values (before), (after)) as versions (version)
    where changes.change = touched.change and version is not null
  ), columns as (
    select distinct unnest(case
      -- A new part comes with its item. A part's own columns are its usage from before the log.
      when relation = 'parts' then case when num_nulls(before, after) > 0 then '{}'::text[] else '{*}' end
      when num_nulls(before, after) = 0 then array(select key from jsonb_each(before) where value is distinct from after -> key)
      -- The entry with a service's cost.
      when row_id in (select paid_item from versions where relation = 'service_events') then '{cost,service}'
      else '{*}'
    end) as name
    from public.changes where changes.change = touched.change and relation in ('maintenance', 'parts')
  ), tasks as (
    select distinct on (id) id, part_id, gear_id from (
      select row_id, part_id, gear_id from versions where relation = 'service_tasks'
      union all
      select id, part_id, gear_id from public.service_tasks where id in (select task_id from versions where relation = 'service_events')
    ) as known (id, part_id, gear_id)
  ), parts as materialized (
    select part_id from versions union select part_id from tasks
  ), bikes as (
    select bike from versions
    union select gear_id from tasks
    union select item."bikeId" from public.maintenance as item join parts using (part_id)
  )
  select jsonb_build_object(
    'tables', (select coalesce(jsonb_agg(distinct relation), '[]') from versions),
    'columns', (select coalesce(jsonb_agg(name), '[]') from columns),
    'bikes', (select coalesce(jsonb_agg(bike order by bike), '[]') from bikes where bike is not null),
    -- After an import, the bikes say enough.
    'parts', (select coalesce(jsonb_agg(part_id order by part_id) filter (where part_id is not null), '[]') from parts having count(*) <= 100)
  ));
end
$$;
comment on function private.touched(uuid) is
  'Returns what a change wrote: {tables, columns, bikes, parts}. columns are those of the log: "*" stands for all of an item that is new or gone, and "service" for the entry of a service. parts is null if there are more than 100.';
grant execute on function private.touched to authenticated;

create function private.run(known private.commands, arguments jsonb, key uuid) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  content constant jsonb := jsonb_build_array(known.name, arguments);
  unknown constant text := (select min(name) from jsonb_object_keys(arguments) as name where name <> all (known.arguments));
  earlier private.requests;
  answer jsonb;
  change uuid;
begin
  perform private.require_owner();
  perform private.reject_if(unknown is not null, 'PT422', format('Unknown argument: %s.', unknown));
  if not known.is_write then
    return jsonb_build_object('answer', private.execute(known.name, arguments));
  end if;

  -- A retry waits here until the first attempt has ended.
  perform private.lock_writes();
  select * into earlier from private.requests as request where request.key = run.key;
  if found and earlier.digest = private.digest(content) then
    return earlier.answer;
  elsif found then
    return private.refuse('RMT07', 'This key belongs to a request with other content.', earlier.answer);
  elsif key is not null then
    perform private.name_change(key);
  end if;

  perform set_config('tracker.command', known.name, true);
  answer := private.execute(known.name, arguments);
  perform set_config('tracker.command', '', true);
  if current_setting('response.status', true) = '409' then
    return answer;
  end if;
  select written.change into change from public.changes as written
  where written.change = nullif(current_setting('tracker.change', true), '')::uuid limit 1;
  answer := jsonb_build_object('answer', answer, 'change', change, 'touched', case
    when known.touches is null then private.touched(change)
    else jsonb_build_object('tables', known.touches, 'columns', '{}'::text[], 'bikes', '{}'::bigint[], 'parts', '{}'::bigint[])
  end);
  delete from private.requests where answered_at < now() - interval '30 days';
  -- A request that wrote nothing may be repeated.
  insert into private.requests (key, digest, answer) select run.key, private.digest(content), answer
  where key is not null and (change is not null or known.touches is not null);
  return answer;
end
$$;
comment on function private.run(private.commands, jsonb, uuid) is
  'Runs a command as run_command does. A repeated key is answered as before; with other arguments, the response is 409 with that answer as "stored".';
grant execute on function private.run to authenticated;

create function private.known_command(name text) returns private.commands
language plpgsql stable security invoker set search_path = ''
as $$
declare
  known private.commands;
begin
  select * into known from private.commands as listed where listed.name = known_command.name;
  perform private.reject_if(known.name is null, 'PT422', format('Unknown command: %s.', known_command.name));
  return known;
end
$$;
comment on function private.known_command(text) is 'Returns a command. Raises PT422 for an unknown name.';
grant execute on function private.known_command to authenticated;

create function private.storable(arguments json) returns jsonb
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  return arguments::jsonb;
exception when untranslatable_character or invalid_text_representation then
  raise exception using errcode = 'PT422', message = coalesce(
    -- The last field before a text that begins with characters, escapes and pairs of surrogates, and continues with another escape.
    substring(arguments::text from '"(\w+)"\s*:\s*\[?\s*"(?:[^"\\]|\\[^u]|\\u(?!0000|d[89a-f])|\\ud[89ab]\w\w\\ud[c-f])*\\u'), 'arguments'
  ) || ': Remove the characters that can’t be stored.';
end
$$;
comment on function private.storable(json) is
  'Converts arguments. Raises PT422 with the field''s name for U+0000 and half of a surrogate pair, which PostgreSQL can''t store.';
grant execute on function private.storable to authenticated;

create function public.run_command(command text, arguments json default '{}', key uuid default null) returns jsonb
language sql volatile security invoker set search_path = ''
as $$ select private.run(private.known_command(command), private.storable(arguments), key) $$;
comment on function public.run_command(text, json, uuid) is
  'Runs a command of the owner: {answer, change, touched}, or {answer} for a command that only reads. change is null if nothing was written. touched: {tables, columns, bikes, parts}. Repeating a key is answered as before for 30 days; with other arguments, nothing is written and the response is 409 with the earlier answer as "stored". Raises PT422 for an unknown command or argument, and for text that PostgreSQL can''t store.';
grant execute on function public.run_command to authenticated;

create function public.run_command_as(token_hash text, command text, arguments jsonb default '{}', key uuid default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  scope constant text := private.open_token(decode(token_hash, 'hex'), '{read,read and write}');
  known private.commands;
  answer jsonb;
begin
  if scope is null then
    return null;
  end if;
  -- From here on, row-level security applies as in the owner's own session.
  perform set_config('role', 'authenticated', true);
  known := private.known_command(command);
  perform private.reject_if(not known.for_tokens, '42501', 'Tokens can''t run this command.'),
    private.reject_if(known.is_write and scope <> 'read and write', '42501', 'The token may only read.');
  answer := private.run(known, arguments, key);
  -- A refused command has no answer.
  return case when answer ? 'answer' then
    jsonb_build_object('scope', scope, 'settings', (select to_jsonb(settings) from public.settings)) || answer
  else answer end;
end
$$;
comment on function public.run_command_as(text, text, jsonb, uuid) is
  'Runs a command as the owner of the token with this SHA-256 hash, in hex: as run_command, with scope and settings. Null for an unknown, expired or revoked token. Raises 42501 if the token may not run the command.';
grant execute on function public.run_command_as to service_role;
