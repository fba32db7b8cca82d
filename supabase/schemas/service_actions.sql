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
language sql stable security invoker set search_path = ''
as $$
  select case when is_today then private.wall_clock() else day + time '01:00' end, case when is_today then now() end
  from (select coalesce(day = private.today(), true)) as days (is_today)
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
  insert into public.service_tasks (
    part_id, gear_id, name, kind, every_distance, every_moving_time, every_days, outdoor_only
  )
  values (
    new_task.part_id, new_task.gear_id, coalesce(new_task.name, ''), coalesce(new_task.kind, 'service'),
    new_task.every_distance, new_task.every_moving_time, new_task.every_days, coalesce(new_task.outdoor_only, false)
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
language sql volatile security invoker set search_path = ''
as $$ select private.add_task(arguments -> 'task', (arguments ->> 'last_done')::date, arguments ->> 'count_from') $$;
comment on function private.command_add_task(jsonb) is 'Adds a service task: {task, last_done, count_from}. Returns what add_task does.';
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

create function private.mark_done(
  task_id bigint, seen bigint default null, done_on date default null, cost numeric default null, note text default null
) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  moment constant record := private.service_time(done_on);
  new_note constant text := nullif(btrim(mark_done.note), '');
  task public.service_tasks;
  event public.service_events;
  stored_cost numeric;
begin
  select * into task from public.service_tasks where id = mark_done.task_id;
  perform private.reject_if(not found, 'RMT22', 'RMT22: The task was removed.');
  perform private.check_service_day(task.part_id, moment.done_at::date);

  -- An event that the caller hasn't seen comes from a second press, another tab, or an attempt whose response was lost.
  select * into event from public.service_events as newer
  where newer.task_id = task.id and newer.part_id is not distinct from task.part_id
    and newer.id > coalesce(seen, 0) and newer.done_at::date = moment.done_at::date
  order by newer.id desc limit 1;
  if found then
    select item.cost into stored_cost from public.maintenance as item where id = event.maintenance_id;
    if new_note is not null and new_note is distinct from event.note
      or mark_done.cost <> 0 and round(mark_done.cost, 2) is distinct from stored_cost
    then
      return private.refuse(
        'PT409', 'It was already done that day, with another cost or note.', jsonb_build_object('note', event.note, 'cost', stored_cost)
      );
    end if;
    return jsonb_build_object('id', event.id);
  end if;

  insert into public.service_events (task_id, part_id, done_at, pressed_at, note)
  values (task.id, task.part_id, moment.done_at, moment.pressed_at, new_note) returning id into event.id;
  perform private.set_service_cost(event.id, mark_done.cost);
  return jsonb_build_object('id', event.id);
end
$$;
comment on function private.mark_done(bigint, bigint, date, numeric, text) is
  'Marks a task done, by default today, and returns {id} of the event. seen: newest_event from service_due. If the day already has a newer event, returns that one instead. If that event has another cost or note than requested, the answer is 409 (PT409) with those as "stored".';
grant execute on function private.mark_done to authenticated;

create function private.command_mark_done(arguments jsonb) returns jsonb
language sql volatile security invoker set search_path = ''
as $$
  select private.mark_done(
    (arguments ->> 'task_id')::bigint, (arguments ->> 'seen')::bigint, (arguments ->> 'done_on')::date,
    (arguments ->> 'cost')::numeric, arguments ->> 'note'
  )
$$;
comment on function private.command_mark_done(jsonb) is 'Marks a task done: {task_id, seen, done_on, cost, note}. Returns what mark_done does.';
grant execute on function private.command_mark_done to authenticated;

create function private.command_snooze(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  until constant date := coalesce((arguments ->> 'until')::date, private.today() + (arguments ->> 'days')::integer);
  more constant numeric := arguments ->> 'distance';
  shown json;
begin
  select task into shown from json_array_elements(public.service_due() -> 'tasks') as task
  where task ->> 'id' = arguments ->> 'task_id';
  perform private.reject_if(shown is null, 'RMT22', 'RMT22: The task was removed.');
  update public.service_tasks set
    snoozed_until = until,
    snoozed_distance = (shown #>> '{used,distance}')::numeric + more,
    snoozed_from = case when num_nonnulls(until, more) > 0 then (shown ->> 'baseline')::timestamp end,
    snoozed_part = null
  where id = (shown ->> 'id')::bigint;
  return '{}';
end
$$;
comment on function private.command_snooze(jsonb) is
  'Snoozes a task, {task_id, until, days, distance}, until a day, for days, or for this many more meters. With none, ends the snooze.';
grant execute on function private.command_snooze to authenticated;

create function private.correct_event(event_id bigint, shown jsonb, wanted jsonb, also_done bigint[] default '{}') returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  event public.service_events;
  was jsonb;
  became jsonb;
  done_on date;
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

  done_on := became ->> 'done_on';
  if event.done_at::date <> done_on then
    perform private.check_service_day(event.part_id, done_on);
    -- Keep the snooze attached to this event.
    update public.service_tasks set snoozed_from = (private.service_time(done_on)).done_at
    where id = event.task_id and part_id is not distinct from event.part_id and snoozed_from = event.done_at;
    select done_at, pressed_at into event.done_at, event.pressed_at from private.service_time(done_on);
  end if;
  -- The item's description is the event's note, unless the owner has edited it in the log.
  update public.maintenance as item set description = became ->> 'note'
  where item.id = event.maintenance_id and item.description is not distinct from event.note;
  update public.service_events set done_at = event.done_at, pressed_at = event.pressed_at, note = became ->> 'note' where id = event_id;
  perform private.set_service_cost(event_id, (became ->> 'cost')::numeric);

  insert into public.service_events (task_id, part_id, done_at, pressed_at)
  select task.id, task.part_id, event.done_at, event.pressed_at
  from public.service_tasks as task
  where task.id = any (also_done) and task.id <> event.task_id
    and task.part_id is not distinct from event.part_id
    and task.gear_id is not distinct from (select gear_id from public.service_tasks where id = event.task_id);
  return '{}';
end
$$;
comment on function private.correct_event(bigint, jsonb, jsonb, bigint[]) is
  'Changes an event''s done_on, cost or note (wanted), given what the owner saw (shown), and marks other tasks of the same part or bike done at the same time. If a value is neither the shown nor the wanted one, the answer is 409 with the values as "stored", and nothing is written.';
grant execute on function private.correct_event to authenticated;

create function private.command_correct_event(arguments jsonb) returns jsonb
language sql volatile security invoker set search_path = ''
as $$
  select private.correct_event(
    (arguments ->> 'event_id')::bigint, arguments -> 'shown', arguments -> 'wanted',
    array(select jsonb_array_elements_text(arguments -> 'also_done')::bigint)
  )
$$;
comment on function private.command_correct_event(jsonb) is 'Corrects an event: {event_id, shown, wanted, also_done}. Returns what correct_event does.';
grant execute on function private.command_correct_event to authenticated;

create function private.command_remove_event(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item_id bigint;
begin
  delete from public.service_events where id = (arguments ->> 'event_id')::bigint returning maintenance_id into item_id;
  delete from public.maintenance where id = item_id;
  return '{}';
end
$$;
comment on function private.command_remove_event(jsonb) is 'Removes an event, {event_id}, and the item with its cost.';
grant execute on function private.command_remove_event to authenticated;

create function private.command_remove_task(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  delete from public.service_tasks where id = (arguments ->> 'task_id')::bigint;
  return '{}';
end
$$;
comment on function private.command_remove_task(jsonb) is 'Removes a task, {task_id}, with its events. Succeeds even if it is gone.';
grant execute on function private.command_remove_task to authenticated;


-- Called in the transaction that replaces a part.
create function private.transfer_tasks(old_part bigint, new_part bigint) returns void
language sql volatile security invoker set search_path = ''
as $$
  update public.service_tasks
  set part_id = new_part, counted_from = null,
    snoozed_part = case when num_nonnulls(snoozed_until, snoozed_distance) > 0 then coalesce(snoozed_part, old_part) end
  where part_id = old_part
$$;
comment on function private.transfer_tasks(bigint, bigint) is
  'Moves a part''s tasks to its successor, where usage counts from the successor''s start. Past events stay with the old part.';
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

create trigger follow_successor
after insert on public.service_tasks
for each row when (new.part_id is not null and current_setting('tracker.command', true) is distinct from 'backup')
execute function private.follow_successor();
