-- Backups contain every table of the data API, so new tables need no change here. PostgreSQL formats each row as backup
-- text, so numbers keep all digits, and the browser saves the same bytes as `npm run backup`.

-- Security definer: the owner can't read the migration history.
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

create function public.backup() returns json
-- Stable, so all queries read the same snapshot and the backup is consistent during writes.
language plpgsql stable security invoker set search_path = '' set timezone = 'UTC'
as $$
declare
  backed_up record;
  lines json;
  tables jsonb := '{}';
begin
  if not private.is_owner() then
    return null;
  end if;
  for backed_up in
    select pg_class.oid::regclass as relation, relname as name, quote_ident(key.attname) as key, columns.list as columns
    from pg_catalog.pg_class
    join pg_catalog.pg_index on indrelid = pg_class.oid and indisprimary
    join pg_catalog.pg_attribute as key on key.attrelid = indrelid and key.attnum = indkey[0]
    cross join lateral (
      -- Skip generated columns, which a restore recomputes.
      select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_catalog.pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    where relnamespace = 'public'::regnamespace and relkind = 'r'
  loop
    execute format(
      'select coalesce(json_agg(row_to_json(line)::text order by line.%3$s), ''[]'') from (select %1$s from %2$s where %4$s) as line',
      backed_up.columns, backed_up.relation, backed_up.key,
      -- Skip running syncs, which won't be running after a restore.
      case backed_up.name
        when 'ride_syncs' then 'outcome <> ''running'''
        when 'ride_changes' then 'sync_id not in (select id from public.ride_syncs where outcome = ''running'')'
        else 'true'
      end
    ) into lines;
    tables := tables || jsonb_build_object(backed_up.name, lines);
  end loop;
  return json_build_object('schema', private.schema_version(), 'tables', tables);
end
$$;
comment on function public.backup() is
  'Returns a complete backup, {schema, tables: {name: [row]}}, where each row is a line of a backup file. Null for anyone but the owner.';
-- Security invoker, so row-level security applies.
grant execute on function public.backup to authenticated;

-- Scheduled syncs on hosted and local Supabase: pg_cron calls update-rides through pg_net, with the URL and the key from
-- Vault. The embedded stack has its own schedule. On servers without these extensions, the functions only report which ones
-- are missing. Nothing is scheduled until the owner follows docs/schedule.md.

-- Enable the extensions if allowed. Otherwise, the owner has to enable them.
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

-- Reads the key on every call, so the scheduled job doesn't contain it and a new key works immediately.
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

-- By default, runs every ten minutes, but not on the hour, when most other schedules call Ride with GPS.
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

-- Each deployment calls this, so it keeps a schedule that the owner changed or stopped.
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

-- No grants for these functions: only the project's administrator, who ran this migration, may call them. No API role may read
-- Vault or send requests.
