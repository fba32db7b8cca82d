-- Scheduled syncs. Fakes replace the extensions that this server lacks: all on plain PostgreSQL, none on Supabase. The final
-- rollback also undoes changes by the real extensions.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(25);

create temporary table missing as
select extension, namespace
from (values ('pg_cron', 'cron'), ('pg_net', 'net'), ('supabase_vault', 'vault')) as needed (extension, namespace)
where to_regnamespace(namespace) is null;

-- This database may already have scheduled syncs.
do $$
begin
  perform private.unschedule_ride_checks();
  if to_regnamespace('vault') is not null then
    delete from vault.secrets where name in ('update_rides_url', 'update_rides_schedule_key');
  end if;
end
$$;

select case when exists (select from missing)
  then throws_ok(
    'select private.schedule_ride_checks()', 'RMT03',
    format(
      'Missing extensions: %s. Enable them under Database, Extensions.',
      (select string_agg(extension, ', ' order by extension) from missing)
    ),
    'scheduling without the extensions names them'
  )
  else skip('This server has the extensions.', 1)
end;
select throws_ok('select private.request_ride_check()', 'RMT03', null, 'a request fails without the extensions or secrets');
select is(private.unschedule_ride_checks(), false, 'there is no schedule to stop yet');

do $$
begin
  if exists (select from missing where namespace = 'vault') then
    create schema vault;
    create table vault.decrypted_secrets (id uuid default gen_random_uuid(), name text unique, decrypted_secret text);
    create function vault.create_secret(new_secret text, new_name text) returns uuid language sql as $fake$
      insert into vault.decrypted_secrets (name, decrypted_secret) values (new_name, new_secret) returning id
    $fake$;
    create function vault.update_secret(secret_id uuid, new_secret text) returns void language sql as $fake$
      update vault.decrypted_secrets set decrypted_secret = new_secret where id = secret_id
    $fake$;
  end if;
  if exists (select from missing where namespace = 'net') then
    create schema net;
    create table net.requested (url text, body jsonb, headers jsonb, timeout_milliseconds integer);
    create function net.http_post(
      url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}',
      timeout_milliseconds integer default 5000
    ) returns bigint language sql as $fake$
      insert into net.requested values (url, body, headers, timeout_milliseconds) returning 7::bigint
    $fake$;
  end if;
  if exists (select from missing where namespace = 'cron') then
    create schema cron;
    create table cron.job (jobid bigint generated always as identity, jobname text unique, schedule text, command text);
    create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $fake$
      insert into cron.job (jobname, schedule, command) values ($1, $2, $3)
      on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command returning jobid
    $fake$;
    create function cron.unschedule(job_id bigint) returns boolean language sql as $fake$
      delete from cron.job where jobid = $1 returning true
    $fake$;
  end if;
end
$$;
create temporary view jobs as select schedule, command from cron.job where jobname = 'check-rides';

select throws_ok(
  'select private.schedule_ride_checks()', 'RMT03',
  'Missing Vault secrets: update_rides_schedule_key, update_rides_url. Add them with vault.create_secret.',
  'scheduling without the secrets names them'
);
select isnt(
  vault.create_secret('https://ref.supabase.co/functions/v1/update-rides', 'update_rides_url'), null, 'the URL is a secret'
);
select throws_ok(
  'select private.schedule_ride_checks()', 'RMT03',
  'Missing Vault secrets: update_rides_schedule_key. Add them with vault.create_secret.', 'scheduling without only the key names it'
);
select isnt(vault.create_secret('planted-key', 'update_rides_schedule_key'), null, 'the key is a secret');
select is_empty('select from jobs', 'failed attempts schedule nothing');

select isnt(private.schedule_ride_checks(), null, 'scheduling returns the id of the job');
select results_eq('select schedule from jobs', $$values ('7-59/10 * * * *')$$, 'the default is every ten minutes, but not on the hour');
select is((select count(*) from jobs where command like '%planted%'), 0::bigint, 'the key is not in the job');
select lives_ok((select command from jobs), 'the job runs');
-- The real pg_net only sends requests after the transaction, and this test can't rely on its tables.
select case when exists (select from missing where namespace = 'net')
  then results_eq(
    'select url, body, headers, timeout_milliseconds from net.requested',
    $$values ('https://ref.supabase.co/functions/v1/update-rides', '{"check": true}'::jsonb,
      '{"Content-Type": "application/json", "x-schedule-key": "planted-key"}'::jsonb, 150000)$$,
    'the job calls update-rides once, for a quick check, with the key and the time limit of a function'
  )
  else skip('This server has pg_net.', 1)
end;

select private.schedule_ride_checks('*/5 6-22 * * *');
select results_eq('select schedule from jobs', $$values ('*/5 6-22 * * *')$$, 'scheduling again replaces the job');
select is(
  private.connect_ride_checks('https://ref.supabase.co/functions/v1/update-rides', 'planted-new'), false,
  'connecting again does not schedule'
);
select results_eq('select schedule from jobs', $$values ('*/5 6-22 * * *')$$, 'connecting again keeps the schedule');
select isnt(private.request_ride_check(), null, 'a manual request returns its id');
select case when exists (select from missing where namespace = 'net')
  then is(
    (select string_agg(concat_ws(' ', headers ->> 'x-schedule-key', body), ' ') from net.requested),
    'planted-key {"check": true} planted-new {}', 'a new key is used immediately, and a manual request is a full sync'
  )
  else skip('This server has pg_net.', 1)
end;
select is(private.unschedule_ride_checks(), true, 'unscheduling returns true');
select is_empty('select from jobs', 'unscheduling removes the job');
select is(private.unschedule_ride_checks(), false, 'unscheduling again returns false');

do $$
begin
  if exists (select from missing where namespace = 'vault') then
    delete from vault.decrypted_secrets where name like 'update_rides_%';
  else
    delete from vault.secrets where name like 'update_rides_%';
  end if;
end
$$;
select is(
  private.connect_ride_checks('https://ref.supabase.co/functions/v1/update-rides', 'planted-key'), true,
  'connecting the first time schedules'
);
select results_eq('select schedule from jobs', $$values ('7-59/10 * * * *')$$, 'connecting the first time uses the default');

select is_empty(
  $$select role, proname from pg_proc, unnest(array['anon', 'authenticated', 'service_role']) as role
    where pronamespace = 'private'::regnamespace and proname like '%ride_check%'
      and has_function_privilege(role, pg_proc.oid, 'execute')$$,
  'no API role may schedule, unschedule or request a sync'
);
select is(
  (select count(*) from pg_proc where pronamespace = 'private'::regnamespace and proname like '%ride_check%' and not prosecdef),
  5::bigint, 'the schedule functions are security invoker'
);

select * from finish();
rollback;
