-- Syncs rides on a schedule on hosted and local Supabase: pg_cron calls update-rides through pg_net, with the URL and the key
-- from Vault. The embedded stack has its own schedule. PostgreSQL servers without these extensions only get functions that say
-- what is missing. Nothing is scheduled until the owner follows docs/schedule.md. This migration can run again.

-- Enable the extensions where possible. Where it isn't allowed, the owner enables them.
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

-- Why rides can't be scheduled, as a message for the owner. Null if nothing is missing.
create or replace function private.ride_refresh_obstacle() returns text
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

-- The scheduled job. It reads the key on every run, so the key isn't part of the job, and a new key works immediately.
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
    -- The time limit of hosted functions. If the caller hung up earlier, the sync might end early.
    timeout_milliseconds => 150000
  );
end
$$;
comment on function private.request_ride_refresh() is
  'Starts a sync the way the schedule does. Returns the id of the request; its response is in net._http_response.';

-- The default avoids the full hour, when most other schedules call Ride with GPS.
create or replace function private.schedule_ride_refresh(cron text default '17 * * * *') returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  obstacle text := private.ride_refresh_obstacle();
begin
  if obstacle is not null then
    raise exception '%', obstacle using errcode = 'RMT03';
  end if;
  -- Replaces the job of the same name, if there is one.
  return cron.schedule('refresh-rides', schedule_ride_refresh.cron, 'select private.request_ride_refresh()');
end
$$;
comment on function private.schedule_ride_refresh(text) is
  'Schedules syncs or changes the schedule (cron expression, UTC). Returns the id of the job.';

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
comment on function private.unschedule_ride_refresh() is 'Stops scheduled syncs. False if none were scheduled.';

-- Only for the project's administrator, who ran this migration: no API role may read Vault or send requests.
revoke all on function private.ride_refresh_obstacle() from public, anon, authenticated, service_role;
revoke all on function private.request_ride_refresh() from public, anon, authenticated, service_role;
revoke all on function private.schedule_ride_refresh(text) from public, anon, authenticated, service_role;
revoke all on function private.unschedule_ride_refresh() from public, anon, authenticated, service_role;
