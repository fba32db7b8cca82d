-- Parts that a new, moved or installed part replaces.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(21);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
insert into public.bikes values (1, 'Road'), (2, 'Gravel');

create function pg_temp.replaced(type text, name text, old jsonb) returns text
language plpgsql as $$
begin
  delete from public.maintenance where "bikeId" = 1;
  perform private.add_items((
    select jsonb_agg(item || jsonb_build_object('bikeId', 1, 'dateStarted', '2024-01-01 01:00', 'part_id', private.add_part()) order by place)
    from jsonb_array_elements(old) with ordinality as listed (item, place)
  ));
  return (
    select coalesce(string_agg(part ->> 'name' || case when (part ->> 'is_likely')::boolean then '!' else '?' end, ' ' order by place), '')
    from json_array_elements(public.replaced_parts(1, '2024-02-01', name => name, type => type) -> 'items') with ordinality as listed (part, place)
  );
end
$$;

select is(pg_temp.replaced(type, name, old::jsonb), expected, format('%s over %s', name, old))
from (values
  ('Tires', 'Panaracer, pair', '[{"type": "Tires", "name": "René Herse, pair"}]', 'René Herse, pair!'),
  ('Tires', 'Panaracer, pair', '[{"type": "Tires", "name": "GP, front"}, {"type": "Tires", "name": "GP, rear"}]', 'GP, front! GP, rear!'),
  ('Tires', 'Panaracer, front', '[{"type": "Tires", "name": "GP, front"}, {"type": "Tires", "name": "GP, rear"}]', 'GP, front!'),
  ('Tires', 'Panaracer, front', '[{"type": "Tires", "name": "GP, pair"}]', 'GP, pair?'),
  ('Tires', 'Panaracer', '[{"type": "Tires", "name": "GP"}]', 'GP!'),
  ('Tires', 'Panaracer', '[{"type": "Tires", "name": "GP"}, {"type": "Tires", "name": "G"}]', 'GP? G?'),
  ('Tires', 'Panaracer', '[{"type": "Tires", "name": "GP, rear"}]', 'GP, rear?'),
  ('Tires', 'Tube', '[{"type": "Tires", "name": "GP, rear"}]', ''),
  ('Wheels', 'Hunt 44', '[{"type": "Wheels", "name": "Bontrager Affinity"}, {"type": "Tires", "name": "GP, rear"}]', 'Bontrager Affinity!'),
  ('Drivetrain', 'KMC chain', '[{"type": "Drivetrain", "name": "Shimano chain"}, {"type": "Drivetrain", "name": "Cassette"}]', 'Shimano chain!'),
  (null, 'KMC chain', '[{"name": "Chain", "dateEnded": "2024-02-01 01:00"}]', ''),
  (null, 'Chain lube', '[{"name": "Chain"}]', ''),
  ('Brakes', 'Pads, rear', '[{"type": "Brakes", "name": "Pads, both"}]', 'Pads, both?'),
  ('Saddle', 'Fizik', '[{"type": "Saddle", "name": "Brooks"}]', 'Brooks!')
) as cases (type, name, old, expected);

select is((select count(*)::integer from public.maintenance where name = 'Fizik'), 0, 'asking writes nothing');

-- A moved part.
insert into public.maintenance (id, "bikeId", type, name, "dateStarted") values
  (1001, 2, 'Wheels', 'Hunt wheels', '2024-01-01 01:00'), (1002, 1, 'Wheels', 'Zipp wheels', '2024-01-01 01:00'), (1003, 1, null, 'Chain', '2024-01-01 01:00');
insert into public.service_tasks (part_id, name, every_days) select part_id, 'True', 90 from public.maintenance where id = 1002;
select is(
  public.replaced_parts(1, '2024-02-01', array[1001])::text,
  '{"items" : [{"id":1002,"type":"Wheels","name":"Zipp wheels","is_likely":true}]}', 'a part on another bike replaces what is in its place'
);
select is(public.replaced_parts(1, '2023-12-31', array[1001]) #>> '{items}', '[]', 'a part that comes later is not replaced');
select is(public.replaced_parts(2, '2024-02-01', array[1001]) #>> '{items}', '[]', 'a part never replaces itself');

-- Adding ends what is replaced, and passes its tasks on.
select is(
  (private.add_item('{"bikeId": 1, "type": "Wheels", "name": "Enve wheels", "cost": 900, "dateStarted": "2024-03-01T01:00:00"}', '[{"id": 1002, "ended_as": "sold"}, {"id": 1003, "ended_as": null}]')
    -> 'item') - 'id' - 'part_id',
  '{"bikeId": 1, "type": "Wheels", "name": "Enve wheels", "description": null, "cost": 900, "dateStarted": "2024-03-01T01:00:00", "dateEnded": null, "ended_as": null, "replaces": 1002, "link": null, "position": null}'::jsonb,
  'an added item replaces others'
);
select is(
  (select string_agg(concat_ws(' ', id, "dateEnded"::date, ended_as), ', ' order by id) from public.maintenance where id in (1002, 1003)),
  '1002 2024-03-01 sold, 1003 2024-03-01', 'the replaced items end on its first day'
);
select is(
  (select item.name from public.service_tasks join public.maintenance as item using (part_id) where service_tasks.name = 'True'),
  'Enve wheels', 'the tasks of the first replaced part go to the new one'
);

select * from finish();
rollback;
