-- When measured parts reach their limits, computed from the measurements and rides on every call and never stored.
-- docs/decisions/lifetimes.md explains the estimate, docs/decisions/service.md the lines in Due.

-- The same as in _shared/parts/wear-units.ts, which forms use.
create view private.wear_units with (security_invoker = true) as
select key, is_shrinking, starts_at_zero, usual_limit from (values
  ('chain%', false, true, 0.5),
  ('padmm', true, false, null),
  ('rotormm', true, false, null),
  ('treadmm', true, false, null)
) as unit (key, is_shrinking, starts_at_zero, usual_limit);
comment on view private.wear_units is
  'Units, as private.name_key writes them: whether values fall with wear, whether a new part measures 0, and the limit that applies if the owner enters none.';
grant select on private.wear_units to authenticated;

create function private.name_key(name text) returns text
language sql immutable security invoker set search_path = ''
as $$ select lower(regexp_replace(normalize(name, NFKC), '\s', '', 'g')) $$;
comment on function private.name_key(text) is 'Normalizes a name, because owners vary case, spaces and Unicode forms.';
grant execute on function private.name_key to authenticated;

create function private.least_wear_distance() returns numeric
language sql immutable security invoker set search_path = ''
-- 300 miles.
as $$ select 482700.0 $$;
comment on function private.least_wear_distance() is 'Returns the minimum meters between exact values for an estimate.';
grant execute on function private.least_wear_distance to authenticated;

create type private.measurement as (
  id bigint, part_id bigint, measured_on date, value numeric, reading text, unit text, tool text, "limit" numeric, note text, distance numeric
);
comment on type private.measurement is 'A wear measurement, and the part''s meters at the end of that day.';

create function private.placed_measurements(parts bigint[])
returns table (part_id bigint, distance numeric, earlier_distance numeric, measurements private.measurement[])
language plpgsql stable security invoker set search_path = '' set jit = off
as $$
#variable_conflict use_column
begin
  return query
    with measured as materialized (
      select * from public.wear_measurements where part_id = any (parts)
    ), used as materialized (
      select used.* from private.usage_between(array(
        -- Riders measure after riding, so the rides of that day count.
        select (id, part_id, null, null, measured_on + 1, false)::private.used_span from measured
        union all select (-part, part, null, null, null, false)::private.used_span from unnest(parts) as part
      )) as used
    )
    select part, now.distance, now.earlier_distance, array(
      select (id, part, measured_on, value, reading, unit, tool, "limit", note, used.distance)::private.measurement
      from measured join used on used.key = id where part_id = part order by measured_on, id
    )
    from unnest(parts) as part join used as now on now.key = -part;
end
$$;
comment on function private.placed_measurements(bigint[]) is
  'Returns each part''s meters until now, including usage from before the log, and its measurements, oldest first.';
grant execute on function private.placed_measurements to authenticated;

create function private.wear_series(measurements private.measurement[])
returns table (
  part_id bigint, unit_key text, unit text, tool text, "limit" numeric, not_before numeric, kind text, "from" float8, "to" float8,
  reached_on date, reached_at numeric, last_open bigint, ids bigint[], first bigint, last bigint
)
-- PostgreSQL expects a few measurements, and would compare all of them with each other.
language sql stable security invoker set search_path = '' set enable_nestloop = off set jit = off
as $$
  with placed as (
    select measured.*, private.name_key(unit) as unit_key, private.name_key(tool) as tool_key
    from unnest(measurements) with ordinality as measured (id, part_id, measured_on, value, reading, unit, tool, "limit", note, distance, place)
  ), series as materialized (
    select part_id, unit_key, tool_key, array_agg(id) as ids, min(place) as first, max(place) as last,
      (array_agg(unit order by place desc))[1] as unit, (array_agg(tool order by place desc))[1] as tool,
      coalesce((array_agg("limit" order by place desc) filter (where "limit" is not null))[1], usual_limit) as "limit", coalesce(is_shrinking, false) as is_shrinking, coalesce(starts_at_zero, false) as starts_at_zero
    from placed left join private.wear_units on key = unit_key
    group by part_id, unit_key, tool_key, usual_limit, is_shrinking, starts_at_zero
  ), readings as (
    -- A gauge that shows its mark is as good as an exact value.
    select part_id, unit_key, tool_key, series."limit", is_shrinking, starts_at_zero, id, place, measured_on, reading, distance, coalesce(value, series."limit") as mark,
      case when reading is null or reading = 'at' then coalesce(value, series."limit") end as exact
    from placed join series using (part_id, unit_key, tool_key) where series."limit" is not null
  ), directed as (
    -- With a custom unit, the first value shows whether values rise or fall with wear.
    select *, starts_at_zero or not is_shrinking and coalesce(
      first_value(exact) over (partition by part_id, unit_key, tool_key order by exact is null, place) <= "limit", true
    ) as grows from readings
  ), compared as (
    -- Null: the reading doesn't show whether the limit is reached.
    select *, case
      when reading is null or reading = 'at' then ahead <= 0
      when (reading = 'over') = grows then case when ahead <= 0 then true end
      when ahead >= 0 then false
    end as is_reached
    from directed cross join lateral (select case when grows then "limit" - mark else mark - "limit" end as ahead) as until_limit
  ), bounds as materialized (
    select part_id, unit_key, tool_key, max(distance) filter (where not is_reached) as not_before, min(distance) filter (where is_reached) as reached_by,
      count(exact) as values, bool_and(grows) as grows, min(measured_on) filter (where is_reached and open_later = 0) as reached_on,
      min(distance) filter (where is_reached and open_later = 0) as reached_at,
      (array_agg(id order by place desc) filter (where not is_reached))[1] as last_open
    from (
      select *, count(*) filter (where not is_reached) over (partition by part_id, unit_key, tool_key order by place desc) as open_later
      from compared
    ) as readings group by 1, 2, 3
  ), points as (
    select part_id, unit_key, tool_key, distance::float8 as at, exact::float8 as value from readings where exact is not null
    union all
    -- A new chain is known without a reading.
    select part_id, unit_key, tool_key, 0, 0 from bounds join series using (part_id, unit_key, tool_key)
    where starts_at_zero and values = 1 and reached_by is null
  ), lines as (
    select part_id, unit_key, tool_key, count(*) as points, avg(at) as middle, avg(value) as value, var_pop(at) as spread, var_pop(value) as scatter,
      regr_slope(value, at) as slope, max(at) - min(at) as span
    from points group by 1, 2, 3
  ), crossings as (
    -- Fieller's interval: the distances at which the line is within its own error of the limit. Two values are always on the line. The scatter
    -- of more values may show a larger error than 0.02, that of hand tools. 1.645 standard deviations to each side hold nine in ten.
    select part_id, unit_key, tool_key, middle + (slope * ahead - half) / slope_left as "from", middle + (slope * ahead + half) / slope_left as "to"
    from lines join bounds using (part_id, unit_key, tool_key) join series using (part_id, unit_key, tool_key)
    cross join lateral (
      select "limit" - value as ahead,
        1.645 ^ 2 * greatest(0.02 ^ 2, (scatter - slope ^ 2 * spread) * points / greatest(points - 2, 1)) / points as error
    ) as errors
    cross join lateral (select slope ^ 2 - error / nullif(spread, 0) as slope_left) as slopes
    cross join lateral (select sqrt(error * greatest(slope_left + ahead ^ 2 / nullif(spread, 0), 0)) as half) as halves
    -- Smaller differences are within the error of hand tools. Because of rounding errors, a wear of 0.1 may be 0.0999….
    where span >= private.least_wear_distance() and slope * span * (case when grows then 1 else -1 end) >= 0.1 - 1e-9 and slope_left > 0
  )
  select part_id, unit_key, unit, tool, "limit", not_before,
    case when line then 'line' when not_before <= reached_by then 'bracket' end,
    -- Contradictory readings give no estimate.
    case when line then greatest("from", not_before, 0) when not_before <= reached_by then not_before end,
    case when line then least("to", reached_by) when not_before <= reached_by then reached_by end,
    reached_on, reached_at, last_open, ids, first, last
  from series left join bounds using (part_id, unit_key, tool_key) left join crossings using (part_id, unit_key, tool_key)
  cross join lateral (select coalesce(greatest("from", not_before, 0) <= least("to", reached_by) and "to" is not null, false) as line) as fits
$$;
comment on function private.wear_series(private.measurement[]) is
  'Groups a part''s measurements, oldest first, by unit and tool, and estimates at which meters of the part each group reaches its limit: a 90 % range for a line through exact values, or a bracket between two readings. not_before: the meters of the last reading before the limit. reached_on, reached_at: the first of the latest readings that all show that the limit is reached. last_open: the last reading that shows that it isn''t. first, last: the places of its measurements in the list. Takes several parts.';
grant execute on function private.wear_series to authenticated;

create function public.part_wear(part_id bigint) returns json
language sql stable security invoker set search_path = ''
as $$
  with latest as (
    select "bikeId" as gear_id, coalesce("dateEnded" > private.wall_clock(), true) as is_installed from public.maintenance as item
    where item.part_id = part_wear.part_id order by "dateStarted" desc limit 1
  )
  select json_build_object(
    'gear_id', latest.gear_id,
    'is_installed', latest.is_installed,
    'distance', placed.distance,
    'earlier_distance', earlier_distance,
    'least_distance', private.least_wear_distance(),
    'measurements', (
      select coalesce(json_agg(json_build_object(
        'id', id, 'measured_on', measured_on, 'value', value, 'reading', reading, 'unit', unit, 'tool', tool, 'limit', "limit", 'note', note,
        'distance', measured.distance
      ) order by measured_on, id), '[]') from unnest(placed.measurements) as measured
    ),
    'series', (
      select coalesce(json_agg(json_build_object(
        'unit', unit, 'tool', tool, 'limit', "limit", 'not_before', not_before, 'reached_on', reached_on,
        'estimate', case when kind is not null then json_build_object('kind', kind, 'from', "from", 'to', "to") end, 'measurements', ids
      ) order by first), '[]') from private.wear_series(placed.measurements)
    )
  )
  from latest cross join private.placed_measurements(array[part_wear.part_id]) as placed
$$;
comment on function public.part_wear(bigint) is
  'Returns a part''s measurements, oldest first, each with the part''s meters at the end of that day; their series as private.wear_series, with the ids of their measurements; the part''s meters until now, including usage from before the log; and its current or last bike. Null for an unknown part.';
-- Security invoker, so row-level security applies.
grant execute on function public.part_wear(bigint) to authenticated;

create function private.day_reached(part_id bigint, distance numeric) returns date
language sql stable security invoker set search_path = ''
as $$
  select min(day) from (
    select ride.started_at::date as day, coalesce(part.earlier_distance, 0) + sum(ride.distance) over (order by ride.started_at, ride.id) as distance
    from public.parts as part join private.install_periods as period on period.part_id = part.id
    join private.counted_rides as ride on ride.gear_id = period.gear_id and period.since <= ride.started_at and ride.started_at < period.until
    where part.id = day_reached.part_id
  ) as ridden where ridden.distance >= day_reached.distance
$$;
comment on function private.day_reached(bigint, numeric) is
  'Returns the day of the ride with which a part reached these meters, including usage from before the log. Null: it hasn''t.';
grant execute on function private.day_reached to authenticated;

create function private.wear_limits(gear_id bigint, checked bigint[]) returns json
language plpgsql stable security invoker set search_path = '' set jit = off
as $$
#variable_conflict use_column
begin
  if not exists (select from public.wear_measurements) then
    return '[]';
  end if;
  return (
    with places as materialized (
      select * from private.current_places where is_installed and part_id in (select part_id from public.wear_measurements)
        and gear_id not in (select gear_id from private.retired_bikes) and (wear_limits.gear_id is null or gear_id = wear_limits.gear_id)
    ), placed as materialized (
      select * from private.placed_measurements(array(select part_id from places))
    ), limits as (
      -- The rider trusts the tool that was used last.
      select distinct on (part_id, unit_key) part_id, unit, tool, "limit", reached_on, last_open, coalesce(reached_at, "from"::numeric) as limit_distance
      from private.wear_series(array(select measured from placed cross join lateral unnest(measurements) as measured))
      where reached_on is not null or kind = 'line' order by part_id, unit_key, last desc
    ), fractions as (
      select *, case when reached_on is null then 0 else 1 end as least, distance::float8 / greatest(limit_distance, 1)::float8 as share
      from limits join placed using (part_id) join places using (part_id)
    )
    select coalesce(json_agg(json_build_object(
      'part_id', part_id, 'gear_id', gear_id, 'item_id', item_id, 'item_name', name, 'item_type', type, 'unit', unit, 'tool', tool,
      'limit', "limit", 'distance', distance, 'limit_distance', limit_distance, 'reached_on', reached_on,
      'last_open', last_open, 'due_since', case when fraction >= 1 then coalesce(reached_on, private.day_reached(part_id, limit_distance)) end, 'fraction', fraction,
      'state', case when fraction >= 1.1 then 'overdue' when fraction >= 1 then 'due' when fraction >= 0.9 then 'soon' else 'ok' end
    ) order by fraction desc, part_id, unit), '[]')
    from fractions cross join lateral (select greatest(least, share) as fraction) as used
    -- A check that is due asks for the same reading.
    where reached_on is not null or fraction < 1 or part_id <> all (checked)
  );
end
$$;
comment on function private.wear_limits(bigint, bigint[]) is
  'Lists the limits of the measured parts on one or all bikes in use that a reading shows as reached (reached_on), or that have an estimate, one per part and unit. limit_distance: the part''s meters at that reading, or from which on the limit is likely reached. due_since: the day on which it got there. checked: parts whose check is due, which makes an estimate that is reached say the same.';
grant execute on function private.wear_limits to authenticated;
