-- A browser stores its time zone when it first opens the tracker. Checking a name reads the file of every time zone, which
-- takes 50 to 100 ms, so a name that is stored already is not checked again.
create or replace function private.set_time_zone(name text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.is_owner() then
    raise exception 'Only the owner can set the time zone.' using errcode = '42501';
  end if;
  if exists (select from private.owner as stored where stored.time_zone = set_time_zone.name) then
    return false;
  end if;
  if not exists (select from pg_catalog.pg_timezone_names as zone where zone.name = set_time_zone.name) then
    raise exception 'Unknown time zone.' using errcode = '22023';
  end if;
  update private.owner set time_zone = set_time_zone.name where time_zone is distinct from set_time_zone.name;
  return found;
end
$$;
