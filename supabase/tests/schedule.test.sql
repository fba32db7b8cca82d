-- The schedule of a hosted project. Neither PGlite nor a plain PostgreSQL has pg_cron, pg_net or Vault, so stand-ins with
-- the signatures of the real ones record what they are asked: this proves what we ask for, not what they do.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(20);

select throws_ok(
  'select private.schedule_ride_refresh()', 'RMT03',
  'The schedule needs the extension pg_cron and pg_net and supabase_vault; switch it on under Database, Extensions.',
  'without the extensions there is no schedule, and it is said why'
);
select throws_ok('select private.request_ride_refresh()', 'RMT03', null, 'nor a request');
select is(private.unschedule_ride_refresh(), false, 'and nothing to stop');

create schema vault;
create table vault.decrypted_secrets (name text, decrypted_secret text);
create schema net;
create table net.asked (url text, body jsonb, headers jsonb, timeout_milliseconds integer);
create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000
) returns bigint language sql as $$
  insert into net.asked values (url, body, headers, timeout_milliseconds) returning 7::bigint
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
  'Vault holds no secret named update_rides_schedule_key and update_rides_url; store it with vault.create_secret.',
  'without an address and a key there is no schedule'
);
insert into vault.decrypted_secrets values ('update_rides_url', 'https://ref.supabase.co/functions/v1/update-rides');
select throws_ok(
  'select private.schedule_ride_refresh()', 'RMT03',
  'Vault holds no secret named update_rides_schedule_key; store it with vault.create_secret.', 'nor without the key alone'
);
insert into vault.decrypted_secrets values ('update_rides_schedule_key', 'planted-key'), ('another', 'planted-other');
select is_empty('select jobname from cron.job', 'what was refused scheduled nothing');

select isnt(private.schedule_ride_refresh(), null, 'with all of it the schedule is set');
select results_eq(
  'select jobname, schedule from cron.job', $$values ('refresh-rides', '17 * * * *')$$, 'hourly, away from the full hour'
);
select is((select count(*) from cron.job where command like '%planted%'), 0::bigint, 'the key is not in the job');
select is_empty('select url from net.asked', 'setting it asks for nothing yet');
select lives_ok((select command from cron.job), 'the job runs');
select results_eq(
  'select url, body, headers, timeout_milliseconds from net.asked',
  $$values ('https://ref.supabase.co/functions/v1/update-rides', '{}'::jsonb,
    '{"Content-Type": "application/json", "x-schedule-key": "planted-key"}'::jsonb, 150000)$$,
  'and asks update-rides with the key, for as long as a function may take'
);
update vault.decrypted_secrets set decrypted_secret = 'planted-new' where name = 'update_rides_schedule_key';
delete from net.asked;
select is(private.request_ride_refresh(), 7::bigint, 'it can be asked by hand too, and tells the id of the request');
select is((select headers ->> 'x-schedule-key' from net.asked), 'planted-new', 'a new key counts at once');

select private.schedule_ride_refresh('*/5 6-22 * * *');
select results_eq('select schedule from cron.job', $$values ('*/5 6-22 * * *')$$, 'set again it is changed, not doubled');
select is(private.unschedule_ride_refresh(), true, 'it is stopped');
select is_empty('select jobname from cron.job', 'and gone');
select is(private.unschedule_ride_refresh(), false, 'a second stop does no harm');

select is_empty(
  $$select role, proname from pg_proc, unnest(array['anon', 'authenticated', 'service_role']) as role
    where pronamespace = 'private'::regnamespace and proname like '%ride_refresh%'
      and has_function_privilege(role, pg_proc.oid, 'execute')$$,
  'nobody from outside may set, stop or run it'
);
select is(
  (select count(*) from pg_proc where pronamespace = 'private'::regnamespace and proname like '%ride_refresh%' and not prosecdef),
  4::bigint, 'and it borrows no rights'
);

select * from finish();
rollback;
