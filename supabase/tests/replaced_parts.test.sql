-- Parts that a new, moved or installed part replaces.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(21);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
insert into public.bikes values (1, 'Road'), (2, 'Gravel');

-- Of a new part: kind, or kind and position.
create function pg_temp.replaced(new_part text[], old jsonb) returns text
language plpgsql as $$
begin
  delete from public.maintenance where "bikeId" = 1;
  perform private.add_items((
    select jsonb_agg(item || jsonb_build_object(
      'bikeId', 1, 'dateStarted', '2024-01-01 01:00', 'part_id', private.add_part(kind => item ->> 'kind')
    ) order by place)
    from jsonb_array_elements(old) with ordinality as listed (item, place)
  ));
  return (
    select coalesce(string_agg(part ->> 'name' || case when (part ->> 'is_likely')::boolean then '!' else '?' end, ' ' order by place), '')
    from json_array_elements(public.replaced_parts(1, '2024-02-01', kind => new_part[1], at_end => new_part[2]) -> 'items')
      with ordinality as listed (part, place)
  );
end
$$;

select is(pg_temp.replaced(new_part::text[], old::jsonb), expected, format('%s over %s', new_part, old))
from (values
  ('{tire,both}', '[{"kind": "tire", "name": "René Herse", "position": "both"}]', 'René Herse!'),
  ('{tire,both}', '[{"kind": "tire", "name": "GP", "position": "front"}, {"kind": "tire", "name": "G", "position": "rear"}]', 'GP! G!'),
  ('{tire,front}', '[{"kind": "tire", "name": "GP", "position": "front"}, {"kind": "tire", "name": "G", "position": "rear"}]', 'GP!'),
  ('{tire,front}', '[{"kind": "tire", "name": "GP", "position": "both"}]', 'GP?'),
  ('{tire}', '[{"kind": "tire", "name": "GP"}]', 'GP!'),
  ('{tire}', '[{"kind": "tire", "name": "GP"}, {"kind": "tire", "name": "G"}]', 'GP? G?'),
  ('{tire}', '[{"kind": "tire", "name": "GP", "position": "rear"}]', 'GP?'),
  ('{tube}', '[{"kind": "tire", "name": "GP", "position": "rear"}]', ''),
  ('{wheel}', '[{"kind": "wheel", "name": "Bontrager Affinity"}, {"kind": "tire", "name": "GP", "position": "rear"}]', 'Bontrager Affinity!'),
  ('{chain}', '[{"kind": "chain", "name": "Shimano"}, {"kind": "cassette", "name": "Cassette"}]', 'Shimano!'),
  ('{chain}', '[{"kind": "chain", "name": "Chain", "dateEnded": "2024-02-01 01:00"}]', ''),
  ('{}', '[{"name": "Chain"}]', ''),
  ('{brake pads,rear}', '[{"kind": "brake pads", "name": "Pads", "position": "both"}]', 'Pads?'),
  ('{saddle}', '[{"kind": "saddle", "name": "Brooks"}]', 'Brooks!'),
  -- A bike may have two.
  ('{chainring}', '[{"kind": "chainring", "name": "50"}]', '50?')
) as cases (new_part, old, expected);

-- A moved part.
insert into public.maintenance (id, "bikeId", type, name, "dateStarted", part_id, "position") values
  (1001, 2, 'Wheels', 'Hunt wheels', '2024-01-01 01:00', private.add_part(kind => 'wheel'), 'both'),
  (1002, 1, 'Wheels', 'Zipp wheels', '2024-01-01 01:00', private.add_part(kind => 'wheel'), 'both'),
  (1003, 1, null, 'Chain', '2024-01-01 01:00', private.add_part(kind => 'chain'), null);
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
