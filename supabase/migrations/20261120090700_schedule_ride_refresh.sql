-- Refreshing rides by a schedule, on a hosted project or a local Supabase: pg_cron asks update-rides through pg_net, with
-- the address and the key from Vault. The embedded stack has a schedule of its own, and a plain PostgreSQL has neither
-- extension: there this migration only makes functions that say so. It may be run again. docs/schedule.md tells how to
-- set, change and stop the schedule; nothing is scheduled until then.

-- Where the extensions are offered, they are switched on; where that is not allowed, the owner does it.
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
      raise notice 'The extension % is offered but could not be switched on: %', offered.name, sqlerrm;
    end;
  end loop;
end
$$;

-- What stands in the way of a schedule, as a sentence for the owner; null: nothing.
create or replace function private.ride_refresh_obstacle() returns text
language plpgsql stable security invoker set search_path = ''
as $$
declare
  missing text;
begin
  select string_agg(needed.extension, ' and ' order by needed.extension) into missing
  from (values ('pg_cron', 'cron'), ('pg_net', 'net'), ('supabase_vault', 'vault')) as needed (extension, namespace)
  where to_regnamespace(needed.namespace) is null;
  if missing is not null then
    return format('The schedule needs the extension %s; switch it on under Database, Extensions.', missing);
  end if;

  select string_agg(needed.name, ' and ' order by needed.name) into missing
  from (values ('update_rides_url'), ('update_rides_schedule_key')) as needed (name)
  where not exists (
    select from vault.decrypted_secrets as secret
    where secret.name = needed.name and secret.decrypted_secret <> ''
  );
  if missing is not null then
    return format('Vault holds no secret named %s; store it with vault.create_secret.', missing);
  end if;
  return null;
end
$$;

-- What the schedule runs. The key is read at each run: it is in no job's command, and a new one counts at once.
create or replace function private.request_ride_refresh() returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  obstacle text := private.ride_refresh_obstacle();
  url text;
  key text;
begin
  if obstacle is not null then
    raise exception '%', obstacle using errcode = 'RMT03';
  end if;
  select secret.decrypted_secret into url from vault.decrypted_secrets as secret where secret.name = 'update_rides_url';
  select secret.decrypted_secret into key from vault.decrypted_secrets as secret where secret.name = 'update_rides_schedule_key';
  return net.http_post(
    url => url,
    body => '{}'::jsonb,
    headers => jsonb_build_object('Content-Type', 'application/json', 'x-schedule-key', key),
    -- As long as a hosted function may take; a caller that hangs up earlier might end the run.
    timeout_milliseconds => 150000
  );
end
$$;
comment on function private.request_ride_refresh() is
  'Asks update-rides for a refresh as the schedule does; returns the id of the request, whose answer is in net._http_response.';

-- Away from the full hour, when everybody else's schedules knock at Ride with GPS.
create or replace function private.schedule_ride_refresh(cron text default '17 * * * *') returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  obstacle text := private.ride_refresh_obstacle();
begin
  if obstacle is not null then
    raise exception '%', obstacle using errcode = 'RMT03';
  end if;
  -- A job of the same name is changed, so there is never a second one.
  return cron.schedule('refresh-rides', schedule_ride_refresh.cron, 'select private.request_ride_refresh()');
end
$$;
comment on function private.schedule_ride_refresh(text) is 'Sets or changes when rides are refreshed (cron, UTC); returns the id of the job.';

create or replace function private.unschedule_ride_refresh() returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  if to_regclass('cron.job') is null then
    return false;
  end if;
  perform cron.unschedule(job.jobid) from cron.job as job where job.jobname = 'refresh-rides';
  return found;
end
$$;
comment on function private.unschedule_ride_refresh() is 'Stops the schedule; false if there was none.';

-- For the project's own administrator alone, who ran this migration: nobody from outside reads Vault or makes requests.
revoke all on function private.ride_refresh_obstacle() from public, anon, authenticated, service_role;
revoke all on function private.request_ride_refresh() from public, anon, authenticated, service_role;
revoke all on function private.schedule_ride_refresh(text) from public, anon, authenticated, service_role;
revoke all on function private.unschedule_ride_refresh() from public, anon, authenticated, service_role;
