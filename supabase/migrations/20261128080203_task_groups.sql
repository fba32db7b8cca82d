set local check_function_bodies = off;

DROP VIEW "private"."current_tasks";

ALTER TABLE "public"."service_tasks" DROP CONSTRAINT "service_tasks_limit_check";

DROP FUNCTION "private"."command_add_task"(jsonb);

DROP FUNCTION "private"."command_edit_row"(jsonb);

DROP FUNCTION "private"."command_mark_done"(jsonb);

DROP FUNCTION "private"."correct_event"(bigint, jsonb, jsonb, bigint[]);

DROP FUNCTION "private"."mark_done"(bigint, bigint, date, numeric, text);

ALTER TABLE "public"."service_tasks" ADD COLUMN "once" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."service_tasks" ADD COLUMN "due_on" date;

ALTER TABLE "public"."service_tasks" ADD COLUMN "with_task" bigint;

ALTER TABLE "public"."service_tasks" ADD COLUMN "group" bigint;

CREATE OR REPLACE FUNCTION private.add_event(task_id bigint, done_at timestamp without time zone, pressed_at timestamp with time zone, note text)
 RETURNS public.service_events
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  task public.service_tasks;
  event public.service_events;
begin
  select * into task from public.service_tasks where id = add_event.task_id;
  perform private.reject_if(not found, 'RMT22', 'RMT22: The task was removed.');
  perform private.check_service_day(task.part_id, add_event.done_at::date);
  perform private.reject_if(
    task.once and exists (select from public.service_events as done where done.task_id = task.id), 'RMT25', 'RMT25: The task was to be done once, and is done.'
  );
  insert into public.service_events (task_id, part_id, done_at, pressed_at, note)
  values (task.id, task.part_id, add_event.done_at, add_event.pressed_at, nullif(btrim(add_event.note), '')) returning * into event;
  return event;
end
$function$;

CREATE OR REPLACE FUNCTION private.add_task(task jsonb, last_done date DEFAULT NULL::date, count_from text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  new_task public.service_tasks := jsonb_populate_record(null::public.service_tasks, task);
begin
  if new_task.part_id is not null then
    perform private.reject_if(
      not exists (select from public.maintenance as item where item.part_id = new_task.part_id),
      'RMT23', 'RMT23: The part is no longer in the log.'
    );
    perform private.reject_if(
      not exists (select from private.install_periods as period where period.part_id = new_task.part_id),
      'RMT21', 'RMT21: This is an entry for work, not a part.'
    );
  end if;
  perform private.reject_if(
    new_task.once and last_done is not null, 'PT422', 'last_done: A task that is done once can''t have been done before.'
  );
  insert into public.service_tasks (
    part_id, gear_id, name, kind, every_distance, every_moving_time, every_days, outdoor_only, once, due_on, with_task, "group"
  )
  values (
    new_task.part_id, new_task.gear_id, coalesce(new_task.name, ''), coalesce(new_task.kind, 'service'),
    new_task.every_distance, new_task.every_moving_time, new_task.every_days, coalesce(new_task.outdoor_only, false),
    coalesce(new_task.once, false), new_task.due_on, new_task.with_task, new_task."group"
  ) returning id into new_task.id;
  -- Only now, because the trigger may have given it to the part's successor.
  update public.service_tasks as stored
  set counted_from = case when count_from is distinct from 'installed' then (private.service_time(count_from::date)).done_at end
  where stored.id = new_task.id returning stored.* into new_task;
  perform private.check_service_day(new_task.part_id, last_done),
    private.check_service_day(new_task.part_id, case when count_from <> 'installed' then count_from::date end);
  insert into public.service_events (task_id, part_id, done_at, pressed_at)
  select new_task.id, new_task.part_id, done_at, pressed_at from private.service_time(last_done) where last_done is not null;
  return jsonb_build_object(
    'tasks', jsonb_build_array(to_jsonb(new_task)),
    'events', (select jsonb_agg(to_jsonb(event)) from public.service_events as event where event.task_id = new_task.id),
    'successor', case when new_task.part_id::text <> task ->> 'part_id' then private.subject('service_tasks', to_jsonb(new_task)) -> 'item' end
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.change_event(event public.service_events, done_on date, note text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moment record;
begin
  if event.done_at::date <> change_event.done_on then
    perform private.check_service_day(event.part_id, change_event.done_on);
    select * into moment from private.service_time(change_event.done_on);
    -- Keep the snooze attached to this event.
    update public.service_tasks set snoozed_from = moment.done_at
    where id = event.task_id and part_id is not distinct from event.part_id and snoozed_from = event.done_at;
    update public.service_events as stored set done_at = moment.done_at, pressed_at = moment.pressed_at where stored.id = event.id;
  end if;
  -- The item's description is the event's note, unless the owner has edited it in the log.
  update public.maintenance as item set description = change_event.note
  where item.id = event.maintenance_id and item.description is not distinct from event.note;
  update public.service_events as stored set note = change_event.note where stored.id = event.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.command_add_measurement(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  item constant public.maintenance := private.latest_item((arguments ->> 'part_id')::bigint);
  new_row public.wear_measurements := jsonb_populate_record(null::public.wear_measurements, arguments -> 'measurement');
begin
  new_row.measured_on := coalesce(new_row.measured_on, private.today());
  perform private.reject_if(new_row.measured_on > private.today(), 'RMT14', 'The day is in the future.');
  insert into public.wear_measurements (part_id, measured_on, value, reading, unit, tool, "limit", note)
  values (
    item.part_id, new_row.measured_on, new_row.value, new_row.reading, new_row.unit, coalesce(new_row.tool, ''), new_row."limit", new_row.note
  ) returning * into new_row;
  perform private.mark_also_done(array(select jsonb_array_elements_text(arguments -> 'also_done')::bigint), null, done_at, pressed_at, null, null)
  from private.service_time(new_row.measured_on);
  return jsonb_build_object('id', new_row.id);
end
$function$;

CREATE OR REPLACE FUNCTION private.command_add_task(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  task jsonb := arguments -> 'task';
  part bigint;
  added jsonb;
  answer jsonb;
begin
  for part in
    -- Of two parts of which one has replaced the other, one gets the task.
    select id from (
      select distinct on (coalesce(private.successor(id), id)) id, place
      from (
        select (task ->> 'part_id')::bigint, 0 union all
        select value::bigint, ordinality from jsonb_array_elements_text(arguments -> 'parts') with ordinality
      ) as given (id, place)
      where id is not null or arguments -> 'parts' is null
      order by coalesce(private.successor(id), id), place
    ) as parts order by place
  loop
    added := private.add_task(task || jsonb_build_object('part_id', part), (arguments ->> 'last_done')::date, arguments ->> 'count_from');
    if answer is null then
      answer := added;
      continue;
    end if;
    if not task ? 'group' then
      task := task || jsonb_build_object('group', answer #> '{tasks,0,id}');
      update public.service_tasks set "group" = id where id = (task ->> 'group')::bigint;
      answer := jsonb_set(answer, '{tasks,0,group}', task -> 'group');
      update public.service_tasks set "group" = (task ->> 'group')::bigint where id = (added #>> '{tasks,0,id}')::bigint;
      added := jsonb_set(added, '{tasks,0,group}', task -> 'group');
    end if;
    answer := jsonb_build_object(
      'tasks', (answer -> 'tasks') || (added -> 'tasks'),
      'events', case when answer -> 'events' <> 'null' then (answer -> 'events') || (added -> 'events') end,
      'successor', coalesce(nullif(answer -> 'successor', 'null'), added -> 'successor')
    );
  end loop;
  perform private.reject_if(answer is null, 'PT422', 'parts: Send at least one.');
  return answer;
end
$function$;

CREATE OR REPLACE FUNCTION private.command_correct_event(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.correct_event(
    (arguments ->> 'event_id')::bigint, arguments -> 'shown', arguments -> 'wanted',
    array(select jsonb_array_elements_text(arguments -> 'also_done')::bigint), coalesce((arguments -> 'all')::boolean, false)
  )
$function$;

CREATE OR REPLACE FUNCTION private.command_edit_row(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  edited_id constant bigint := arguments ->> 'row_id';
  answer constant jsonb := private.edit_row(arguments ->> 'relation', edited_id, arguments -> 'shown', arguments -> 'wanted');
begin
  if answer ? 'row' and arguments -> 'all' = 'true' and arguments ->> 'relation' = 'service_tasks' then
    perform private.edit_row('service_tasks', other, null, arguments -> 'wanted') from private.others_of_group(edited_id) as other;
  end if;
  return answer;
end
$function$;

CREATE OR REPLACE FUNCTION private.command_mark_done(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  answer constant jsonb := private.mark_done(
    (arguments ->> 'task_id')::bigint, (arguments ->> 'seen')::bigint, (arguments ->> 'done_on')::date, (arguments ->> 'cost')::numeric,
    arguments ->> 'note', array(select jsonb_array_elements_text(arguments -> 'also_done')::bigint)
  );
begin
  if answer ? 'id' and num_nonnulls(arguments ->> 'value', arguments ->> 'reading') > 0 then
    perform private.measure_when_done(
      (arguments ->> 'task_id')::bigint, coalesce((arguments ->> 'done_on')::date, private.today()), (arguments ->> 'value')::numeric,
      arguments ->> 'reading', arguments ->> 'tool'
    );
  end if;
  return answer;
end
$function$;

CREATE OR REPLACE FUNCTION private.command_remove_event(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  removed constant bigint[] := (arguments ->> 'event_id')::bigint || case when arguments -> 'all' = 'true' then array(
    select id from private.events_together((arguments ->> 'event_id')::bigint)
  ) end;
  items constant bigint[] := array(select maintenance_id from public.service_events where id = any (removed) and maintenance_id is not null);
begin
  delete from public.service_events where id = any (removed);
  delete from public.maintenance where id = any (items);
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_remove_task(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from public.service_tasks where id = (arguments ->> 'task_id')::bigint
    or arguments -> 'all' = 'true' and id in (select private.others_of_group((arguments ->> 'task_id')::bigint));
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.command_snooze(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  task_id constant bigint := arguments ->> 'task_id';
  snoozed constant bigint[] := task_id || array(select jsonb_array_elements_text(arguments -> 'also')::bigint);
  until constant date := coalesce((arguments ->> 'until')::date, private.today() + (arguments ->> 'days')::integer);
  more constant numeric := arguments ->> 'distance';
  due constant jsonb := public.service_due() -> 'tasks';
begin
  perform private.reject_if(
    not exists (select from jsonb_array_elements(due) as shown where (shown ->> 'id')::bigint = task_id), 'RMT22', 'RMT22: The task was removed.'
  );
  update public.service_tasks as task set
    snoozed_until = until,
    snoozed_distance = (shown #>> '{used,distance}')::numeric + more,
    snoozed_from = case when num_nonnulls(until, more) > 0 then (shown ->> 'baseline')::timestamp end,
    snoozed_part = null
  from jsonb_array_elements(due) as shown
  where task.id = (shown ->> 'id')::bigint and task.id = any (snoozed);
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.correct_event(event_id bigint, shown jsonb, wanted jsonb, also_done bigint[] DEFAULT '{}'::bigint[], of_group boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  event public.service_events;
  was jsonb;
  became jsonb;
begin
  select * into event from public.service_events where id = event_id;
  perform private.reject_if(not found, 'RMT22', 'RMT22: The event was removed.');
  was := jsonb_build_object('done_on', event.done_at::date, 'note', event.note, 'cost', (
    select item.cost from public.maintenance as item where id = event.maintenance_id
  ));
  became := was || wanted;
  became := became || jsonb_build_object('note', nullif(btrim(became ->> 'note'), ''), 'cost', nullif((became ->> 'cost')::numeric, 0));
  if private.is_stale(was, was || shown, became) then
    return private.refuse('RMT31', 'The values have changed since.', was);
  end if;

  perform private.change_event(
    other, (became ->> 'done_on')::date, case when wanted ? 'note' then became ->> 'note' else other.note end
  ) from private.events_together(event.id) as other where of_group;
  perform private.change_event(event, (became ->> 'done_on')::date, became ->> 'note');
  perform private.set_service_cost(event.id, (became ->> 'cost')::numeric);
  select * into event from public.service_events where id = event_id;
  perform private.mark_also_done(array_remove(also_done, event.task_id), null, event.done_at, event.pressed_at, event.note, task.name)
  from public.service_tasks as task where task.id = event.task_id;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION private.due_announcements()
 RETURNS TABLE(task_id bigint, announced_for jsonb, place bigint, task json)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with due as materialized (
    select (task ->> 'id')::bigint as id, coalesce((task ->> 'group')::bigint, -(task ->> 'id')::bigint) as line, task, place, in_use_since, due_from,
      json_build_object(
        'id', task -> 'id', 'name', task -> 'name', 'state', task -> 'state', 'gear_id', task -> 'gear_id', 'bike', bikes.name,
        'part_id', task -> 'part_id', 'item_name', task -> 'item_name', 'item_type', task -> 'item_type', 'axis', task -> 'axis',
        'used', task -> 'used', 'every', task -> 'every', 'fraction', task -> 'fraction', 'due_on', task -> 'due_on', 'group', task -> 'group'
      ) as announced
    from json_array_elements(public.service_due() -> 'tasks') with ordinality as tasks (task, place)
    left join public.bikes on bikes.gear_id = (task ->> 'gear_id')::bigint
    cross join lateral (select case
      when task ->> 'group' is not null or in_use_since is not null then private.due_since(
        (task ->> 'id')::bigint, (task ->> 'baseline')::timestamp, (task ->> 'earlier_distance')::numeric,
        (task ->> 'earlier_moving_time')::integer
      ) end
    ) as since (due_from)
    where task ->> 'state' in ('due', 'overdue')
  ), lines as (
    -- A group is announced when its first task becomes due.
    select distinct on (line) * from due
    -- A bike that comes back into use doesn't announce what became due in the meantime.
    where in_use_since is null or due_from < private.wall_clock(in_use_since)::date is not true
    order by line, due_from, id
  )
  select 0, jsonb_build_object('sync', (private.last_ride_sync()).id), 0, null
  from public.ride_syncs as latest
  where latest.id = (select max(id) from public.ride_syncs) and latest.code = 'rwgps_unauthorized'
    and latest.started_at > coalesce((private.last_ride_sync()).checked_at, '-infinity')
  union all
  select id,
    -- Not the baseline, which moves with the bike's first ride.
    jsonb_build_object('part', task -> 'part_id', 'done', task -> 'last_done', 'every', task -> 'every')
      || case when task ->> 'due_on' is null then '{}' else jsonb_build_object('due_on', task -> 'due_on') end,
    place, (announced::jsonb || jsonb_build_object('others', (
      select coalesce(jsonb_agg(other.announced order by other.place), '[]') from due as other where other.line = lines.line and other.id <> lines.id
    )))::json
  from lines
$function$;

CREATE OR REPLACE FUNCTION private.due_since(task_id bigint, baseline timestamp without time zone, earlier_distance numeric, earlier_moving_time integer)
 RETURNS date
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with task as (
    select * from public.service_tasks where id = due_since.task_id
  ), ridden as (
    select due_since.baseline as started_at, null::bigint as id, due_since.earlier_distance as distance,
      due_since.earlier_moving_time as moving_time
    union all
    select ride.started_at, ride.id, ride.distance, ride.moving_time
    from private.counted_rides as ride, task
    where ride.started_at >= due_since.baseline and not (task.outdoor_only and ride.is_stationary)
      and case when task.part_id is null then ride.gear_id = task.gear_id else exists (
        select from private.install_periods as period
        where period.part_id = task.part_id and period.gear_id = ride.gear_id
          and period.since <= ride.started_at and ride.started_at < period.until
      ) end
  ), counted as (
    select started_at, sum(distance) over so_far as distance, sum(moving_time) over so_far as moving_time
    from ridden window so_far as (order by started_at, id nulls first)
  )
  select least(
    (select min(started_at)::date from counted, task where distance >= every_distance or moving_time >= every_moving_time),
    (select baseline::date + every_days from task where baseline::date + every_days <= private.today()),
    (select due_on from task where due_on <= private.today())
  )
$function$;

CREATE OR REPLACE FUNCTION private.events_together(event_id bigint)
 RETURNS SETOF public.service_events
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select other from public.service_events as event
  join public.service_events as other on other.task_id in (select private.others_of_group(event.task_id)) and other.done_at = event.done_at
  where event.id = events_together.event_id
$function$;

CREATE OR REPLACE FUNCTION private.mark_also_done(tasks bigint[], seen bigint, done_at timestamp without time zone, pressed_at timestamp with time zone, note text, noted text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.reject_if(exists (
    select from unnest(tasks) as listed (id) left join public.service_tasks as task using (id) where task.id is null
  ), 'PT422', 'also_done: A task was removed.');
  -- The note is about this work, also on another part.
  perform private.add_event(task.id, mark_also_done.done_at, mark_also_done.pressed_at, case when lower(task.name) = lower(noted) then mark_also_done.note end)
  from public.service_tasks as task
  where task.id = any (tasks) and (private.seen_event(task.id, seen, mark_also_done.done_at::date)).id is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_done(task_id bigint, seen bigint DEFAULT NULL::bigint, done_on date DEFAULT NULL::date, cost numeric DEFAULT NULL::numeric, note text DEFAULT NULL::text, also_done bigint[] DEFAULT '{}'::bigint[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  moment constant record := private.service_time(done_on);
  new_note constant text := nullif(btrim(mark_done.note), '');
  event public.service_events := private.seen_event(mark_done.task_id, seen, moment.done_at::date);
  stored_cost numeric;
begin
  if event.id is not null then
    select item.cost into stored_cost from public.maintenance as item where id = event.maintenance_id;
    if new_note is not null and new_note is distinct from event.note
      or mark_done.cost <> 0 and round(mark_done.cost, 2) is distinct from stored_cost
    then
      return private.refuse(
        'PT409', 'It was already done that day, with another cost or note.', jsonb_build_object('note', event.note, 'cost', stored_cost)
      );
    end if;
  else
    event := private.add_event(mark_done.task_id, moment.done_at, moment.pressed_at, new_note);
    perform private.set_service_cost(event.id, mark_done.cost);
  end if;
  perform private.mark_also_done(array_remove(also_done, mark_done.task_id), seen, moment.done_at, moment.pressed_at, new_note, task.name)
  from public.service_tasks as task where task.id = mark_done.task_id;
  return jsonb_build_object('id', event.id);
end
$function$;

CREATE OR REPLACE FUNCTION private.measure_when_done(task_id bigint, day date, value numeric, reading text, tool text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  checked constant public.service_tasks := (select task from public.service_tasks as task where id = measure_when_done.task_id);
  latest public.wear_measurements;
  measured public.wear_measurements;
begin
  -- What is measured, and until when, is as it was the last time, with this tool or else with any.
  select * into latest from public.wear_measurements as measurement where measurement.part_id = checked.part_id
  order by lower(measurement.tool) = lower(coalesce(measure_when_done.tool, measurement.tool)) desc, measured_on desc, id desc limit 1;
  perform private.reject_if(checked.kind <> 'check', 'PT422', 'value: Only a task to check a part takes a measurement.'),
    private.reject_if(latest.id is null, 'PT422', 'value: The part has no measurement that says what is measured. Record its wear first.');
  measured := latest;
  measured.tool := coalesce(measure_when_done.tool, latest.tool);
  measured.reading := measure_when_done.reading;
  -- A gauge keeps its mark.
  measured.value := coalesce(measure_when_done.value, case when latest.reading is not null then latest.value end);
  insert into public.wear_measurements (part_id, measured_on, value, reading, unit, tool, "limit")
  select checked.part_id, day, measured.value, measured.reading, measured.unit, measured.tool, measured."limit"
  where not exists (
    -- A repeated request.
    select from public.wear_measurements as known where known.part_id = checked.part_id and known.measured_on = day
      and (known.value, known.reading, known.tool) is not distinct from (measured.value, measured.reading, measured.tool)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.others_of_group(task_id bigint)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select other.id from public.service_tasks as task
  join public.service_tasks as other on other."group" = task."group" and other.id <> task.id
  where task.id = others_of_group.task_id
$function$;

CREATE OR REPLACE FUNCTION private.put_on(put jsonb, moment timestamp without time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- A part that is put back on gets a copy of its item (part_of), except for the cost.
  source public.maintenance;
  replaced public.maintenance;
  replaced_kind text;
  added public.maintenance;
begin
  select * into source from public.maintenance where id = (put ->> 'part_of')::bigint;
  select * into replaced from public.maintenance where id = (put ->> 'replaces')::bigint;
  if source.id is null then
    select kind into replaced_kind from public.parts where id = replaced.part_id;
    -- A successor is what the replaced part was, unless it says otherwise.
    put := jsonb_build_object('kind', replaced_kind) || put;
    source := jsonb_populate_record(null::public.maintenance, put - 'replaces');
    if not put ? 'position' and put ->> 'kind' = replaced_kind then
      source."position" := replaced."position";
    end if;
    source.part_id := private.add_part((put ->> 'earlier_distance')::numeric, (put ->> 'earlier_moving_time')::integer, put ->> 'kind');
  else
    source := jsonb_populate_record(source, put - 'part_of');
    source.cost := 0;
  end if;
  select * into added from private.add_items(jsonb_build_array(to_jsonb(source) || jsonb_build_object(
    'bikeId', coalesce(replaced."bikeId", (put ->> 'bikeId')::bigint), 'dateStarted', moment, 'dateEnded', null, 'ended_as', null
  )));
  if replaced.id is not null then
    perform private.set_replaced(added.id, replaced.id);
    added.replaces := replaced.id;
    -- What was to be replaced once is done.
    insert into public.service_events (task_id, part_id, done_at)
    select task.id, task.part_id, moment from public.service_tasks as task
    where task.part_id = replaced.part_id and task.once and task.kind = 'replace'
      and not exists (select from public.service_events as done where done.task_id = task.id);
    perform private.transfer_tasks(replaced.part_id, added.part_id);
  end if;
  return to_jsonb(added);
end
$function$;

CREATE OR REPLACE FUNCTION private.require_other_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.reject_if(
    not exists (select from public.service_tasks where id = new.with_task and id <> new.id), 'PT422', 'with_task: No other task has this id.'
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.seen_event(task_id bigint, seen bigint, day date)
 RETURNS public.service_events
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- An event that the caller hasn't seen comes from a second press, another tab, or an attempt whose response was lost.
  select newer from public.service_events as newer
  join public.service_tasks as task on task.id = newer.task_id and task.part_id is not distinct from newer.part_id
  where newer.task_id = seen_event.task_id and newer.id > coalesce(seen, 0) and newer.done_at::date = day
  order by newer.id desc limit 1
$function$;

CREATE OR REPLACE FUNCTION private.transfer_tasks(old_part bigint, new_part bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.service_tasks
  set part_id = new_part, counted_from = null,
    snoozed_part = case when num_nonnulls(snoozed_until, snoozed_distance) > 0 then coalesce(snoozed_part, old_part) end
  where part_id = old_part and not (once and exists (select from public.service_events as done where done.task_id = service_tasks.id))
$function$;

CREATE OR REPLACE FUNCTION private.write_targets(undone private.changed_row[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  tracked record;
begin
  perform private.require_owner();
  -- Remove first and add last, so a part that returns to its earlier bike is never on two bikes.
  for tracked in select name from private.tracked_tables where name <> 'parts' order by level desc loop
    execute format('delete from public.%I where id = any ($1)', tracked.name)
    using array(select row_id from unnest(undone) where relation = tracked.name and target is null);
  end loop;

  for tracked in
    select name, list, defaults, pg_get_serial_sequence('public.' || name, 'id') as sequence
    from private.tracked_tables
    cross join lateral (
      select string_agg(quote_ident(attname), ', ') as list,
        string_agg(format('%L, %s', attname, pg_catalog.pg_get_expr(adbin, adrelid)), ', ') filter (where pg_catalog.pg_get_expr(adbin, adrelid) !~ '[(]') as defaults
      from pg_catalog.pg_attribute left join pg_catalog.pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = tracked_tables.relation and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    where name in (select relation from unnest(undone) where target is not null)
    order by level
  loop
    execute format($query$
      update public.%1$I as stored set (%2$s) = (select %2$s from jsonb_populate_record(stored, step.target))
      from unnest($1) as step where step.relation = %1$L and step.present is not null and step.target is not null and stored.id = step.row_id
    $query$, tracked.name, tracked.list) using undone;
    execute format($query$
      with inserted as (
        insert into public.%1$I (%2$s)
        -- A row that was removed before an upgrade lacks the columns that are new. Functions would be called for every row.
        select %2$s from unnest($1) as step
        cross join lateral jsonb_populate_record(null::public.%1$I, jsonb_build_object(%4$s) || step.target)
        where step.relation = %1$L and step.present is null and step.target is not null
        returning id
      )
      -- No later row gets the id of a row that came back.
      select setval(%3$L, greatest(max(inserted.id), (select last_value from %3$s))) from inserted having count(*) > 0
    $query$, tracked.name, tracked.list, tracked.sequence, tracked.defaults) using undone;
  end loop;
  -- Tasks are back at their earlier parts by now.
  delete from public.parts where id in (select row_id from unnest(undone) where relation = 'parts' and target is null);
end
$function$;

CREATE OR REPLACE FUNCTION public.service_due(gear_id bigint DEFAULT NULL::bigint)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  today constant date := private.today();
begin
  if service_due.gear_id is not null
    and not exists (select from public.bikes where bikes.gear_id = service_due.gear_id) then
    return null;
  end if;

  return (
    with tasks as materialized (
      select * from private.current_tasks where service_due.gear_id is null or gear_id = service_due.gear_id
    ), used as (
      select key as id, distance, moving_time, earlier_distance, earlier_moving_time
      from private.usage_between(array(
        select (id, part_id, gear_id, case when part_id is null then baseline else rides_from end, null, outdoor_only)::private.used_span
        from tasks where baseline is not null
      ))
    ), fractions as materialized (
      select *,
        distance::float8 / every_distance::float8 as of_distance,
        moving_time::float8 / every_moving_time as of_moving_time,
        case when due_on is null then days::float8 / every_days
          -- The share of the days from the baseline, which may be after the day.
          else greatest(days::float8 / nullif(greatest(due_on - baseline::date, 0), 0), (today >= due_on)::integer)
        end as of_days,
        coalesce(is_snooze_current and (today < snoozed_until or distance < snoozed_distance), false) as is_snoozed
      from (
        select tasks.*, coalesce(distance, 0) as distance, coalesce(moving_time, 0) as moving_time, earlier_distance, earlier_moving_time,
          coalesce(greatest(today - baseline::date, 0), 0) as days
        from tasks left join used using (id)
      ) as amounts
    ), states as materialized (
      -- A task that only waits for another one has no share.
      select *, coalesce(greatest(of_distance, of_moving_time, of_days), 0) as fraction, case
        when not is_installed or is_retired then 'paused'
        when is_snoozed then 'snoozed'
        when greatest(of_distance, of_moving_time) >= 1.1 or days > every_days or today > due_on then 'overdue'
        when greatest(of_distance, of_moving_time, of_days) >= 1 then 'due'
        when greatest(of_distance, of_moving_time, of_days) >= 0.9 then 'soon'
        else 'ok' end as state
      from fractions
    )
    select json_build_object('tasks', coalesce(json_agg(task order by fraction desc, id), '[]'))
    from (
      select id, gear_id, item_id, name, kind,
        json_build_object('distance', every_distance, 'moving_time', every_moving_time, 'days', every_days) as every,
        outdoor_only, json_build_object('distance', distance, 'moving_time', moving_time, 'days', days) as used,
        json_build_object(
          'distance', every_distance - distance, 'moving_time', every_moving_time - moving_time,
          'days', coalesce(due_on - today, every_days - days)
        ) as "left",
        once, due_on, with_task, (select other.name from public.service_tasks as other where other.id = states.with_task) as with_task_name, "group",
        case when kind = 'check' then (
          select json_build_object('unit', unit, 'tool', tool, 'limit', "limit", 'reading', reading)
          from public.wear_measurements as measurement where measurement.part_id = states.part_id order by measured_on desc, measurement.id desc limit 1
        ) end as measured,
        earlier_distance, earlier_moving_time, fraction,
        case fraction when of_distance then 'distance' when of_moving_time then 'moving_time' else 'days' end as axis, state,
        case when is_snoozed then snoozed_until end as snoozed_until,
        case when is_snoozed then snoozed_distance end as snoozed_distance,
        part_id, item_name, item_type, is_retired, baseline, last_done, newest_event
      from states
    ) as task
  );
end
$function$;

ALTER TABLE "public"."service_tasks" ADD CONSTRAINT "service_tasks_due_on_check" CHECK (((due_on >= '1900-01-01'::date) AND (due_on < '2101-01-01'::date)));

ALTER TABLE "public"."service_tasks" ADD CONSTRAINT "service_tasks_limit_check" CHECK ((num_nonnulls(every_distance, every_moving_time, every_days, due_on, with_task) > 0));

ALTER TABLE "public"."service_tasks" ADD CONSTRAINT "service_tasks_once_check" CHECK (
CASE
    WHEN once THEN (every_days IS NULL)
    ELSE (num_nonnulls(due_on, with_task) = 0)
END);

CREATE VIEW "private"."current_tasks" WITH (security_invoker=true) AS  WITH latest AS MATERIALIZED (
         SELECT last_events.task_id,
            last_events.part_id,
            last_events.done_at,
            last_events.newest_event
           FROM private.last_events
        )
 SELECT task.id,
    task.part_id,
    COALESCE(place.gear_id, task.gear_id) AS gear_id,
    place.item_id,
    place.type AS item_type,
    place.name AS item_name,
    COALESCE(place.is_installed, true) AS is_installed,
    (bike.gear_id IN ( SELECT retired_bikes.gear_id
           FROM private.retired_bikes)) AS is_retired,
    task.name,
    task.kind,
    task.every_distance,
    task.every_moving_time,
    task.every_days,
    task.outdoor_only,
    task.snoozed_until,
    task.snoozed_distance,
    (((latest.done_at IS NULL) OR (latest.done_at = task.snoozed_from)) AND COALESCE((task.snoozed_part = task.part_id), true)) AS is_snooze_current,
    latest.newest_event,
    latest.done_at AS last_done,
    counted.rides_from,
    COALESCE(counted.rides_from, place.first_installed, first_ride.started_at) AS baseline,
    task.once,
    task.due_on,
    task.with_task,
    task."group"
   FROM (((((public.service_tasks task
     LEFT JOIN private.current_places place ON ((place.part_id = task.part_id)))
     JOIN public.bikes bike ON ((bike.gear_id = COALESCE(place.gear_id, task.gear_id))))
     LEFT JOIN latest ON (((latest.task_id = task.id) AND (NOT (latest.part_id IS DISTINCT FROM task.part_id)))))
     CROSS JOIN LATERAL ( SELECT COALESCE(latest.done_at,
                CASE
                    WHEN COALESCE((task.counted_from > place.first_installed), true) THEN task.counted_from
                    ELSE NULL::timestamp without time zone
                END) AS rides_from) counted)
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (task.part_id IS NULL) THEN private.first_ride(task.gear_id)
                    ELSE NULL::timestamp without time zone
                END AS started_at) first_ride)
  WHERE (((task.part_id IS NULL) OR (place.part_id IS NOT NULL)) AND (NOT (task.once AND (EXISTS ( SELECT
           FROM latest done
          WHERE (done.task_id = task.id))))));

CREATE TRIGGER require_other_task AFTER INSERT OR UPDATE OF with_task ON public.service_tasks FOR EACH ROW WHEN (((new.with_task IS NOT NULL) AND (COALESCE(current_setting('tracker.command'::text, true), ''::text) <> ALL (ARRAY['undo'::text, 'backup'::text])))) EXECUTE FUNCTION private.require_other_task();

COMMENT ON COLUMN "public"."service_tasks"."due_on" IS 'The day on which a task that is done once is due. Null: no day.';

COMMENT ON COLUMN "public"."service_tasks"."group" IS 'The id of the first of the tasks that were added together, one per part. Screens show them as one. Null: added alone.';

COMMENT ON COLUMN "public"."service_tasks"."once" IS 'Done once: then it is in no list, only in the history.';

COMMENT ON COLUMN "public"."service_tasks"."with_task" IS 'The id of the task whose next Done offers this one, which is done once. Null: none.';

COMMENT ON FUNCTION "private"."add_event"(bigint, timestamp without time zone, timestamp with time zone, text) IS 'Adds an event of a task. Raises RMT20, RMT22 and RMT25 if it can''t be done then.';

COMMENT ON FUNCTION "private"."change_event"(public.service_events, date, text) IS 'Changes an event''s day and note.';

COMMENT ON FUNCTION "private"."command_add_measurement"(jsonb) IS 'Adds a wear measurement, {part_id, measurement, also_done} with the columns of wear_measurements, by default of today, and marks tasks done that day. Returns {id}.';

COMMENT ON FUNCTION "private"."command_add_task"(jsonb) IS 'Adds a service task, {task, parts, last_done, count_from}, to its part or bike, or to each of the parts, as one group. Returns what add_task does, for all of them.';

COMMENT ON FUNCTION "private"."command_correct_event"(jsonb) IS 'Corrects an event: {event_id, shown, wanted, also_done, all}. Returns what correct_event does. all: of_group.';

COMMENT ON FUNCTION "private"."command_edit_row"(jsonb) IS 'Edits a row: {relation, row_id, shown, wanted, all}. Returns what edit_row does. all: sets the wanted values of the others of a task''s group, too.';

COMMENT ON FUNCTION "private"."command_mark_done"(jsonb) IS 'Marks a task done: {task_id, seen, done_on, cost, note, also_done, value, reading, tool}. Returns what mark_done does. value, reading, tool: what a check measured.';

COMMENT ON FUNCTION "private"."command_remove_event"(jsonb) IS 'Removes an event, {event_id, all}, and the item with its cost. all: what was done together on the others of its group, too.';

COMMENT ON FUNCTION "private"."command_remove_task"(jsonb) IS 'Removes a task, {task_id, all}, with its events. all: the others of its group, too. Succeeds even if it is gone.';

COMMENT ON FUNCTION "private"."command_snooze"(jsonb) IS 'Snoozes a task, {task_id, until, days, distance, also}, until a day, for days, or for this many more meters. With none, ends the snooze. also: the ids of other tasks to snooze.';

COMMENT ON FUNCTION "private"."correct_event"(bigint, jsonb, jsonb, bigint[], boolean) IS 'Changes an event''s done_on, cost or note (wanted), given what the owner saw (shown), and marks other tasks done at the same time. of_group: changes the day and note of what was done together, on the others of its group, too. If a value is neither the shown nor the wanted one, the answer is 409 with the values as "stored", and nothing is written.';

COMMENT ON FUNCTION "private"."due_announcements"() IS 'Returns what should be announced now: due tasks, most urgent first, of a group the first one with the due others, and task 0 if Ride with GPS refused the sign-in. announced_for distinguishes it from earlier announcements of the task.';

COMMENT ON FUNCTION "private"."events_together"(bigint) IS 'Returns the events of the other tasks of a group that were done at the same time.';

COMMENT ON FUNCTION "private"."mark_also_done"(bigint[], bigint, timestamp without time zone, timestamp with time zone, text, text) IS 'Marks other tasks done at the same time, except those that were done that day and not seen. The note is for those called "noted".';

COMMENT ON FUNCTION "private"."mark_done"(bigint, bigint, date, numeric, text, bigint[]) IS 'Marks a task done, by default today, and returns {id} of the event. seen: the newest event that the caller knows. If the day already has a newer event, returns that one instead. If that event has another cost or note than requested, the answer is 409 (PT409) with those as "stored". also_done: the ids of tasks done at the same time, without the cost.';

COMMENT ON FUNCTION "private"."measure_when_done"(bigint, date, numeric, text, text) IS 'Adds what the check of a part measured, in the unit of its last measurement, and by default with its tool.';

COMMENT ON FUNCTION "private"."others_of_group"(bigint) IS 'Returns the ids of the other tasks that were added together with a task.';

COMMENT ON FUNCTION "private"."require_other_task"() IS 'Raises PT422 if a task is to be done with one that isn''t there.';

COMMENT ON FUNCTION "private"."seen_event"(bigint, bigint, date) IS 'Returns the event of a day that was added after the newest one that the caller has seen.';

COMMENT ON FUNCTION "private"."transfer_tasks"(bigint, bigint) IS 'Moves a part''s tasks to its successor, where usage counts from the successor''s start. Past events stay with the old part, and so do tasks that were to be done once and are.';

COMMENT ON TABLE "public"."service_tasks" IS 'Work on a part, or on a bike, that recurs or is done once. Due when the first of its limits is reached.';

COMMENT ON VIEW "private"."current_tasks" IS 'Each task with its part''s current place and its baseline, without those that were to be done once and are.';

REVOKE ALL ON FUNCTION "private"."add_event"(bigint, timestamp without time zone, timestamp with time zone, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."add_event"(bigint, timestamp without time zone, timestamp with time zone, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."change_event"(public.service_events, date, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."change_event"(public.service_events, date, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_add_task"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_add_task"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_edit_row"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_edit_row"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."command_mark_done"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_mark_done"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."correct_event"(bigint, jsonb, jsonb, bigint[], boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."correct_event"(bigint, jsonb, jsonb, bigint[], boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."events_together"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."events_together"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."mark_also_done"(bigint[], bigint, timestamp without time zone, timestamp with time zone, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."mark_also_done"(bigint[], bigint, timestamp without time zone, timestamp with time zone, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."mark_done"(bigint, bigint, date, numeric, text, bigint[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."mark_done"(bigint, bigint, date, numeric, text, bigint[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."measure_when_done"(bigint, date, numeric, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."measure_when_done"(bigint, date, numeric, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."others_of_group"(bigint) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."others_of_group"(bigint) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."require_other_task"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seen_event"(bigint, bigint, date) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."seen_event"(bigint, bigint, date) TO "authenticated";

REVOKE ALL ("due_on") ON TABLE "public"."service_tasks" FROM "authenticated";

GRANT UPDATE ("due_on") ON TABLE "public"."service_tasks" TO "authenticated";

REVOKE ALL ("group") ON TABLE "public"."service_tasks" FROM "authenticated";

GRANT UPDATE ("group") ON TABLE "public"."service_tasks" TO "authenticated";

REVOKE ALL ("with_task") ON TABLE "public"."service_tasks" FROM "authenticated";

GRANT UPDATE ("with_task") ON TABLE "public"."service_tasks" TO "authenticated";

GRANT SELECT ON TABLE "private"."current_tasks" TO "authenticated";

insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('add_measurement', 'true', 'true', '{part_id,measurement,also_done}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('add_task', 'true', 'true', '{task,parts,last_done,count_from}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('correct_event', 'true', 'false', '{event_id,shown,wanted,also_done,all}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('edit_row', 'true', 'true', '{relation,row_id,shown,wanted,all}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('mark_done', 'true', 'true', '{task_id,seen,done_on,cost,note,also_done,value,reading,tool}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('preview_task', 'false', 'false', '{task,parts,last_done,count_from}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('remove_event', 'true', 'false', '{event_id,all}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('remove_task', 'true', 'true', '{task_id,all}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('snooze', 'true', 'true', '{task_id,until,days,distance,also}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
