set local check_function_bodies = off;

DROP FUNCTION "private"."part_totals"(bigint[], timestamp without time zone, bigint, jsonb);

DROP FUNCTION "private"."used_positions"(private.used_item[]);

CREATE OR REPLACE FUNCTION private.part_totals(parts bigint[], until timestamp without time zone DEFAULT NULL::timestamp without time zone, gear_id bigint DEFAULT NULL::bigint, what_if jsonb DEFAULT '[]'::jsonb)
 RETURNS TABLE(part_id bigint, rides bigint, distance numeric, moving_time bigint, days bigint, price numeric, cost numeric, earlier_distance numeric, earlier_moving_time integer, kind text, by_position jsonb, items private.used_item[])
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
    ), items as materialized (
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
$function$;

CREATE OR REPLACE FUNCTION private.sum_rides(ranges private.ride_range[])
 RETURNS TABLE(key bigint, rides bigint, distance numeric, moving_time bigint, first_ride timestamp without time zone, last_ride timestamp without time zone)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  bike record;
  carried bigint[];
  bounds timestamp[];
  -- Element n describes the nth interval with rides: the running sums at its end, and its first and last ride.
  rides_until bigint[];
  distance_until numeric[];
  moving_time_until bigint[];
  first_rides timestamp[];
  last_rides timestamp[];
begin
  for bike in
    select gear_id, coalesce(outdoor_only, false) as outdoor_only, array_agg(range.key) as keys, array_agg(since) as since,
      array_agg(coalesce(until, 'infinity')) as until
    from unnest(ranges) as range group by 1, 2
  loop
    carried := private.ridden_as(bike.gear_id);
    bounds := array(select distinct at from unnest(bike.since || bike.until) as at order by at);

    with intervals as (
      select number, sums.*
      from unnest(bounds, bounds[2:]) with ordinality as interval (since, until, number)
      cross join lateral (
        select count(*)::integer as rides, sum(distance) as distance, sum(moving_time) as moving_time, min(started_at) as first_ride,
          max(started_at) as last_ride
        from private.counted_rides where ridden_as = any (carried) and started_at >= since and started_at < until
          and not (is_stationary and bike.outdoor_only)
        having count(*) > 0
      ) as sums
    ), running as (
      select first_ride, last_ride, sum(rides) over so_far as rides, coalesce(sum(distance) over so_far, 0) as distance,
        coalesce(sum(moving_time) over so_far, 0) as moving_time
      from intervals window so_far as (order by number rows unbounded preceding)
      order by number
    )
    select array_agg(rides), array_agg(distance), array_agg(moving_time), array_agg(first_ride), array_agg(last_ride)
    into rides_until, distance_until, moving_time_until, first_rides, last_rides
    from running;

    return query
    select range.key, coalesce(rides_until[last], 0) - coalesce(rides_until[first], 0),
      coalesce(distance_until[last], 0) - coalesce(distance_until[first], 0),
      coalesce(moving_time_until[last], 0) - coalesce(moving_time_until[first], 0),
      case when last > first then first_rides[first + 1] end, case when last > first then last_rides[last] end
    -- [:] and offset 0 flatten the array once; otherwise width_bucket does it for every range.
    from (select coalesce(first_rides[:], '{}') as firsts offset 0) as flattened
    cross join unnest(bike.keys, bike.since, bike.until) as range (key, since, until)
    cross join lateral (
      -- The number of intervals before the range's start and before its end. Subtracting a microsecond, a timestamp's
      -- resolution, excludes an interval whose first ride starts exactly then.
      select width_bucket(since - interval '1 microsecond', firsts), width_bucket(until - interval '1 microsecond', firsts)
      offset 0
    ) as place (first, last);
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION public.maintenance_use(gear_id bigint, day date DEFAULT NULL::date)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
    ), items as materialized (
      select part_id, item.* from totals cross join lateral unnest(items) as item
    ), listed as (
      select part_id, array_agg(item.id order by since, item.id) as item_ids from items as item group by part_id
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
          select id, rides, distance, moving_time, days, first_ride, last_ride from items
          where items.gear_id = maintenance_use.gear_id and (midnight is null or until = midnight)
          order by id
        ) as item
      ),
      'parts', (
        select coalesce(json_agg(part), '[]') from (
          select part_id, item_ids, rides, distance, moving_time, earlier_distance, earlier_moving_time, cost, kind,
            case when by_position is not null then (
              select coalesce(jsonb_object_agg("end", sums - 'days'), '{}') from jsonb_each(by_position) as at_end ("end", sums)
            ) end as by_position
          from totals join listed using (part_id) order by part_id
        ) as part
      )
    )
    from public.bikes as bike where bike.gear_id = maintenance_use.gear_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.part_lifetimes(what_if jsonb DEFAULT '[]'::jsonb)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  clock constant timestamp := private.wall_clock();
begin
  -- Row-level security only hides rows, so other users would get empty lists instead of null.
  if not private.is_owner() then
    return null;
  end if;

  return (
    with totals as materialized (
      select * from private.part_totals(array(select id from public.parts), what_if => what_if)
    ), items as (
      select id, totals.part_id, used.gear_id, type, name, item."position", used.cost, used.since,
        case when used.until <= clock or used.until = used.since then used.until end as until,
        case when used.until <= clock or used.until = used.since then ended_as end as ended_as,
        -- Applies the rule of private.install_periods to what-if dates: a part counts as installed from the start of its
        -- first day.
        used.since <> used.until and used.since::date <= clock::date as was_installed
      from totals cross join lateral unnest(items) as used join public.maintenance as item using (id)
    )
    select json_build_object(
      -- One array per column is faster than one object per row, and half the size.
      'items', (select json_build_object(
        'id', coalesce(array_agg(id), '{}'),
        'part_id', coalesce(array_agg(part_id), '{}'),
        'gear_id', coalesce(array_agg(gear_id), '{}'),
        'type', coalesce(array_agg(type), '{}'),
        'name', coalesce(array_agg(name), '{}'),
        'position', coalesce(array_agg("position"), '{}'),
        'cost', coalesce(array_agg(cost), '{}'),
        'since', coalesce(array_agg(since), '{}'),
        'until', coalesce(array_agg(until), '{}'),
        'ended_as', coalesce(array_agg(ended_as), '{}'),
        'was_installed', coalesce(array_agg(was_installed), '{}')
      ) from items),
      'parts', (select json_build_object(
        'part_id', coalesce(array_agg(part_id), '{}'),
        'rides', coalesce(array_agg(rides), '{}'),
        'distance', coalesce(array_agg(distance), '{}'),
        'moving_time', coalesce(array_agg(moving_time), '{}'),
        'days', coalesce(array_agg(days), '{}'),
        'price', coalesce(array_agg(price), '{}'),
        'cost', coalesce(array_agg(cost), '{}'),
        'earlier_distance', coalesce(array_agg(earlier_distance), '{}'),
        'earlier_moving_time', coalesce(array_agg(earlier_moving_time), '{}'),
        'kind', coalesce(array_agg(kind), '{}'),
        'by_position', coalesce(array_agg(by_position), '{}')
      ) from totals)
    )
  );
end
$function$;

COMMENT ON FUNCTION "private"."part_totals"(bigint[], timestamp without time zone, bigint, jsonb) IS 'Adds up the items of each part that started before a moment (until) or all: rides, meters and seconds, including usage from before the log; the days of its install periods; the price of its items, and the cost, which is the price and the paid services. by_position: the sums at each of its ends, without usage from before the log; null if its kind has no ends. items: its items, unordered. gear_id adds a row for a bike, with its rides, meters and seconds until then. what_if, [{id, cost, dateStarted, dateEnded}], replaces the stored values of these items.';

COMMENT ON FUNCTION "public"."part_lifetimes"(jsonb) IS 'Returns {items, parts}, each one array per column: the items with their dates and costs, and whether each was installed (false for work and planned parts), and the parts with private.part_totals. what_if, [{id, cost, dateStarted, dateEnded}], replaces the stored values of these items. Null for anyone but the owner.';

REVOKE ALL ON FUNCTION "private"."part_totals"(bigint[], timestamp without time zone, bigint, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."part_totals"(bigint[], timestamp without time zone, bigint, jsonb) TO "authenticated";
