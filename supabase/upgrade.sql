-- Upgrades a database of the last preview of version 1.0. The body of a "do" statement, which is atomic. embedded/upgrade.ts
-- replaces the names after colons.
declare
  -- Objects of extensions, and the event trigger's function that Supabase adds to "public", aren't the tracker's.
  tracked constant text := $sql$
    with schemas as (
      select oid from pg_catalog.pg_namespace where nspname in ('public', 'private')
    ), extension as (
      select objid from pg_catalog.pg_depend where deptype = 'e'
    ), relations as (
      select pg_class.* from pg_catalog.pg_class join schemas on schemas.oid = relnamespace
      where pg_class.oid not in (select objid from extension)
    ), tables as (
      select oid, relname from relations where relkind = 'r'
    ), routines as (
      select pg_proc.* from pg_catalog.pg_proc join schemas on schemas.oid = pronamespace
      where prorettype <> 'event_trigger'::regtype and pg_proc.oid not in (select objid from extension)
    )
  $sql$;
  definitions constant text := tracked || $sql$
    select jsonb_object_agg(pg_describe_object(class::regclass, id, part), definition) from (
      select 'pg_class' as class, oid as id, 0 as part, case relkind
        when 'v' then pg_get_viewdef(oid) when 'i' then pg_get_indexdef(oid) else concat(relkind, relrowsecurity)
      end as definition
      from relations
      union all
      select 'pg_class', attrelid, attnum, concat_ws(
        ' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid)
      )
      from pg_catalog.pg_attribute join tables on oid = attrelid
      left join pg_catalog.pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
      union all
      select 'pg_constraint', oid, 0, pg_get_constraintdef(oid) from pg_catalog.pg_constraint where conrelid in (select oid from tables)
      union all
      select 'pg_trigger', oid, 0, concat(tgenabled, pg_get_triggerdef(oid)) from pg_catalog.pg_trigger
      where tgrelid in (select oid from tables) and not tgisinternal
      union all
      select 'pg_policy', oid, 0, concat_ws(
        ' ', polcmd, polpermissive, polroles, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)
      )
      from pg_catalog.pg_policy where polrelid in (select oid from tables)
      union all
      select 'pg_rewrite', oid, 0, pg_get_ruledef(oid) from pg_catalog.pg_rewrite where ev_class in (select oid from tables)
      union all
      select 'pg_publication_rel', oid, 0, '' from pg_catalog.pg_publication_rel where prrelid in (select oid from tables)
      union all
      select 'pg_proc', oid, 0, case prokind when 'a' then '' else pg_get_functiondef(oid) end from routines
    ) as objects
  $sql$;
  -- Nothing is dropped with "cascade", so this fails if anything else depends on the tracker's objects. Only the trigger on
  -- auth.users, which hosted Supabase owns, can't be dropped without its function.
  drops constant text := tracked || $sql$
    select string_agg(statement, '; ' order by step) from (
      select 1 as step, 'drop function private.claim_ownership() cascade' as statement
      union all
      select 2, format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_catalog.pg_trigger
      where tgrelid in (select oid from tables) and not tgisinternal
      union all
      select 2, format('drop policy %I on %s', polname, polrelid::regclass) from pg_catalog.pg_policy
      where polrelid in (select oid from tables)
      union all
      select 2, format('alter table %s alter %I drop default', attrelid::regclass, attname) from pg_catalog.pg_attribute
      where attrelid in (select oid from tables) and atthasdef and attgenerated = ''
      union all
      select 3, 'drop view ' || string_agg(oid::regclass::text, ', ') from relations where relkind = 'v'
      union all
      select 4, 'drop routine ' || string_agg(oid::regprocedure::text, ', ') from routines where proname <> 'claim_ownership'
      union all
      select 5, 'drop type ' || string_agg(oid::regclass::text, ', ') from relations where relkind = 'c'
      union all
      select 6, 'drop table ' || string_agg(oid::regclass::text, ', ') from tables
      union all
      select 7, 'drop schema private'
    ) as statements
  $sql$;
  newest text;
  is_preview boolean;
  present jsonb;
  expected jsonb;
  statement text;
  target record;
  migration record;
  problem text;
begin
  -- With an empty search_path, PostgreSQL prints schema-qualified names.
  perform set_config('search_path', '', true);
  select max(version), count(*) = 16 and bool_and(version ~ '^2026112210(0[1-9]|1[0-6])00$' and cardinality(history.statements) > 0)
  into newest, is_preview from supabase_migrations.schema_migrations as history;
  if newest < '20261122' then
    raise exception 'The database is from before the last preview of version 1.0: start that preview (commit 29666617) with it once, then this version. Nothing was changed.'
      using errcode = 'RMT06';
  elsif is_preview is distinct from true then
    raise exception 'The database can''t be upgraded, because its migrations are not those of the last preview of version 1.0 (commit 29666617). Nothing was changed.'
      using errcode = 'RMT06';
  end if;

  -- Wait for running requests. Lock ride_syncs first, as each sync does, to avoid a deadlock.
  execute tracked || $sql$
    select 'lock table ' || string_agg(oid::regclass::text, ', ' order by relname <> 'ride_syncs') || ' in access exclusive mode' from tables
  $sql$ into statement;
  execute statement;
  -- Store rows as objects, so columns that only one version has don't matter.
  create temporary table old_rows (relation text, line jsonb) on commit drop;
  create temporary table old_ids (relation text, last_value bigint) on commit drop;
  for target in execute tracked || 'select oid::regclass as name from tables' loop
    execute format('insert into pg_temp.old_rows select %1$L, to_jsonb(source.*) from %1$s as source', target.name);
  end loop;
  insert into pg_temp.old_ids
  select format('%I.%I', schemaname, regexp_replace(sequencename, '_id_seq$', '')), last_value
  from pg_catalog.pg_sequences where schemaname in ('public', 'private') and last_value is not null;

  -- Repeat the migrations that the database recorded, to see what was changed by hand. That would be lost.
  execute definitions into present;
  execute drops into statement;
  execute statement;
  for migration in select unnest(history.statements) as sql from supabase_migrations.schema_migrations as history order by version loop
    execute migration.sql;
  end loop;
  execute definitions into expected;
  select string_agg(key, ', ' order by key) into problem
  from jsonb_each(present) as is_now full join jsonb_each(expected) as was using (key) where is_now.value is distinct from was.value;
  if problem is not null then
    raise exception 'The database can''t be upgraded, because this was changed by hand: %. Undo the changes first. Nothing was changed.', problem
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
    for target in select jobid, schedule, active and private.ride_check_obstacle() is null as runs from cron.job where jobname = 'refresh-rides' loop
      perform cron.unschedule(target.jobid);
      perform private.schedule_ride_checks(target.schedule) where target.runs;
    end loop;
  end if;

  :conversions
  for target in
    -- Referenced tables come first.
    execute replace(tracked, 'with schemas', 'with recursive schemas') || $sql$
      , levels as (
        select oid, 0 as level from tables
        union all
        select conrelid, level + 1 from levels join pg_catalog.pg_constraint on confrelid = levels.oid and contype = 'f' and conrelid <> confrelid
      ), copied as materialized (
        select distinct on (relation) relation, line as sample from old_rows
      )
      select copied.relation as name, columns.copied, columns.added
      from (select oid, max(level) as level from levels group by oid) as ordered
      join copied on relation = ordered.oid::regclass::text
      cross join lateral (
        select string_agg(quote_ident(attname), ', ') filter (where sample ? attname and attgenerated = '') as copied,
          array_agg(attname::text) filter (where not sample ? attname) as added
        from pg_catalog.pg_attribute where attrelid = ordered.oid and attnum > 0 and not attisdropped
      ) as columns
      order by level
    $sql$
  loop
    -- Triggers would record the copied rows as changes.
    execute format('alter table %s disable trigger user', target.name);
    -- The migrations may have already added the owner.
    execute format('delete from %s', target.name);
    execute format(
      $sql$
        insert into %1$s (%2$s) overriding system value select %2$s from (
          select copied.* from old_rows as old cross join lateral jsonb_populate_record(null::%1$s, old.line) as copied where old.relation = %1$L
        ) as copied
      $sql$, target.name, target.copied
    );
    execute format('alter table %s enable trigger user', target.name);
    execute format(
      'select %1$L where exists (select line from old_rows where relation = %1$L except select to_jsonb(copied.*) - %2$L::text[] from %1$s as copied)',
      target.name, coalesce(target.added, '{}')
    ) into problem;
    if problem is not null then
      raise exception 'the rows of % differ after copying them', problem;
    end if;
  end loop;
  select relation into problem from (select distinct relation from old_rows) as copied where to_regclass(relation) is null;
  if found then
    raise exception 'the rows of % have no table', problem;
  end if;
  perform setval(pg_get_serial_sequence(relation, 'id'), last_value) from old_ids;
  :after_copying
exception
  when sqlstate 'RMT06' then
    -- Raise the error again without its context, which would contain the script.
    raise exception using errcode = sqlstate, message = sqlerrm;
  when dependent_objects_still_exist then
    get stacked diagnostics problem = pg_exception_detail;
    raise exception 'The database can''t be upgraded, because something else uses the tracker''s tables or functions: %. Remove it first. Nothing was changed.',
      replace(problem, E'\n', ', ') using errcode = 'RMT06';
end
