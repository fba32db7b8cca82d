-- The owner's commands on service tasks. Security invoker, so row-level security applies.

create function private.check_service_day(part_id bigint, day date) returns void
language plpgsql stable security invoker set search_path = ''
as $$
declare
  first_installed constant date := (
    select min(since) from private.part_places as place where place.part_id = check_service_day.part_id
  );
begin
  perform private.reject_if(
    day > private.today() or day < first_installed, 'RMT20', 'RMT20: The day is in the future or before the part was installed.'
  );
end
$$;
comment on function private.check_service_day(bigint, date) is
  'Raises RMT20 if the day is in the future or before the part was installed. part_id is null for a bike''s task.';
grant execute on function private.check_service_day to authenticated;

-- Work done today is stored with the current time, so earlier rides don't count. On other days, it is stored as 01:00, as in
-- the log.
create function private.service_time(day date, out done_at timestamp, out pressed_at timestamptz)
-- PL/pgSQL, here and below, because it keeps plans between requests.
language plpgsql stable security invoker set search_path = ''
as $$
begin
  done_at := day + time '01:00';
  if coalesce(day = private.today(), true) then
    done_at := private.wall_clock();
    pressed_at := now();
  end if;
end
$$;
comment on function private.service_time(date) is 'Returns the wall clock time to store for work done on a day, by default today. For today, also returns the instant.';
grant execute on function private.service_time to authenticated;

create function private.add_task(task jsonb, last_done date default null, count_from text default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.add_task(jsonb, date, text) is
  'Adds a task with the columns of service_tasks and, optionally, the day on which it was last done. count_from: a day, by default today, or "installed" for the part''s first install or the bike''s first ride. Returns {tasks: [task], events: [event] or null, successor}. successor: the item whose part got the task because it replaced the task''s part, else null.';
grant execute on function private.add_task to authenticated;

create function private.command_add_task(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_add_task(jsonb) is
  'Adds a service task, {task, parts, last_done, count_from}, to its part or bike, or to each of the parts, as one group. Returns what add_task does, for all of them.';
grant execute on function private.command_add_task to authenticated;

create function private.command_preview_task(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  added jsonb;
  due jsonb;
begin
  added := private.command_add_task(arguments);
  select shown into due from json_array_elements(public.service_due() -> 'tasks') as shown
  where shown ->> 'id' = added #>> '{tasks,0,id}';
  raise exception using errcode = 'RMT00';
exception when sqlstate 'RMT00' then
  -- Only the variables keep their values.
  return jsonb_build_object('task', due);
end
$$;
comment on function private.command_preview_task(jsonb) is
  'Returns {task}: what service_due would say of a task that add_task adds with the same arguments. Writes nothing.';
grant execute on function private.command_preview_task to authenticated;

create function private.set_service_cost(event_id bigint, cost numeric) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item_id bigint;
begin
  if coalesce(cost, 0) = 0 then
    delete from public.maintenance where id = (select maintenance_id from public.service_events where id = event_id);
    return;
  end if;

  update public.maintenance as item
  set cost = set_service_cost.cost, "dateStarted" = event.done_at, "dateEnded" = event.done_at
  from public.service_events as event where event.id = event_id and item.id = event.maintenance_id;
  if found then
    return;
  end if;

  insert into public.maintenance ("bikeId", type, name, description, cost, "dateStarted", "dateEnded")
  select coalesce(latest.gear_id, task.gear_id), latest.type, task.name, event.note, set_service_cost.cost,
    event.done_at, event.done_at
  from public.service_events as event
  join public.service_tasks as task on task.id = event.task_id
  left join lateral (
    select place.gear_id, place.type from private.part_places as place
    where place.part_id = event.part_id order by place.since desc, place.id desc limit 1
  ) as latest on true
  where event.id = event_id returning id into item_id;
  update public.service_events set maintenance_id = item_id where id = event_id;
end
$$;
comment on function private.set_service_cost(bigint, numeric) is
  'Stores an event''s cost in the log, as an item that ends when it starts, on the part''s current or last bike. Null or 0 deletes the item.';
grant execute on function private.set_service_cost to authenticated;

create function private.add_event(task_id bigint, done_at timestamp, pressed_at timestamptz, note text) returns public.service_events
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.add_event(bigint, timestamp, timestamptz, text) is 'Adds an event of a task. Raises RMT20, RMT22 and RMT25 if it can''t be done then.';
grant execute on function private.add_event to authenticated;

create function private.seen_event(task_id bigint, seen bigint, day date) returns public.service_events
language plpgsql stable security invoker set search_path = ''
as $$
begin
  -- An event that the caller hasn't seen comes from a second press, another tab, or an attempt whose response was lost.
  return (
    select newer from public.service_events as newer
    join public.service_tasks as task on task.id = newer.task_id and task.part_id is not distinct from newer.part_id
    where newer.task_id = seen_event.task_id and newer.id > coalesce(seen, 0) and newer.done_at::date = day
    order by newer.id desc limit 1
  );
end
$$;
comment on function private.seen_event(bigint, bigint, date) is 'Returns the event of a day that was added after the newest one that the caller has seen.';
grant execute on function private.seen_event to authenticated;

create function private.mark_also_done(tasks bigint[], seen bigint, done_at timestamp, pressed_at timestamptz, note text, noted text) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  if cardinality(tasks) = 0 then
    return;
  end if;
  perform private.reject_if(exists (
    select from unnest(tasks) as listed (id) left join public.service_tasks as task using (id) where task.id is null
  ), 'PT422', 'also_done: A task was removed.');
  -- The note is about this work, also on another part.
  perform private.add_event(task.id, mark_also_done.done_at, mark_also_done.pressed_at, case when lower(task.name) = lower(noted) then mark_also_done.note end)
  from public.service_tasks as task
  where task.id = any (tasks) and (private.seen_event(task.id, seen, mark_also_done.done_at::date)).id is null;
end
$$;
comment on function private.mark_also_done(bigint[], bigint, timestamp, timestamptz, text, text) is
  'Marks other tasks done at the same time, except those that were done that day and not seen. The note is for those called "noted".';
grant execute on function private.mark_also_done to authenticated;

create function private.mark_done(
  task_id bigint, seen bigint default null, done_on date default null, cost numeric default null, note text default null,
  also_done bigint[] default '{}'
) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
    if mark_done.cost <> 0 then
      perform private.set_service_cost(event.id, mark_done.cost);
    end if;
  end if;
  perform private.mark_also_done(array_remove(also_done, mark_done.task_id), seen, moment.done_at, moment.pressed_at, new_note, task.name)
  from public.service_tasks as task where task.id = mark_done.task_id;
  return jsonb_build_object('id', event.id);
end
$$;
comment on function private.mark_done(bigint, bigint, date, numeric, text, bigint[]) is
  'Marks a task done, by default today, and returns {id} of the event. seen: the newest event that the caller knows. If the day already has a newer event, returns that one instead. If that event has another cost or note than requested, the answer is 409 (PT409) with those as "stored". also_done: the ids of tasks done at the same time, without the cost.';
grant execute on function private.mark_done to authenticated;

create function private.command_mark_done(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_mark_done(jsonb) is
  'Marks a task done: {task_id, seen, done_on, cost, note, also_done, value, reading, tool}. Returns what mark_done does. value, reading, tool: what a check measured.';
grant execute on function private.command_mark_done to authenticated;

create function private.command_snooze(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_snooze(jsonb) is
  'Snoozes a task, {task_id, until, days, distance, also}, until a day, for days, or for this many more meters. With none, ends the snooze. also: the ids of other tasks to snooze.';
grant execute on function private.command_snooze to authenticated;

create function private.change_event(event public.service_events, done_on date, note text) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.change_event(public.service_events, date, text) is 'Changes an event''s day and note.';
grant execute on function private.change_event to authenticated;

create function private.correct_event(
  event_id bigint, shown jsonb, wanted jsonb, also_done bigint[] default '{}', of_group boolean default false
) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.correct_event(bigint, jsonb, jsonb, bigint[], boolean) is
  'Changes an event''s done_on, cost or note (wanted), given what the owner saw (shown), and marks other tasks done at the same time. of_group: changes the day and note of what was done together, on the others of its group, too. If a value is neither the shown nor the wanted one, the answer is 409 with the values as "stored", and nothing is written.';
grant execute on function private.correct_event to authenticated;

create function private.command_correct_event(arguments jsonb) returns jsonb
language sql volatile security invoker set search_path = ''
as $$
  select private.correct_event(
    (arguments ->> 'event_id')::bigint, arguments -> 'shown', arguments -> 'wanted',
    array(select jsonb_array_elements_text(arguments -> 'also_done')::bigint), coalesce((arguments -> 'all')::boolean, false)
  )
$$;
comment on function private.command_correct_event(jsonb) is
  'Corrects an event: {event_id, shown, wanted, also_done, all}. Returns what correct_event does. all: of_group.';
grant execute on function private.command_correct_event to authenticated;

create function private.command_remove_event(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
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
$$;
comment on function private.command_remove_event(jsonb) is
  'Removes an event, {event_id, all}, and the item with its cost. all: what was done together on the others of its group, too.';
grant execute on function private.command_remove_event to authenticated;

create function private.command_remove_task(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  delete from public.service_tasks where id = (arguments ->> 'task_id')::bigint
    or arguments -> 'all' = 'true' and id in (select private.others_of_group((arguments ->> 'task_id')::bigint));
  return '{}';
end
$$;
comment on function private.command_remove_task(jsonb) is
  'Removes a task, {task_id, all}, with its events. all: the others of its group, too. Succeeds even if it is gone.';
grant execute on function private.command_remove_task to authenticated;


-- Called in the transaction that replaces a part.
create function private.transfer_tasks(old_part bigint, new_part bigint) returns void
language sql volatile security invoker set search_path = ''
as $$
  update public.service_tasks
  set part_id = new_part, counted_from = null,
    snoozed_part = case when num_nonnulls(snoozed_until, snoozed_distance) > 0 then coalesce(snoozed_part, old_part) end
  where part_id = old_part and not (once and exists (select from public.service_events as done where done.task_id = service_tasks.id))
$$;
comment on function private.transfer_tasks(bigint, bigint) is
  'Moves a part''s tasks to its successor, where usage counts from the successor''s start. Past events stay with the old part, and so do tasks that were to be done once and are.';
grant execute on function private.transfer_tasks to authenticated;

create function private.follow_successor() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  successor constant bigint := private.successor(new.part_id);
begin
  if successor <> new.part_id then
    perform private.transfer_tasks(new.part_id, successor);
  end if;
  return null;
end
$$;
comment on function private.follow_successor() is 'Gives a new or restored task to the part that replaced its part.';

create function private.require_other_task() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform private.reject_if(
    not exists (select from public.service_tasks where id = new.with_task and id <> new.id), 'PT422', 'with_task: No other task has this id.'
  );
  return null;
end
$$;
comment on function private.require_other_task() is 'Raises PT422 if a task is to be done with one that isn''t there.';

create trigger require_other_task
after insert or update of with_task on public.service_tasks
for each row when (new.with_task is not null and coalesce(current_setting('tracker.command', true), '') not in ('undo', 'backup'))
execute function private.require_other_task();

create trigger follow_successor
after insert on public.service_tasks
for each row when (new.part_id is not null and current_setting('tracker.command', true) is distinct from 'backup')
execute function private.follow_successor();
