-- Rides and log entries that look wrong, as lines that the owner can fix or dismiss. docs/decisions/to-check.md explains the
-- rules and their limits. In doubt, a rule reports nothing.
--
-- Each view below lists lines: `key` identifies the line and its facts, `at` sorts the lines of a kind, newest first
-- (overlaps longest first), and `rides` and `items` list the line's subjects.

-- Rides whose day is doubtful, and rides whose own numbers can't be right: one line per ride, for the first rule that applies.
create view private.check_rides (kind, key, at, rides, items, facts) with (security_invoker = true) as
with doubted as materialized (
  select * from private.doubted_rides
), timed as (
  select *, coalesce(nullif(moving_time, 0), nullif(duration, 0)) as ridden from public.rides
  -- Every rule below requires one of these, and few rides have any: the condition of `rides_unusual_idx`.
  where
    (moving_time - 60) * bigint '100' > nullif(duration, 0) * bigint '101'
    or max_speed > 120
    or distance > 1000 and distance > bigint '16' * coalesce(nullif(moving_time, 0), nullif(duration, 0), 0)
    or distance > 1000000
    or greatest(duration, moving_time) > 86400
    or coalesce(distance, 0) < 100 and coalesce(moving_time, duration) >= 3600
), rated as (
  -- km/h. Numeric, so rounding errors don't push 60 over the limit of 60.
  select *, coalesce(distance * 3.6 / ridden, avg_speed) as average from timed
), ruled as (
  select *, case
    when (moving_time - 60) * bigint '100' > nullif(duration, 0) * bigint '101' then 'moving_time'
    -- Indoor games allow faster descents than any road.
    when max_speed > 120 and not is_stationary then 'max_speed'
    -- 60 to 300 km/h suggests a ride in a car. At higher speeds, the time is wrong.
    -- Dividing takes longer than all other rules, so first leave out rides at up to 16 m/s.
    when coalesce(distance > bigint '16' * ridden, true) and average > 60 and average < 300 and distance > 1000 and not is_stationary
      then 'average_speed'
    when distance > 1000000 and coalesce(duration, ridden, 0) < 86400 then 'distance'
    when ridden > 86400 and coalesce(average, 0) < 5 then 'time'
    when coalesce(distance, 0) < 100 and coalesce(moving_time, duration) >= 3600 and not is_stationary then 'no_distance'
  end as kind
  from rated
)
select 'date' as kind, key, started_at, array[id], '{}'::bigint[],
  jsonb_build_object('gear_id', gear_id, 'uploaded', private.wall_clock(uploaded)::date, 'is_ahead', is_ahead)
from doubted
union all
select kind, format('%s:%s:%s', kind, id, value), started_at, array[id], '{}', jsonb_build_object(
  'gear_id', private.bike_now(gear_id), 'value', value, 'distance', distance, 'duration', duration, 'moving_time', moving_time
)
from ruled
cross join lateral (
  select case kind
    when 'moving_time' then moving_time when 'max_speed' then max_speed
    when 'average_speed' then round(average, 1) when 'distance' then distance else ridden
  end as value
) as found
where kind is not null and id not in (select id from doubted);

-- Pairs of rides that are probably the same: at the same time, recorded by two devices or uploaded twice, or equal but hours apart, because
-- a converter took local time for UTC.
create view private.check_same_rides (kind, key, at, rides, items, facts) with (security_invoker = true) as
with near as materialized (
  -- The rides that overlap an earlier or a later one. Only few do, so only these are numbered.
  select *, row_number() over (order by since, id) as place
  from (
    -- Both with one frame, so the rides are read once.
    select *, max(until) over earlier as earlier_until, lead(since) over earlier as next
    from (
      select id, departed_at as since, departed_at + make_interval(secs => elapsed) as until, elapsed, distance,
        greatest(coalesce(duration, moving_time) - moving_time, 0) as pause
      from private.counted_rides cross join lateral (select coalesce(nullif(duration, 0), moving_time, 0) as elapsed) as recorded
      -- A recording that was left running for days overlaps everything.
      where departed_at is not null and elapsed < 172800
    ) as ride
    window earlier as (order by since, id rows between unbounded preceding and 1 preceding)
  ) as timed
  where earlier_until >= since or next <= until
), equal as (
  select ride.*, count(*) filter (where is_next) over (partition by ride.distance, ride.moving_time order by departed_at, id) as run
  from (
    select ride.*, departed_at > lag(departed_at) over (partition by distance, moving_time order by departed_at, id) + interval '26 hours' as is_next
    from private.counted_rides as ride
    join (
      -- Compares with 0 only afterwards (offset 0), because few rides are repeated.
      select distance, moving_time from private.counted_rides where departed_at is not null group by 1, 2 having count(*) > 1 offset 0
    ) as repeated using (distance, moving_time)
    where distance > 0 and moving_time > 0 and departed_at is not null
  ) as ride
), apart as (
  select lag(id) over by_start as one, id as other, departed_at - lag(departed_at) over by_start as apart, distance,
    -- Equal rides day after day are rather entered by hand.
    max(departed_at) over (partition by distance, moving_time, run) - min(departed_at) over (partition by distance, moving_time, run)
      <= interval '26 hours' as is_short
  from equal
  window by_start as (partition by distance, moving_time, run order by departed_at, id)
), pairs as (
  select one.id as one, other.id as other, shared.overlap, shared.shorter, null::interval as apart, least(one.distance, other.distance) as distance
  -- Comparing with the eight previous rides is enough.
  from near as other cross join generate_series(1, 8) as back join near as one on one.place = other.place - back
  cross join lateral (
    select extract(epoch from least(one.until, other.until) - other.since)::bigint as overlap,
      least(one.elapsed, other.elapsed) as shorter
  ) as shared
  where shorter >= 300 and overlap >= 0.8 * shorter and (
      -- The overlap is longer than the pauses of both rides, so at some point both were moving.
      overlap > one.pause + other.pause
      or other.since - one.since <= interval '10 minutes'
      and greatest(one.until, other.until) - least(one.until, other.until) <= interval '10 minutes'
    )
    or one.since = other.since and one.distance = other.distance and one.distance > 0
), found as (
  select distinct on (least(one, other), greatest(one, other)) * from (
    select * from pairs
    union all
    select one, other, 0, 0, apart, distance from apart where one is not null and is_short
  ) as pair
  order by least(one, other), greatest(one, other), apart nulls first
)
select 'same_ride', format('same_ride:%s:%s', least(one, other), greatest(one, other)), ride.started_at, array[one, other], '{}'::bigint[],
  jsonb_build_object(
    'gear_id', private.bike_now(ride.gear_id), 'overlap', overlap, 'shorter', shorter, 'apart', extract(epoch from apart)::bigint, 'distance', found.distance
  )
from found
-- Few pairs are found, so each looks up its ride (offset 0).
cross join lateral (select started_at, gear_id from public.rides where id = other offset 0) as ride;

-- Rides without a bike, on an unlisted or sold bike, or probably on the wrong bike, and rides that the last sync skipped.
create view private.check_bikes_of_rides (kind, key, at, rides, items, facts) with (security_invoker = true) as
with dismissed as materialized (
  -- A new ride must not undo a dismissal, so only show rides that are newer than the dismissal.
  select coalesce(max(split_part(dismissed_checks.key, ':', 2)::bigint), 0) as newest from public.dismissed_checks
  where dismissed_checks.key ~ '^no_bike:\d{1,18}$'
), on_gear as materialized (
  select gear_id, gear_id in (select gear_id from public.bikes) is true as is_known, count(*) as ride_count, sum(distance) as distance,
    max(id) as newest, max(started_at) as last_ride
  from private.counted_rides
  -- Most rides are on a listed bike, so leave them out first.
  where (gear_id <> all (array(select gear_id from public.bikes where is_listed))) is not false
    and (id > (select newest from dismissed) or gear_id in (select gear_id from public.bikes))
  group by 1
), indoors as materialized (
  select id, gear_id, started_at, row_number() over by_start as place,
    lag(gear_id) over by_start as before, lead(gear_id) over by_start as after
  from private.counted_rides where is_stationary and gear_id is not null and departed_at is not null
  window by_start as (order by departed_at, id)
), odd_one_out as (
  -- Compare with the nearest indoor rides only, because the indoor bike may have changed over the years.
  select one.id, one.gear_id, one.started_at, min(near.gear_id) as likely, count(*) as ride_count
  from indoors as one
  cross join generate_series(-10, 10) as steps
  join indoors as near on near.place = one.place + steps
  where steps <> 0 and one.gear_id is distinct from one.before and one.gear_id is distinct from one.after
    and coalesce(one.before, one.after) = coalesce(one.after, one.before)
  group by one.id, one.gear_id, one.started_at
  having min(near.gear_id) = max(near.gear_id) and count(*) >= 10
), skipped as materialized (
  select split_part(line, ' ', 1) as id, split_part(line, ' ', 2) as field
  from private.last_ride_sync(), string_to_table(skipped_rows, E'\n') as line where line ~ '^\d{1,15} '
), lines as (
  -- PostgreSQL prints a column without a name differently each time that a migration copies the view, so each has a name.
  select 'no_bike' as kind, 'no_bike:' || max(newest) as key, max(last_ride) as at, '{}'::bigint[] as rides, jsonb_build_object(
    'ride_count', sum(ride_count), 'distance', coalesce(sum(distance), 0),
    'of_unlisted_gear', coalesce(sum(ride_count) filter (where gear_id is not null), 0)
  ) as facts
  from on_gear where not is_known having count(*) > 0
  union all
  select 'gone_bike' as kind, format('gone_bike:%s:%s', gear_id, newest) as key, last_ride, '{}' as rides,
    jsonb_build_object('gear_id', gear_id, 'ride_count', ride_count, 'distance', coalesce(distance, 0)) as facts
  from on_gear where is_known and gear_id not in (select gear_id from public.bike_details where sold_on is not null)
  union all
  select 'sold_bike' as kind, format('sold_bike:%s:%s', gear_id, max(ride.id)) as key, max(started_at),
    (array_agg(ride.id order by started_at desc, ride.id desc))[:20] as rides,
    jsonb_build_object('gear_id', gear_id, 'ride_count', count(*), 'distance', coalesce(sum(distance), 0), 'sold_on', sold_on) as facts
  from public.bike_details join private.counted_rides as ride using (gear_id) where started_at >= sold_on + 1 group by gear_id, sold_on
  union all
  select 'wrong_bike' as kind, format('wrong_bike:%s:%s:%s', id, odd_one_out.gear_id, likely) as key, started_at, array[id] as rides,
    jsonb_build_object('gear_id', odd_one_out.gear_id, 'likely', likely, 'ride_count', ride_count) as facts
  from odd_one_out join public.bikes on bikes.gear_id = likely and is_listed
  union all
  select 'skipped' as kind, format('skipped:%s:%s', id, field) as key, null as at, '{}' as rides,
    jsonb_build_object('ride_id', id::bigint, 'field', field) as facts
  from skipped
  union all
  select 'skipped_others' as kind, 'skipped_others:' || others as key, null as at, '{}' as rides, jsonb_build_object('ride_count', others) as facts
  from private.last_ride_sync() as last cross join lateral (select last.skipped - (select count(*) from skipped) as others) as rest where others > 0
)
select kind, key, at, rides, '{}'::bigint[], facts from lines;

-- Gaps and overlaps between parts during which the bike was ridden.
create view private.check_parts (kind, key, at, rides, items, facts) with (security_invoker = true) as
with clock as materialized (
  select private.wall_clock() as now
), placed as materialized (
  select period.*, kind as family, place, "position", is_single, is_needed
  from private.install_periods as period join private.kind_places using (id)
), fillers as materialized (
  -- Items of unknown kind or position may have filled a gap.
  select period.*, placed.family
  from private.install_periods as period left join placed using (id)
  where placed.family is null or placed."position" is null
), in_order as (
  select *,
    max(until) over (by_start rows between unbounded preceding and 1 preceding) as earlier_until
  from placed where "position" is not null and is_needed
  window by_start as (partition by gear_id, family, "position" order by since, id)
), late as (
  -- Parts that started before the end of an earlier one, so not all pairs are compared.
  select * from (
    select *,
      max(until) over (by_start rows between unbounded preceding and 1 preceding) as earlier_until
    from placed where is_single
    window by_start as (partition by gear_id, family, place, "position" order by since, id)
  ) as in_place where earlier_until > since
), gaps as (
  -- Look only between two known parts, because the last part's successor may not be in the log.
  select 'no_part' as kind, gear_id, family, "position", next.earlier_until as since, next.since as until, ended.id as other, next.id
  from in_order as next join placed as ended using (gear_id, family, "position")
  where next.earlier_until < next.since and ended.until = next.earlier_until
    -- A part was stored to make room for another part, which may not be in the log.
    and ended.ended_as is distinct from 'stored'
    and not exists (
      -- A part that may be at this end, or an unknown item of the type that started in the gap or up to a week before.
      select from fillers as filler
      where filler.gear_id = next.gear_id and filler.since < next.since and filler.until > next.earlier_until and case
        when filler.family is not null then filler.family = next.family
        else filler.since >= next.earlier_until - interval '7 days' and (filler.type is null or filler.type = next.type)
      end
    )
), overlapping as (
  -- The same kind, because new rear pads don't end an item for front and rear pads.
  select 'two_parts', gear_id, family, "position", one.since, least(other.until, one.until), other.id, one.id
  from clock, late as one join placed as other using (gear_id, family, place, "position")
  where (other.since, other.id) < (one.since, one.id) and other.until > one.since
  -- In a log without ends, every part overlaps all later ones. The longest overlaps are enough.
  order by least(other.until, one.until, now) - one.since desc, one.id, other.id
  limit 1000
), ranges as materialized (
  select *, row_number() over () as number
  from (select * from gaps union all select * from overlapping) as found
), weighed as materialized (
  select ranges.*, used.rides as ride_count, used.distance
  from ranges
  join private.sum_rides(array(
    -- Indoor rides don't need a rear wheel or tire: the trainer may be direct-drive.
    select (number, gear_id, since, until, kind = 'no_part' and family in ('wheel', 'tire'))::private.ride_range from ranges
  )) as used on used.key = number
  where used.rides > 0 and used.distance > 0
)
select kind, concat_ws(':', kind, gear_id, family, pair, id, since::date, until::date), since, '{}'::bigint[],
  array[min(other), id], jsonb_build_object(
    'gear_id', gear_id, 'family', family,
    'positions', array_agg(distinct "position") filter (where "position" <> ''),
    'since', since::date, 'until', case when until < now then until::date end,
    'days', least(until, now)::date - since::date, 'ride_count', ride_count, 'distance', distance
  )
from weighed cross join clock
-- Several parts may have ended when a gap began, but an overlap has its own pair.
cross join lateral (select case kind when 'two_parts' then other end as pair) as pairs
group by kind, gear_id, family, pair, id, since, until, ride_count, distance, now;

-- Parts in use on an unlisted bike, and parts that wore out long after the bike's last ride.
create view private.check_ends (kind, key, at, rides, items, facts) with (security_invoker = true) as
with clock as materialized (
  select private.wall_clock() as now
), ridden as materialized (
  select * from private.last_rides
)
select 'parts_in_use', format('parts_in_use:%s:%s:%s', gear_id, count(*), max(id)), max(since), '{}'::bigint[],
  array[min(id)], jsonb_build_object('gear_id', gear_id, 'item_count', count(*))
from clock, public.bikes join private.install_periods as period using (gear_id)
where not is_listed and since::date <= now::date and until > now
group by gear_id
union all
-- Logs of unlisted bikes, which may be listed under a new id. Those with parts in use are above.
select 'gone_log', 'gone_log:' || gear_id, max(item."dateStarted"), '{}', '{}', jsonb_build_object('gear_id', gear_id, 'item_count', count(item.id))
from public.bikes
left join public.maintenance as item on item."bikeId" = gear_id
where not is_listed and gear_id not in (select sold.gear_id from public.bike_details as sold where sold_on is not null) and not exists (
    select from clock, private.install_periods as period where period.gear_id = bikes.gear_id and since::date <= now::date and until > now
  )
group by gear_id
having count(item.id) > 0 or exists (select from public.service_tasks as task where task.gear_id = bikes.gear_id)
union all
select 'late_end', format('late_end:%s:%s:%s', gear_id, until::date, count(*)), until, '{}', array[min(id)],
  jsonb_build_object(
    'gear_id', gear_id, 'item_count', count(*), 'until', until::date, 'last_ride', last_ride::date,
    'days', until::date - last_ride::date
  )
from ridden
join private.install_periods as period using (gear_id)
cross join clock
where until > last_ride + interval '180 days' and until <= now
  -- A part can be taken off a resting bike, but it can't wear out on it.
  and coalesce(ended_as, 'worn') in ('worn', 'damaged')
group by gear_id, until, last_ride;

create view private.parts_without_kind with (security_invoker = true) as
select distinct on (part_id) part_id, period.id as item_id, since
from private.install_periods as period join public.parts as part on part.id = part_id
where kind is null and part_id > (
  -- A new part must not undo a dismissal, so only list parts that are newer than the dismissal.
  select coalesce(max(split_part(key, ':', 2)::bigint), 0) from public.dismissed_checks where key ~ '^no_kind:\d{1,18}$'
)
order by part_id, since desc, period.id desc;
comment on view private.parts_without_kind is 'Parts of unknown kind, and their latest items, unless the owner wants none.';

create view private.check_kinds (kind, key, at, rides, items, facts) with (security_invoker = true) as
select 'no_kind', 'no_kind:' || max(part_id), max(since), '{}'::bigint[], (array_agg(item_id order by since desc, item_id))[:100],
  jsonb_build_object('part_count', count(*), 'part_ids', to_jsonb((array_agg(part_id order by since desc, item_id))[:100]))
from private.parts_without_kind having count(*) > 0;

grant select on private.check_rides, private.check_same_rides, private.check_bikes_of_rides, private.check_parts, private.check_ends,
  private.parts_without_kind, private.check_kinds to authenticated;

create function public.to_check() returns json
language plpgsql stable security invoker set search_path = ''
-- Planning and compiling the query take longer than running it.
set jit = off set plan_cache_mode = force_generic_plan
as $$
begin
  -- Row-level security only hides rows, so other users would get an empty list instead of null.
  if not private.is_owner() then
    return null;
  end if;

  return (
    with found as (
      select * from private.check_bikes_of_rides
      union all select * from private.check_same_rides
      union all select * from private.check_rides
      union all select * from private.check_parts
      union all select * from private.check_ends
      union all select * from private.check_kinds
    ), shown as (
      select *, row_number() over (
        partition by kind
        -- The longest overlap is the most likely mistake.
        order by case kind when 'two_parts' then (facts -> 'days')::integer end desc, at desc nulls last, key
      ) as place
      from found where key not in (select dismissed.key from public.dismissed_checks as dismissed)
    ), lines as (
      select kind, place, jsonb_build_object(
        'key', key, 'kind', kind,
        -- Names can be very long, and a list only needs their beginning.
        'rides', array(
          select jsonb_build_object('id', id, 'name', left(name, 200), 'started_at', started_at)
          from unnest(shown.rides) with ordinality as listed (id, nth)
          -- Looks up each (offset 0). Otherwise, PostgreSQL would read all rides for each line.
          cross join lateral (select name, started_at from public.rides as ride where ride.id = listed.id offset 0) as ride
          order by nth
        ),
        'items', array(
          select jsonb_build_object('id', id, 'name', left(name, 200))
          from unnest(shown.items) with ordinality as listed (id, nth)
          cross join lateral (select name from public.maintenance as item where item.id = listed.id offset 0) as item
          order by nth
        )
      ) || facts as line
      -- 100 lines of a kind are enough to see the problem, even if every ride has it.
      from shown where place <= 100
    )
    select json_build_object(
      'lines', (select coalesce(json_agg(line order by kind, place), '[]') from lines),
      'left_out', (select count(*) from shown where place > 100)
    )
  );
end
$$;
comment on function public.to_check() is
  'Lists rides and log entries that look wrong: {lines: [{key, kind, rides, items, …}], left_out}, without dismissed lines and at most 100 of a kind. Meters, seconds, km/h and days. Null for anyone but the owner.';
-- Security invoker, so row-level security applies.
grant execute on function public.to_check() to authenticated;

create function private.command_dismiss_check(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  insert into public.dismissed_checks (key) values (arguments ->> 'key') on conflict (key) do nothing;
  return '{}';
end
$$;
comment on function private.command_dismiss_check(jsonb) is 'Dismisses a finding, {key}. Repeating it changes nothing.';
grant execute on function private.command_dismiss_check to authenticated;
