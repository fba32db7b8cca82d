-- The calendar feed: anyone with a token of the scope calendar can read when service is likely due.

-- Private, like accounts and keys: no role may read it and no backup contains it.
create table private.calendar_feed (
  is_the_one boolean primary key default true check (is_the_one),
  content_hash bytea not null,
  revision integer not null default 1,
  changed_at timestamptz not null default now(),
  events jsonb
);
comment on table private.calendar_feed is 'At most one row: the feed''s last content and when it changed. It outlives tokens, so the revision never decreases.';
comment on column private.calendar_feed.events is
  'By id: the hash of each event''s content, and the feed''s revision and time when it last changed. Null if the feed was last read by an older version.';
alter table private.calendar_feed enable row level security;

create function private.due_since(task_id bigint, baseline timestamp, earlier_distance numeric, earlier_moving_time integer)
returns date
language sql stable security invoker set search_path = ''
as $$
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
$$;
comment on function private.due_since(bigint, timestamp, numeric, integer) is
  'Returns the day on which a task reached its first limit. The baseline and the usage before the log come from service_due. Null: not due.';
-- No grant: only calendar_feed calls it.

-- Security definer: the caller has no account, only the token, and the secret key can't read the log.
create function public.calendar_feed(token text, days integer) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due json;
begin
  if private.open_token(sha256(convert_to(token, 'UTF8')), '{calendar}') is null then
    return null;
  end if;
  due := public.service_due();
  return json_build_object(
    'tasks', due -> 'tasks',
    'limits', due -> 'limits',
    'rides', public.ride_days(days),
    'settings', private.chosen_settings(),
    'bikes', private.bike_names(),
    'due_since', (
      select coalesce(json_object_agg(task ->> 'id', private.due_since(
        (task ->> 'id')::bigint, (task ->> 'baseline')::timestamp, (task ->> 'earlier_distance')::numeric,
        (task ->> 'earlier_moving_time')::integer
      )), '{}')
      from json_array_elements(due -> 'tasks') as task
      where (task ->> 'fraction')::float8 >= 1
    )
  );
end
$$;
comment on function public.calendar_feed(text, integer) is
  'Returns the feed''s content: tasks and limits as service_due returns them, the rides of the last days, the owner''s settings, bike names, and the day on which each due task became due. Null for an invalid token.';
-- Only the edge function "calendar" may call this. It limits guesses, so tokens can't be tried through the data API.
grant execute on function public.calendar_feed(text, integer) to service_role;

create function private.stamp_events(content text, stamped jsonb, revision integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_object_agg(id, case
    when stamped -> id ->> 'hash' = hash then stamped -> id
    else jsonb_build_object('hash', hash, 'revision', revision, 'changed_at', now())
  end), '{}')
  from jsonb_each_text(content::jsonb) as event(id, text), encode(sha256(convert_to(text, 'UTF8')), 'hex') as hash
$$;
comment on function private.stamp_events(text, jsonb, integer) is
  'Returns the events of the feed''s new content: those that are unchanged as they are stamped, the others with this revision and time.';
-- No grant: only stamp_calendar_feed calls it.

-- Security definer: no role may write private.calendar_feed.
create function public.stamp_calendar_feed(token text, content text) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  hash constant bytea := sha256(convert_to(content, 'UTF8'));
begin
  if private.open_token(sha256(convert_to(token, 'UTF8')), '{calendar}') is null then
    return null;
  end if;
  insert into private.calendar_feed as feed (content_hash, events)
  values (hash, private.stamp_events(content, null, 1))
  on conflict (is_the_one) do update set
    content_hash = hash, revision = feed.revision + 1, changed_at = now(),
    events = private.stamp_events(content, feed.events, feed.revision + 1)
  where feed.content_hash <> hash or feed.events is null;
  return (
    select coalesce(json_object_agg(event.key, event.value - 'hash'), '{}')
    from private.calendar_feed, jsonb_each(events) as event
  );
end
$$;
comment on function public.stamp_calendar_feed(text, text) is
  'Returns, by id, the revision and time of each event''s first appearance with this content, a JSON object of texts. Both stay the same until the event''s own text changes. Null for an invalid token.';
grant execute on function public.stamp_calendar_feed(text, text) to service_role;
