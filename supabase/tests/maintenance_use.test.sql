-- Which rides count for an item.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(26);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
insert into public.bikes values (1, 'Road'), (2, 'Never ridden');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);

-- Adds a ride of one kilometer and one minute, so each sum equals the number of rides.
create function pg_temp.ride(id bigint, departed timestamptz, zone text default 'UTC') returns void language sql as $$
  insert into public.rides (id, gear_id, departed_at, created_at, time_zone, distance, moving_time)
  values (ride.id, 1, departed, departed, zone, 1000, 60)
$$;
create function pg_temp.item(id bigint, started timestamp, ended timestamp default null) returns void language sql as $$
  insert into public.maintenance (id, "bikeId", name, "dateStarted", "dateEnded") values (item.id, 1, 'Item', started, ended)
$$;
create function pg_temp.usage_of(item bigint) returns jsonb language sql as $$
  select used from jsonb_array_elements(public.maintenance_use(1)::jsonb -> 'items') as used where used -> 'id' = to_jsonb(item)
$$;
create function pg_temp.rides_of(item bigint) returns integer language sql as $$ select (pg_temp.usage_of(item) ->> 'rides')::integer $$;

select is(
  public.maintenance_use(2)::jsonb, '{"gear_id": 2, "total": {"rides": 0, "distance": 0, "moving_time": 0}, "items": [], "parts": []}'::jsonb,
  'a bike without rides and items has zeros and no items'
);
select is(public.maintenance_use(3)::jsonb, null, 'an unknown bike has no usage');

select pg_temp.item(1, '2024-05-01 01:00:00', '2024-06-01 01:00:00');
select is(
  pg_temp.usage_of(1), '{"id": 1, "rides": 0, "distance": 0, "moving_time": 0, "first_ride": null, "last_ride": null}'::jsonb,
  'an item without rides has zeros'
);

select pg_temp.ride(1, '2024-05-01T00:59:59Z');
select is(pg_temp.rides_of(1), 0, 'a ride a second before the start does not count');
select pg_temp.ride(2, '2024-05-01T01:00:00Z');
select is(pg_temp.rides_of(1), 1, 'a ride exactly at the start counts');
select pg_temp.ride(3, '2024-06-01T00:59:59Z');
select is(pg_temp.rides_of(1), 2, 'a ride a second before the end counts');
select pg_temp.ride(4, '2024-06-01T01:00:00Z');
select is(pg_temp.rides_of(1), 2, 'a ride exactly at the end does not count');

select pg_temp.item(2, '2024-06-01 01:00:00');
select is(pg_temp.rides_of(2), 1, 'a ride exactly at the end counts for the successor');
select is(
  (public.maintenance_use(1) #>> '{total,rides}')::integer, 4, 'the total counts every ride of the bike, even without an item'
);

select is(
  pg_temp.usage_of(1),
  '{"id": 1, "rides": 2, "distance": 2000, "moving_time": 120, "first_ride": "2024-05-01T01:00:00", "last_ride": "2024-06-01T00:59:59"}'::jsonb,
  'usage has meters, seconds, and the first and last ride'
);

select pg_temp.ride(5, '2024-06-02T03:30:00Z', 'America/New_York');
select pg_temp.item(3, '2024-06-01 01:00:00', '2024-06-02 01:00:00');
select is(pg_temp.rides_of(3), 2, 'a ride counts on the date in its own time zone');

select pg_temp.ride(6, now() - interval '1 hour', 'Pacific/Auckland');
select pg_temp.ride(7, now() - interval '1 hour', 'America/New_York');
select pg_temp.ride(8, now() - interval '1 hour', 'Europe/Berlin');
select is(pg_temp.rides_of(2), 5, 'a ride an hour ago counts for an open item, in any time zone');
select pg_temp.ride(9, now() + interval '1 hour', 'America/New_York');
select is(pg_temp.rides_of(2), 5, 'a ride in the future does not count yet');
select pg_temp.item(4, '2024-06-01 01:00:00', '2100-01-01 01:00:00');
select is(pg_temp.rides_of(4), 5, 'an item with a future end counts like an open one');

insert into public.rides (id, gear_id, created_at, time_zone, distance) values (10, 1, '2024-05-10T10:00:00Z', 'UTC', null);
select is(pg_temp.rides_of(1), 3, 'a ride without departed_at counts at created_at');
select is((pg_temp.usage_of(1) ->> 'distance')::numeric, 2000::numeric, 'a ride without a distance adds no distance');
update public.rides set duration = 500 where id = 10;
select is((pg_temp.usage_of(1) ->> 'moving_time')::integer, 620, 'a ride without a moving time counts its duration');
update public.rides set moving_time = 0 where id = 10;
select is((pg_temp.usage_of(1) ->> 'moving_time')::integer, 120, 'a moving time of zero counts as zero');

insert into public.rides (id, gear_id, departed_at, created_at, distance, is_stationary)
values (11, 1, '2024-05-11T10:00:00Z', '2026-01-01T00:00:00Z', 0.1, true);
select is((pg_temp.usage_of(1) ->> 'distance')::numeric, 2000.1, 'an indoor ride uploaded years later counts when it was ridden');
update public.rides set gear_id = 2 where id = 11;
select is((pg_temp.usage_of(1) ->> 'distance')::numeric, 2000::numeric, 'a ride that moved to another bike no longer counts');
select is((public.maintenance_use(2) #>> '{total,rides}')::integer, 1, 'a ride that moved to another bike counts there');
update public.rides set distance = 5000 where id = 2;
select is((pg_temp.usage_of(1) ->> 'distance')::numeric, 6000::numeric, 'an edited ride counts with its new values');
delete from public.rides where id = 2;
select is((pg_temp.usage_of(1) ->> 'distance')::numeric, 1000::numeric, 'a deleted ride no longer counts');

insert into public.rides (id, gear_id, departed_at, distance) values (12, 99, '2024-05-11T10:00:00Z', 1), (13, null, '2024-05-11T10:00:00Z', 1);
select is((pg_temp.usage_of(1) ->> 'distance')::numeric, 1000::numeric, 'rides without gear or with other gear do not count for this bike');
select pg_temp.item(5, '2024-05-10 01:00:00', '2024-05-10 01:00:00');
select is(pg_temp.rides_of(5), 0, 'an item that ends when it starts has no rides');
insert into public.rides (id, gear_id, distance) values (14, 1, 7);
select is((public.maintenance_use(1) #>> '{total,distance}')::numeric, 7007::numeric, 'a ride without a date counts only for the bike, and a future ride does not count');

select * from finish();
rollback;
