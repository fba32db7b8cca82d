-- Raises RMT06 unless the version before 1.0 created the database and its tables are unchanged.

do $check$
declare
  changed text;
begin
  if array(select version from supabase_migrations.schema_migrations order by version) <> array[
    '20261121160000', '20261121160100', '20261121160200', '20261121160300', '20261121160400', '20261121160500', '20261121160600',
    '20261121160700', '20261121160800', '20261121160900', '20261121161000', '20261121161100', '20261121170000', '20261121170100',
    '20261121170200', '20261121170400', '20261121170500', '20261121170600', '20261121170700', '20261121171100', '20261121172100',
    '20261121172200', '20261121172300', '20261121174000', '20261121175000', '20261121175100', '20261121176000', '20261121176001',
    '20261121176100', '20261121176110', '20261121176200', '20261121176300', '20261121176310', '20261121176400', '20261121176500',
    '20261121176620'
  ] then
    raise exception 'The database can''t be upgraded, because its migrations are not those of the version before 1.0. Nothing was changed.'
      using errcode = 'RMT06';
  end if;

  -- Compare a hash of each table's columns, constraints, indexes, triggers and policies, because anything added by hand would
  -- be lost. Hash names rather than definitions, because PostgreSQL versions print expressions differently.
  select string_agg(expected.name, ', ' order by expected.name) into changed
  from (values
    ('private.announced_tasks', '638552df510230360f421ea00913ac2f'),
    ('private.calendar_feed', 'a025168ee9211075517dc2727be32e58'),
    ('private.owner', 'f25f214f8cfea66c6889e0199cb06eaa'),
    ('private.push_subscriptions', 'a803589cd0dd726de051491af5a9f87d'),
    ('public.bikes', '3394fd7f3ab6b7b366c9b6e4af8a7116'),
    ('public.dismissed_checks', '6143ef5be69b191ef1bf8fa28839e953'),
    ('public.log_changes', 'f8bdb45ed72b9eebfcf380285561cca4'),
    ('public.maintenance', '07c1a0fbf2aa007bd42c6694390fac46'),
    ('public.parts', '8193a41c14a61ba7d5f9d9f0e6611aa0'),
    ('public.ride_changes', '82c0a5cf507f98ae25672744197a4ccb'),
    ('public.ride_syncs', 'de0e0e6ce27b0031a98f875c498cd0fc'),
    ('public.rides', '5b38a1a9a3e221d44885a78338691bae'),
    ('public.service_events', '3b77c6d99e3f6e829e20fd96817bc623'),
    ('public.service_tasks', '51cd89593e78e52c1de6f4a5d82488a4'),
    ('public.wear_measurements', '7dd7dc1e903e7f8b8b11674bbc081795')
  ) as expected (name, hash)
  where expected.hash is distinct from (
    select md5(string_agg(facts.fact, ', ' order by facts.fact collate "C")) from (
      select concat_ws(
        ' ', 'column', attname, format_type(atttypid, atttypmod), attnotnull, nullif(attidentity, ''), nullif(attgenerated, '')
      )
      from pg_catalog.pg_attribute
      where attrelid = to_regclass(expected.name) and attnum > 0 and not attisdropped
      union all
      -- PostgreSQL 18 also lists "not null" constraints, so skip them.
      select concat_ws(' ', 'constraint', conname, contype)
      from pg_catalog.pg_constraint where conrelid = to_regclass(expected.name) and contype <> 'n'
      union all
      select 'index ' || relname
      from pg_catalog.pg_index join pg_catalog.pg_class on pg_class.oid = indexrelid where indrelid = to_regclass(expected.name)
      union all
      select 'trigger ' || tgname from pg_catalog.pg_trigger where tgrelid = to_regclass(expected.name) and not tgisinternal
      union all
      select 'policy ' || polname from pg_catalog.pg_policy where polrelid = to_regclass(expected.name)
    ) as facts (fact)
  );

  if changed is not null then
    raise exception 'The database can''t be upgraded, because these tables were changed by hand: %. Undo the changes first. Nothing was changed.', changed
      using errcode = 'RMT06';
  end if;
end
$check$;
