-- Events in the future and in other time zones, parts that were stored at once, and limits of snoozes.
-- tests/database/service-due.test.ts tests baselines and snoozes.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(24);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
update private.owner set time_zone = 'UTC';
insert into public.bikes values (1, 'Road');
insert into public.parts values (1001), (1002), (1003);
insert into public.maintenance (id, "bikeId", part_id, type, name, "dateStarted") values
  (101, 1, 1001, 'Drivetrain', 'Chain', '2024-01-01 01:00'), (102, 1, 1002, 'Saddle', 'Saddle', '2024-01-01 01:00');
insert into public.rides (id, gear_id, departed_at, distance) values (1, 1, '2024-02-01 08:00Z', 1000);
insert into public.service_tasks (id, part_id, gear_id, name, every_days) values
  (1, 1001, null, 'Wax', 90), (2, null, 1, 'Wash', 30), (3, 1002, null, 'Check rails', 365);

create function pg_temp.due(task bigint) returns json language sql
as $$ select due from json_array_elements(public.service_due() -> 'tasks') as due where (due ->> 'id')::bigint = task $$;

select private.mark_done(1, null, '2024-03-01');
select public.run_command('snooze', '{"task_id": 1, "days": 3}');
select is(pg_temp.due(1) ->> 'state', 'snoozed', 'a task that was done can be snoozed');
select private.correct_event(max(id), '{}', '{"done_on": "2024-03-10"}') from public.service_events;
select is(pg_temp.due(1) ->> 'baseline', '2024-03-10T01:00:00', 'correcting the day of an event moves the baseline');
select is(pg_temp.due(1) ->> 'state', 'snoozed', 'correcting the day of an event does not end a snooze');
select private.mark_done(1, max(id)) from public.service_events;
select isnt(pg_temp.due(1) ->> 'state', 'snoozed', 'doing the task ends its snooze');

-- A task that was never done is snoozed until its part is replaced.
update public.service_tasks set snoozed_until = private.today() + 3, snoozed_from = '2024-01-01 01:00' where id = 3;
select private.command_change_parts(
  '{"day": "2024-05-04", "take_off": [{"id": 102, "ended_as": "worn"}], "put_on": [{"replaces": 102, "name": "New saddle", "cost": 0}]}'
);
select is(
  (pg_temp.due(3) ->> 'item_name') || ' ' || (pg_temp.due(3) ->> 'state'), 'New saddle overdue',
  'replacing a part ends the snooze of a task that was never done'
);

-- A part that is stored on the day it was installed keeps its tasks. The day before, because a part is in the log until 01:00 of its day.
insert into public.maintenance (id, "bikeId", part_id, type, name, "dateStarted")
values (104, 1, 1003, 'Tires', 'Winter tire', private.today() - 1 + time '01:00');
insert into public.service_tasks (id, part_id, name, every_distance) values (4, 1003, 'Sealant', 1000);
select private.command_change_parts(jsonb_build_object('day', private.today() - 1, 'take_off', '[{"id": 104, "ended_as": "stored"}]'::jsonb, 'put_on', '[]'::jsonb));
select is(pg_temp.due(4) ->> 'state', 'paused', 'the task of a stored part is paused');
select is((pg_temp.due(4) ->> 'gear_id') || '/' || (pg_temp.due(4) ->> 'item_id'), '1/104', 'a paused task is on the last bike of its part');
select is(pg_temp.due(4) ->> 'baseline', to_char(private.today() - 1, 'YYYY-MM-DD"T"01:00:00'), 'a paused task counts from the only day of its part');
select lives_ok('select private.mark_done(4, cost => 5)', 'a paused task can be done');
select is((select "bikeId" from public.maintenance where name = 'Sealant'), 1::bigint, 'the cost of a paused task is in the log of that bike');
select throws_ok(
  $$select private.add_task('{"part_id": 1003, "name": "Check", "every_days": 3}')$$, 'RMT21', null,
  'an item that ends when it starts counts as work, which cannot have new tasks'
);

-- If Done is pressed in two time zones, the later press counts.
update private.owner set time_zone = 'Pacific/Kiritimati';
insert into public.service_tasks (id, gear_id, name, every_days) values (5, 1, 'Wipe', 10);
insert into public.service_events (task_id, done_at, pressed_at)
values (5, timezone('Pacific/Kiritimati', now() - interval '2 hours'), now() - interval '2 hours');
update private.owner set time_zone = 'Pacific/Pago_Pago';
select isnt((private.mark_done(5, max(id)) -> 'id')::bigint, max(id), 'a task can be done again farther west') from public.service_events where task_id = 5;
select is(
  pg_temp.due(5) ->> 'baseline', replace(private.wall_clock()::text, ' ', 'T'), 'the later press counts, despite its earlier wall clock'
);
select is(
  (select pressed_at from public.service_events where task_id = 5 order by id desc limit 1), now(), 'the instant is stored'
);
select private.name_change(null);
select public.run_command('undo', json_build_object('change', public.run_command('remove_event', json_build_object('event_id', max(id))) -> 'change')) from public.service_events where task_id = 5;
select is(pg_temp.due(5) ->> 'baseline', replace(private.wall_clock()::text, ' ', 'T'), 'undoing its removal restores the instant');

insert into public.service_tasks (id, gear_id, name, every_days) values (6, 1, 'Overhaul', 10);
insert into public.service_events (task_id, done_at) values (6, private.today() + 5 + time '01:00');
select is(pg_temp.due(6) ->> 'baseline', '2024-02-01T08:00:00', 'a service on a future day moves no baseline yet');
update public.service_events set done_at = private.today() + time '01:00' where task_id = 6;
select is((pg_temp.due(6) ->> 'last_done')::date, private.today(), 'a service today moves the baseline');

-- The clock of the computer was a year ahead when Done was pressed.
update public.service_events set done_at = done_at + interval '1 year', pressed_at = now() + interval '1 year' where task_id = 6;
select is(pg_temp.due(6) ->> 'baseline', '2024-02-01T08:00:00', 'a service more than a day ahead of now moves no baseline');
select lives_ok('select private.mark_done(6)', 'a task can be done again after the clock was corrected');
select is((pg_temp.due(6) ->> 'last_done')::date, private.today(), 'the service after the clock was corrected moves the baseline');
select throws_ok(
  $$update public.service_tasks set snoozed_until = 'infinity' where id = 6$$, '23514', null, 'a snooze cannot last forever'
);
select lives_ok($$update public.service_tasks set snoozed_until = '2100-12-31' where id = 6$$, 'a snooze can last until the year 2100');

select throws_ok(
  $$select private.add_task('{"gear_id": 1, "name": "Tiny", "every_distance": 1e-400}')$$, '23514', null,
  'a distance too small for a fraction is rejected'
);
select throws_ok(
  $$update public.service_tasks set every_distance = 0.5 where id = 4$$, '23514', null, 'a distance below a meter is rejected'
);

select * from finish();
rollback;
