-- The calendar feed: anyone with its token can read when service is likely due.

-- Private, like accounts and keys: no role may read it and no backup contains it.
create table private.calendar_feed (
  is_the_one boolean primary key default true check (is_the_one),
  -- Null if there is no feed. The row stays, so the revision never decreases.
  token_hash bytea,
  content_hash bytea,
  revision integer not null default 0,
  changed_at timestamptz not null default now()
);
comment on table private.calendar_feed is 'At most one row: the feed and the time of its last change.';
alter table private.calendar_feed enable row level security;

-- Security definer: no role may write private.calendar_feed.
create function private.set_calendar_token(token text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  perform private.reject_if(token !~ '^[A-Za-z0-9_-]{43}$', '22023', 'A token is 256 random bits in base64url.');
  insert into private.calendar_feed (token_hash) values (sha256(convert_to(token, 'UTF8')))
  on conflict (is_the_one) do update set token_hash = excluded.token_hash;
  return token is not null;
end
$$;
grant execute on function private.set_calendar_token to authenticated;

create function public.set_calendar_token(token text default null) returns boolean
language sql volatile security invoker set search_path = ''
as $$ select private.set_calendar_token(token) $$;
comment on function public.set_calendar_token(text) is
  'Creates the feed or renews its token; null revokes it. The caller generates the token, so a retry after a lost response changes nothing. Only its hash is stored. Returns whether there is a feed.';
grant execute on function public.set_calendar_token to authenticated;

-- Security definer: no role may read private.calendar_feed.
create function private.has_calendar_feed() returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_owner() and exists (select from private.calendar_feed where token_hash is not null)
$$;
grant execute on function private.has_calendar_feed to authenticated;

create function public.has_calendar_feed() returns boolean
language sql stable security invoker set search_path = ''
as $$ select private.has_calendar_feed() $$;
comment on function public.has_calendar_feed() is 'Returns whether the calendar feed has a token. False for anyone but the owner.';
grant execute on function public.has_calendar_feed to authenticated;

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
    (select baseline::date + every_days from task where baseline::date + every_days <= private.today())
  )
$$;
comment on function private.due_since(bigint, timestamp, numeric, integer) is
  'Returns the day on which a task reached its first limit. The baseline and the usage before the log come from service_due. Null: not due.';
-- No grant: only calendar_feed calls it.

-- Security definer: the caller has no account, only the token, and the secret key can't read the log.
create function public.calendar_feed(token text, days integer) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  due json;
begin
  if not exists (select from private.calendar_feed where token_hash = sha256(convert_to(token, 'UTF8'))) then
    return null;
  end if;
  due := public.service_due();
  return json_build_object(
    'tasks', due -> 'tasks',
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
  'Returns the feed''s content: tasks as service_due returns them, the rides of the last days, the owner''s settings, bike names, and the day on which each due task became due. Null for an invalid token.';
-- Only the edge function "calendar" may call this. It limits guesses, so tokens can't be tried through the data API.
grant execute on function public.calendar_feed(text, integer) to service_role;

-- Security definer: no role may write private.calendar_feed.
create function public.stamp_calendar_feed(token text, content text) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  feed private.calendar_feed;
begin
  update private.calendar_feed
  set content_hash = sha256(convert_to(content, 'UTF8')), revision = revision + 1, changed_at = now()
  where token_hash = sha256(convert_to(token, 'UTF8'))
    and content_hash is distinct from sha256(convert_to(content, 'UTF8'));
  select * into feed from private.calendar_feed where token_hash = sha256(convert_to(token, 'UTF8'));
  return case when found then json_build_object('revision', feed.revision, 'changed_at', feed.changed_at) end;
end
$$;
comment on function public.stamp_calendar_feed(text, text) is
  'Returns the revision of this content and the time of its first appearance. Both stay the same until the content changes. Null for an invalid token.';
grant execute on function public.stamp_calendar_feed(text, text) to service_role;
