-- Upgrades a database of the last preview of version 1.0. The body of a "do" statement, which is atomic. embedded/upgrade.ts
-- replaces the names after colons.
declare
  -- What is in both schemas or depends on something in them, without what PostgreSQL names by number.
  objects constant text := $sql$
    with ours as (
      select 'pg_namespace'::regclass as class, oid from pg_catalog.pg_namespace where nspname in ('public', 'private')
    ), used as (
      select class, oid from ours
      union all select 'pg_class'::regclass, oid from pg_catalog.pg_class where relnamespace in (select oid from ours)
      union all select 'pg_proc'::regclass, oid from pg_catalog.pg_proc where pronamespace in (select oid from ours)
      union all select 'pg_type'::regclass, oid from pg_catalog.pg_type where typnamespace in (select oid from ours)
    ), names as (
      select pg_describe_object(classid, objid, objsubid) as name from pg_catalog.pg_depend join used on (class, oid) = (refclassid, refobjid)
      where deptype <> 'i'
      union
      select pg_describe_object('pg_class'::regclass, attrelid, attnum) from pg_catalog.pg_attribute join pg_catalog.pg_class on oid = attrelid
      where relkind = 'r' and relnamespace in (select oid from ours) and attnum > 0 and not attisdropped
    )
    select array_agg(name order by name) from names where name !~ 'RI_ConstraintTrigger'
  $sql$;
  -- Objects of extensions, and the event trigger's function that Supabase adds to "public", aren't the tracker's.
  drops constant text := $sql$
    select string_agg(format('drop %s if exists %s cascade', type, identity), ';' order by type desc) || '; drop schema private cascade'
    from pg_catalog.pg_depend, pg_identify_object(classid, objid, objsubid)
    where refclassid = 'pg_namespace'::regclass and refobjid = 'public'::regnamespace and type in ('table', 'view', 'function', 'type')
      and objid not in (select objid from pg_catalog.pg_depend where deptype = 'e')
      and objid not in (select oid from pg_catalog.pg_proc where prorettype = 'event_trigger'::regtype)
  $sql$;
  newest text;
  is_preview boolean;
  present text[];
  expected text[];
  statement text;
  target record;
  migration record;
  problem text;
begin
  -- With an empty search_path, PostgreSQL prints schema-qualified names.
  perform set_config('search_path', '', true);
  select max(version), count(*) = 21 and min(version) >= '20261123' and bool_and(cardinality(history.statements) > 0)
  into newest, is_preview from supabase_migrations.schema_migrations as history;
  if newest < '20261123' then
    raise exception 'The database is from before the last preview of version 1.0: start that preview (commit 3b84a2e3) with it once, then this version. Nothing was changed.'
      using errcode = 'RMT06';
  elsif is_preview is distinct from true then
    raise exception 'The database can''t be upgraded, because its migrations are not those of the last preview of version 1.0 (commit 3b84a2e3). Nothing was changed.'
      using errcode = 'RMT06';
  end if;

  -- Store rows as objects, so columns that only one version has don't matter.
  create temporary table old_rows (relation text, line jsonb) on commit drop;
  create temporary table old_ids (relation text, last_value bigint) on commit drop;
  -- Each sync locks ride_syncs first. Do the same, to avoid a deadlock.
  lock table public.ride_syncs in access exclusive mode;
  for target in
    select oid::regclass as name from pg_catalog.pg_class
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind = 'r'
      -- What repeated requests are answered isn't the owner's data.
      and oid <> 'private.requests'::regclass
    order by oid
  loop
    execute format('lock table %s in access exclusive mode', target.name);
    execute format('insert into pg_temp.old_rows select %1$L, to_jsonb(source.*) from %1$s as source', target.name);
  end loop;
  -- A repeated request is answered by its key, no longer by a row's, and quick checks compare a digest.
  update old_rows set line = (line - '{request_key,home_zone,newest_ids}'::text[]) #- '{before,request_key}' #- '{after,request_key}';
  update old_rows set line = line - 'source' || jsonb_build_object(
    'command', case line ->> 'source' when 'import' then 'import_items' when 'restore' then 'undo' end
  ) where relation = 'public.changes';
  insert into old_ids
  select format('%I.%I', schemaname, regexp_replace(sequencename, '_id_seq$', '')), last_value
  from pg_catalog.pg_sequences where schemaname in ('public', 'private') and last_value is not null;

  -- Repeat the migrations that the database recorded, to see what was added by hand. That would be lost.
  execute objects into present;
  execute drops into statement;
  execute statement;
  for migration in select unnest(history.statements) as sql from supabase_migrations.schema_migrations as history order by version loop
    execute migration.sql;
  end loop;
  execute objects into expected;
  select string_agg(name, ', ') into problem from unnest(present) as name where name <> all (expected);
  if problem is not null then
    raise exception 'The database can''t be upgraded, because this was added by hand: %. Remove it first. Nothing was changed.', problem
      using errcode = 'RMT06';
  end if;

  execute drops into statement;
  execute statement;
  delete from supabase_migrations.schema_migrations;
  for migration in
    select * from jsonb_to_recordset(:migrations) as new_migrations (version text, name text, sql text) order by version
  loop
    execute migration.sql;
    insert into supabase_migrations.schema_migrations (version, name, statements)
    values (migration.version, migration.name, array[migration.sql]);
  end loop;

  -- A scheduled job that is stopped or can't run isn't scheduled again.
  if to_regclass('cron.job') is not null then
    for target in select jobid, schedule, active and private.ride_check_obstacle() is null as runs from cron.job where jobname = 'check-rides' loop
      perform cron.unschedule(target.jobid);
      perform private.schedule_ride_checks(target.schedule) where target.runs;
    end loop;
  end if;

  for target in
    select relation as name, columns.* from (select distinct on (relation) relation, line from old_rows) as sample
    cross join lateral (
      select string_agg(quote_ident(attname), ', ') filter (where line ? attname and attgenerated = '') as copied,
        coalesce(array_agg(attname::text) filter (where not line ? attname), '{}') as added
      from pg_catalog.pg_attribute where attrelid = relation::regclass and attnum > 0 and not attisdropped
    ) as columns
    -- Referenced tables are created first.
    order by relation::regclass::oid
  loop
    -- Triggers would record the copied rows as changes. The migrations may have already added the owner.
    execute format('alter table %1$s disable trigger user; delete from %1$s', target.name);
    execute format(
      'insert into %1$s (%2$s) overriding system value select %2$s from (
        select copied.* from old_rows as old cross join lateral jsonb_populate_record(null::%1$s, old.line) as copied where old.relation = %1$L
      ) as copied', target.name, target.copied
    );
    execute format('alter table %s enable trigger user', target.name);
    execute format(
      'select %1$L where exists (select line from old_rows where relation = %1$L except select to_jsonb(copied.*) - %2$L::text[] from %1$s as copied)',
      target.name, target.added
    ) into problem;
    if problem is not null then
      raise exception 'the rows of % differ after copying them', problem;
    end if;
  end loop;
  perform setval(pg_get_serial_sequence(relation, 'id'), last_value) from old_ids;
end
