-- Imports are atomic and fail if the log has changed since the preview.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(23);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);

insert into public.bikes values (1, 'Road'), (2, 'Gravel');
insert into public.parts values (8001), (8002);
insert into public.maintenance (id, "bikeId", part_id, type, name, description, cost, "dateStarted", "dateEnded") values
  (1, 1, 8001, 'Drivetrain', 'Chain', null, 45.10, '2024-01-01 14:30:00.123456', null),
  (2, 1, 8002, null, 'Tire', null, 60, '2024-02-01 01:00:00', '2024-03-01 01:00:00');

create function pg_temp.item(id bigint) returns jsonb language sql as $$
  select to_jsonb(stored) from public.maintenance as stored where stored.id = item.id
$$;
create function pg_temp.log() returns jsonb language sql as $$
  select jsonb_agg(pg_temp.item(item.id) order by item.id) from public.maintenance as item
$$;
-- The rows above have explicit ids, so the sequence hasn't advanced.
select setval('public.maintenance_id_seq', 2);
create temp table shown as select pg_temp.log() as log, pg_temp.item(1) as chain, pg_temp.item(2) as tire;
create temp table cassette as select
  '{"bikeId": 2, "type": "Drivetrain", "name": "Cassette", "description": null, "cost": 80.55, "dateStarted": "2024-05-01T01:00:00", "dateEnded": null}'::jsonb as line;

create function pg_temp.import(added boolean, changed boolean, records integer, newest integer, with_line jsonb default '{}')
returns integer language sql as $$
  select (private.command_import_items(jsonb_build_object(
    'added', case when added then jsonb_build_array(line || with_line) else '[]' end,
    'changed', case when changed
      then jsonb_build_array(jsonb_build_object('before', chain, 'after', chain || '{"cost": 49.99}')) else '[]' end,
    'records', records, 'newest', newest
  )) ->> 'written')::integer from shown, cassette
$$;

select is(pg_temp.import(false, false, 2, 2), 0, 'an empty import writes no items');
select is(pg_temp.log(), (select log from shown), 'an empty import leaves the log unchanged');

select throws_ok($$select pg_temp.import(false, true, 3, 2)$$, 'RMT04', null, 'an item deleted since the preview stops the import');
select throws_ok($$select pg_temp.import(false, true, 2, 1)$$, 'RMT04', null, 'an item added since the preview stops the import');
update public.maintenance set description = 'waxed' where id = 1;
select throws_ok($$select pg_temp.import(true, true, 2, 2)$$, 'RMT04', null, 'an item changed since the preview stops the import');
update public.maintenance set description = null where id = 1;
select is(pg_temp.log(), (select log from shown), 'a stopped import writes nothing');

select throws_ok(
  $$select pg_temp.import(true, true, 2, 2, '{"name": " "}')$$, '23514', null,
  'one invalid item stops the import'
);
select throws_ok($$select pg_temp.import(true, true, 2, 2, '{"bikeId": 9}')$$, '23503', null, 'an item of an unknown bike stops the import');
select is(pg_temp.log(), (select log from shown), 'an import with an invalid item writes nothing');

-- The rejected imports used up ids.
select setval('public.maintenance_id_seq', 2);
select is(pg_temp.import(true, true, 2, 2, '{"id": 1}'), 2, 'the confirmed items are written');
select is(
  pg_temp.item(1), (select chain || '{"cost": 49.99}' from shown), 'a change writes only the changed column'
);
select is(pg_temp.item(2), (select tire from shown), 'items that are not in the import stay unchanged');
select is(pg_temp.item(3) - '{part_id,ended_as,replaces}'::text[], (select line || '{"id": 3, "link": null, "position": null}' from cassette), 'an added item gets a new id');
select throws_ok($$select pg_temp.import(true, false, 2, 2)$$, 'RMT04', null, 'the same import again adds nothing');

select private.command_import_items(jsonb_build_object(
  'added', (
    select jsonb_agg(line || jsonb_build_object('name', name, 'part_id', part, 'part_of', part_of, 'dateStarted', since, 'dateEnded', until, 'ended_as', reason))
    from cassette, (values
      ('Wheels', 9000, null, '2024-01-01', '2024-02-01', 'moved'), ('Wheels', 9000, null, '2024-02-01', null, null),
      ('Chain, again', 8001, 1, '2023-01-01', '2024-01-01', 'stored'), ('Saddle of another tracker', 8001, null, '2023-01-01', null, null)
    ) as added (name, part, part_of, since, until, reason)
  ), 'changed', jsonb_build_array(jsonb_build_object('before', pg_temp.item(2), 'after', pg_temp.item(2) || '{"ended_as": "damaged"}')),
  'records', 3, 'newest', (select max(id) from public.maintenance)
));
select is(
  (select array[count(distinct part_id), count(*)] from public.maintenance where name = 'Wheels' and part_id <> 9000), array[1, 2]::bigint[],
  'added items with the same unknown part share a new part'
);
select is(
  (select part_id from public.maintenance where name = 'Chain, again'), 8001::bigint,
  'an added item of a known part becomes one of its periods'
);
select is(
  (select count(*)::integer from public.maintenance join public.maintenance as other using (part_id)
    where maintenance.name = 'Saddle of another tracker'), 1,
  'a part number without a known item becomes a new part'
);
select is((select ended_as from public.maintenance where id = 2), 'damaged', 'an import changes a reason');
select throws_ok(
  $$select private.command_import_items(jsonb_build_object(
    'added', (select jsonb_build_array(line || '{"part_of": 1}') from cassette), 'changed', '[]'::jsonb,
    'records', (select count(*) from public.maintenance), 'newest', (select max(id) from public.maintenance)
  ))$$, 'RMT10', null, 'an added item that overlaps another period of its part stops the import'
);

-- Only a part's first item has the part's usage from before the log.
create function pg_temp.import_earlier(before jsonb, after jsonb) returns integer language sql as $$
  select (private.command_import_items(jsonb_build_object(
    'added', (
      select jsonb_agg(line || added) from cassette, (values
        ('{"name": "Hub", "part_id": 9001, "dateEnded": "2024-06-01", "earlier_distance": 1609.5, "earlier_moving_time": 60}'::jsonb),
        ('{"name": "Hub", "part_id": 9001, "dateStarted": "2024-06-01"}'), ('{"name": "Rim", "earlier_distance": 7}')
      ) as lines (added)
    ), 'changed', jsonb_build_array(jsonb_build_object('before', pg_temp.item(1) || before, 'after', pg_temp.item(1) || after)),
    'records', (select count(*) from public.maintenance), 'newest', (select max(id) from public.maintenance)
  )) ->> 'written')::integer
$$;
select throws_ok(
  $$select pg_temp.import_earlier('{"earlier_distance": 5, "earlier_moving_time": null}', '{"earlier_distance": 9}')$$, 'RMT04', null,
  'a part changed since the preview stops the import'
);
select is(
  pg_temp.import_earlier('{"earlier_distance": null, "earlier_moving_time": null}', '{"earlier_distance": 9, "earlier_moving_time": 3}'),
  4, 'an import accepts usage from before the log'
);
select set_eq(
  $$select name, earlier_distance, earlier_moving_time from public.parts join public.maintenance on part_id = parts.id where earlier_distance > 0$$,
  $$values ('Chain', 9, 3), ('Chain, again', 9, 3), ('Hub', 1609.5, 60), ('Rim', 7, null)$$,
  'an import writes usage from before the log of known and new parts'
);
select is(
  (select after ->> 'earlier_distance' from public.changes where relation = 'parts' and before is not null), '9',
  'an import records the change of a known part'
);

select * from finish();
rollback;
