-- The owner's time zone decides which day is today, which year is this year, and when a service task is due.

alter table private.owner add column if not exists time_zone text;
comment on column private.owner.time_zone is 'IANA name from the owner''s browser. Null until the owner opens the tracker.';

-- Security definer: no role may write private.owner.
create or replace function private.set_time_zone(name text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.is_owner() then
    raise exception 'Only the owner can set the time zone.' using errcode = '42501';
  end if;
  if not exists (select from pg_catalog.pg_timezone_names as zone where zone.name = set_time_zone.name) then
    raise exception 'Unknown time zone.' using errcode = '22023';
  end if;
  update private.owner set time_zone = set_time_zone.name where time_zone is distinct from set_time_zone.name;
  return found;
end
$$;

create or replace function public.set_time_zone(name text) returns boolean
language sql volatile security invoker set search_path = ''
as $$ select private.set_time_zone(name) $$;
comment on function public.set_time_zone(text) is 'Stores the owner''s time zone, an IANA name that PostgreSQL knows. Returns whether it changed.';

-- What "now" is in the dates that the owner enters, which have no time zone. Security definer: no role may read private.owner.
create or replace function private.wall_clock() returns timestamp
language sql stable security definer set search_path = ''
as $$
  select timezone(
    coalesce(
      (select time_zone from private.owner),
      -- Ride with GPS knows the zone of each ride. The highest id is the latest upload, and the primary key finds it quickly.
      (select time_zone from public.rides where started_at is not null order by id desc limit 1),
      'UTC'
    ), now()
  )
$$;
comment on function private.wall_clock() is 'The present date and time in the owner''s time zone.';

create or replace function private.today() returns date
language sql stable security invoker set search_path = ''
as $$ select private.wall_clock()::date $$;
comment on function private.today() is 'Today in the owner''s time zone.';

revoke all on function private.set_time_zone(text), private.wall_clock(), private.today() from public;
revoke all on function public.set_time_zone(text) from public, anon, service_role;
grant execute on function private.set_time_zone(text), private.wall_clock(), private.today() to authenticated;
grant execute on function public.set_time_zone(text) to authenticated;
