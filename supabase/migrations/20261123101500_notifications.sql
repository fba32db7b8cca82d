-- Notifications: subscribed browsers and announced tasks.

-- Private, like accounts and keys: no role may read it and no backup contains it. Anyone with a subscription's endpoint and
-- keys can send notifications to its browser.
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

create table private.announced_tasks (
  -- No foreign key: a removed task that is restored keeps its old id and stays announced.
  task_id bigint not null,
  announced_for jsonb not null,
  announced_at timestamptz not null default now(),
  primary key (task_id, announced_for)
);
comment on table private.announced_tasks is
  'Tasks that were announced as due, with their baseline and limits. Doing a task moves its baseline, so it is announced again when it is due again. Task 0: Ride with GPS refused the sign-in after this successful sync.';
alter table private.announced_tasks enable row level security;

-- Security definer: no role may write private.announced_tasks.
create function private.claim_due_tasks() returns json
language sql volatile security definer set search_path = ''
as $$
  with due as (
    select task, place, (task ->> 'id')::bigint as id, jsonb_build_object('baseline', task -> 'baseline', 'every', task -> 'every') as announced_for
    from json_array_elements(public.service_due() -> 'tasks') with ordinality as tasks (task, place)
    where task ->> 'state' in ('due', 'overdue')
  ), claimed as (
    insert into private.announced_tasks (task_id, announced_for) select id, announced_for from due
    on conflict do nothing returning task_id
  ), forgotten as (
    delete from private.announced_tasks as old
    where announced_at < now() - interval '30 days'
      and not exists (select from due where id = task_id and due.announced_for = old.announced_for)
      and announced_for <> jsonb_build_object('sync', (private.last_ride_sync()).id)
  )
  select json_agg(json_build_object('name', task -> 'name', 'item_name', task -> 'item_name', 'bike', bikes.name) order by place)
  from due join claimed on task_id = id
  left join public.bikes on bikes.gear_id = (task ->> 'gear_id')::bigint
$$;
comment on function private.claim_due_tasks() is
  'Returns the due tasks that haven''t been announced yet, most urgent first, and marks them as announced. Null if there are none. Forgets what was announced more than 30 days ago and is no longer due.';
-- No grant: only functions below call it.

-- Security definer: no role may write private.push_subscriptions.
create function private.add_push_subscription(endpoint text, p256dh text, auth text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  -- Don't announce tasks that were already due when the first browser subscribed.
  if not exists (select from private.push_subscriptions) then
    perform private.claim_due_tasks();
  end if;
  insert into private.push_subscriptions (endpoint, p256dh, auth)
  values (add_push_subscription.endpoint, add_push_subscription.p256dh, add_push_subscription.auth)
  on conflict on constraint push_subscriptions_pkey
  do update set p256dh = excluded.p256dh, auth = excluded.auth, added_at = excluded.added_at;
  -- An owner rarely has more than 20 browsers, so the oldest are probably gone.
  delete from private.push_subscriptions as old where old.endpoint in (
    select each.endpoint from private.push_subscriptions as each order by added_at desc, each.endpoint offset 20
  );
  return true;
end
$$;
grant execute on function private.add_push_subscription(text, text, text) to authenticated;

create function public.add_push_subscription(endpoint text, p256dh text, auth text) returns boolean
language sql volatile security invoker set search_path = ''
as $$ select private.add_push_subscription(endpoint, p256dh, auth) $$;
comment on function public.add_push_subscription(text, text, text) is
  'Subscribes this browser to notifications. Repeating it changes nothing. Keeps the latest 20 browsers.';
grant execute on function public.add_push_subscription(text, text, text) to authenticated;

-- Security definer: no role may read private.push_subscriptions.
create function private.has_push_subscription(endpoint text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_owner()
    and exists (select from private.push_subscriptions as each where each.endpoint = has_push_subscription.endpoint)
$$;
grant execute on function private.has_push_subscription(text) to authenticated;

create function public.has_push_subscription(endpoint text) returns boolean
language sql stable security invoker set search_path = ''
as $$ select private.has_push_subscription(endpoint) $$;
comment on function public.has_push_subscription(text) is
  'Returns whether this browser gets notifications. False for anyone but the owner.';
grant execute on function public.has_push_subscription(text) to authenticated;

-- Security definer: no role may write private.push_subscriptions.
create function private.remove_push_subscription(endpoint text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  delete from private.push_subscriptions as each where each.endpoint = remove_push_subscription.endpoint;
  return false;
end
$$;
grant execute on function private.remove_push_subscription(text) to authenticated;

create function public.remove_push_subscription(endpoint text) returns boolean
language sql volatile security invoker set search_path = ''
as $$ select private.remove_push_subscription(endpoint) $$;
comment on function public.remove_push_subscription(text) is
  'Stops notifications to this browser and returns false, like has_push_subscription. Succeeds even if the browser wasn''t subscribed.';
grant execute on function public.remove_push_subscription(text) to authenticated;

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
grant execute on function public.remove_push_subscriptions(text[]) to service_role;

-- Security definer: the schedule has no user, and the secret key can't read the log.
create function public.claim_notification() returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  subscriptions json := (
    select json_agg(json_build_object('endpoint', endpoint, 'p256dh', p256dh, 'auth', auth) order by added_at)
    from private.push_subscriptions
  );
  last_ok constant public.ride_syncs := private.last_ride_sync();
  tasks json;
begin
  if subscriptions is null then
    return null;
  end if;
  insert into private.announced_tasks (task_id, announced_for)
  select 0, jsonb_build_object('sync', last_ok.id) from public.ride_syncs as latest
  where latest.id = (select max(id) from public.ride_syncs) and latest.code = 'rwgps_unauthorized'
    and latest.started_at > coalesce(last_ok.checked_at, '-infinity')
  on conflict do nothing;
  if found then
    return json_build_object('tasks', null, 'subscriptions', subscriptions);
  end if;
  tasks := private.claim_due_tasks();
  return case when tasks is not null then json_build_object('tasks', tasks, 'subscriptions', subscriptions) end;
end
$$;
comment on function public.claim_notification() is
  'Claims the notification to send after a sync: {tasks: [{name, item_name, bike}], subscriptions: [{endpoint, p256dh, auth}]}. Each task is returned once per baseline and limits. tasks is null if Ride with GPS refused the sign-in, for the first time since a sync succeeded. Null if there is nothing to send or no subscribed browser.';
grant execute on function public.claim_notification() to service_role;
