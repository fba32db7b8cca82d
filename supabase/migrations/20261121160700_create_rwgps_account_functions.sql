-- The rides of two Ride with GPS accounts never mix: every sync records its account, and another account is refused until
-- the owner switches on purpose.

create or replace function public.claim_rwgps_account(sync_id bigint, rwgps_user_id bigint, listed bigint[] default null)
returns text
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  known bigint;
  accepted boolean;
begin
  perform from public.ride_syncs where id = sync_id and outcome = 'running' for update;
  if not found then
    raise exception 'This sync was closed. Another one may have started.' using errcode = 'RMT02';
  end if;

  select sync.rwgps_user_id into known from public.ride_syncs as sync
  where sync.rwgps_user_id is not null order by sync.id desc limit 1;

  if known is not null then
    accepted := known = claim_rwgps_account.rwgps_user_id;
  elsif not exists (select from public.rides) then
    accepted := true;
  elsif listed is null then
    return 'unknown';
  else
    -- Rides from before accounts were recorded: they belong to this account if most of them are in its list.
    select count(found.id) * 2 > count(*) into accepted
    from public.rides as ride left join unnest(listed) as found (id) on found.id = ride.id;
  end if;

  if not accepted then
    return 'refused';
  end if;
  update public.ride_syncs as sync set rwgps_user_id = claim_rwgps_account.rwgps_user_id where sync.id = sync_id;
  return 'accepted';
end
$$;
comment on function public.claim_rwgps_account(bigint, bigint, bigint[]) is
  'Whether this sync may store rides of this account: accepted, refused or unknown. If unknown, call it again with the ids of the complete list (listed, each once).';

-- Security definer: no role may delete bikes.
create or replace function private.switch_rwgps_account() returns table (rides integer, bikes integer)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Close a running sync of the old account, so it can't store anything more.
  lock table public.ride_syncs in share row exclusive mode;
  update public.ride_syncs set outcome = 'interrupted', finished_at = now() where outcome = 'running';
  update public.ride_syncs set rwgps_user_id = null where rwgps_user_id is not null;
  update public.ride_syncs set waiting = 0, doubt = null, waiting_from = null where waiting > 0;

  -- Hosted projects reject a delete without a condition.
  delete from public.rides where id is not null;
  get diagnostics rides = row_count;
  delete from public.bikes as bike
  where not exists (select from public.maintenance as item where item."bikeId" = bike.gear_id);
  get diagnostics bikes = row_count;
  return next;
end
$$;

create or replace function public.switch_rwgps_account() returns table (rides integer, bikes integer)
language sql volatile security invoker set search_path = ''
as $$ select * from private.switch_rwgps_account() $$;
comment on function public.switch_rwgps_account() is
  'Forgets the Ride with GPS account and removes its rides and the bikes without a log, so the next sync accepts any account. Returns how many were removed. Back up first.';

revoke all on function public.claim_rwgps_account(bigint, bigint, bigint[]) from public, anon, authenticated;
revoke all on function private.switch_rwgps_account() from public;
revoke all on function public.switch_rwgps_account() from public, anon, authenticated;

grant execute on function public.claim_rwgps_account(bigint, bigint, bigint[]) to service_role;
grant execute on function private.switch_rwgps_account() to service_role;
grant execute on function public.switch_rwgps_account() to service_role;
