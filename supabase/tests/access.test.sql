-- Tests each command on each table, and each function, as each actor against a table of expectations.
--
-- tests/database/access.test.ts also reads the sections "Rows" and "Expectations", and sends each request to the data API.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');

-- Rows: one in each table.
insert into public.bikes values (1, 'Road');
insert into public.parts values (1000);
insert into public.maintenance (id, "bikeId", part_id, name, "dateStarted") values (1, 1, 1000, 'Chain', '2024-01-01 01:00:00');
insert into public.service_tasks (id, part_id, name, every_days) values (1000, 1000, 'Wax', 30);
insert into public.service_events (id, task_id, part_id, done_at) values (1000, 1000, 1000, '2024-01-02 01:00:00');
insert into public.dismissed_checks (id, key) values (1000, 'no_bike:1');
insert into public.bikes values (9, 'Old');
insert into public.attached_logs (id, former_gear_id, gear_id) values (1000, 9, 1);
insert into public.bike_details (id, gear_id, size) values (1000, 1, '56');
insert into private.file_contents (sha256, content) values (encode(sha256('%PDF-'), 'hex'), '%PDF-');
insert into public.entry_files (id, item_id, name, media_type, size, sha256)
select 1000, 1, 'Receipt', 'application/pdf', 5, sha256 from private.file_contents;
insert into public.wear_measurements (id, part_id, measured_on, value, unit) values (1000, 1000, '2024-02-01', 0.3, 'chain %');
insert into public.rides (id, gear_id, departed_at) values (1, 1, '2024-01-02T10:00:00Z');
insert into public.ride_syncs (triggered_by, outcome, finished_at) values ('owner', 'ok', now());
insert into public.ride_changes (sync_id, ride_id, is_after, time_zone, is_stationary) values (1, 1, true, 'UTC', false);
insert into public.settings (distance) values ('km');
insert into private.push_subscriptions (endpoint, p256dh, auth)
values ('https://fcm.googleapis.com/x', 'B' || repeat('A', 86), repeat('A', 22)) on conflict do nothing;

-- Runs a statement, undoes it, and returns the number of rows or the SQLSTATE.
create function pg_temp.attempt(actor text, statement text) returns text language plpgsql as $$
declare
  touched bigint;
begin
  perform set_config('request.jwt.claim.sub', case actor
    when 'owner' then '00000000-0000-0000-0000-00000000000a'
    when 'another user' then '00000000-0000-0000-0000-00000000000b' else '' end, true);
  perform set_config('role', case actor
    when 'secret key' then 'service_role' when 'anon' then 'anon' else 'authenticated' end, true);
  execute statement;
  get diagnostics touched = row_count;
  raise exception using errcode = 'UNDO0', message = touched || case touched when 1 then ' row' else ' rows' end;
exception
  when sqlstate 'UNDO0' then return sqlerrm;
  when others then return sqlstate;
end
$$;

-- Expectations: a number of rows or an SQLSTATE.
create temp table expected (
  relation text, command text, owner text, "another user" text, anon text, "secret key" text, statement text, request text
);
insert into expected values
  ('bikes', 'select', '2 rows', '0 rows', '42501', '2 rows',
    'select gear_id, name, brand, model, is_retired, in_use_since from public.bikes', 'GET bikes?select=gear_id,name,brand,model,is_retired,in_use_since'),
  ('bikes', 'insert', '42501', '42501', '42501', '1 row',
    $$insert into public.bikes values (3, 'Mountain')$$, 'POST bikes {"gear_id": 3, "name": "Mountain"}'),
  ('bikes', 'update', '42501', '42501', '42501', '1 row',
    $$update public.bikes set name = 'x' where gear_id = 1$$, 'PATCH bikes?gear_id=eq.1 {"name": "x"}'),
  ('bikes', 'delete', '42501', '42501', '42501', '42501',
    'delete from public.bikes where gear_id = 1', 'DELETE bikes?gear_id=eq.1'),
  ('maintenance', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, name from public.maintenance', 'GET maintenance?select=id,name'),
  ('maintenance', 'insert', '1 row', '42501', '42501', '42501',
    $$insert into public.maintenance (id, "bikeId", name) values (7, 1, 'Tire')$$,
    'POST maintenance {"id": 7, "bikeId": 1, "name": "Tire"}'),
  ('maintenance', 'update', '1 row', '0 rows', '42501', '42501',
    $$update public.maintenance set name = 'x' where id = 1$$, 'PATCH maintenance?id=eq.1 {"name": "x"}'),
  ('maintenance', 'delete', '1 row', '0 rows', '42501', '42501',
    'delete from public.maintenance where id = 1', 'DELETE maintenance?id=eq.1'),
  ('parts', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, earlier_distance from public.parts', 'GET parts?select=id,earlier_distance'),
  ('parts', 'insert', '1 row', '42501', '42501', '42501', 'insert into public.parts (id) values (7)', 'POST parts {"id": 7}'),
  ('parts', 'update', '1 row', '0 rows', '42501', '42501',
    'update public.parts set earlier_distance = 7, earlier_moving_time = 7 where id = 1000',
    'PATCH parts?id=eq.1000 {"earlier_distance": 7, "earlier_moving_time": 7}'),
  ('parts', 'delete', '42501', '42501', '42501', '42501', 'delete from public.parts where id = 1000', 'DELETE parts?id=eq.1000'),
  ('service_tasks', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, name from public.service_tasks', 'GET service_tasks?select=id,name'),
  ('service_tasks', 'insert', '1 row', '42501', '42501', '42501',
    $$insert into public.service_tasks (id, part_id, name, every_days) values (7, 1000, 'Wax', 30)$$,
    'POST service_tasks {"id": 7, "part_id": 1000, "name": "Wax", "every_days": 30}'),
  ('service_tasks', 'update', '1 row', '0 rows', '42501', '42501',
    $$update public.service_tasks set name = 'x' where id = 1000$$, 'PATCH service_tasks?id=eq.1000 {"name": "x"}'),
  ('service_tasks', 'delete', '1 row', '0 rows', '42501', '42501',
    'delete from public.service_tasks where id = 1000', 'DELETE service_tasks?id=eq.1000'),
  ('service_events', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, done_at from public.service_events', 'GET service_events?select=id,done_at'),
  ('service_events', 'insert', '1 row', '42501', '42501', '42501',
    $$insert into public.service_events (id, task_id, part_id, done_at) values (7, 1000, 1000, '2024-01-03 01:00:00')$$,
    'POST service_events {"id": 7, "task_id": 1000, "part_id": 1000, "done_at": "2024-01-03 01:00:00"}'),
  ('service_events', 'update', '1 row', '0 rows', '42501', '42501',
    $$update public.service_events set note = 'x' where id = 1000$$, 'PATCH service_events?id=eq.1000 {"note": "x"}'),
  ('service_events', 'delete', '1 row', '0 rows', '42501', '42501',
    'delete from public.service_events where id = 1000', 'DELETE service_events?id=eq.1000'),
  ('dismissed_checks', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, key, dismissed_at from public.dismissed_checks', 'GET dismissed_checks?select=id,key,dismissed_at'),
  ('dismissed_checks', 'insert', '1 row', '42501', '42501', '42501',
    $$insert into public.dismissed_checks (key) values ('no_bike:2')$$, 'POST dismissed_checks {"key": "no_bike:2"}'),
  ('dismissed_checks', 'update', '42501', '42501', '42501', '42501',
    $$update public.dismissed_checks set key = 'x' where id = 1000$$, 'PATCH dismissed_checks?id=eq.1000 {"key": "x"}'),
  ('dismissed_checks', 'delete', '1 row', '0 rows', '42501', '42501',
    'delete from public.dismissed_checks where id = 1000', 'DELETE dismissed_checks?id=eq.1000'),
  ('attached_logs', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, former_gear_id, gear_id from public.attached_logs', 'GET attached_logs?select=id,former_gear_id,gear_id'),
  ('attached_logs', 'insert', '42501', '42501', '42501', '42501',
    $$insert into public.attached_logs (former_gear_id, gear_id) values (1, 9)$$, 'POST attached_logs {"former_gear_id": 1, "gear_id": 9}'),
  ('attached_logs', 'update', '42501', '42501', '42501', '42501',
    $$update public.attached_logs set gear_id = 1 where id = 1000$$, 'PATCH attached_logs?id=eq.1000 {"gear_id": 1}'),
  ('attached_logs', 'delete', '42501', '42501', '42501', '42501',
    'delete from public.attached_logs where id = 1000', 'DELETE attached_logs?id=eq.1000'),
  ('bike_details', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, size, sold_on from public.bike_details', 'GET bike_details?select=id,size,sold_on'),
  ('bike_details', 'insert', '23505', '42501', '42501', '42501',
    $$insert into public.bike_details (gear_id, size) values (1, '58')$$, 'POST bike_details {"gear_id": 1, "size": "58"}'),
  ('bike_details', 'update', '1 row', '0 rows', '42501', '42501',
    $$update public.bike_details set color = 'Blue' where id = 1000$$, 'PATCH bike_details?id=eq.1000 {"color": "Blue"}'),
  ('bike_details', 'delete', '42501', '42501', '42501', '42501',
    'delete from public.bike_details where id = 1000', 'DELETE bike_details?id=eq.1000'),
  ('changes', 'select', '1 row', '0 rows', '42501', '42501',
    $$select id, before from public.changes where relation = 'maintenance'$$, 'GET changes?select=id,before&relation=eq.maintenance'),
  ('changes', 'insert', '42501', '42501', '42501', '42501',
    $$insert into public.changes (change, relation, row_id, before) values (gen_random_uuid(), 'maintenance', 7, '{"id": 7}')$$,
    'POST changes {"change": "00000000-0000-4000-8000-000000000001", "relation": "maintenance", "row_id": 7, "before": {"id": 7}}'),
  ('changes', 'update', '42501', '42501', '42501', '42501',
    $$update public.changes set before = '{}'$$, 'PATCH changes?id=gt.0 {"before": {}}'),
  ('changes', 'delete', '42501', '42501', '42501', '42501',
    'delete from public.changes', 'DELETE changes?id=gt.0'),
  ('entry_files', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, name, sha256 from public.entry_files', 'GET entry_files?select=id,name,sha256'),
  ('entry_files', 'insert', '42501', '42501', '42501', '42501',
    $$insert into public.entry_files (item_id, name, media_type, size, sha256) values (1, 'x', 'image/png', 1, 'x')$$,
    'POST entry_files {"item_id": 1, "name": "x", "media_type": "image/png", "size": 1, "sha256": "x"}'),
  ('entry_files', 'update', '1 row', '0 rows', '42501', '42501',
    $$update public.entry_files set name = 'x', in_passport = true where id = 1000$$,
    'PATCH entry_files?id=eq.1000 {"name": "x", "in_passport": true}'),
  ('entry_files', 'delete', '1 row', '0 rows', '42501', '42501',
    'delete from public.entry_files where id = 1000', 'DELETE entry_files?id=eq.1000'),
  ('wear_measurements', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, value from public.wear_measurements', 'GET wear_measurements?select=id,value'),
  ('wear_measurements', 'insert', '1 row', '42501', '42501', '42501',
    $$insert into public.wear_measurements (id, part_id, measured_on, reading, unit) values (7, 1000, '2024-03-01', 'over', 'chain %')$$,
    'POST wear_measurements {"id": 7, "part_id": 1000, "measured_on": "2024-03-01", "reading": "over", "unit": "chain %"}'),
  ('wear_measurements', 'update', '1 row', '0 rows', '42501', '42501',
    'update public.wear_measurements set value = 0.4 where id = 1000', 'PATCH wear_measurements?id=eq.1000 {"value": 0.4}'),
  ('wear_measurements', 'delete', '1 row', '0 rows', '42501', '42501',
    'delete from public.wear_measurements where id = 1000', 'DELETE wear_measurements?id=eq.1000'),
  ('rides', 'select', '1 row', '0 rows', '42501', '1 row',
    'select id, started_at from public.rides', 'GET rides?select=id,started_at'),
  ('rides', 'insert', '42501', '42501', '42501', '1 row',
    'insert into public.rides (id) values (2)', 'POST rides {"id": 2}'),
  ('rides', 'update', '42501', '42501', '42501', '1 row',
    'update public.rides set distance = 1 where id = 1', 'PATCH rides?id=eq.1 {"distance": 1}'),
  ('rides', 'delete', '42501', '42501', '42501', '1 row',
    'delete from public.rides where id = 1', 'DELETE rides?id=eq.1'),
  ('ride_syncs', 'select', '1 row', '0 rows', '42501', '1 row',
    'select id, outcome from public.ride_syncs', 'GET ride_syncs?select=id,outcome'),
  ('ride_syncs', 'insert', '42501', '42501', '42501', '1 row',
    $$insert into public.ride_syncs (triggered_by) values ('owner')$$, 'POST ride_syncs {"triggered_by": "owner"}'),
  ('ride_syncs', 'update', '42501', '42501', '42501', '1 row',
    'update public.ride_syncs set fetched = 1', 'PATCH ride_syncs?id=gt.0 {"fetched": 1}'),
  ('ride_syncs', 'delete', '42501', '42501', '42501', '42501',
    'delete from public.ride_syncs', 'DELETE ride_syncs?id=gt.0'),
  ('ride_changes', 'select', '1 row', '0 rows', '42501', '42501',
    'select id, name from public.ride_changes', 'GET ride_changes?select=id,name'),
  ('ride_changes', 'insert', '42501', '42501', '42501', '42501',
    $$insert into public.ride_changes (sync_id, ride_id, is_after, time_zone, is_stationary) values (1, 2, true, 'UTC', false)$$,
    'POST ride_changes {"sync_id": 1, "ride_id": 2, "is_after": true, "time_zone": "UTC", "is_stationary": false}'),
  ('ride_changes', 'update', '42501', '42501', '42501', '42501',
    $$update public.ride_changes set name = 'x'$$, 'PATCH ride_changes?id=gt.0 {"name": "x"}'),
  ('ride_changes', 'delete', '42501', '42501', '42501', '42501',
    'delete from public.ride_changes', 'DELETE ride_changes?id=gt.0'),
  ('settings', 'select', '1 row', '0 rows', '42501', '42501', 'select distance from public.settings', 'GET settings?select=distance'),
  -- There is one row. The client's insert does nothing or updates it on a conflict.
  ('settings', 'insert', '23505', '42501', '42501', '42501',
    $$insert into public.settings (currency) values ('EUR')$$, 'POST settings {"currency": "EUR"}'),
  ('settings', 'update', '1 row', '0 rows', '42501', '42501',
    $$update public.settings set week_start = 'Monday' where is_the_one$$, 'PATCH settings?is_the_one=eq.true {"week_start": "Monday"}'),
  ('settings', 'delete', '42501', '42501', '42501', '42501',
    'delete from public.settings where is_the_one', 'DELETE settings?is_the_one=eq.true');

create temp table expected_of_functions (
  signature text, owner text, "another user" text, anon text, "secret key" text, statement text, request text
);
insert into expected_of_functions values
  ('is_owner()', '1 row', '1 row', '42501', '42501',
    'select public.is_owner()', 'POST rpc/is_owner {}'),
  ('maintenance_use(bigint,date)', '1 row', '1 row', '42501', '42501',
    'select public.maintenance_use(1)', 'POST rpc/maintenance_use {"gear_id": 1}'),
  ('bike_timeline(bigint)', '1 row', '1 row', '42501', '42501',
    'select public.bike_timeline(1)', 'POST rpc/bike_timeline {"gear_id": 1}'),
  ('service_due(bigint)', '1 row', '1 row', '42501', '42501',
    'select public.service_due()', 'POST rpc/service_due {}'),
  ('service_history(bigint,bigint)', '1 row', '1 row', '42501', '42501',
    'select public.service_history(1000)', 'POST rpc/service_history {"part_id": 1000}'),
  ('replaced_parts(bigint,date,bigint[],text,text)', '1 row', '1 row', '42501', '42501',
    $$select public.replaced_parts(1, '2024-01-01', array[1])$$, 'POST rpc/replaced_parts {"gear_id": 1, "day": "2024-01-01", "items": [1]}'),
  ('list_order(bikes)', '2 rows', '0 rows', '42501', '42501',
    'select public.list_order(bikes) from public.bikes', 'GET bikes?select=list_order'),
  ('attached_to(bikes)', '2 rows', '0 rows', '42501', '42501',
    'select public.attached_to(bikes) from public.bikes', 'GET bikes?select=attached_to'),
  ('counts_as_retired(bikes)', '2 rows', '0 rows', '42501', '42501',
    'select public.counts_as_retired(bikes) from public.bikes', 'GET bikes?select=counts_as_retired'),
  ('ride_days(integer,bigint)', '1 row', '1 row', '42501', '42501',
    'select public.ride_days(365)', 'POST rpc/ride_days {"days": 365}'),
  ('calendar_feed(text,integer)', '42501', '42501', '42501', '1 row',
    $$select public.calendar_feed('x', 365)$$, 'POST rpc/calendar_feed {"token": "x", "days": 365}'),
  ('stamp_calendar_feed(text,text)', '42501', '42501', '42501', '1 row',
    $$select public.stamp_calendar_feed('x', 'y')$$, 'POST rpc/stamp_calendar_feed {"token": "x", "content": "y"}'),
  ('has_push_subscription(text)', '1 row', '1 row', '42501', '42501',
    $$select public.has_push_subscription('x')$$, 'POST rpc/has_push_subscription {"endpoint": "x"}'),
  ('channel_states()', '1 row', '1 row', '42501', '42501', 'select public.channel_states()', 'POST rpc/channel_states {}'),
  ('push_subscriptions()', '42501', '42501', '42501', '1 row',
    'select public.push_subscriptions()', 'POST rpc/push_subscriptions {}'),
  ('claim_notifications(text[])', '42501', '42501', '42501', '1 row',
    $$select public.claim_notifications('{ntfy}')$$, 'POST rpc/claim_notifications {"channels": ["ntfy"]}'),
  ('finish_notification(text,text,uuid)', '42501', '42501', '42501', '1 row',
    $$select public.finish_notification('ntfy', null)$$, 'POST rpc/finish_notification {"channel": "ntfy", "error": null}'),
  ('remove_push_subscriptions(text[])', '42501', '42501', '42501', '1 row',
    $$select public.remove_push_subscriptions('{x}')$$, 'POST rpc/remove_push_subscriptions {"endpoints": ["x"]}'),
  ('part_history(bigint)', '1 row', '1 row', '42501', '42501',
    'select public.part_history(1000)', 'POST rpc/part_history {"part_id": 1000}'),
  ('log_items(bigint)', '1 row', '1 row', '42501', '42501',
    'select public.log_items()', 'POST rpc/log_items {}'),
  ('stored_parts()', '1 row', '1 row', '42501', '42501',
    'select public.stored_parts()', 'POST rpc/stored_parts {}'),
  ('days_reached(jsonb)', '1 row', '1 row', '42501', '42501',
    $$select public.days_reached('[]')$$, 'POST rpc/days_reached {"readings": []}'),
  ('ride_years(bigint,boolean)', '1 row', '1 row', '42501', '42501', 'select public.ride_years()', 'POST rpc/ride_years {}'),
  ('garage()', '1 row', '1 row', '42501', '42501', 'select public.garage()', 'POST rpc/garage {}'),
  ('part_wear(bigint)', '1 row', '1 row', '42501', '42501',
    'select public.part_wear(1000)', 'POST rpc/part_wear {"part_id": 1000}'),
  ('part_lifetimes(jsonb)', '1 row', '1 row', '42501', '42501', 'select public.part_lifetimes()', 'POST rpc/part_lifetimes {}'),
  ('spending(date,date)', '1 row', '1 row', '42501', '42501', 'select public.spending()', 'POST rpc/spending {}'),
  ('to_check()', '1 row', '1 row', '42501', '42501', 'select public.to_check()', 'POST rpc/to_check {}'),
  ('changes_of_sync(bigint,integer)', '1 row', '1 row', '42501', '42501',
    'select public.changes_of_sync()', 'POST rpc/changes_of_sync {}'),
  ('doubted_rides()', '1 row', '1 row', '42501', '42501', 'select public.doubted_rides()', 'POST rpc/doubted_rides {}'),
  ('file_sizes()', '1 row', '1 row', '42501', '42501', 'select public.file_sizes()', 'POST rpc/file_sizes {}'),
  ('backup(integer,text,boolean)', '1 row', '1 row', '42501', '42501', 'select public.backup()', 'POST rpc/backup {}'),
  ('trash(bigint,boolean)', '1 row', '1 row', '42501', '42501', 'select public.trash()', 'POST rpc/trash {}'),
  ('start_ride_sync(text,boolean)', '42501', '42501', '42501', '1 row',
    $$select public.start_ride_sync('owner')$$, 'POST rpc/start_ride_sync {"triggered_by": "owner"}'),
  ('store_rides(bigint,json,text[],bigint)', '42501', '42501', '42501', 'RMT02',
    $$select public.store_rides(-1, '[]')$$, 'POST rpc/store_rides {"sync_id": -1, "page": []}'),
  ('finish_ride_sync(bigint,bigint[],boolean,text,integer,text)', '42501', '42501', '42501', 'RMT02',
    $$select public.finish_ride_sync(-1, '{}')$$, 'POST rpc/finish_ride_sync {"sync_id": -1, "listed": []}'),
  ('fail_ride_sync(bigint,text,numeric)', '42501', '42501', '42501', '1 row',
    $$select public.fail_ride_sync(-1, 'internal')$$, 'POST rpc/fail_ride_sync {"sync_id": -1, "code": "internal"}'),
  ('begin_quick_check(bigint)', '42501', '42501', '42501', '1 row',
    'select public.begin_quick_check(7)', 'POST rpc/begin_quick_check {"rwgps_user_id": 7}'),
  ('finish_quick_check(text)', '42501', '42501', '42501', '1 row',
    $$select public.finish_quick_check('x')$$, 'POST rpc/finish_quick_check {"digest": "x"}'),
  ('remove_missing_rides(bigint)', '1 row', '42501', '42501', '42501',
    'select public.remove_missing_rides(-1)', 'POST rpc/remove_missing_rides {"shown_by": -1}'),
  ('claim_rwgps_account(bigint,bigint,jsonb,bigint[],text)', '42501', '42501', '42501', 'RMT02',
    $$select public.claim_rwgps_account(-1, 7, '[]')$$, 'POST rpc/claim_rwgps_account {"sync_id": -1, "rwgps_user_id": 7, "gear": []}'),
  ('switch_rwgps_account()', '42501', '42501', '42501', '1 row',
    'select public.switch_rwgps_account()', 'POST rpc/switch_rwgps_account {}'),
  ('time_zone()', '1 row', '42501', '42501', '42501', 'select public.time_zone()', 'POST rpc/time_zone {}'),
  ('tokens()', '1 row', '42501', '42501', '42501', 'select public.tokens()', 'POST rpc/tokens {}'),
  ('create_token(text,text,text,integer)', '1 row', '42501', '42501', '42501',
    $$select public.create_token('rmt_' || repeat('x', 40), 'Dashboard', 'read')$$,
    'POST rpc/create_token {"token": "rmt_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "name": "Dashboard", "scope": "read"}'),
  ('revoke_token(bigint)', '1 row', '42501', '42501', '42501',
    'select public.revoke_token(-1)', 'POST rpc/revoke_token {"token_id": -1}'),
  ('run_command(text,json,uuid)', '1 row', '42501', '42501', '42501',
    $$select public.run_command('remove_task', '{"task_id": 1000}')$$, 'POST rpc/run_command {"command": "remove_task", "arguments": {"task_id": 1000}}'),
  ('run_command_as(text,text,jsonb,uuid)', '42501', '42501', '42501', '1 row',
    $$select public.run_command_as('', 'token')$$, 'POST rpc/run_command_as {"token_hash": "", "command": "token"}');

-- Attempts.
select plan(((select 4 * count(*) from expected) + (select 4 * count(*) from expected_of_functions) + 63 + 22)::integer);

select is(pg_temp.attempt(actor, statement), wanted, format('%s: %s %s', actor, command, relation))
from expected, lateral (values
  ('owner', owner), ('another user', "another user"), ('anon', anon), ('secret key', "secret key")
) as by_actor (actor, wanted);

select is(pg_temp.attempt(actor, statement), wanted, format('%s: %s', actor, signature))
from expected_of_functions, lateral (values
  ('owner', owner), ('another user', "another user"), ('anon', anon), ('secret key', "secret key")
) as by_actor (actor, wanted);

-- Tokens: what each kind may run. All commands that aren't listed are refused.
create temp table expected_of_tokens (command text, "read" text, "read and write" text, arguments jsonb);
insert into expected_of_tokens values
  ('token', '1 row', '1 row', '{}'),
  ('due', '1 row', '1 row', '{}'),
  ('rides', '1 row', '1 row', '{"days": 365}'),
  ('bikes', '1 row', '1 row', '{}'),
  ('parts', '1 row', '1 row', '{}'),
  ('log', '1 row', '1 row', '{}'),
  ('services', '1 row', '1 row', '{}'),
  ('history', '1 row', '1 row', '{}'),
  ('ride_months', '1 row', '1 row', '{}'),
  ('spending', '1 row', '1 row', '{}'),
  ('checks', '1 row', '1 row', '{}'),
  ('files', '1 row', '1 row', '{"item_id": 1}'),
  ('file', '1 row', '1 row', '{"file_id": 1000}'),
  ('check_file', '1 row', '1 row', '{"item_id": 1}'),
  ('add_file', '42501', '1 row', '{"item_id": 1, "name": "x", "content": "JVBERi0="}'),
  ('remove_file', '42501', '1 row', '{"file_id": 1000}'),
  ('add_item', '42501', '1 row', '{"item": {"bikeId": 2, "name": "Bell"}}'),
  ('edit_row', '42501', '1 row', '{"relation": "maintenance", "row_id": 1000, "shown": {}, "wanted": {}}'),
  ('delete_item', '42501', '1 row', '{"id": 1000}'),
  ('add_task', '42501', '1 row', '{"task": {"gear_id": 2, "name": "Wash", "kind": "service", "every_days": 7}}'),
  ('remove_task', '42501', '1 row', '{"task_id": 1000}'),
  ('mark_done', '42501', '1 row', '{"task_id": 1000}'),
  ('snooze', '42501', '1 row', '{"task_id": 1000, "until": "2024-02-01"}'),
  ('replace_part', '42501', '1 row', '{"part_id": 1000, "successor": {}}'),
  ('move_part', '42501', '1 row', '{"part_id": 1000, "gear_id": 2}'),
  ('add_measurement', '42501', '1 row', '{"part_id": 1000, "measurement": {"value": 0.5, "unit": "chain %"}}'),
  ('undo', '42501', 'RMT30', '{"change": "00000000-0000-0000-0000-000000000001"}');
insert into public.bikes values (2, 'Gravel');
select setval('public.maintenance_id_seq', 1000);
insert into private.access_tokens (owner_id, token_hash, name, scope, expires_at, revoked_at)
select '00000000-0000-0000-0000-00000000000a', sha256(convert_to(kind, 'UTF8')), kind, scope, expires_at, revoked_at from (values
  ('read', 'read', null, null), ('read and write', 'read and write', now() + interval '1 day', null),
  ('calendar', 'calendar', null, null), ('expired', 'read and write', now(), null), ('revoked', 'read and write', null, now())
) as created (kind, scope, expires_at, revoked_at);

create function pg_temp.run(token text, command text, arguments jsonb) returns text language sql as $$
  select pg_temp.attempt('secret key', format(
    'select 1 where public.run_command_as(%L, %L, %L) is not null', encode(sha256(convert_to(token, 'UTF8')), 'hex'), command, arguments
  ))
$$;

select is(pg_temp.run('read', command, arguments), "read", format('a read token: %s', command)) from expected_of_tokens;
select is(pg_temp.run('read and write', command, arguments), "read and write", format('a write token: %s', command)) from expected_of_tokens;
select is_empty(
  $$select token, command from unnest('{calendar,expired,revoked,unknown}'::text[]) as token, expected_of_tokens
    where pg_temp.run(token, command, arguments) <> '0 rows'$$,
  'expired, revoked and unknown tokens run nothing, and neither does the calendar''s'
);
select is_empty(
  $$select token, command from unnest('{read,"read and write"}'::text[]) as token, (
      select proname::text as command from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      union select relname from pg_class where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      union select command from expected union select ''
      except select command from expected_of_tokens
    ) as others
    where pg_temp.run(token, command, '{}') not in ('42501', 'PT422')$$,
  'tokens can run no other function or table'
);
select results_eq(
  $$select actor, pg_temp.attempt(actor, statement) from (values
    (1, 'another user', 'select 1 from private.access_tokens'),
    (2, 'secret key', 'select 1 from private.access_tokens'),
    (3, 'owner', 'update private.access_tokens set scope = name'),
    (4, 'owner', 'update private.access_tokens set expires_at = null'),
    (5, 'owner', 'update private.access_tokens set revoked_at = null'),
    (6, 'owner', 'delete from private.access_tokens'),
    (7, 'owner', 'insert into private.access_tokens (owner_id, token_hash, name, scope) values (gen_random_uuid(), ''x'', ''x'', ''read'')'),
    (8, 'another user', 'delete from private.access_tokens'),
    (9, 'another user', 'update private.access_tokens set revoked_at = now()')
  ) as tried (place, actor, statement) order by place$$,
  $$values ('another user', '0 rows'), ('secret key', '42501'), ('owner', '42501'), ('owner', '42501'), ('owner', '42501'), ('owner', '0 rows'),
    ('owner', '42501'), ('another user', '0 rows'), ('another user', '0 rows')$$,
  'the owner only creates and revokes tokens, and nobody else sees one'
);
select is(
  pg_temp.attempt('owner', 'select p256dh from private.push_subscriptions'), '42501', 'the owner cannot read the keys of browsers'
);
select is(
  pg_temp.attempt('owner', $$select private.open_token('\x00', '{read}')$$), '42501', 'the owner cannot open a token'
);
select set_eq(
  $$select token from unnest('{calendar,read,"read and write",expired,revoked,unknown}'::text[]) as token
    where pg_temp.attempt('secret key', format('select 1 where public.calendar_feed(%L, 1) is not null', token)) = '1 row'$$,
  '{calendar}'::text[], 'only the calendar''s token opens the feed'
);

select bag_eq(
  $$select relname::text, command from pg_class, unnest(array['select', 'insert', 'update', 'delete']) as command
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')$$,
  'select relation, command from expected',
  'the table above has four rows for every relation of the data API'
);
select bag_eq(
  $$select replace(oid::regprocedure::text, ' ', '') from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'$$,
  'select signature from expected_of_functions',
  'the table above has a row for every function of the data API'
);
select is_empty(
  $$select relname from pg_class where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    and relkind in ('r', 'p') and not relrowsecurity$$,
  'every table has row-level security'
);
select is_empty(
  $$select relname, privilege_type from pg_class, aclexplode(relacl)
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and (grantee = 0 or grantee = 'anon'::regrole or privilege_type in ('TRUNCATE', 'TRIGGER', 'REFERENCES')
        and grantee in ('authenticated'::regrole, 'service_role'::regrole))$$,
  'anon and public have no privileges on any relation, and no API role may truncate one'
);
select is_empty(
  $$select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
    and (has_function_privilege('anon', oid, 'execute') or has_function_privilege('authenticated', oid, 'execute'))$$,
  'only the secret key can run security definer functions of the data API'
);
select is_empty(
  $$select proname from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
    and not coalesce('search_path=""' = any (proconfig), false)$$,
  'every function has an empty search path'
);

select set_eq(
  $$select pg_class.oid::regclass::text from pg_class
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind in ('r', 'p')
      and has_any_column_privilege('authenticated', oid, 'insert, update')$$,
  -- Only attach_log writes attached logs.
  $$select relation::regclass::text from private.tracked_tables where name <> 'attached_logs'
    union all select 'private.requests' -- answers to requests, which are recorded themselves
    union all select 'private.access_tokens' -- a token can't be given back
    union all select 'settings' -- a setting is changed back where it was chosen$$,
  'every table that the owner may write is recorded in the journal, or listed with a reason'
);

select is(pg_temp.attempt('owner', 'update public.maintenance set id = 9 where id = 1'), '42501', 'the id of an item cannot change');
select is(pg_temp.attempt('owner', 'update public.maintenance set "bikeId" = 1 where id = 1'), '42501', 'an item cannot move to another bike');
select is(pg_temp.attempt('owner', 'update public.maintenance set part_id = 1000 where id = 1'), '42501', 'the part of an item cannot change');
select is(pg_temp.attempt('owner', 'update public.parts set id = 7 where id = 1000'), '42501', 'the id of a part cannot change');
select is(pg_temp.attempt('owner', 'select user_id from private.owner'), '42501', 'the owner cannot read private.owner');
select is(pg_temp.attempt('secret key', 'select user_id from private.owner'), '42501', 'the secret key cannot read private.owner');
select is(pg_temp.attempt('another user', 'select 1 where public.is_owner()'), '0 rows', 'is_owner() does not find another user');
select is(pg_temp.attempt('owner', 'select 1 where public.is_owner()'), '1 row', 'is_owner() finds the owner');
select is(
  pg_temp.attempt('another user', 'select 1 where public.maintenance_use(1) is null and public.bike_timeline(1) is null'), '1 row',
  'another user gets no usage and no timeline, as for an unknown bike'
);
select is(
  pg_temp.attempt('another user', $$select 1 where public.part_history(1000) is null and public.stored_parts() ->> 'parts' = '[]' and public.log_items() ->> 'items' = '[]'$$),
  '1 row', 'another user gets no parts'
);
select is(pg_temp.attempt('another user', 'select 1 where public.garage() is null'), '1 row', 'another user gets no garage');
select is(
  pg_temp.attempt('another user', 'select 1 where public.part_lifetimes() is null and public.spending() is null and public.to_check() is null'),
  '1 row', 'another user gets no lifetimes, no spending and nothing to check'
);

select is(pg_temp.attempt('another user', $$select 1 where public.trash() -> 'groups' = '[]'$$), '1 row', 'another user gets no trash');
select is(
  pg_temp.attempt('owner', 'select private.record_changes()'), '42501', 'the owner cannot run the trigger that records changes'
);
select is(
  pg_temp.attempt('owner', 'update public.maintenance set replaces = 1 where id = 1'), '42501', 'the owner cannot write what an item replaced'
);
select is(
  pg_temp.attempt('another user', $$select 1 from private.changed_rows(array(select change from public.changes))$$),
  '0 rows', 'another user gets no changes'
);
select is(
  pg_temp.attempt('another user', $$select private.write_targets('{}')$$), '42501', 'another user cannot write rows of the journal'
);
select is(
  pg_temp.attempt('another user', 'select 1 where public.changes_of_sync() is null'), '1 row', 'another user gets no ride changes'
);

select * from finish();
rollback;
