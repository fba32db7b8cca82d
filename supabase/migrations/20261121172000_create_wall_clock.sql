-- The owner's wall clock: what "now" is in the dates that the owner enters, which have no time zone.

-- Security definer: no role may read private.owner.
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

revoke all on function private.wall_clock() from public;
grant execute on function private.wall_clock() to authenticated;
