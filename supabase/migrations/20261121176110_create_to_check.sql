-- What looks wrong in the rides and in the log, as lines that the owner can fix or dismiss. Computed on every call, never
-- stored. docs/decisions/to-check.md explains each rule and its limits; when in doubt, a rule stays silent.
--
-- The key of a line names the finding and its facts. `at` sorts the lines of a kind, the newest first.

-- Names can have 10,000 characters, but nobody reads that many in a list.
create or replace function private.check_ride(id bigint, name text, started_at timestamp, gear_id bigint) returns jsonb
language sql immutable security invoker set search_path = ''
as $$ select jsonb_build_object('id', id, 'name', left(name, 200), 'started_at', started_at, 'gear_id', gear_id) $$;

-- Rides whose own numbers can't be right. One line per ride, with the first rule that applies.
create or replace function private.check_numbers() returns table (kind text, key text, at timestamp, facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  select found.kind, format('%s:%s:%s', found.kind, ride.id, found.value), started_at,
    jsonb_build_object(
      'ride', private.check_ride(ride.id, name, started_at, gear_id), 'value', found.value,
      'distance', distance, 'duration', duration, 'moving_time', moving_time
    )
  from public.rides as ride
  cross join lateral (
    select coalesce(nullif(moving_time, 0), nullif(duration, 0)) as ridden
  ) as times
  cross join lateral (
    -- km/h
    select coalesce(distance::float8 / ridden * 3.6, avg_speed::float8) as average
  ) as speed
  cross join lateral (
    select case
      when coalesce(departed_at, created_at) > now() + interval '1 day' or started_at < '1990-01-01' then 'date'
      when moving_time > nullif(duration, 0) * 1.01 + 60 then 'moving_time'
      -- The rest says nothing about a ride whose speed comes from a game.
      when max_speed > 120 and not is_stationary then 'max_speed'
      when average > 60 and distance > 1000 then 'average_speed'
      when distance > 1000000 and coalesce(duration, ridden, 0) < 86400 then 'distance'
      when ridden > 86400 and coalesce(average, 0) < 5 then 'time'
      when coalesce(distance, 0) < 100 and coalesce(moving_time, duration) >= 3600 and not is_stationary then 'no_distance'
    end as kind
  ) as rule
  cross join lateral (
    select rule.kind, case rule.kind
      when 'date' then extract(epoch from started_at) when 'moving_time' then moving_time when 'max_speed' then max_speed
      when 'average_speed' then round(average::numeric, 1) when 'distance' then distance else ridden
    end as value
  ) as found
  where rule.kind is not null
$$;

-- Two rides at the same time: a ride that two devices recorded, or a file that was uploaded twice.
create or replace function private.check_same_rides() returns table (kind text, key text, at timestamp, facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  with timed as materialized (
    select *, departed_at + elapsed * interval '1 second' as upto,
      row_number() over by_start as place,
      max(departed_at + elapsed * interval '1 second') over (by_start rows between unbounded preceding and 1 preceding) as earlier_upto
    from (
      select id, name, gear_id, started_at, departed_at, distance, coalesce(nullif(duration, 0), moving_time, 0) as elapsed,
        greatest(coalesce(duration, moving_time) - moving_time, 0) as pause
      from public.rides where departed_at <= now()
    ) as ride
    -- A device that was left on overlaps everything.
    where elapsed < 172800
    window by_start as (order by departed_at, id)
  )
  select 'same_ride', format('same_ride:%s:%s', least(one.id, other.id), greatest(one.id, other.id)), other.started_at,
    jsonb_build_object(
      'ride', private.check_ride(one.id, one.name, one.started_at, one.gear_id),
      'other', private.check_ride(other.id, other.name, other.started_at, other.gear_id),
      'overlap', greatest(overlap, 0), 'shorter', shorter, 'distance', least(one.distance, other.distance)
    )
  from timed as other
  -- Of the rides that started earlier, the nearest ones are enough.
  cross join generate_series(1, 8) as back
  join timed as one on one.place = other.place - back
  cross join lateral (
    select extract(epoch from least(one.upto, other.upto) - other.departed_at)::integer as overlap,
      least(one.elapsed, other.elapsed) as shorter
  ) as shared
  where other.earlier_upto >= other.departed_at and (
    shorter >= 300 and overlap >= 0.8 * shorter and (
      -- Longer than both pauses together, so at some time both were moving.
      overlap > one.pause + other.pause
      or other.departed_at - one.departed_at <= interval '10 minutes'
      and greatest(one.upto, other.upto) - least(one.upto, other.upto) <= interval '10 minutes'
    )
    or one.departed_at = other.departed_at and one.distance = other.distance and one.distance > 0
  )
$$;

-- Rides that count for no bike, on a bike that is gone, or probably on the wrong one, and rides that the last sync skipped.
create or replace function private.check_bikes_of_rides() returns table (kind text, key text, at timestamp, facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  with dismissed as materialized (
    -- Only newer rides show again, so a dismissal isn't undone by each new ride.
    select max(split_part(dismissed_checks.key, ':', 2)::bigint) as newest from public.dismissed_checks
    where dismissed_checks.key ~ '^no_bike:\d{1,18}$'
  ), on_gear as materialized (
    select rides.gear_id, count(*) as rides, sum(distance) as distance, max(id) as newest, max(started_at) as last_ride
    from public.rides
    left join public.bikes using (gear_id)
    where case when bikes.gear_id is null then id > coalesce((select newest from dismissed), 0) else not is_listed end
    group by rides.gear_id
  ), indoors as materialized (
    select id, name, gear_id, started_at, min(gear_id) over near as likely, max(gear_id) over near as most, count(*) over near as near
    from public.rides where is_stationary and gear_id is not null and departed_at <= now()
    -- Not all others: a trainer ride of years ago says little.
    window near as (order by departed_at, id rows between 10 preceding and 10 following exclude current row)
  ), last_sync as (
    select * from public.ride_syncs where outcome = 'ok' order by id desc limit 1
  ), skipped as materialized (
    select split_part(line, ' ', 1) as id, split_part(line, ' ', 2) as field
    from last_sync, string_to_table(skipped_rows, E'\n') as line where line ~ '^\d{1,18} '
  )
  select 'no_bike', 'no_bike:' || max(newest), max(last_ride), jsonb_build_object(
    'rides', sum(rides), 'distance', coalesce(sum(distance), 0),
    'of_gone_bikes', coalesce(sum(rides) filter (where gear_id is not null), 0)
  )
  from on_gear where not exists (select from public.bikes where bikes.gear_id = on_gear.gear_id)
  having count(*) > 0
  union all
  select 'gone_bike', format('gone_bike:%s:%s', gear_id, newest), last_ride,
    jsonb_build_object('gear_id', gear_id, 'rides', rides, 'distance', coalesce(distance, 0))
  from on_gear join public.bikes using (gear_id)
  union all
  select 'wrong_bike', format('wrong_bike:%s:%s:%s', id, indoors.gear_id, likely), started_at, jsonb_build_object(
    'ride', private.check_ride(id, indoors.name, started_at, indoors.gear_id), 'gear_id', indoors.gear_id,
    'likely', likely, 'rides', near
  )
  from indoors join public.bikes on bikes.gear_id = likely and is_listed
  where near >= 10 and likely = most and indoors.gear_id <> likely
  union all
  select 'skipped', format('skipped:%s:%s', id, field), null, jsonb_build_object('ride_id', id::bigint, 'field', field)
  from skipped
  union all
  select 'skipped_others', 'skipped_others:' || others, null, jsonb_build_object('rides', others)
  from last_sync cross join lateral (select set_aside - (select count(*) from skipped) as others) as rest where others > 0
$$;

-- What kind of part an item is, by its name or type: only kinds without which nobody rides, and of which a bike has one, or
-- one at each end. No row: unknown, so nothing is said about it. position null: unknown, it may be at either end.
create or replace function private.part_families(type text, name text) returns table (family text, "position" text)
language sql immutable security invoker set search_path = ''
as $$
  select known.family, ends.position
  from (values
    -- of_type: every item of this type is one; pair: the name means both ends.
    ('chain', '\mchain\M', null, null),
    ('cassette', '\m(cassette|freewheel)\M', null, null),
    ('bottom bracket', '\mbottom bracket\M', null, null),
    ('saddle', '\msaddle\M', 'Saddle', null),
    ('pedals', '\mpedals\M', 'Pedals', null),
    ('tire', '\m(tire|tyre)s?\M', 'Tires', '\m(tires|tyres|pair|both|set)\M'),
    ('wheel', '\m(wheels?|wheelset)\M', 'Wheels', '\m(wheels|wheelset|pair|both|set)\M'),
    ('brake pads', '\m(pads?|brake shoes?)\M', null, '\mboth\M')
  ) as known (family, pattern, of_type, pair)
  cross join lateral (
    select name ~* '\mfront\M' as front, name ~* '\m(rear|back)\M' as rear
  ) as named
  cross join lateral unnest(case
    when family not in ('tire', 'wheel', 'brake pads') then array['']
    when front and rear or not front and not rear and name ~* pair then array['front', 'rear']
    when front then array['front'] when rear then array['rear'] else array[null]
  end) as ends (position)
  where (name ~* pattern or part_families.type = of_type)
    -- Accessories, pieces and work.
    and name !~* ('\m(service\w*|clean\w*|wash\w*|adjust\w*|tune\w*|repair\w*|rebuil\w*|check\w*|bleed\w*|true|trued|truing|wax|lube\w*|oil|'
      || 'sealant|tool\w*|guard|catcher|keeper|guide|protector|cover|bag|insert\w*|liner\w*|tubes?|valve\w*|tape|cable\w*|housing|hubs?|'
      || 'spokes?|rims?|nipple\w*|bearing\w*|axle\w*|skewer\w*|rotor\w*|caliper\w*|cleats?|seat ?post|post|clamp|bolts?|pins?|links?|'
      || 'quick ?link|ring|rings|stay|whip|breaker|tug|tugs|tensioner|spacer\w*|lockring|spare|patch\w*|boot|left|right|lights?)\M')
$$;
comment on function private.part_families(text, text) is 'The family of an item of the log and its positions: "", front, rear, or null if unknown.';

create or replace function private.check_item(id bigint) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object('id', item.id, 'name', left(item.name, 200)) from public.maintenance as item where item.id = check_item.id
$$;

-- Gaps and overlaps of parts, weighed by rides. Items that start and end at the same time are work and never count.
create or replace function private.check_parts() returns table (kind text, key text, at timestamp, facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  with clock as materialized (
    select private.wall_clock() as now
  ), items as materialized (
    select id, "bikeId" as gear_id, type, name, "dateStarted" as since, coalesce("dateEnded", 'infinity') as upto
    from public.maintenance where "dateEnded" is distinct from "dateStarted"
  ), placed as materialized (
    select items.*, family, "position" from items cross join lateral private.part_families(items.type, items.name)
  ), fillers as materialized (
    -- What may have filled a gap: an item whose name says nothing, or not at which end of the bike it is.
    select items.*, placed.family
    from items left join placed using (id)
    where placed.family is null or placed."position" is null
  ), in_order as (
    select *,
      max(upto) over (by_start rows between unbounded preceding and 1 preceding) as earlier_upto,
      max(upto) over by_place as last_upto,
      lead(id) over by_start is null as is_last
    from placed where "position" is not null
    window by_place as (partition by gear_id, family, "position"), by_start as (by_place order by since, id)
  ), ranges as (
    select 'no_part' as kind, gear_id, type, family, "position", earlier_upto as since, since as upto, earlier_upto as other_upto, id
    from in_order where earlier_upto < since
    union all
    -- Nothing followed, for a week at least: a replacement may be under way.
    select 'no_part', gear_id, type, family, "position", last_upto, 'infinity', last_upto, null
    from in_order, clock where is_last and last_upto < now - interval '7 days'
    union all
    select 'two_parts', gear_id, type, family, "position", since, least(upto, earlier_upto), earlier_upto, id
    from in_order where earlier_upto > since
  ), known as materialized (
    select * from ranges
    where kind = 'two_parts' or not exists (
      select from fillers as filler
      where filler.gear_id = ranges.gear_id and filler.since < ranges.upto and filler.upto > ranges.since and case
        when filler.family is not null then filler.family = ranges.family
        else filler.since >= ranges.since - interval '7 days' and (filler.type is null or filler.type = ranges.type)
      end
    )
  ), marks as (
    -- At the same time, a bound comes before a ride: rides count from a start on, and before an end.
    select gear_id, since as at, 0 as rides, 0 as distance from known
    union
    select gear_id, upto, 0, 0 from known
    union all
    select gear_id, started_at, 1, coalesce(distance, 0)
    from public.rides
    where gear_id in (select gear_id from known) and coalesce(departed_at, created_at) <= now()
  ), sums as (
    select gear_id, at, rides as is_ride,
      sum(rides) over so_far as rides, sum(distance) over so_far as distance
    from marks window so_far as (partition by gear_id order by at, rides rows unbounded preceding)
  ), bounds as materialized (
    select gear_id, at, rides, distance from sums where is_ride = 0
  ), weighed as (
    select known.*, upto.rides - since.rides as rides, upto.distance - since.distance as distance
    from known
    join bounds as since on since.gear_id = known.gear_id and since.at = known.since
    join bounds as upto on upto.gear_id = known.gear_id and upto.at = known.upto
  )
  select weighed.kind,
    format('%s:%s:%s:%s:%s:%s', weighed.kind, weighed.gear_id, family, coalesce(id, 0), weighed.since::date, weighed.upto::date),
    weighed.since, jsonb_build_object(
      'gear_id', weighed.gear_id, 'family', family,
      'positions', array_agg(weighed."position" order by weighed."position") filter (where weighed."position" <> ''),
      'item', private.check_item(id),
      'other', private.check_item((
        select min(placed.id) from placed
        where placed.gear_id = weighed.gear_id and placed.family = weighed.family and placed.upto = other_upto
          and placed.id is distinct from weighed.id and placed."position" = min(weighed."position")
      )),
      'since', weighed.since::date, 'until', case when weighed.upto < now then weighed.upto::date end,
      'days', least(weighed.upto, now)::date - weighed.since::date, 'rides', rides, 'distance', distance
    )
  from weighed, clock
  where rides > 0 and distance > 0
  group by weighed.kind, weighed.gear_id, family, id, weighed.since, weighed.upto, other_upto, rides, distance, now
$$;

-- Parts that are still in use on a bike that is gone, and parts that wore out long after anybody rode the bike.
create or replace function private.check_ends() returns table (kind text, key text, at timestamp, facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  select 'parts_in_use', format('parts_in_use:%s:%s:%s', gear_id, count(*), max(item.id)), max("dateStarted"),
    jsonb_build_object('gear_id', gear_id, 'item', private.check_item(min(item.id)), 'items', count(*))
  from public.bikes join public.maintenance as item on "bikeId" = gear_id
  where not is_listed and "dateEnded" is distinct from "dateStarted" and coalesce("dateEnded", 'infinity') > private.wall_clock()
  group by gear_id
  union all
  select 'late_end', format('late_end:%s:%s:%s', gear_id, "dateEnded"::date, count(*)), "dateEnded", jsonb_build_object(
    'gear_id', gear_id, 'item', private.check_item(min(item.id)), 'items', count(*),
    'until', "dateEnded"::date, 'last_ride', last_ride::date, 'days', "dateEnded"::date - last_ride::date
  )
  from (
    select gear_id, max(started_at) as last_ride from public.rides where coalesce(departed_at, created_at) <= now() group by gear_id
  ) as ridden
  join public.maintenance as item on "bikeId" = gear_id
  where "dateEnded" > last_ride + interval '180 days' and "dateEnded" <> "dateStarted"
    -- A part can be taken off a bike that rests, but it doesn't wear there.
    and coalesce(ended_as, 'worn') in ('worn', 'damaged')
  group by gear_id, "dateEnded", last_ride
$$;

create or replace function public.to_check() returns json
language sql stable security invoker set search_path = ''
-- Compiling the query takes longer than running it.
set jit = off
as $$
  with found as (
    select * from private.check_bikes_of_rides()
    union all select * from private.check_same_rides()
    union all select * from private.check_numbers()
    union all select * from private.check_parts()
    union all select * from private.check_ends()
  ), shown as (
    select *, row_number() over (partition by kind order by at desc nulls last, key) as place
    from found where key not in (select dismissed.key from public.dismissed_checks as dismissed)
  )
  select json_build_object(
    -- Enough to see what is wrong, even if every ride is.
    'lines', coalesce(
      json_agg(jsonb_build_object('key', key, 'kind', kind) || facts order by kind, place) filter (where place <= 100), '[]'
    ),
    'left_out', count(*) filter (where place > 100)
  )
  from shown
  -- Row-level security would show others nothing to check.
  having private.is_owner()
$$;
comment on function public.to_check() is
  'What looks wrong in the rides and the log: {lines: [{key, kind, …}], left_out}, without what the owner dismissed and at most 100 lines of a kind. Meters, seconds, km/h and days. Null for anyone but the owner.';

revoke all on function private.check_ride(bigint, text, timestamp, bigint), private.check_item(bigint), private.check_numbers(),
  private.check_same_rides(), private.check_bikes_of_rides(), private.part_families(text, text), private.check_parts(),
  private.check_ends() from public;
revoke all on function public.to_check() from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets.
grant execute on function private.check_ride(bigint, text, timestamp, bigint), private.check_item(bigint), private.check_numbers(),
  private.check_same_rides(), private.check_bikes_of_rides(), private.part_families(text, text), private.check_parts(),
  private.check_ends() to authenticated;
grant execute on function public.to_check() to authenticated;
