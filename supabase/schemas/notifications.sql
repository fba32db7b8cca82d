-- Notifications: subscribed browsers, announced tasks and the state of each channel.

-- Private, like accounts and keys: no backup contains it, and the data API doesn't show it. Anyone with a subscription's endpoint
-- and keys can send notifications to its browser.
create table private.push_subscriptions (
  -- Only browsers' push services, so a sync can't be made to send requests anywhere else.
  endpoint text primary key constraint push_subscriptions_endpoint_check check (
    char_length(endpoint) <= 1000
    and endpoint ~ '^https://([a-z0-9-]+\.)*(googleapis\.com|google\.com|push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com)/[!-~]+$'
  ),
  -- p256dh is an uncompressed P-256 point and auth is 16 bytes, both in base64url.
  p256dh text not null constraint push_subscriptions_p256dh_check check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  auth text not null constraint push_subscriptions_auth_check check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  added_at timestamptz not null default clock_timestamp()
);
comment on table private.push_subscriptions is 'The browsers that get notifications: their push endpoints and encryption keys.';
alter table private.push_subscriptions enable row level security;

create policy "The owner reads which browsers get notifications" on private.push_subscriptions
for select to authenticated using ((select private.is_owner()));

grant select (endpoint) on private.push_subscriptions to authenticated;
-- Not the keys, which only syncs read.

create table private.announced_tasks (
  -- By its name in _shared/channels. The preview of 1.0 only had Web Push and didn't store the channel.
  channel text not null,
  -- No foreign key: a removed task that is restored keeps its old id and stays announced.
  task_id bigint not null,
  announced_for jsonb not null,
  announced_at timestamptz not null default now(),
  -- The message that announces it, which keeps its id if it has to be sent again.
  message uuid,
  -- From when on the message may be sent again. Null: it was sent.
  retry_at timestamptz,
  primary key (channel, task_id, announced_for)
);
comment on table private.announced_tasks is
  'Tasks that were announced as due, per channel, with their part, last Done and limits. When one of these changes, the task is announced again once it is due. Task 0: Ride with GPS refused the sign-in after this successful sync. A negative task: a wear limit of the part with this id.';
alter table private.announced_tasks enable row level security;

create table private.channel_states (
  channel text primary key,
  sent_at timestamptz,
  failed_at timestamptz,
  error text constraint channel_states_error_check check (char_length(error) <= 200)
);
comment on table private.channel_states is 'When each channel last worked and last failed. error is null if the last message was sent.';
alter table private.channel_states enable row level security;

create policy "The owner reads the channels" on private.channel_states
for select to authenticated using ((select private.is_owner()));

grant select on private.channel_states to authenticated;
-- Only finish_notification writes.

create function private.due_announcements() returns table (task_id bigint, announced_for jsonb, place bigint, task json)
language sql stable security invoker set search_path = ''
as $$
  with read as materialized (
    select public.service_due() as answer
  ), due as materialized (
    select (task ->> 'id')::bigint as id, coalesce((task ->> 'group')::bigint, -(task ->> 'id')::bigint) as line, task, place, in_use_since, due_from,
      json_build_object(
        'id', task -> 'id', 'name', task -> 'name', 'state', task -> 'state', 'gear_id', task -> 'gear_id', 'bike', bikes.name,
        'part_id', task -> 'part_id', 'item_name', task -> 'item_name', 'item_type', task -> 'item_type', 'axis', task -> 'axis',
        'used', task -> 'used', 'every', task -> 'every', 'fraction', task -> 'fraction', 'due_on', task -> 'due_on', 'group', task -> 'group'
      ) as announced
    from read cross join json_array_elements(answer -> 'tasks') with ordinality as tasks (task, place)
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
  union all
  select -(reached ->> 'part_id')::bigint,
    jsonb_build_object('unit', private.name_key(reached ->> 'unit'), 'limit', reached -> 'limit', 'measured', reached -> 'last_open'), place,
    (reached::jsonb || jsonb_build_object('bike', bikes.name))::json
  from read cross join json_array_elements(answer -> 'limits') with ordinality as limits (reached, place)
  join public.bikes on bikes.gear_id = (reached ->> 'gear_id')::bigint
  where reached ->> 'state' in ('due', 'overdue')
    and (in_use_since is null or (reached ->> 'due_since')::date < private.wall_clock(in_use_since)::date is not true)
$$;
comment on function private.due_announcements() is
  'Returns what should be announced now: due tasks, most urgent first, of a group the first one with the due others, wear limits that are reached, and task 0 if Ride with GPS refused the sign-in. announced_for distinguishes it from earlier announcements of the task.';
-- No grant: only functions below call it.

-- Security definer: no role may write private.push_subscriptions.
create function private.command_add_push_subscription(arguments jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  -- Don't announce tasks that were already due when the first browser subscribed.
  if not exists (select from private.push_subscriptions) then
    insert into private.announced_tasks (channel, task_id, announced_for)
    select 'web_push', task_id, announced_for from private.due_announcements() where task_id <> 0
    on conflict on constraint announced_tasks_pkey do update set retry_at = null;
  end if;
  insert into private.push_subscriptions (endpoint, p256dh, auth)
  values (arguments ->> 'endpoint', arguments ->> 'p256dh', arguments ->> 'auth')
  on conflict on constraint push_subscriptions_pkey
  do update set p256dh = excluded.p256dh, auth = excluded.auth, added_at = excluded.added_at;
  -- An owner rarely has more than 20 browsers, so the oldest are probably gone.
  delete from private.push_subscriptions as old where old.endpoint in (
    select each.endpoint from private.push_subscriptions as each order by added_at desc, each.endpoint offset 20
  );
  return '{}';
end
$$;
comment on function private.command_add_push_subscription(jsonb) is
  'Subscribes this browser, {endpoint, p256dh, auth}, to notifications. Repeating it changes nothing. Keeps the latest 20 browsers.';
grant execute on function private.command_add_push_subscription to authenticated;

create function public.has_push_subscription(endpoint text) returns boolean
language sql stable security invoker set search_path = ''
as $$ select exists (select from private.push_subscriptions as each where each.endpoint = has_push_subscription.endpoint) $$;
comment on function public.has_push_subscription(text) is
  'Returns whether this browser gets notifications. False for anyone but the owner.';
grant execute on function public.has_push_subscription to authenticated;

-- Security definer: no role may write private.push_subscriptions.
create function private.command_remove_push_subscription(arguments jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  delete from private.push_subscriptions where endpoint = arguments ->> 'endpoint';
  return '{}';
end
$$;
comment on function private.command_remove_push_subscription(jsonb) is
  'Stops notifications to this browser, {endpoint}. Succeeds even if it wasn''t subscribed.';
grant execute on function private.command_remove_push_subscription to authenticated;

-- For syncs only, which send the notifications. The owner's token can't read other browsers' keys.

-- Security definer: no role may write private.push_subscriptions.
create function public.remove_push_subscriptions(endpoints text[]) returns bigint
language sql volatile security definer set search_path = ''
as $$
  with removed as (
    delete from private.push_subscriptions where endpoint = any (endpoints) returning endpoint
  )
  select count(*) from removed
$$;
comment on function public.remove_push_subscriptions(text[]) is 'Removes expired browser subscriptions. Returns how many.';
grant execute on function public.remove_push_subscriptions to service_role;

-- Security definer: no role may read private.push_subscriptions.
create function public.push_subscriptions() returns json
language sql stable security definer set search_path = ''
as $$
  select coalesce(json_agg(json_build_object('endpoint', endpoint, 'p256dh', p256dh, 'auth', auth) order by added_at), '[]')
  from private.push_subscriptions
$$;
comment on function public.push_subscriptions() is 'Returns the browsers to notify: [{endpoint, p256dh, auth}].';
grant execute on function public.push_subscriptions to service_role;

-- Security definer: the schedule has no user, and the secret key can't read the log.
create function public.claim_notifications(channels text[]) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  messages json;
begin
  if not exists (select from private.push_subscriptions) then
    channels := array_remove(channels, 'web_push');
  end if;
  if channels = '{}' then
    return '[]';
  end if;
  with due as materialized (
    select * from private.due_announcements()
  ), targets as materialized (
    select channel, is_refusal, gen_random_uuid() as message
    from unnest(channels) as channel cross join unnest(array[true, false]) as is_refusal
  ), claimed as (
    insert into private.announced_tasks as known (channel, task_id, announced_for, message, retry_at)
    -- The caller takes seconds, so a minute later, it must have been interrupted.
    select channel, task_id, announced_for, message, now() + interval '1 minute'
    from targets join due on is_refusal = (task_id = 0)
    on conflict (channel, task_id, announced_for) do update set retry_at = excluded.retry_at
    where known.retry_at <= now() and known.announced_at > now() - interval '1 day'
    returning channel, task_id, announced_for, announced_at, message
  ), forgotten as (
    delete from private.announced_tasks as old
    where announced_at < now() - interval '30 days'
      and not exists (select from due where (due.task_id, due.announced_for) = (old.task_id, old.announced_for))
      and announced_for <> jsonb_build_object('sync', (private.last_ride_sync()).id)
  ), sent_together as (
    select channel, message, min(announced_at) as announced_at,
      case when bool_and(task_id <> 0) then coalesce(json_agg(task order by place) filter (where task_id > 0), '[]') end as tasks,
      coalesce(json_agg(task order by place) filter (where task_id < 0), '[]') as limits, private.chosen_settings() as settings
    from claimed join due using (task_id, announced_for) group by channel, message
  )
  select coalesce(json_agg(sent_together order by announced_at), '[]') into messages from sent_together;
  return messages;
end
$$;
comment on function public.claim_notifications(text[]) is
  'Claims the messages to send after a sync: [{channel, message, announced_at, tasks, limits, settings}]. Each task is in one message per channel, part, Done and limits, and each wear limit until a reading shows that it isn''t reached. tasks is null if Ride with GPS refused the sign-in, for the first time since a sync succeeded. A message that failed is returned again for a day, without what is no longer due. web_push has no messages without a subscribed browser.';
grant execute on function public.claim_notifications to service_role;

-- Security definer: no role may write private.announced_tasks and private.channel_states.
create function public.finish_notification(channel text, error text, message uuid default null) returns boolean
language sql volatile security definer set search_path = ''
as $$
  update private.announced_tasks as announced set retry_at = case when finish_notification.error is not null then now() end
  where announced.message = finish_notification.message and retry_at is not null;
  insert into private.channel_states as known (channel, sent_at, failed_at, error)
  values (finish_notification.channel, case when error is null then now() end, case when error is not null then now() end, finish_notification.error)
  on conflict on constraint channel_states_pkey do update set
    sent_at = coalesce(excluded.sent_at, known.sent_at),
    failed_at = coalesce(excluded.failed_at, known.failed_at),
    error = excluded.error
  returning error is null
$$;
comment on function public.finish_notification(text, text, uuid) is
  'Records that a claimed message, or a test, was sent. With an error, the next sync may claim the message again. Returns whether it was sent.';
grant execute on function public.finish_notification to service_role;

-- Security definer: no role may read private.announced_tasks.
create function private.has_unsent_notifications() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.announced_tasks where retry_at <= now() and announced_at > now() - interval '1 day'
  )
$$;
comment on function private.has_unsent_notifications() is 'Returns whether a message failed and may be sent again.';
-- finish_quick_check calls it, which isn't a security definer.
grant execute on function private.has_unsent_notifications() to service_role;

create function public.channel_states() returns json
language sql stable security invoker set search_path = ''
as $$
  select case when private.is_owner() then coalesce(
    json_object_agg(channel, json_build_object('sent_at', sent_at, 'failed_at', failed_at, 'error', error)), '{}'
  ) end
  from private.channel_states
$$;
comment on function public.channel_states() is
  'Returns when the owner''s channels last worked and failed: {channel: {sent_at, failed_at, error}}. Null for anyone but the owner.';
grant execute on function public.channel_states to authenticated;
