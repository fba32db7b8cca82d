-- What the owner does with service tasks. Each function is atomic and can be repeated after a lost response.

-- Raises RMT20 unless the part was installed by that day and the day is not in the future.
create or replace function private.check_service_day(part_id bigint, day date) returns void
language plpgsql stable security invoker set search_path = ''
as $$
declare
  first_installed date := (
    select min("dateStarted") from public.maintenance as item
    where item.part_id = check_service_day.part_id and "dateEnded" is distinct from "dateStarted"
  );
begin
  -- The messages repeat the codes because Supabase Lite only returns the message.
  if part_id is not null and first_installed is null then
    raise exception 'RMT21: This is an entry for work, not a part.' using errcode = 'RMT21';
  end if;
  if day > private.today() or day < first_installed then
    raise exception 'RMT20: The day is in the future or before the part was installed.' using errcode = 'RMT20';
  end if;
end
$$;
comment on function private.check_service_day(bigint, date) is
  'Raises RMT20 if the day is in the future or before the part was installed, and RMT21 if the part was never installed. The part is null for a bike.';

-- The present wall clock for today, so rides from earlier today don't count; 01:00 for another day, like the log.
create or replace function private.service_time(day date) returns timestamp
language sql stable security invoker set search_path = ''
as $$
  select case when coalesce(day, private.today()) = private.today() then private.wall_clock() else day + time '01:00' end
$$;
comment on function private.service_time(date) is 'The wall clock time to store for work done on a day. Null: today.';

create or replace function public.add_service_task(task jsonb, last_done date default null) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  new_task constant public.service_tasks := jsonb_populate_record(null::public.service_tasks, task);
  new_id bigint;
begin
  perform private.check_service_day(new_task.part_id, last_done);
  insert into public.service_tasks (part_id, gear_id, name, kind, every_distance, every_moving_time, every_days, request_key)
  values (
    new_task.part_id, new_task.gear_id, new_task.name, coalesce(new_task.kind, 'service'),
    new_task.every_distance, new_task.every_moving_time, new_task.every_days, new_task.request_key
  )
  on conflict (request_key) do nothing returning id into new_id;
  if new_id is null then
    return (select id from public.service_tasks where request_key = new_task.request_key);
  end if;
  insert into public.service_events (task_id, part_id, done_at)
  select new_id, new_task.part_id, private.service_time(last_done) where last_done is not null;
  return new_id;
end
$$;
comment on function public.add_service_task(jsonb, date) is
  'Adds a task with the columns of service_tasks and, optionally, when it was last done. Returns its id; the same request_key adds nothing again.';

-- Adds, changes or deletes the item with the cost of an event.
create or replace function private.set_service_cost(event_id bigint, cost numeric) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
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

  -- The request key links the new item with the event.
  insert into public.maintenance ("bikeId", type, name, description, cost, "dateStarted", "dateEnded", request_key)
  select coalesce(latest."bikeId", task.gear_id), latest.type, task.name, event.note, set_service_cost.cost,
    event.done_at, event.done_at, event.request_key
  from public.service_events as event
  join public.service_tasks as task on task.id = event.task_id
  left join lateral (
    select item."bikeId", item.type from public.maintenance as item
    where item.part_id = event.part_id and item."dateEnded" is distinct from item."dateStarted"
    order by item."dateStarted" desc, item.id desc limit 1
  ) as latest on true
  where event.id = event_id;
end
$$;
comment on function private.set_service_cost(bigint, numeric) is
  'Keeps the cost of an event in the log, as an item that ends when it starts, on the bike where the part was last. Null or 0: no item.';

create or replace function public.mark_service_done(
  task_id bigint, seen bigint default null, done_on date default null, cost numeric default null, note text default null
) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  moment constant timestamp := private.service_time(done_on);
  task public.service_tasks;
  event_id bigint;
begin
  -- Locks the task, so the second of two requests sees the event of the first.
  select * into task from public.service_tasks where id = mark_service_done.task_id for update;
  if not found then
    raise exception 'RMT22: The task was removed.' using errcode = 'RMT22';
  end if;
  perform private.check_service_day(task.part_id, moment::date);

  -- A second press, another tab, or a retry after a lost response: the caller hasn't seen the event yet.
  select max(event.id) into event_id from public.service_events as event
  where event.task_id = task.id and event.part_id is not distinct from task.part_id
    and event.id > coalesce(seen, 0) and event.done_at::date = moment::date;
  if event_id is not null then
    return event_id;
  end if;

  insert into public.service_events (task_id, part_id, done_at, note)
  values (task.id, task.part_id, moment, nullif(btrim(mark_service_done.note), '')) returning id into event_id;
  perform private.set_service_cost(event_id, mark_service_done.cost);
  return event_id;
end
$$;
comment on function public.mark_service_done(bigint, bigint, date, numeric, text) is
  'Marks a task done, today by default, and returns the event. seen is newest_event as service_due returned it; a newer event of the same day is returned instead of adding another.';

create or replace function public.correct_service_event(
  event_id bigint, done_on date, cost numeric default null, note text default null, also_done bigint[] default '{}'
) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  event public.service_events;
begin
  select * into event from public.service_events where id = event_id for update;
  if not found then
    return false;
  end if;
  if event.done_at::date <> done_on then
    perform private.check_service_day(event.part_id, done_on);
    event.done_at := private.service_time(done_on);
  end if;
  update public.service_events set done_at = event.done_at, note = nullif(btrim(correct_service_event.note), '')
  where id = event_id;
  perform private.set_service_cost(event_id, cost);

  -- The key follows from the event and the task, so a retry adds nothing.
  insert into public.service_events (task_id, part_id, done_at, request_key)
  select task.id, task.part_id, event.done_at, md5(event.request_key || '/' || task.id)::uuid
  from public.service_tasks as task
  where task.id = any (also_done) and task.id <> event.task_id
    and task.part_id is not distinct from event.part_id
    and task.gear_id is not distinct from (select gear_id from public.service_tasks where id = event.task_id)
  on conflict (request_key) do nothing;
  return true;
end
$$;
comment on function public.correct_service_event(bigint, date, numeric, text, bigint[]) is
  'Changes day, cost and note of an event, and marks other tasks of the same part or bike done at the same time. False if the event was removed.';

create or replace function public.remove_service_event(event_id bigint) returns jsonb
language sql volatile security invoker set search_path = ''
as $$
  with event as (
    delete from public.service_events where id = event_id returning *
  ), item as (
    delete from public.maintenance where id = (select maintenance_id from event) returning *
  )
  select jsonb_build_object('events', jsonb_agg(to_jsonb(event)), 'items', (select jsonb_agg(to_jsonb(item)) from item))
  from event having count(*) > 0
$$;
comment on function public.remove_service_event(bigint) is
  'Removes an event and the item with its cost. Returns what restore_service needs to undo it; null if it was already removed.';

create or replace function public.remove_service_task(task_id bigint) returns jsonb
language sql volatile security invoker set search_path = ''
as $$
  with events as (
    select jsonb_agg(to_jsonb(event)) as list from public.service_events as event where event.task_id = remove_service_task.task_id
  ), task as (
    delete from public.service_tasks where id = remove_service_task.task_id returning *
  )
  select jsonb_build_object('tasks', jsonb_build_array(to_jsonb(task)), 'events', events.list) from task, events
$$;
comment on function public.remove_service_task(bigint) is
  'Removes a task and its events; their costs stay in the log. Returns what restore_service needs to undo it; null if it was already removed.';

create or replace function public.restore_service(removed jsonb) returns boolean
language sql volatile security invoker set search_path = ''
as $$
  insert into public.service_tasks
  select * from jsonb_populate_recordset(null::public.service_tasks, nullif(removed -> 'tasks', 'null'))
  on conflict do nothing;
  -- An item that was deleted since has no row to refer to. Inserting an item links it again.
  insert into public.service_events (id, task_id, part_id, done_at, note, maintenance_id, request_key)
  select saved.id, task_id, saved.part_id, done_at, note, item.id, saved.request_key
  from jsonb_populate_recordset(null::public.service_events, nullif(removed -> 'events', 'null')) as saved
  left join public.maintenance as item on item.id = saved.maintenance_id
  on conflict do nothing;
  insert into public.maintenance
  select * from jsonb_populate_recordset(null::public.maintenance, nullif(removed -> 'items', 'null'))
  on conflict (id) do nothing;
  select true;
$$;
comment on function public.restore_service(jsonb) is
  'Undoes remove_service_event or remove_service_task with what it returned. Repeating it restores nothing twice.';

-- For Replace and its Undo, in the same transaction.
create or replace function private.hand_over_tasks(old_part bigint, new_part bigint) returns void
language sql volatile security invoker set search_path = ''
as $$
  update public.service_tasks set part_id = new_part where part_id = old_part
$$;
comment on function private.hand_over_tasks(bigint, bigint) is
  'Gives the tasks of a part to its successor. They count from the successor''s own start: past events stay with the part they were done on. Handing them back restores everything.';

revoke all on function private.check_service_day(bigint, date), private.service_time(date),
  private.set_service_cost(bigint, numeric), private.hand_over_tasks(bigint, bigint) from public;
revoke all on function public.add_service_task(jsonb, date), public.mark_service_done(bigint, bigint, date, numeric, text),
  public.correct_service_event(bigint, date, numeric, text, bigint[]), public.remove_service_event(bigint),
  public.remove_service_task(bigint), public.restore_service(jsonb) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller may change.
grant execute on function private.check_service_day(bigint, date), private.service_time(date),
  private.set_service_cost(bigint, numeric), private.hand_over_tasks(bigint, bigint) to authenticated;
grant execute on function public.add_service_task(jsonb, date), public.mark_service_done(bigint, bigint, date, numeric, text),
  public.correct_service_event(bigint, date, numeric, text, bigint[]), public.remove_service_event(bigint),
  public.remove_service_task(bigint), public.restore_service(jsonb) to authenticated;
