-- What looks wrong in the rides and in the log, as lines that the owner can fix or dismiss. Computed on every call, never
-- stored. docs/decisions/to-check.md explains each rule and its limits; when in doubt, a rule stays silent.
--
-- Each function below returns lines. The key names the finding and its facts; `at` sorts the lines of a kind, the newest
-- first; rides and items are what the line is about.

-- Rides whose own numbers can't be right. One line per ride, with the first rule that applies.
create or replace function private.check_numbers()
returns table (kind text, key text, at timestamp, rides bigint[], items bigint[], facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  select rule.kind, format('%s:%s:%s', rule.kind, id, value), started_at, array[id], '{}'::bigint[], jsonb_build_object(
    'gear_id', gear_id, 'value', value, 'distance', distance, 'duration', duration, 'moving_time', moving_time
  )
  from public.rides
  cross join lateral (
    select coalesce(nullif(moving_time, 0), nullif(duration, 0)) as ridden
  ) as times
  cross join lateral (
    -- km/h
    select coalesce(distance::float8 / ridden * 3.6, avg_speed) as average
  ) as speed
  cross join lateral (
    select case
      when coalesce(departed_at, created_at) > now() + interval '1 day' or started_at < '1990-01-01' then 'date'
      when (moving_time - 60) * bigint '100' > nullif(duration, 0) * bigint '101' then 'moving_time'
      -- A game goes downhill faster than anybody.
      when max_speed > 120 and not is_stationary then 'max_speed'
      when average > 60 and distance > 1000 then 'average_speed'
      when distance > 1000000 and coalesce(duration, ridden, 0) < 86400 then 'distance'
      when ridden > 86400 and coalesce(average, 0) < 5 then 'time'
      when coalesce(distance, 0) < 100 and coalesce(moving_time, duration) >= 3600 and not is_stationary then 'no_distance'
    end as kind
  ) as rule
  cross join lateral (
    select case rule.kind
      when 'date' then extract(epoch from started_at) when 'moving_time' then moving_time when 'max_speed' then max_speed
      when 'average_speed' then round(average::numeric, 1) when 'distance' then distance else ridden
    end as value
  ) as found
  where rule.kind is not null
$$;

-- Two rides at the same time: a ride that two devices recorded, or a file that was uploaded twice.
create or replace function private.check_same_rides()
returns table (kind text, key text, at timestamp, rides bigint[], items bigint[], facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  with timed as materialized (
    select *, row_number() over by_start as place,
      max(upto) over (by_start rows between unbounded preceding and 1 preceding) as earlier_upto
    from (
      select id, departed_at as since, departed_at + make_interval(secs => elapsed) as upto, elapsed, distance,
        greatest(coalesce(duration, moving_time) - moving_time, 0) as pause
      from public.rides cross join lateral (select coalesce(nullif(duration, 0), moving_time, 0) as elapsed) as recorded
      -- A device that was left on for days overlaps everything.
      where departed_at <= now() and elapsed < 172800
    ) as ride
    window by_start as (order by since, id)
  ), overlapping as materialized (
    select * from timed where earlier_upto >= since
  ), pairs as (
    select one.id as one, other.id as other, shared.overlap, shared.shorter, least(one.distance, other.distance) as distance
    from overlapping as other
    -- Of the rides that started earlier, the nearest ones are enough.
    cross join generate_series(1, 8) as back
    join timed as one on one.place = other.place - back
    cross join lateral (
      select extract(epoch from least(one.upto, other.upto) - other.since)::integer as overlap,
        least(one.elapsed, other.elapsed) as shorter
    ) as shared
    where shorter >= 300 and overlap >= 0.8 * shorter and (
        -- Longer than both pauses together, so at some time both were moving.
        overlap > one.pause + other.pause
        or other.since - one.since <= interval '10 minutes'
        and greatest(one.upto, other.upto) - least(one.upto, other.upto) <= interval '10 minutes'
      )
      or one.since = other.since and one.distance = other.distance and one.distance > 0
  )
  select 'same_ride', format('same_ride:%s:%s', least(one, other), greatest(one, other)), ride.started_at, array[one, other], '{}'::bigint[],
    jsonb_build_object('gear_id', ride.gear_id, 'overlap', overlap, 'shorter', shorter, 'distance', pairs.distance)
  from pairs join public.rides as ride on ride.id = other
$$;

-- Rides that count for no bike, on a bike that is gone, or probably on the wrong one, and rides that the last sync skipped.
create or replace function private.check_bikes_of_rides()
returns table (kind text, key text, at timestamp, rides bigint[], items bigint[], facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  with dismissed as materialized (
    -- Only newer rides show again, so a dismissal isn't undone by each new ride.
    select coalesce(max(split_part(dismissed_checks.key, ':', 2)::bigint), 0) as newest from public.dismissed_checks
    where dismissed_checks.key ~ '^no_bike:\d{1,18}$'
  ), on_gear as materialized (
    select ride.gear_id, bikes.gear_id is not null as is_known, count(*) as ride_count, sum(distance) as distance, max(id) as newest,
      max(started_at) as last_ride
    from public.rides as ride
    left join public.bikes using (gear_id)
    where case when bikes.gear_id is null then id > (select newest from dismissed) else not is_listed end
    group by 1, 2
  ), indoors as materialized (
    select id, gear_id, started_at, row_number() over by_start as place,
      lag(gear_id) over by_start as before, lead(gear_id) over by_start as after
    from public.rides where is_stationary and gear_id is not null and departed_at <= now()
    window by_start as (order by departed_at, id)
  ), odd_one_out as (
    -- Compared with the nearest indoor rides, because those of years ago say little.
    select one.id, one.gear_id, one.started_at, min(near.gear_id) as likely, count(*) as ride_count
    from indoors as one
    cross join generate_series(-10, 10) as steps
    join indoors as near on near.place = one.place + steps
    where steps <> 0 and one.gear_id is distinct from one.before and one.gear_id is distinct from one.after
      and coalesce(one.before, one.after) = coalesce(one.after, one.before)
    group by one.id, one.gear_id, one.started_at
    having min(near.gear_id) = max(near.gear_id) and count(*) >= 10
  ), last_sync as (
    select * from public.ride_syncs where outcome = 'ok' order by id desc limit 1
  ), skipped as materialized (
    select split_part(line, ' ', 1) as id, split_part(line, ' ', 2) as field
    from last_sync, string_to_table(skipped_rows, E'\n') as line where line ~ '^\d{1,15} '
  ), lines (kind, key, at, rides, facts) as (
    select 'no_bike', 'no_bike:' || max(newest), max(last_ride), '{}'::bigint[], jsonb_build_object(
      'ride_count', sum(ride_count), 'distance', coalesce(sum(distance), 0),
      'of_gone_bikes', coalesce(sum(ride_count) filter (where gear_id is not null), 0)
    )
    from on_gear where not is_known having count(*) > 0
    union all
    select 'gone_bike', format('gone_bike:%s:%s', gear_id, newest), last_ride, '{}',
      jsonb_build_object('gear_id', gear_id, 'ride_count', ride_count, 'distance', coalesce(distance, 0))
    from on_gear where is_known
    union all
    select 'wrong_bike', format('wrong_bike:%s:%s:%s', id, odd_one_out.gear_id, likely), started_at, array[id],
      jsonb_build_object('gear_id', odd_one_out.gear_id, 'likely', likely, 'ride_count', ride_count)
    from odd_one_out join public.bikes on bikes.gear_id = likely and is_listed
    union all
    select 'skipped', format('skipped:%s:%s', id, field), null, '{}', jsonb_build_object('ride_id', id::bigint, 'field', field)
    from skipped
    union all
    select 'skipped_others', 'skipped_others:' || others, null, '{}', jsonb_build_object('ride_count', others)
    from last_sync cross join lateral (select set_aside - (select count(*) from skipped) as others) as rest where others > 0
  )
  select kind, key, at, rides, '{}'::bigint[], facts from lines
$$;

-- Gaps and overlaps of parts, weighed by rides. Items that start and end at the same time are work and never count.
create or replace function private.check_parts()
returns table (kind text, key text, at timestamp, rides bigint[], items bigint[], facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  with clock as materialized (
    select private.wall_clock() as now
  ), installed as materialized (
    select id, "bikeId" as gear_id, type, name, "dateStarted" as since, coalesce("dateEnded", 'infinity') as upto
    from public.maintenance where "dateEnded" is distinct from "dateStarted"
  ), families (family, words, of_type, pair) as (
    -- Only parts without which nobody rides, and of which a bike has one, or one at each end. of_type: every item of this
    -- type is one. pair: words that mean both ends.
    values
      ('chain', '{chain}'::text[], null, null::text[]),
      ('cassette', '{cassette,freewheel}', null, null),
      ('bottom bracket', '{bb,bottombracket}', null, null),
      ('saddle', '{saddle}', 'Saddle', null),
      ('pedals', '{pedals}', 'Pedals', null),
      ('tire', '{tire,tires,tyre,tyres}', 'Tires', '{tires,tyres,pair,both,set}'),
      ('wheel', '{wheel,wheels,wheelset}', 'Wheels', '{wheels,wheelset,pair,both,set}'),
      ('brake pads', '{pad,pads}', null, '{both}')
  ), named as materialized (
    select *, words && '{front}' as front, words && '{rear,back}' as rear
    from installed
    cross join lateral (
      select string_to_array(regexp_replace(replace(lower(name), 'bottom bracket', 'bottombracket'), '[^a-z]+', ' ', 'g'), ' ') as words
    ) as name
    -- Not accessories, pieces and work.
    where not words && '{
      adjusted,adjustment,axle,bag,bearing,bearings,bleed,bleeding,bolt,bolts,boot,breaker,cable,cables,caliper,calipers,catcher,check,
      checked,clamp,clean,cleaned,cleaning,cleat,cleats,cover,guard,guide,housing,hub,hubs,insert,inserts,keeper,left,light,lights,liner,
      liners,link,links,lockring,lube,lubed,nipple,nipples,oil,oiled,patch,patched,pin,pins,post,protector,rebuild,rebuilt,repair,repaired,
      right,rim,rims,ring,rings,rotor,rotors,sealant,seatpost,service,serviced,skewer,skewers,spacer,spacers,spare,spoke,spokes,stay,
      tape,tensioner,tool,trued,truing,tube,tubes,tug,tugs,tune,tuned,valve,valves,wash,washed,washer,washers,wax,whip}'
  ), placed as materialized (
    -- position: front, rear, empty for parts that have none, or null: unknown, it may be at either end.
    select named.*, family, "position"
    from named
    join families on type = of_type or named.words && families.words
    cross join lateral unnest(case
      when pair is null then array['']
      when front and rear or not front and not rear and named.words && pair then array['front', 'rear']
      when front then array['front'] when rear then array['rear'] else array[null]
    end) as ends ("position")
  ), fillers as materialized (
    -- What may have filled a gap: an item whose name says nothing, or not at which end of the bike it is.
    select installed.*, placed.family
    from installed left join placed using (id)
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
  ), bounds as materialized (
    -- Each bound once: the rides until then. At the same time, a bound comes before a ride, because rides count from a start
    -- on, and before an end.
    select gear_id, at, so_far.rides, so_far.distance
    from (
      select gear_id, at, is_ride, sum(is_ride) over upto as rides, sum(distance) over upto as distance
      from (
        select gear_id, since as at, 0 as is_ride, 0 as distance from ranges
        union
        select gear_id, upto, 0, 0 from ranges
        union all
        select gear_id, started_at, 1, coalesce(distance, 0)
        from public.rides
        where gear_id in (select gear_id from ranges) and coalesce(departed_at, created_at) <= now()
      ) as marks
      window upto as (partition by gear_id order by at, is_ride rows unbounded preceding)
    ) as so_far
    where is_ride = 0
  ), since_start as materialized (
    select ranges.*, bounds.rides as rides_before, bounds.distance as distance_before
    from ranges join bounds on bounds.gear_id = ranges.gear_id and bounds.at = since
  ), weighed as materialized (
    select since_start.*, bounds.rides - rides_before as ride_count, bounds.distance - distance_before as distance
    from since_start join bounds on bounds.gear_id = since_start.gear_id and bounds.at = upto
    where bounds.rides > rides_before and bounds.distance > distance_before
  )
  select kind, format('%s:%s:%s:%s:%s:%s', kind, gear_id, family, coalesce(id, 0), since::date, upto::date), since, '{}'::bigint[],
    array_remove(array[min(other), id], null), jsonb_build_object(
      'gear_id', gear_id, 'family', family,
      'positions', array_agg(distinct "position") filter (where "position" <> ''),
      'since', since::date, 'until', case when upto < now then upto::date end,
      'days', least(upto, now)::date - since::date, 'ride_count', ride_count, 'distance', distance
    )
  from (
    select weighed.*, placed.id as other
    from weighed
    join placed on placed.gear_id = weighed.gear_id and placed.family = weighed.family and placed."position" = weighed."position"
      and placed.upto = other_upto and placed.id is distinct from weighed.id
    where kind = 'two_parts' or not exists (
      -- A part that may be at this end, or an item of the same type that started in the gap.
      select from fillers as filler
      where filler.gear_id = weighed.gear_id and filler.since < weighed.upto and filler.upto > weighed.since and case
        when filler.family is not null then filler.family = weighed.family
        else filler.since >= weighed.since - interval '7 days' and (filler.type is null or filler.type = weighed.type)
      end
    )
  ) as found, clock
  group by kind, gear_id, family, id, since, upto, ride_count, distance, now
$$;

-- Parts that are still in use on a bike that is gone, and parts that wore out long after anybody rode the bike.
create or replace function private.check_ends()
returns table (kind text, key text, at timestamp, rides bigint[], items bigint[], facts jsonb)
language sql stable security invoker set search_path = ''
as $$
  select 'parts_in_use', format('parts_in_use:%s:%s:%s', gear_id, count(*), max(item.id)), max("dateStarted"), '{}'::bigint[],
    array[min(item.id)], jsonb_build_object('gear_id', gear_id, 'item_count', count(*))
  from public.bikes join public.maintenance as item on "bikeId" = gear_id
  where not is_listed and "dateEnded" is distinct from "dateStarted" and coalesce("dateEnded", 'infinity') > private.wall_clock()
  group by gear_id
  union all
  select 'late_end', format('late_end:%s:%s:%s', gear_id, "dateEnded"::date, count(*)), "dateEnded", '{}', array[min(item.id)],
    jsonb_build_object(
      'gear_id', gear_id, 'item_count', count(*), 'until', "dateEnded"::date, 'last_ride', last_ride::date,
      'days', "dateEnded"::date - last_ride::date
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
  ), lines as (
    select kind, place, jsonb_build_object(
      'key', key, 'kind', kind,
      -- Names can have 10,000 characters, but nobody reads that many in a list.
      'rides', (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200), 'started_at', started_at) order by nth), '[]')
        from unnest(shown.rides) with ordinality as listed (id, nth) join public.rides using (id)
      ),
      'items', (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', left(name, 200)) order by nth), '[]')
        from unnest(shown.items) with ordinality as listed (id, nth) join public.maintenance using (id)
      )
    ) || facts as line
    -- Enough to see what is wrong, even if every ride is.
    from shown where place <= 100
  )
  select json_build_object(
    'lines', (select coalesce(json_agg(line order by kind, place), '[]') from lines),
    'left_out', (select count(*) from shown where place > 100)
  )
  -- Row-level security would show others nothing to check.
  where private.is_owner()
$$;
comment on function public.to_check() is
  'What looks wrong in the rides and the log: {lines: [{key, kind, rides, items, …}], left_out}, without what the owner dismissed and at most 100 lines of a kind. Meters, seconds, km/h and days. Null for anyone but the owner.';

revoke all on function private.check_numbers(), private.check_same_rides(), private.check_bikes_of_rides(),
  private.check_parts(), private.check_ends() from public;
revoke all on function public.to_check() from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets.
grant execute on function private.check_numbers(), private.check_same_rides(), private.check_bikes_of_rides(),
  private.check_parts(), private.check_ends() to authenticated;
grant execute on function public.to_check() to authenticated;
