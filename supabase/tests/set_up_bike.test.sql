-- Setting up a bike adds everything or nothing.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(9);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
insert into public.bikes values (1, 'Road'), (2, 'Gravel');

create function pg_temp.set_up(parts jsonb, gear_id bigint default 1) returns jsonb language sql
as $$ select private.command_set_up_bike(jsonb_build_object('gear_id', gear_id, 'parts', parts)) $$;
create function pg_temp.chain(more jsonb default '{}') returns jsonb language sql as $$
  select '[{"name": "Saddle", "day": "2024-01-02"}]' || jsonb_build_array('{
    "type": "Drivetrain", "name": "Chain", "cost": 45.5, "day": "2024-01-01", "earlier_distance": 1930800, "earlier_moving_time": 288000, "count_from": "installed",
    "tasks": [
      {"name": "Wax", "every_distance": 482700}, {"name": "Check", "kind": "check", "every_days": 90, "outdoor_only": true}
    ]
  }'::jsonb || more)
$$;

create function pg_temp.refuses(more jsonb, code text, what text) returns text language sql
as $$ select throws_ok(format('select pg_temp.set_up(pg_temp.chain(%L))', more), code, null, what) $$;
select pg_temp.refuses('{"name": " "}', '23514', 'a part needs a name');
select pg_temp.refuses('{"day": null}', '23502', 'a part needs a start');
select pg_temp.refuses('{"tasks": [{"every_days": 30}]}', '23514', 'a task needs a name');
select throws_ok('select pg_temp.set_up(pg_temp.chain(), 9)', '23503', null, 'an unknown bike is refused');
select is_empty('select from public.maintenance union all select from public.service_tasks', 'a refused set-up writes nothing');

select pg_temp.set_up(pg_temp.chain());
select results_eq(
  $$select "bikeId", type, name, cost, "dateStarted", earlier_distance, earlier_moving_time
    from public.maintenance join public.parts on parts.id = part_id order by maintenance.id$$,
  $$values (1::bigint, null, 'Saddle', 0::numeric(12, 2), '2024-01-02 01:00'::timestamp, null::numeric, null::integer),
    (1, 'Drivetrain', 'Chain', 45.5, '2024-01-01 01:00', 1930800, 288000)$$, 'a set-up adds the parts to the log in their order'
);
select results_eq(
  $$select task.name, kind, every_distance, every_days, outdoor_only, item.name
    from public.service_tasks as task join public.maintenance as item using (part_id) order by task.id$$,
  $$values ('Wax', 'service', 482700::numeric, null::integer, false, 'Chain'), ('Check', 'check', null, 90, true, 'Chain')$$,
  'a set-up adds the tasks of the parts'
);
select is((select count(distinct change)::integer from public.changes), 1, 'the trash shows one change');
select is(public.service_due() #>> '{tasks,0,used,distance}', '1930800', 'the earlier miles count for the tasks');

select * from finish();
rollback;
