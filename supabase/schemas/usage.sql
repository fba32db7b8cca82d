-- Usage is rides, distance and moving time, computed on every call and never stored.
--
-- A ride counts for an item if dateStarted <= started_at < dateEnded, in wall clock time. The end is excluded, so a ride
-- never counts for both an item and its successor. An item without an end counts every ride in private.counted_rides since
-- its start. Security invoker, so row-level security shows usage only to the owner.

-- The usage of parts and bikes between any moments, for service tasks and measurements.

create type private.used_span as (
  key bigint, part_id bigint, gear_id bigint, since timestamp, until timestamp, outdoor_only boolean
);
comment on type private.used_span is
  'A part, or else a bike, between two moments: since <= … < until. Null since: from its beginning. Null until: no end. The caller chooses the key.';

create function private.usage_between(spans private.used_span[])
returns table (key bigint, distance numeric, moving_time bigint, earlier_distance numeric, earlier_moving_time integer)
-- PL/pgSQL, because it caches plans.
language plpgsql stable security invoker set search_path = ''
-- Compiling the query takes many times longer than running it, and so does planning it.
set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with used as (
      select key, sum(used.distance) as distance, sum(used.moving_time) as moving_time
      from private.sum_rides(array(
        select (span.key, "bikeId", greatest("dateStarted", span.since), least("dateEnded", span.until), outdoor_only)::private.ride_range
        from unnest(spans) as span join public.maintenance as item using (part_id)
        where (span.until is null or "dateStarted" < span.until) and (span.since is null or "dateEnded" is null or "dateEnded" > span.since)
        union all
        select (span.key, gear_id, coalesce(span.since, '-infinity'), span.until, outdoor_only)::private.ride_range
        from unnest(spans) as span where part_id is null
      )) as used group by key
    )
    select key, coalesce(used.distance, 0) + coalesce(part.earlier_distance, 0),
      (coalesce(used.moving_time, 0) + coalesce(part.earlier_moving_time, 0))::bigint, part.earlier_distance, part.earlier_moving_time
    from unnest(spans) as span left join used using (key)
    left join public.parts as part on part.id = part_id and span.since is null;
end
$$;
comment on function private.usage_between(private.used_span[]) is
  'Returns each span''s meters and seconds. Without a since, they include the part''s usage from before the log.';
grant execute on function private.usage_between to authenticated;

-- The totals of parts.

create type private.used_item as (
  id bigint, gear_id bigint, cost numeric, since timestamp, until timestamp, days bigint, rides bigint, distance numeric, moving_time bigint,
  first_ride timestamp, last_ride timestamp
);
comment on type private.used_item is 'An item, its days, and the rides that count for it. Without an end, until is infinity.';

-- The only definition of a part's totals. Days are calendar days in the owner's time zone: an install period
-- of March 1 to 3 has two, and one without an end, or with a future end, has those until today.
create function private.part_totals(
  parts bigint[], until timestamp default null, gear_id bigint default null, what_if jsonb default '[]'
)
returns table (
  part_id bigint, rides bigint, distance numeric, moving_time bigint, days bigint, price numeric, cost numeric,
  earlier_distance numeric, earlier_moving_time integer, kind text, by_position jsonb, items private.used_item[]
)
language plpgsql stable security invoker set search_path = '' set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  clock constant timestamp := private.wall_clock();
begin
  return query
    with log as (
      select item.id, part_id, "bikeId" as gear_id, case when changed.id is null then item.cost else changed.cost end as cost,
        case when changed.id is null then item."dateStarted" else changed."dateStarted" end as since,
        coalesce(case when changed.id is null then item."dateEnded" else changed."dateEnded" end, 'infinity') as until, "position"
      from unnest(parts) as part (part_id)
      join public.maintenance as item using (part_id)
      left join jsonb_to_recordset(what_if)
        as changed (id bigint, cost numeric, "dateStarted" timestamp, "dateEnded" timestamp) on changed.id = item.id
    ), periods as materialized (
      select id, part_id, gear_id, "position", cost, since, least(until, part_totals.until) as until,
        -- A moment at midnight ends the day before.
        greatest(least(until, part_totals.until - interval '1 microsecond', clock)::date - since::date, 0)::bigint as days
      from log where part_totals.until is null or since < part_totals.until
    ), used as materialized (
      select * from private.sum_rides(array(
        select (id, gear_id, since, until, false)::private.ride_range from periods
        union all
        -- The bike itself has no item.
        select (null, part_totals.gear_id, '-infinity', part_totals.until, false)::private.ride_range where part_totals.gear_id is not null
      ))
    ), items as not materialized (
      select * from periods join used on key = id
    ), sums as (
      select part_id, sum(rides)::bigint as rides, sum(distance) as distance, sum(moving_time)::bigint as moving_time,
        sum(days)::bigint as days, sum(cost) as price,
        array_agg((id, gear_id, cost, since, until, days, rides, distance, moving_time, first_ride, last_ride)::private.used_item) as items
      from items group by part_id
    ), ends as (
      select part_id, jsonb_object_agg("position", sums) as by_position
      from (
        select part_id, "position", jsonb_build_object(
          'rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time), 'days', sum(days)
        ) as sums
        from items where "position" is not null group by 1, 2
      ) as at_end
      group by 1
    ), services as (
      select part_id, sum(cost) as cost from private.paid_services
      where part_totals.until is null or paid_at < part_totals.until group by part_id
    )
    select part_id, rides, distance + coalesce(part.earlier_distance, 0), moving_time + coalesce(part.earlier_moving_time, 0), days,
      price, price + coalesce(services.cost, 0), part.earlier_distance, part.earlier_moving_time,
      kind, case when has_ends then coalesce(by_position, '{}') end, items
    from sums join public.parts as part on part.id = part_id left join services using (part_id) left join ends using (part_id)
    left join private.kinds as known on known.name = kind
    union all
    select null, rides, distance, moving_time, null, null, null, null, null, null, null, null from used where key is null;
end
$$;
comment on function private.part_totals(bigint[], timestamp, bigint, jsonb) is
  'Adds up the items of each part that started before a moment (until) or all: rides, meters and seconds, including usage from before the log; the days of its install periods; the price of its items, and the cost, which is the price and the paid services. by_position: the sums at each of its ends, without usage from before the log; null if its kind has no ends. items: its items, unordered. gear_id adds a row for a bike, with its rides, meters and seconds until then. what_if, [{id, cost, dateStarted, dateEnded}], replaces the stored values of these items.';
grant execute on function private.part_totals to authenticated;

create function public.maintenance_use(gear_id bigint, day date default null) returns json
language plpgsql stable security invoker set search_path = '' set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
  -- Null without a day: all rides and items count.
  midnight constant timestamp := maintenance_use.day + 1;
  parts constant bigint[] := array(
    select distinct part_id from public.maintenance
    where "bikeId" = maintenance_use.gear_id
      and (midnight is null or "dateStarted" < midnight and ("dateEnded" is null or "dateEnded" >= midnight))
  );
begin
  return (
    with totals as materialized (
      select * from private.part_totals(parts, midnight, maintenance_use.gear_id)
    ), total as (
      select rides, distance, moving_time from totals where part_id is null
      union all
      -- Add rides without a date, but only if no day is requested.
      select count(*), coalesce(sum(distance), 0), coalesce(sum(moving_time), 0) from private.counted_rides as ride
      where ride.ridden_as = any (private.ridden_as(maintenance_use.gear_id)) and started_at is null and midnight is null
    )
    select json_build_object(
      'gear_id', bike.gear_id,
      'first_ride', private.first_ride(bike.gear_id)::date,
      'total', (
        select json_build_object('rides', sum(rides), 'distance', sum(distance), 'moving_time', sum(moving_time)) from total
      ),
      'items', (
        select coalesce(json_agg(item), '[]') from (
          select item.id, item.rides, item.distance, item.moving_time, item.days, item.first_ride, item.last_ride
          from totals cross join lateral unnest(items) as item
          where item.gear_id = maintenance_use.gear_id and (midnight is null or item.until = midnight)
          order by item.id
        ) as item
      ),
      'parts', (
        select coalesce(json_agg(part), '[]') from (
          select part_id, array(select id from unnest(items) order by since, id) as item_ids, rides, distance, moving_time,
            earlier_distance, earlier_moving_time, cost, kind,
            case when by_position is not null then (
              select coalesce(jsonb_object_agg("end", sums - 'days'), '{}') from jsonb_each(by_position) as at_end ("end", sums)
            ) end as by_position
          from totals where part_id is not null order by part_id
        ) as part
      )
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$$;
comment on function public.maintenance_use(bigint, date) is
  'Returns rides, meters and seconds of a bike, its log items, and their parts over all bikes, as maintenance-use does, the items'' days, and the day of its first ride. With a day: as of the end of that day, only for items on the bike at the time. Null for an unknown bike.';
grant execute on function public.maintenance_use to authenticated;

create function public.part_history(part_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  with totals as materialized (
    select * from private.part_totals(array[part_history.part_id])
  ), periods as materialized (
    select item.id, item."bikeId" as gear_id, item.name, item.cost, item."dateStarted", item."dateEnded", item.ended_as, item."position",
      used.rides, used.distance, used.moving_time, lag(item."bikeId") over by_start as from_bike, lag(item."dateEnded") over by_start as from_time
    from totals cross join lateral unnest(items) as used join public.maintenance as item using (id)
    window by_start as (order by item."dateStarted", item.id)
  ), last as (
    select * from periods order by "dateStarted" desc, id desc limit 1
  )
  select json_build_object(
    'part_id', part_history.part_id,
    'lifetime', (
      select to_json(lifetime) from (
        select rides, distance, moving_time, earlier_distance, earlier_moving_time, cost, days from totals
      ) as lifetime
    ),
    'periods', (
      select json_agg(listed) from (
        select id, gear_id, name, cost, "dateStarted", "dateEnded", ended_as, "position", rides, distance, moving_time
        from periods order by "dateStarted", id
      ) as listed
    ),
    'moved_together', (
      -- The parts that moved to this bike with this part: from the same bike on the same day.
      select coalesce(json_agg(arrived.part_id order by arrived.part_id), '[]')
      from last
      join public.maintenance as arrived on arrived."bikeId" = last.gear_id
        and arrived."dateStarted"::date = last."dateStarted"::date and arrived.part_id <> part_history.part_id
      where exists (
        select from public.maintenance as origin where origin.part_id = arrived.part_id and origin."bikeId" = last.from_bike
          and origin."dateEnded"::date = last.from_time::date
      )
    )
  )
  where exists (select from periods)
$$;
comment on function public.part_history(bigint) is
  'Returns a part''s lifetime, including usage from before the log, its install periods with their usage, and the parts that moved with it in its last move. Null for an unknown part.';
grant execute on function public.part_history to authenticated;

create function public.stored_parts() returns json
language sql stable security invoker set search_path = ''
as $$
  with stored as materialized (
    select latest.* from (
      select distinct on (part_id) * from public.maintenance
      order by part_id, coalesce("dateEnded", 'infinity') desc, "dateStarted" desc, id desc
    ) as latest
    where latest.ended_as = 'stored' and latest."dateEnded"::date <= private.today()
  )
  select json_build_object('parts', coalesce(json_agg(listed), '[]')) from (
    select part_id, stored.id as item_id, stored."bikeId" as gear_id, stored.type, stored.name, stored."dateEnded" as stored_at,
      rides, distance, moving_time, totals.earlier_distance, totals.earlier_moving_time, totals.cost, days
    from private.part_totals(array(select part_id from stored)) as totals join stored using (part_id)
    order by stored."dateEnded" desc, stored.id
  ) as listed
$$;
comment on function public.stored_parts() is
  'Lists the parts in storage, whose last item ended as stored: {parts} with their usage over all bikes. item_id, gear_id and stored_at come from that item.';
grant execute on function public.stored_parts to authenticated;

create function private.ride_months(gear_id bigint default null, from_day date default null, to_day date default null)
returns table (month text, rides bigint, distance numeric, moving_time bigint)
language sql stable security invoker set search_path = ''
as $$
  select to_char(ride.started_at, 'YYYY-MM'), count(*), coalesce(sum(ride.distance), 0), coalesce(sum(ride.moving_time), 0)
  from private.counted_rides as ride
  -- In a subquery, to ask once, not for every ride.
  where (ride_months.gear_id is null or ride.ridden_as = any ((select private.ridden_as(ride_months.gear_id))::bigint[]))
    and (from_day is null or started_at >= from_day) and (to_day is null or started_at < to_day + 1)
  group by 1 order by 1
$$;
comment on function private.ride_months(bigint, date, date) is
  'Adds up rides, meters and seconds by month, of a bike or of all rides, in a period. Without a period, the last row has the rides without a date.';
grant execute on function private.ride_months to authenticated;

create function public.ride_years(gear_id bigint default null, without_bike boolean default false) returns json
language sql stable security invoker set search_path = ''
-- Compiling the query takes longer than running it.
set jit = off
as $$
  with today as materialized (
    select private.today() as today
  ), ridden as materialized (
    select ride.started_at, ride.distance, ride.moving_time, stored.elevation_gain,
      -- Rides of this year may be dated tomorrow, where it is tomorrow already.
      ride.started_at >= date_trunc('year', today) or to_char(ride.started_at, 'MM-DD') <= to_char(today, 'MM-DD') as is_by_today
    from private.counted_rides as ride join public.rides as stored using (id) cross join today
    where case
      when without_bike then not exists (select from public.bikes where bikes.gear_id = ride.gear_id)
      -- In a subquery, to ask once, not for every ride.
      else ride_years.gear_id is null or ride.ridden_as = any ((select private.ridden_as(ride_years.gear_id))::bigint[]) end
  ), months as (
    select to_char(started_at, 'YYYY-MM') as month, count(*) as rides, coalesce(sum(distance), 0) as distance,
      coalesce(sum(moving_time), 0) as moving_time, coalesce(sum(elevation_gain), 0) as elevation_gain
    from ridden where started_at is not null group by 1
  ), years as (
    select to_char(started_at, 'YYYY') as year, count(*) as rides, coalesce(sum(distance), 0) as distance,
      coalesce(sum(moving_time), 0) as moving_time, coalesce(sum(elevation_gain), 0) as elevation_gain,
      json_build_object(
        'rides', count(*) filter (where is_by_today), 'distance', coalesce(sum(distance) filter (where is_by_today), 0),
        'moving_time', coalesce(sum(moving_time) filter (where is_by_today), 0),
        'elevation_gain', coalesce(sum(elevation_gain) filter (where is_by_today), 0)
      ) as to_date
    from ridden where started_at is not null group by 1
  )
  select json_build_object(
    'today', (select today from today),
    'months', (select coalesce(json_agg(months order by month), '[]') from months),
    'years', (select coalesce(json_agg(years order by year desc), '[]') from years),
    'total', (
      select json_build_object(
        'rides', count(*), 'distance', coalesce(sum(distance), 0), 'moving_time', coalesce(sum(moving_time), 0),
        'elevation_gain', coalesce(sum(elevation_gain), 0)
      ) from ridden
    )
  )
  -- Row-level security only hides rows, so other users would get an empty list instead of null.
  where private.is_owner()
$$;
comment on function public.ride_years(bigint, boolean) is
  'Adds up rides, meters, seconds and meters of climbing by month and by year, of a bike, of rides without one, or of all rides: {today, months, years, total}. to_date: each year until today''s day. total includes rides without a date. Null for anyone but the owner.';
grant execute on function public.ride_years to authenticated;

-- Bikes' odometers, as sheets of other trackers have them: how far its rides had gone in all.
create function public.days_reached(readings jsonb) returns json
language sql stable security invoker set search_path = ''
-- Compiling the query takes longer than running it.
set jit = off
as $$
  with wanted as materialized (
    select (reading ->> 'gear_id')::bigint as gear_id, place as bike, distances.distance::numeric as distance, index
    from jsonb_array_elements(readings) with ordinality as listed (reading, place)
    left join lateral jsonb_array_elements_text(reading -> 'distances') with ordinality as distances (distance, index) on true
  ), doubted as materialized (
    select id from private.doubted_rides
  ), ridden as (
    select bike, ride.started_at, sum(coalesce(ride.distance, 0)) over (partition by bike order by ride.started_at, ride.id) as odometer
    from (select distinct bike, gear_id from wanted) as bikes
    cross join lateral unnest(private.ridden_as(bikes.gear_id)) as carried (id)
    join private.counted_rides as ride on ride.ridden_as = carried.id
    where ride.started_at is not null and not exists (select from doubted where doubted.id = ride.id)
  ), merged as (
    select bike, odometer as distance, started_at, null::bigint as index from ridden
    union all
    select bike, distance, null, index from wanted where index is not null
  ), reached as (
    -- The first of the rides that got as far or farther.
    select bike, index, min(started_at) over (partition by bike order by distance desc)::date as day from merged
  )
  select json_build_object('bikes', (
    select coalesce(json_agg(json_build_object(
      'gear_id', gear_id, 'distance', coalesce((select max(odometer) from ridden where ridden.bike = bikes.bike), 0),
      'days', (select coalesce(json_agg(day order by index), '[]') from reached where reached.bike = bikes.bike and index is not null)
    ) order by bike), '[]')
    from (select distinct bike, gear_id from wanted) as bikes
  ))
$$;
comment on function public.days_reached(jsonb) is
  'Takes distances in meters, by bike: [{gear_id, distances}]. Returns {bikes: [{gear_id, distance, days}]}: how far each bike''s rides went in all, and the day of the ride with which they reached each distance, null if they didn''t. Leaves out rides without a date and those whose day is doubtful.';
grant execute on function public.days_reached to authenticated;

create function public.bike_timeline(gear_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object(
    'months', (
      select coalesce(json_agg(months order by month), '[]') from private.ride_months(bike.gear_id) as months where month is not null
    ),
    'services', (
      select coalesce(json_agg(services), '[]') from (
        select id, name, done_at::date as day, item_id, maintenance_id as paid_item_id
        from private.service_places as service where service.gear_id = bike.gear_id
        order by done_at, id
      ) as services
    )
  )
  from public.bikes as bike where bike.gear_id = bike_timeline.gear_id
$$;
comment on function public.bike_timeline(bigint) is
  'Returns a bike''s rides, meters and seconds by month, and the service events of the bike and its parts, each with the part''s item and the item with the cost. Null for an unknown bike.';
grant execute on function public.bike_timeline to authenticated;

create function private.command_log(arguments jsonb) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
declare
  wanted_bike constant bigint := arguments ->> 'gear_id';
  wanted_type constant text := arguments ->> 'type';
  word constant text := lower(arguments ->> 'word');
  from_day constant date := arguments ->> 'from';
  to_day constant date := arguments ->> 'to';
  entries constant integer := coalesce((arguments ->> 'limit')::integer, 100);
  last constant public.maintenance := (select item from public.maintenance as item where id = (arguments ->> 'after')::bigint);
begin
  perform private.reject_if(arguments ->> 'after' is not null and last.id is null, 'PT422', 'after: No entry has this id.');
  return (
    with listed as materialized (
      select * from public.maintenance as item
      where (wanted_bike is null or "bikeId" = wanted_bike) and (wanted_type is null or type = wanted_type)
        and (word is null or strpos(lower(private.searched_text(item)), word) > 0)
        and (from_day is null or "dateStarted" >= from_day)
        and (to_day is null or "dateStarted" < to_day + 1)
        and (last.id is null or ("dateStarted", id) < (last."dateStarted", last.id))
      order by "dateStarted" desc, id desc limit entries + 1
    ), page as (
      select * from listed order by "dateStarted" desc, id desc limit entries
    ), used as (
      select * from private.sum_rides(array(
        select (id, "bikeId", "dateStarted", "dateEnded", false)::private.ride_range from page
      ))
    )
    select jsonb_build_object(
      'entries', coalesce(jsonb_agg(to_jsonb(page) || jsonb_build_object(
        -- A part that was stored on the day it was bought has no period, but a reason.
        'part_id', case
          when ended_as is not null or exists (select from private.install_periods as period where period.id = page.id) then part_id
        end,
        'rides', rides, 'distance', distance, 'moving_time', moving_time, 'kind', (
          select kind from public.parts as part where part.id = page.part_id
        )
      ) order by "dateStarted" desc, id desc), '[]'),
      'has_more', (select count(*) > entries from listed), 'bikes', private.bike_names()
    )
    from page join used on key = id
  );
end
$$;
comment on function private.command_log(jsonb) is
  'Returns a page of the log, {gear_id, type, word, from, to, after, limit}, with each item''s rides, meters and seconds, newest first: {entries, has_more, bikes}. The period is that of the starts, and word is part of private.searched_text. part_id is null for work. after: the id of the last item of the page before.';
grant execute on function private.command_log to authenticated;
