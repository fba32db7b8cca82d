-- Service tasks that the database accepts or rejects, and doing, correcting, removing and transferring tasks.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(55);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
update private.owner set time_zone = 'Pacific/Auckland';
insert into public.bikes values (1, 'Road'), (2, 'Gravel');
insert into public.maintenance (id, "bikeId", name, type, "dateStarted", "dateEnded", part_id) values
  (101, 1, 'Chain', 'Drivetrain', '2024-01-01 01:00', '2024-03-01 01:00', private.add_part()),
  (103, 1, 'Tune-up', null, '2024-02-01 01:00', '2024-02-01 01:00', private.add_part());
insert into public.maintenance (id, "bikeId", name, type, "dateStarted", part_id)
select 102, 2, 'Chain', 'Drivetrain', '2024-04-01 01:00', part_id from public.maintenance where id = 101;
insert into public.rides (id, gear_id, departed_at, distance, moving_time) values
  (1, 1, '2024-01-02 08:00Z', 1000, 100), (2, 1, '2024-02-02 08:00Z', 2000, 200),
  (3, 1, '2024-05-02 08:00Z', 4000, 400), (4, 2, '2024-05-03 08:00Z', 8000, 800);

create function pg_temp.chain() returns bigint language sql as $$ select part_id from public.maintenance where name = 'Chain' limit 1 $$;
create function pg_temp.add(task jsonb, last_done date default null, count_from text default 'installed') returns bigint language sql
as $$ select (private.add_task('{"part_id": null, "name": "Wax", "kind": "service"}' || jsonb_build_object('part_id', pg_temp.chain()) || task, last_done, count_from) #>> '{tasks,0,id}')::bigint $$;
create function pg_temp.due(task bigint) returns json language sql
as $$ select due from json_array_elements(public.service_due() -> 'tasks') as due where (due ->> 'id')::bigint = task $$;

create function pg_temp.refuses(task text, code text, what text) returns text language sql
as $$ select throws_ok(format('select pg_temp.add(%L)', task), code, null, what) $$;
select pg_temp.refuses('{}', '23514', 'a task needs a limit');
select pg_temp.refuses('{"every_distance": 0}', '23514', 'a limit of 0 is rejected');
select pg_temp.refuses('{"every_moving_time": -3600}', '23514', 'a negative limit is rejected');
select pg_temp.refuses('{"every_distance": 1609000000000}', '23514', 'an absurd distance is rejected');
select pg_temp.refuses('{"every_distance": "NaN"}', '23514', 'NaN is rejected');
select pg_temp.refuses('{"every_days": 1000000000}', '23514', 'an absurd number of days is rejected');
select pg_temp.refuses('{"every_days": 30, "name": "  "}', '23514', 'a blank name is rejected');
select pg_temp.refuses('{"every_days": 30, "kind": "wash"}', '23514', 'an unknown kind is rejected');
select pg_temp.refuses('{"every_days": 30, "gear_id": 1}', '23514', 'a task belongs to a part or a bike, not both');
select pg_temp.refuses('{"every_days": 30, "part_id": null}', '23514', 'a task needs a part or a bike');
select throws_ok($$select pg_temp.add('{"every_days": 30}', '2023-12-31')$$, 'RMT20', null, 'a task cannot have been done before its part was installed');
select throws_ok($$select pg_temp.add('{"every_days": 30}', private.today() + 1)$$, 'RMT20', null, 'a task cannot have been done in the future');
select throws_ok(
  $$select private.add_task(jsonb_build_object('part_id', part_id, 'name', 'Wax', 'every_days', 3)) from public.maintenance where id = 103$$,
  'RMT21', null, 'work cannot have tasks'
);
select is_empty('select from public.service_tasks', 'rejected tasks leave nothing behind');

-- Adding tasks, and their baseline.
select pg_temp.add('{"every_distance": 10000, "outdoor_only": true}', '2024-02-01');
create temp table wax as select id from public.service_tasks;
select results_eq('select done_at from public.service_events', $$values ('2024-02-01 01:00'::timestamp)$$, 'the day it was last done becomes its first event');
select is(pg_temp.due(id) #>> '{used,distance}', '10000', 'usage counts from the baseline on both bikes, without the time in storage') from wax;
create temp table limits as
select pg_temp.add(format('{"every_distance": %s, "name": "Limit"}', meters)::jsonb) as id, wanted
from (values (10000, 'overdue'), (10001, 'due')) as limits (meters, wanted);
select is(pg_temp.due(id) ->> 'state', wanted, 'after 11000 m, a task is ' || wanted) from limits;
delete from public.service_tasks where name = 'Limit';
select is(pg_temp.due(pg_temp.add('{"every_days": 30, "name": "Limit"}', private.today() - days)) ->> 'state', wanted, format('%s days after it was done, a task is %s', days, wanted))
from (values (26, 'ok'), (27, 'soon'), (30, 'due'), (31, 'overdue')) as limits (days, wanted);
delete from public.service_tasks where name = 'Limit';

create temp table new as
select pg_temp.add('{"every_distance": 10000, "name": "New"}', null, count_from) as id, count_from, used
from (values (null, 0), ('installed', 11000), ('2024-05-03', 8000)) as starts (count_from, used);
select is((pg_temp.due(id) #>> '{used,distance}')::integer, used, format('a task counts from %s', coalesce(count_from, 'today'))) from new;
select is(
  private.command_preview_task(jsonb_build_object(
    'task', jsonb_build_object('part_id', pg_temp.chain(), 'name', 'New', 'every_distance', 10000), 'count_from', '2024-05-03'
  )) #>> '{task,used,distance}',
  '8000', 'a preview says what follows'
);
select is((select count(*)::integer from public.service_tasks where name = 'New'), 3, 'a preview adds nothing');
select throws_ok($$select pg_temp.add('{"every_days": 30}', null, (private.today() + 1)::text)$$, 'RMT20', null, 'a task cannot count from the future');
delete from public.service_tasks where name = 'New';

create temp table seen as select (pg_temp.due(id) ->> 'newest_event')::bigint as event from wax;
create temp table done as select (private.mark_done(wax.id, seen.event) -> 'id')::bigint as id from wax, seen;
select is((private.mark_done(wax.id, seen.event) -> 'id')::bigint, done.id, 'pressing Done again returns the same event') from wax, seen, done;
select is(done_at, private.wall_clock(), 'Done today stores the owner''s current wall clock') from public.service_events join done using (id);
select isnt((private.mark_done(wax.id, done.id) -> 'id')::bigint, done.id, 'a task can be done twice on a day') from wax, done;
select is((select count(*)::integer from public.service_events), 3, 'each event is stored once');
delete from public.service_events where id > (select id from done);

create temp table later as select (private.mark_done(id, 999, '2024-05-02', 12.5, ' Molten ') -> 'id')::bigint as id from wax;
select run_command('remove_event', json_build_object('event_id', id)) from done;

-- Paid work.
create temp view costs as select "bikeId", type, name, description, cost, "dateStarted", "dateEnded" from public.maintenance where id not in (101, 102, 103);
select results_eq(
  'select * from costs',
  $$values (2::bigint, 'Drivetrain', 'Wax', 'Molten', 12.5::numeric(12, 2), '2024-05-02 01:00'::timestamp, '2024-05-02 01:00'::timestamp)$$,
  'paid work becomes an item of the part''s bike that ends when it starts'
);
select private.correct_event(id, '{}', '{"done_on": "2024-05-03", "cost": 15, "note": "Drip"}') from later;
select results_eq(
  'select done_at, note, cost, "dateStarted", "dateEnded" from public.service_events as event join public.maintenance as item on item.id = maintenance_id',
  $$values ('2024-05-03 01:00'::timestamp, 'Drip', 15::numeric(12, 2), '2024-05-03 01:00'::timestamp, '2024-05-03 01:00'::timestamp)$$,
  'correcting an event changes its item'
);
select is((select description from costs), 'Drip', 'correcting a note changes the description of the item');
update public.maintenance set description = 'Drip, by hand' where name = 'Wax';
select private.correct_event(id, '{}', '{"done_on": "2024-05-03", "cost": 15, "note": "Hot"}') from later;
select is((select description from costs), 'Drip, by hand', 'correcting a note keeps a description that was edited in the log');
update public.maintenance set description = 'Hot' where name = 'Wax';
select private.correct_event(id, '{}', '{"done_on": "2024-05-03", "cost": 15, "note": " "}') from later;
select is((select description from costs), null, 'clearing a note clears the description of the item');
select private.correct_event(id, '{}', '{"done_on": "2024-05-03", "cost": 15, "note": "Drip"}') from later;
select throws_ok($$select private.correct_event(id, '{}', '{"done_on": "2023-05-03"}') from later$$, 'RMT20', null, 'an event cannot move before the first install');

create temp table deleted as select id, private.name_change(null) as change from public.maintenance where name = 'Wax';
delete from public.maintenance where name = 'Wax';
select is((select maintenance_id from public.service_events join later using (id)), null, 'deleting the item keeps the event');
select run_command('undo', json_build_object('change', change), gen_random_uuid()) from deleted;
select is((select maintenance_id from public.service_events join later using (id)), (select id from deleted), 'restoring the item links it to the event again');

select private.correct_event(id, '{}', '{"done_on": "2024-05-03", "cost": 0, "note": "Drip"}') from later;
select is_empty('select * from costs', 'clearing the cost deletes the item');
select private.correct_event(id, '{}', '{"done_on": "2024-05-03", "cost": 20, "note": "Drip"}') from later;
select private.name_change(null);
create temp table removed as select (run_command('remove_event', json_build_object('event_id', id)) ->> 'change')::uuid as change from later;
select is_empty('select * from costs', 'removing an event removes its item');
select is((select count(*)::integer from public.service_events), 1, 'removing an event keeps other events');
select run_command('undo', json_build_object('change', change), gen_random_uuid()), run_command('undo', json_build_object('change', change)) from removed;
select results_eq('select cost, maintenance_id is not null from costs, public.service_events join later using (id)', 'values (20::numeric(12, 2), true)', 'undoing the removal restores the event and its item');
select is(json_array_length(public.service_history(pg_temp.chain()) -> 'events'), 2, 'the history of the part has both events');
select is(public.service_history(pg_temp.chain()) #>> '{events,0,distance}', '3000', 'an event has the distance of the part by then');

-- Other tasks done at the same time.
create temp table wipe as select pg_temp.add('{"every_distance": 500, "name": "Wipe"}') as id;
select private.correct_event(later.id, '{}', '{"done_on": "2024-05-03", "cost": 20, "note": "Drip"}', array[wipe.id]) from later, wipe;
select results_eq('select done_at from public.service_events join wipe on wipe.id = task_id', $$values ('2024-05-03 01:00'::timestamp)$$, 'correcting an event marks other tasks done, too');

-- Replacing a part, undoing that, and a part without items.
create temp table change as select private.name_change(null) as change;
select private.command_change_parts(
  '{"day": "2024-05-04", "take_off": [{"id": 102, "ended_as": "worn"}],
    "put_on": [{"replaces": 102, "name": "New chain", "cost": 0}]}'
);
select is((pg_temp.due(id) ->> 'item_name') || ' ' || (pg_temp.due(id) ->> 'baseline'), 'New chain 2024-05-04T01:00:00', 'a successor inherits the task, which counts from the successor''s start') from wax;
select is(pg_temp.due(id) ->> 'outdoor_only', 'true', 'an inherited task stays outdoor-only') from wax;
select run_command('undo', json_build_object('change', change), gen_random_uuid()) from change;
select is((pg_temp.due(id) ->> 'item_id') || ' ' || (pg_temp.due(id) ->> 'baseline'), '102 2024-05-03T01:00:00', 'Undo gives the task back with its old baseline') from wax;
delete from public.maintenance where id in (101, 102);
select is(public.service_due() ->> 'tasks', '[]', 'the tasks of a deleted item are hidden');

select private.name_change(null);
create temp table gone as select (run_command('remove_task', json_build_object('task_id', id)) ->> 'change')::uuid as change from wax;
select is((select count(*)::integer from public.service_events), 1, 'removing a task removes its events');
select run_command('undo', json_build_object('change', change), gen_random_uuid()) from gone;
select is((select count(*)::integer from public.service_events), 3, 'undoing the removal restores the events');
select ok(outdoor_only, 'undoing the removal restores the task unchanged') from public.service_tasks join wax using (id);
select throws_ok('select private.mark_done(999)', 'RMT22', null, 'a removed task cannot be done');

select * from finish();
rollback;
