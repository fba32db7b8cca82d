-- Install periods that the database accepts or rejects, and replacing, moving, storing and installing parts.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(37);

insert into public.bikes values (1, 'Road'), (2, 'Gravel');

prepare install (bigint, bigint, timestamp, timestamp) as
insert into public.maintenance ("bikeId", part_id, name, "dateStarted", "dateEnded") values ($1, $2, 'Wheels', $3, $4);

insert into public.maintenance (id, "bikeId", name) values (1, 1, 'Chain'), (2, 1, 'Chain');
-- The rows of this test have explicit ids below 100.
select setval('public.maintenance_id_seq', 100);
select is((select count(distinct part_id)::integer from public.maintenance), 2, 'a new item gets its own part');

insert into public.parts values (100);
select lives_ok($$execute install(1, 100, '2024-01-01 01:00', '2024-02-01 01:00')$$, 'a part can be installed');
select throws_ok($$execute install(2, 100, '2024-01-15 01:00', null)$$, 'RMT10', 'This part was on Road from 01/01/2024 to 02/01/2024. Choose another day.', 'a part cannot be on two bikes at the same time');
select throws_ok($$execute install(1, 100, '2023-12-01 01:00', null)$$, 'RMT10', null, 'a part cannot be on one bike twice at the same time');
select throws_ok($$execute install(2, 100, '2024-03-01 01:00', '2024-02-15 01:00')$$, '23514', null, 'a period that ends before its start is rejected');
select lives_ok($$execute install(2, 100, '2024-02-01 01:00', null)$$, 'a part may move on the day it was removed');
select lives_ok($$execute install(1, 100, '2024-01-10 01:00', '2024-01-10 01:00')$$, 'work that starts and ends at the same time overlaps nothing');
select throws_ok($$execute install(1, 999, '2024-01-01 01:00', null)$$, '23503', null, 'an unknown part is rejected');

select throws_ok($$update public.maintenance set ended_as = 'worn' where id = 1$$, '23514', null, 'an item in use cannot have a reason for its end');
update public.maintenance set "dateEnded" = '2090-01-01', ended_as = 'worn' where id = 1;
select throws_ok($$update public.maintenance set ended_as = 'lost' where id = 1$$, '23514', null, 'an unknown reason is rejected');
update public.maintenance set "dateEnded" = null where id = 1;
select is((select ended_as from public.maintenance where id = 1), null, 'clearing the end clears the reason');

-- The constraint also refuses simultaneous writes, whose triggers don't see each other's rows.
alter table public.maintenance disable trigger "Refuse overlapping period";
select throws_ok($$execute install(2, 100, '2024-01-15 01:00', null)$$, '23P01', null, 'the constraint refuses a part in two places');
alter table public.maintenance enable trigger "Refuse overlapping period";

-- Bike 3 was deleted on Ride with GPS.
insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
select private.command_set_time_zone('{"name": "UTC"}');
delete from public.maintenance;
insert into public.bikes (gear_id, name, is_listed) values (3, 'Gone', false);
insert into public.maintenance (id, "bikeId", type, name, cost, "dateStarted", description) values
  (10, 1, 'Drivetrain', 'KMC chain', 30, '2024-01-01 01:00', 'Waxed'), (11, 1, 'Wheels', 'Zipp', 900, '2024-01-01 01:00', null),
  (12, 2, 'Wheels', 'Hunt', 600, '2024-01-01 01:00', null), (13, 1, 'Saddle', 'Fizik', 0, '2024-05-05 14:30', null);

create function pg_temp.change(day text, take_off text, put_on text) returns jsonb language sql as $$
  select jsonb_build_object('change', private.name_change(null))
    || private.command_change_parts(jsonb_build_object('day', day, 'take_off', take_off::jsonb, 'put_on', put_on::jsonb))
$$;
create temp table done (name text, answer jsonb);

insert into done select 'replace', pg_temp.change('2024-03-01', '[{"id": 10, "ended_as": "worn"}]',
  '[{"replaces": 10, "type": "Drivetrain", "name": "Campa chain", "description": null, "cost": 45.5}]');
select results_eq(
  $$select "bikeId", name, cost, "dateStarted", "dateEnded", ended_as from public.maintenance where id = 10 or name = 'Campa chain' order by id$$,
  $$values (1::bigint, 'KMC chain', 30::numeric(12, 2), '2024-01-01 01:00'::timestamp, '2024-03-01 01:00'::timestamp, 'worn'),
    (1, 'Campa chain', 45.5, '2024-03-01 01:00', null, null)$$,
  'Replace ends the old item where its successor starts'
);
select is((select count(distinct part_id)::integer from public.maintenance where name like '%chain'), 2, 'the successor is a new part');
select is(
  (select answer #>> '{added,0,replaces}' from done), '10', 'the successor stores which item it replaced'
);
select throws_ok(
  $$select pg_temp.change('2024-03-02', '[{"id": 10, "ended_as": "worn"}]', '[{"replaces": 10, "name": "Second"}]')$$,
  'RMT12', null, 'a second tab cannot replace the same item'
);

select private.name_change(null);
insert into done select 'swap', pg_temp.change('2024-04-01', '[{"id": 11, "ended_as": "moved"}, {"id": 12, "ended_as": "moved"}]',
  '[{"bikeId": 2, "part_of": 11}, {"bikeId": 1, "part_of": 12}]');
select results_eq(
  $$select "bikeId", type, name, cost, "dateStarted", part_id = (select part_id from public.maintenance where id = 11)
    from public.maintenance where type = 'Wheels' and "dateEnded" is null order by "bikeId"$$,
  $$values (1::bigint, 'Wheels', 'Hunt', 0::numeric(12, 2), '2024-04-01 01:00'::timestamp, false), (2, 'Wheels', 'Zipp', 0, '2024-04-01 01:00', true)$$,
  'two wheelsets swap bikes in one change, and their costs stay with the old items'
);
select private.name_change(null);
select is(
  (public.part_history(part_id) ->> 'moved_together')::jsonb, '[]'::jsonb, 'wheelsets that swapped bikes did not move together'
) from public.maintenance where id = 11;

insert into done select 'store', pg_temp.change('2024-06-01', '[{"id": 13, "ended_as": "stored"}]', '[]');
select is((public.stored_parts() #>> '{parts,0,name}'), 'Fizik', 'a part in storage is listed');
select pg_temp.change('2024-07-01', '[]', '[{"bikeId": 2, "part_of": 13}]');
select is(public.stored_parts() ->> 'parts', '[]', 'an installed part is not listed as stored');
select throws_ok(
  $$select pg_temp.change('2024-06-15', '[]', '[{"bikeId": 1, "part_of": 13}]')$$,
  'RMT10', 'This part has been on Gravel since 07/01/2024. Choose another day.', 'the error names the period that is in the way'
);
insert into public.settings (dates) values ('DD.MM.YYYY');
select throws_ok(
  $$select pg_temp.change('2024-06-15', '[]', '[{"bikeId": 1, "part_of": 13}]')$$,
  'RMT10', 'This part has been on Gravel since 01.07.2024. Choose another day.', 'the error has the owner''s dates'
);

select lives_ok($$select public.run_command('undo', json_build_object('change', answer -> 'change'), gen_random_uuid()) from done where name = 'swap'$$, 'a swap can be undone');

prepare move_wheels (text, bigint) as
select pg_temp.change($1, '[{"id": 11, "ended_as": "moved"}]', format('[{"bikeId": %s, "part_of": 11}]', $2));
select throws_ok($$execute move_wheels('2024-05-01', 1)$$, 'RMT15', null, 'a move to the same bike is refused');
select throws_ok($$execute move_wheels('2024-05-01', 3)$$, 'RMT16', null, 'a move to a bike that is gone from Ride with GPS is refused');
select throws_ok($$execute move_wheels('2024-05-01', 99)$$, 'RMT16', null, 'a move to an unknown bike is refused');
select throws_ok($$execute move_wheels('2023-12-31', 2)$$, 'RMT13', null, 'a day before the start is refused');
select throws_ok($$execute move_wheels((private.today() + 1)::text, 2)$$, 'RMT14', null, 'a day in the future is refused');
select throws_ok(
  $$select pg_temp.change('2024-05-01', '[{"id": 11, "ended_as": "worn"}]', '[{"replaces": 11, "name": " "}]')$$,
  '23514', null, 'a successor without a name is refused'
);

create function pg_temp.change_day(before text, after text) returns void language sql as $$
  select private.command_change_part_day(jsonb_build_object('from', before, 'to', after, 'ended', '[10]'::jsonb,
    'started', jsonb_build_array((select id from public.maintenance where name = 'Campa chain'))))
$$;
select lives_ok(
  $$select pg_temp.change_day('2024-03-01 01:00', '2024-02-01 01:00'), pg_temp.change_day('2024-02-01 01:00', '2024-03-05 01:00')$$,
  'a replacement can move to an earlier and to a later day'
);
select results_eq(
  $$select "dateEnded" from public.maintenance where id = 10 union all select "dateStarted" from public.maintenance where name = 'Campa chain'$$,
  array['2024-03-05 01:00'::timestamp, '2024-03-05 01:00'], 'a new day changes the end and the successor''s start'
);
select throws_ok($$select pg_temp.change_day('2024-03-01 01:00', '2024-02-01 01:00')$$, 'RMT11', null, 'a day that was changed elsewhere stays');

select results_eq(
  $$select (lifetime ->> 'days')::integer, (lifetime ->> 'cost')::numeric from public.part_history((select part_id from public.maintenance where id = 13)) as history,
    lateral (select history -> 'lifetime' as lifetime) as of_history$$,
  $$select (private.today() - '2024-07-01'::date) + ('2024-06-01'::date - '2024-05-05'::date), 0::numeric$$, 'a lifetime counts the days on a bike'
);

-- Usage from before the log.
select throws_ok('insert into public.parts (earlier_distance) values (-1)', '23514', null, 'earlier miles are not negative');
select throws_ok($$insert into public.parts (earlier_distance) values ('NaN')$$, '23514', null, 'earlier miles are a number');
select throws_ok('insert into public.parts (earlier_moving_time) values (36000001)', '23514', null, 'earlier hours are at most 10,000');
select pg_temp.change('2024-08-01', format('[{"id": %s, "ended_as": "worn"}]', id),
  format('[{"replaces": %s, "name": "Used chain", "earlier_distance": 1609000, "earlier_moving_time": 3600}]', id))
from public.maintenance where name = 'Campa chain' and "dateEnded" is null;
select results_eq(
  $$select lifetime ->> 'distance', lifetime ->> 'earlier_distance', lifetime ->> 'earlier_moving_time'
    from public.maintenance, lateral (select public.part_history(part_id) -> 'lifetime' as lifetime) as history where name = 'Used chain'$$,
  $$values ('1609000', '1609000', '3600')$$, 'a successor may be a used part'
);

select * from finish();
rollback;
