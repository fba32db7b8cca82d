set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.fill_restored(schema text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.restore(schema text, tables text[], replace boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
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
      and array_to_string(statements, ';') ~* format('create table "?public"?\."?%s\M', stored.name)
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

  perform private.fill_restored(schema);
end
$function$;

COMMENT ON FUNCTION "private"."fill_restored"(text) IS 'Fills what the migrations after this version would have filled.';

COMMENT ON FUNCTION "private"."restore"(text, text[], boolean) IS 'Restores a backup of this schema version or an older one, with these tables, whose rows are in pg_temp.restored (relation text, line json). With replace, current rows are removed. Otherwise, there may be none.';

REVOKE ALL ON FUNCTION "private"."fill_restored"(text) FROM PUBLIC;
