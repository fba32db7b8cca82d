-- The schedule of a hosted project. Plain PostgreSQL has no pg_cron, pg_net or Vault, so fakes with the same signatures
-- record the calls. This tests our calls, not the extensions.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(20);

select throws_ok(
  'select private.schedule_ride_refresh()', 'RMT03',
  'Missing extensions: pg_cron, pg_net, supabase_vault. Enable them under Database, Extensions.',
  'scheduling without the extensions names them'
);
select throws_ok('select private.request_ride_refresh()', 'RMT03', null, 'a request fails without the extensions');
select is(private.unschedule_ride_refresh(), false, 'without the extensions there is no schedule to stop');

create schema vault;
create table vault.decrypted_secrets (name text, decrypted_secret text);
create schema net;
create table net.requested (url text, body jsonb, headers jsonb, timeout_milliseconds integer);
create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000
) returns bigint language sql as $$
  insert into net.requested values (url, body, headers, timeout_milliseconds) returning 7::bigint
$$;
create schema cron;
create table cron.job (jobid bigint generated always as identity, jobname text unique, schedule text, command text);
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command) values ($1, $2, $3)
  on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command returning jobid
$$;
create function cron.unschedule(job_id bigint) returns boolean language sql as $$
  delete from cron.job where jobid = $1 returning true
$$;

select throws_ok(
  'select private.schedule_ride_refresh()', 'RMT03',
  'Missing Vault secrets: update_rides_schedule_key, update_rides_url. Add them with vault.create_secret.',
  'scheduling without the secrets names them'
);
insert into vault.decrypted_secrets values ('update_rides_url', 'https://ref.supabase.co/functions/v1/update-rides');
select throws_ok(
  'select private.schedule_ride_refresh()', 'RMT03',
  'Missing Vault secrets: update_rides_schedule_key. Add them with vault.create_secret.', 'scheduling without only the key names it'
);
insert into vault.decrypted_secrets values ('update_rides_schedule_key', 'planted-key'), ('another', 'planted-other');
select is_empty('select jobname from cron.job', 'failed attempts schedule nothing');

select isnt(private.schedule_ride_refresh(), null, 'scheduling returns the id of the job');
select results_eq(
  'select jobname, schedule from cron.job', $$values ('refresh-rides', '17 * * * *')$$, 'the default is hourly, but not on the hour'
);
select is((select count(*) from cron.job where command like '%planted%'), 0::bigint, 'the key is not in the job');
select is_empty('select url from net.requested', 'scheduling sends no request yet');
select lives_ok((select command from cron.job), 'the job runs');
select results_eq(
  'select url, body, headers, timeout_milliseconds from net.requested',
  $$values ('https://ref.supabase.co/functions/v1/update-rides', '{}'::jsonb,
    '{"Content-Type": "application/json", "x-schedule-key": "planted-key"}'::jsonb, 150000)$$,
  'the job calls update-rides with the key and the time limit of a function'
);
update vault.decrypted_secrets set decrypted_secret = 'planted-new' where name = 'update_rides_schedule_key';
delete from net.requested;
select is(private.request_ride_refresh(), 7::bigint, 'a manual request returns its id');
select is((select headers ->> 'x-schedule-key' from net.requested), 'planted-new', 'a new key is used immediately');

select private.schedule_ride_refresh('*/5 6-22 * * *');
select results_eq('select schedule from cron.job', $$values ('*/5 6-22 * * *')$$, 'scheduling again replaces the job');
select is(private.unschedule_ride_refresh(), true, 'unscheduling returns true');
select is_empty('select jobname from cron.job', 'unscheduling removes the job');
select is(private.unschedule_ride_refresh(), false, 'unscheduling again returns false');

select is_empty(
  $$select role, proname from pg_proc, unnest(array['anon', 'authenticated', 'service_role']) as role
    where pronamespace = 'private'::regnamespace and proname like '%ride_refresh%'
      and has_function_privilege(role, pg_proc.oid, 'execute')$$,
  'no API role may schedule, unschedule or request a sync'
);
select is(
  (select count(*) from pg_proc where pronamespace = 'private'::regnamespace and proname like '%ride_refresh%' and not prosecdef),
  4::bigint, 'the schedule functions are security invoker'
);

select * from finish();
rollback;
