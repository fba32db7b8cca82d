set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.changed_rows(names uuid[], ids bigint[] DEFAULT NULL::bigint[])
 RETURNS SETOF private.changed_row
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
  with net as materialized (
    -- Several statements of one transaction may change the same row.
    select change, relation, row_id, (array_agg(before order by id))[1] as before, (array_agg(after order by id desc))[1] as after
    from public.changes
    where change = any (names) and (ids is null or row_id = any (ids)) and changed_at >= now() - interval '30 days'
      and relation in (select name from private.tracked_tables)
    group by change, relation, row_id
  ), present as materialized (
    select relation, row_id, stored
    from (select relation, array_agg(distinct row_id) as ids from net group by relation) as needed
    cross join lateral private.stored_rows(relation, ids)
  )
  select net.change, net.relation, net.row_id, net.before, net.after, stored,
    case when net.after is null or net.before is null then net.before || coalesce(lost.link, '{}') else stored || edited.columns end,
    case
      when net.before is null then case
        when stored is null or net.relation = 'parts' and stored @> net.after and part.stays then 'done'
        when stored @> net.after then 'ready'
        else 'changed'
      end
      when net.after is null then case when stored is not null then 'done' when lost.task or lost.part then 'deleted' else 'ready' end
      when edited.columns is null or stored @> edited.columns then 'done'
      when stored is null then case when net.relation = 'service_events' and edited.columns - 'maintenance_id' = '{}' then 'done' else 'deleted' end
      when exists (
        select from jsonb_each(edited.columns)
        where stored -> key is distinct from value and stored -> key is distinct from net.after -> key
      ) then 'changed'
      else 'ready'
    end
  from net
  left join present using (relation, row_id)
  left join lateral (
    select jsonb_object_agg(key, value) as columns
    from jsonb_each(net.before) where net.after is not null and value is distinct from net.after -> key
  ) as edited on true
  -- A part goes with its items, unless another item has it or may come back. One that an undo removed needs the others to come back.
  left join lateral (
    select count(*) = 0 or bool_or(item.id not in (select row_id from net where relation = 'maintenance' and before is null))
      or net.row_id in (
        select (gone.before ->> 'part_id')::bigint from public.changes as gone left join public.maintenance as present on present.id = gone.row_id
        where gone.relation = 'maintenance' and gone.after is null and present.id is null and gone.command is distinct from 'undo'
      ) as stays
    from public.maintenance as item where item.part_id = net.row_id
  ) as part on net.relation = 'parts' and net.before is null
  left join net as removed_part on net.after is null and removed_part.change = net.change and removed_part.relation = 'parts'
    and removed_part.row_id = (net.before ->> 'part_id')::bigint
  left join public.parts as present_part on net.after is null and present_part.id = (net.before ->> 'part_id')::bigint
  -- What belongs to a part only comes back with it, and an event with its task. The item with its cost may have been deleted or restored since.
  left join lateral (
    -- Other rows must not evaluate this: it may read all rows of the change.
    select net.before ->> 'part_id' is not null and num_nonnulls(removed_part.row_id, present_part.id) = 0 as part,
      case when net.relation = 'service_events' and net.after is null then not exists (select from public.service_tasks where id = (net.before ->> 'task_id')::bigint)
        and not exists (
          select from net as also where also.change = net.change and also.relation = 'service_tasks'
            and also.row_id = (net.before ->> 'task_id')::bigint
        ) end as task,
      case when net.relation = 'service_events' and net.after is null then case when not exists (
          select from net as also where also.change = net.change and also.relation = 'maintenance'
            and also.row_id = (net.before ->> 'maintenance_id')::bigint
        ) then jsonb_build_object('maintenance_id', (
          select item.id from public.changes as earlier
          join public.maintenance as item on item.id = (earlier.before ->> 'maintenance_id')::bigint
          where earlier.relation = 'service_events' and earlier.row_id = net.row_id order by earlier.id desc limit 1
        )) end end as link
  ) as lost on true
  where num_nonnulls(net.before, net.after) > 0
$function$;

CREATE OR REPLACE FUNCTION private.command_set_settings(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.settings default values on conflict do nothing;
  update public.settings set
    distance = coalesce(arguments ->> 'distance', distance), dates = coalesce(arguments ->> 'dates', dates),
    currency = coalesce(arguments ->> 'currency', currency), week_start = coalesce(arguments ->> 'week_start', week_start)
  -- Hosted projects reject an update without a condition.
  where is_the_one;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_set_time_zone(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted constant text := arguments ->> 'name';
begin
  perform private.require_owner();
  -- Validating a name reads every time zone file, which takes 50 to 100 ms, so skip it if the name is already stored.
  if exists (select from private.owner as stored where stored.time_zone = wanted) then
    return '{}';
  end if;
  perform private.reject_if(
    not exists (select from pg_catalog.pg_timezone_names as zone where zone.name = wanted), 'PT422', format('name: There is no time zone called %s.', wanted)
  );
  update private.owner set time_zone = wanted where is_the_one;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.part_totals(parts bigint[], until timestamp without time zone DEFAULT NULL::timestamp without time zone, gear_id bigint DEFAULT NULL::bigint, what_if jsonb DEFAULT '[]'::jsonb)
 RETURNS TABLE(part_id bigint, rides bigint, distance numeric, moving_time bigint, days bigint, price numeric, cost numeric, earlier_distance numeric, earlier_moving_time integer, items private.used_item[])
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
        coalesce(case when changed.id is null then item."dateEnded" else changed."dateEnded" end, 'infinity') as until
      from unnest(parts) as part (part_id)
      join public.maintenance as item using (part_id)
      left join jsonb_to_recordset(what_if)
        as changed (id bigint, cost numeric, "dateStarted" timestamp, "dateEnded" timestamp) on changed.id = item.id
    ), periods as materialized (
      select id, part_id, gear_id, cost, since, least(until, part_totals.until) as until,
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
    ), sums as (
      select part_id, sum(rides)::bigint as rides, sum(distance) as distance, sum(moving_time)::bigint as moving_time,
        sum(days)::bigint as days, sum(cost) as price,
        array_agg((id, gear_id, cost, since, until, days, rides, distance, moving_time, first_ride, last_ride)::private.used_item) as items
      from periods join used on key = id group by part_id
    ), services as (
      select part_id, sum(cost) as cost from private.paid_services
      where part_totals.until is null or paid_at < part_totals.until group by part_id
    )
    select part_id, rides, distance + coalesce(part.earlier_distance, 0), moving_time + coalesce(part.earlier_moving_time, 0), days,
      price, price + coalesce(services.cost, 0), part.earlier_distance, part.earlier_moving_time, items
    from sums join public.parts as part on part.id = part_id left join services using (part_id)
    union all
    select null, rides, distance, moving_time, null, null, null, null, null, null from used where key is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore(schema text, tables text[], replace boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  failed constant text := 'Could not restore the backup: %s. Nothing was changed.';
  target record;
  columns text;
  sources text;
  problem text;
  wanted bigint;
begin
  -- The backup already contains the journal, so don't record these changes.
  perform set_config('tracker.command', 'backup', true);
  perform private.reject_if(
    not exists (select from supabase_migrations.schema_migrations where version >= restore.schema), 'RMT05',
    'This backup was made by a newer version of the tracker. Update the tracker first. Nothing was changed.'
  );
  select coalesce(stored.name || ' is missing', given.name || ' is invalid') into problem
  from private.backup_tables as stored full join unnest(tables) as given (name) using (name)
  where stored.name is null or given.name is null order by stored.place limit 1;
  perform private.reject_if(problem is not null, 'RMT05', format(failed, problem));

  for target in select * from private.backup_tables order by place desc loop
    -- A database with only settings counts as empty.
    if replace or target.name = 'settings' then
      execute format('delete from %s where true', target.relation);
    else
      execute format('select ''row'' from %s limit 1', target.relation) into problem;
      perform private.reject_if(
        problem is not null, 'RMT05',
        'The tracker already has data. Restore into an empty data folder, or add --replace to replace the data. Nothing was changed.'
      );
    end if;
  end loop;

  for target in select * from private.backup_tables order by place loop
    select string_agg(quote_ident(name), ', '), string_agg('restored_row.' || quote_ident(name), ', ') into columns, sources
    from json_object_keys((select line from pg_temp.restored as given where given.relation = target.name limit 1)) as name;
    continue when columns is null;
    -- Columns missing from an older backup get their defaults. Unknown columns are an error.
    execute format(
      'insert into %1$s (%2$s) overriding system value select %3$s
      from pg_temp.restored cross join lateral json_populate_record(null::%1$s, line) as restored_row where restored.relation = %4$L',
      target.relation, columns, sources, target.name
    );
  end loop;

  -- This also rejects NaN, which sorts above every number. JavaScript would round integers outside this range, so ids could collide.
  for target in
    select stored.*, attname as number from private.backup_tables as stored
    join pg_catalog.pg_attribute on attrelid = stored.relation and attnum > 0 and not attisdropped
    where atttypid in ('bigint'::regtype, 'numeric'::regtype)
  loop
    execute format('select %1$I from %2$s where abs(%1$I::numeric) >= 2::numeric ^ 53 limit 1', target.number, target.relation) into problem;
    perform private.reject_if(
      problem is not null, 'RMT05', format(failed, format('%s.%s is out of range (%s)', target.name, target.number, problem))
    );
  end loop;
  select least(distance, duration, moving_time) into problem from public.rides
  where least(distance, duration, moving_time) < 0 limit 1;
  perform private.reject_if(
    problem is not null, 'RMT05', format(failed, format('a ride has a negative distance or time (%s)', problem))
  );

  for target in
    select *, pg_get_serial_sequence(relation::text, 'id') as ids from private.backup_tables where key = 'id'
  loop
    continue when target.ids is null;
    -- New rows get neither the id of a row nor of one in the trash, and half of the range stays free for them. A sequence is
    -- never lowered, so no id is used twice.
    execute format('select max(id) from %s', target.relation) into wanted;
    perform private.reject_if(
      wanted > 2::bigint ^ 52, 'RMT05', format(failed, format('the ids of %s are too high to leave any for new rows', target.name))
    );
    select greatest(wanted, max(row_id)) into wanted
    from public.changes where changes.relation = target.name and row_id <= 2::bigint ^ 52;
    perform setval(target.ids, wanted)
    where wanted > coalesce(pg_sequence_last_value(target.ids::regclass), 0);
  end loop;
end
$function$;
