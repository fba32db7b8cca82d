-- Backups contain every table of the data API and the bytes of files, so new tables need no change here. PostgreSQL formats each row as backup
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

create view private.backup_tables with (security_invoker = true) as
with recursive levels (relation, level) as (
  select oid, 0 from pg_catalog.pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' or oid = 'private.file_contents'::regclass
  union
  select conrelid, level + 1 from levels
  join pg_catalog.pg_constraint on confrelid = relation and contype = 'f' and conrelid <> confrelid
)
select row_number() over (order by max(level), relname) as place, relname::text as name, relation::regclass as relation,
  quote_ident(key.attname) as key, columns.list as columns, relation = 'private.file_contents'::regclass as has_bytes
from levels join pg_catalog.pg_class on pg_class.oid = relation
join pg_catalog.pg_index on indrelid = relation and indisprimary
join pg_catalog.pg_attribute as key on key.attrelid = relation and key.attnum = indkey[0]
cross join lateral (
  -- Skip generated columns, which a restore recomputes. Bytes are base64, which is shorter than hex.
  select string_agg(
    case when atttypid = 'bytea'::regtype then format('private.base64(%1$I) as %1$I', attname) else quote_ident(attname) end, ', ' order by attnum
  ) as list from pg_catalog.pg_attribute
  where attrelid = relation and attnum > 0 and not attisdropped and attgenerated = ''
) as columns
where relnamespace = 'public'::regnamespace or relation = 'private.file_contents'::regclass
group by relation, relname, key.attname, columns.list;
comment on view private.backup_tables is 'The tables of a backup. A row only refers to rows of tables in earlier places.';
grant select on private.backup_tables to authenticated;

create function private.backup_rows(
  size integer, after text, without_files boolean default false, out tables json, out last text
)
-- Stable, so all queries read the same snapshot and the backup is consistent during writes.
language plpgsql stable security invoker set search_path = '' set timezone = 'UTC'
as $$
declare
  source record;
  lines json;
  wanted bigint;
  taken bigint;
  members text[] := '{}';
begin
  for source in
    select listed.*, case when listed.name = started.name then substr(after, length(listed.name) + 2) end as read_until
    from private.backup_tables as listed
    left join private.backup_tables as started on started.name = split_part(after, ':', 1)
    where listed.place >= coalesce(started.place, 0) order by listed.place
  loop
    wanted := size;
    taken := 0;
    if source.has_bytes and not without_files then
      -- A kilobyte counts as a row, so that a piece is not much longer than its longest row.
      execute format(
        'select count(*), coalesce(sum(weight), 0) from (
          select weight, sum(weight) over (order by %1$s) - weight as earlier
          from (select %1$s, 1 + octet_length(content) / 1024 as weight from %2$s where %3$L is null or %1$s > %3$L) as following
        ) as piece where %4$L is null or earlier < %4$L',
        source.key, source.relation, source.read_until, size
      ) into wanted, taken;
    end if;
    execute format(
      'select coalesce(json_agg(row_to_json(line)::text order by line.%1$s), ''[]''), (array_agg(line.%1$s order by line.%1$s desc))[1], count(*)
      from (select %2$s from %3$s where %4$s and (%5$L is null or %1$s > %5$L) order by %1$s limit %6$L) as line',
      source.key, source.columns, source.relation,
      -- Skip running syncs, which won't be running after a restore.
      case source.name
        when 'ride_syncs' then 'outcome <> ''running'''
        when 'ride_changes' then 'sync_id not in (select id from public.ride_syncs where outcome = ''running'')'
        when 'changes' then format('(relation <> ''entry_files'' or not %L)', without_files)
        when 'file_contents' then format('not %L', without_files)
        when 'entry_files' then format('not %L', without_files)
        else 'true'
      end,
      source.read_until, wanted
    ) into lines, last, wanted;
    members := members || concat(to_json(source.name), ': ', lines);
    size := size - greatest(wanted, taken);
    exit when size <= 0;
  end loop;
  tables := '{' || array_to_string(members, ', ') || '}';
  last := case when size <= 0 then source.name || ':' || last end;
end
$$;
comment on function private.backup_rows(integer, text, boolean) is
  'Returns up to `size` rows or kilobytes of files of a backup after the row `after`, as {name: [row]}, and the last of them, which is null at the end. Returns all rows if size is null. without_files: as if there had never been any.';
-- Security invoker, so row-level security applies.
grant execute on function private.backup_rows to authenticated;

create function public.backup(size integer default null, after text default null, without_files boolean default false) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'schema', private.schema_version(), 'tables', read.tables, 'next', read.last, 'snapshot', pg_current_snapshot()::text
  )
  from private.backup_rows(size, after, without_files) as read where private.is_owner()
$$;
comment on function public.backup(integer, text, boolean) is
  'Returns a complete backup, {schema, tables: {name: [row]}, next, snapshot}, where each row is a line of a backup file. With size, returns up to that many rows; pass next as after for more. Only answers with the same snapshot belong together. without_files leaves out files, and what the journal says about them. Null for anyone but the owner.';
grant execute on function public.backup to authenticated;

-- A migration that fills existing rows has a function private.fill_<name of the migration>(). The migration calls it,
-- and so does each restore of an older backup.
create function private.fill_restored(schema text) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  step text;
begin
  for step in
    select format('private.%I()', 'fill_' || name) from supabase_migrations.schema_migrations
    where version > fill_restored.schema order by version
  loop
    if to_regprocedure(step) is not null then
      execute format('select %s', step);
    end if;
  end loop;
end
$$;
comment on function private.fill_restored(text) is 'Fills what the migrations after this version would have filled.';
-- No grant: only the administrator restores.

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
  where stored.name is null or given.name is null and not exists (
    -- A table that is newer than the backup stays empty. Every backup has the tables of the first migration.
    select from supabase_migrations.schema_migrations
    where version > greatest(restore.schema, (select min(version) from supabase_migrations.schema_migrations))
      and array_to_string(statements, ';') ~* format('create table "?\w+"?\."?%s\M', stored.name)
  )
  order by stored.place limit 1;
  perform private.reject_if(problem is not null, 'RMT05', format(failed, problem));

  for target in select * from private.backup_tables order by place desc loop
    -- A database with only settings counts as empty.
    if replace or target.name = 'settings' then
      execute format('delete from %s where true', target.relation);
    else
      execute format('select ''row'' from %s limit 1', target.relation) into problem;
      perform private.reject_if(
        problem is not null, 'RMT05',
        'The tracker already has data. Restore into an empty data folder, or add --replace to replace the data. Nothing was changed.'
      );
    end if;
  end loop;

  for target in select * from private.backup_tables order by place loop
    select string_agg(quote_ident(name), ', '), string_agg(case
      when target.has_bytes and name <> target.key then format('decode(line ->> %L, ''base64'')', name) else 'restored_row.' || quote_ident(name)
    end, ', ') into columns, sources
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

  perform private.fill_restored(schema);
end
$$;
comment on function private.restore(text, text[], boolean) is
  'Restores a backup of this schema version or an older one, with these tables, whose rows are in pg_temp.restored (relation text, line json). With replace, current rows are removed. Otherwise, there may be none.';
-- No grant: only the administrator restores.

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
