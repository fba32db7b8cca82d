-- Looking up what changed in the log, and restoring how it was before.

create or replace function private.log_change_states(groups uuid[])
returns table (group_id uuid, item_id bigint, before jsonb, after jsonb, present jsonb, target jsonb, state text)
language sql stable security invoker set search_path = ''
as $$
  with net as materialized (
    -- Several statements of one transaction may change the same item.
    select change.group_id, change.row_id, (array_agg(change.before order by change.id))[1] as before,
      (array_agg(change.after order by change.id desc))[1] as after
    from public.log_changes as change
    where change.group_id = any (groups) and change.relation = 'maintenance'
      and change.changed_at >= now() - interval '30 days'
    group by change.group_id, change.row_id
  )
  select net.group_id, net.row_id, net.before, net.after, now.item,
    case when net.after is null or net.before is null then net.before else now.item || edited.columns end,
    case
      when net.before is null then case when now.item is null then 'done' when now.item @> net.after then 'ready' else 'changed' end
      when net.after is null then case when now.item is null then 'ready' when now.item @> net.before then 'done' else 'changed' end
      when edited.columns is null then 'done'
      when now.item is null then 'deleted'
      when now.item @> edited.columns then 'done'
      when exists (
        select from jsonb_each(edited.columns) as edit
        where now.item -> key is distinct from edit.value and now.item -> key is distinct from net.after -> key
      ) then 'changed'
      else 'ready'
    end
  from net
  left join public.maintenance as item on item.id = net.row_id
  cross join lateral (select case when item.id is not null then to_jsonb(item) end as item) as now
  cross join lateral (
    select jsonb_object_agg(key, value) as columns
    from jsonb_each(net.before) where net.after is not null and value is distinct from net.after -> key
  ) as edited
  where num_nonnulls(net.before, net.after) > 0
$$;
comment on function private.log_change_states(uuid[]) is
  'The items that groups of changes of the last 30 days changed. target: the item after a restore, null if it is deleted. state: whether the change can be restored (ready), isn''t in the log anymore (done), or was followed by another one (changed, deleted).';

create or replace function public.trash(older_than bigint default null) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with page as materialized (
    select group_id, max(id) as last_id, min(changed_at) as changed_at, min(source) as source
    from public.log_changes where relation = 'maintenance' and changed_at >= now() - interval '30 days'
    group by group_id having older_than is null or max(id) < older_than
    order by max(id) desc limit 50
  ), states as materialized (
    select *, coalesce(after, before) as item,
      row_number() over (partition by group_id order by before is not null, after is not null, item_id) as place
    from private.log_change_states(array(select group_id from page))
  ), groups as (
    select group_id, count(*) filter (where before is null) as added, count(*) filter (where after is null) as deleted,
      count(*) filter (where num_nonnulls(before, after) = 2) as edited, bool_and(state = 'done') as is_done,
      jsonb_agg(distinct item -> 'bikeId') as bikes,
      jsonb_agg(jsonb_build_object('before', before, 'after', after) order by place) filter (where place <= 4) as changes
    from states group by group_id
  )
  select jsonb_build_object('groups', coalesce(jsonb_agg(
    jsonb_build_object(
      'id', group_id, 'last_id', last_id, 'changed_at', changed_at, 'source', source, 'added', added, 'edited', edited,
      'deleted', deleted, 'is_done', is_done, 'bikes', bikes, 'changes', changes
    ) order by last_id desc
  ), '[]'))
  from page join groups using (group_id)
$$;
comment on function public.trash(bigint) is
  'Up to 50 changes of the log within the last 30 days, the newest first: {groups: [{id, last_id, changed_at, source, added, edited, deleted, is_done, bikes, changes}]}. changes: the first four items before and after. is_done: nothing is left to restore. older_than: the last_id of the previous page.';

create or replace function public.restore_log_change(change uuid, keep_changed boolean default false) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  items integer;
  conflicts jsonb;
  ready jsonb;
  restored integer;
begin
  if not private.is_owner() then
    raise exception 'Only the owner can restore changes.' using errcode = '42501';
  end if;

  -- Reads continue. Other writes wait until this transaction ends, including a second restore of the same change.
  lock table public.maintenance in share row exclusive mode;

  select count(*), jsonb_agg(to_jsonb(item) order by item_id) filter (where state in ('changed', 'deleted')),
    coalesce(jsonb_agg(to_jsonb(item)) filter (where state = 'ready'), '[]')
  into items, conflicts, ready
  from private.log_change_states(array[change]) as item;
  if items = 0 then
    -- The message repeats the code because Supabase Lite only returns the message.
    raise exception 'RMT30: The change is older than 30 days.' using errcode = 'RMT30';
  end if;
  if conflicts is not null and not keep_changed then
    return jsonb_build_object('restored', 0, 'conflicts', conflicts);
  end if;

  perform set_config('tracker.log_source', 'restore', true);
  restored := jsonb_array_length(ready);

  -- Deletions first and additions last: a part that goes back to its earlier place is never in two places.
  delete from public.maintenance where id in (
    select item_id from jsonb_to_recordset(ready) as change (item_id bigint, target jsonb) where target is null
  );

  update public.maintenance as item
  set type = wanted.type, name = wanted.name, description = wanted.description, cost = wanted.cost,
    "dateStarted" = wanted."dateStarted", "dateEnded" = wanted."dateEnded", ended_as = wanted.ended_as
  from jsonb_to_recordset(ready) as edit (item_id bigint, present jsonb, target jsonb)
  cross join lateral jsonb_populate_record(null::public.maintenance, target) as wanted
  where present is not null and target is not null and item.id = item_id;

  -- The part of an item is usually still there.
  insert into public.parts (id)
  select distinct (target ->> 'part_id')::bigint
  from jsonb_to_recordset(ready) as deletion (present jsonb, target jsonb) where present is null
  on conflict do nothing;

  insert into public.maintenance (
    id, "bikeId", part_id, type, name, description, cost, "dateStarted", "dateEnded", ended_as, request_key
  )
  select wanted.id, wanted."bikeId", wanted.part_id, wanted.type, wanted.name, wanted.description, wanted.cost,
    wanted."dateStarted", wanted."dateEnded", wanted.ended_as, wanted.request_key
  from jsonb_to_recordset(ready) as deletion (present jsonb, target jsonb)
  cross join lateral jsonb_populate_record(null::public.maintenance, target) as wanted
  where present is null;

  if restored > 0 then
    perform private.hand_over_tasks(new_part, old_part)
    from (
      select distinct (handed.before ->> 'part_id')::bigint, (handed.after ->> 'part_id')::bigint
      from public.log_changes as handed where group_id = change and relation = 'service_tasks'
    ) as handed (old_part, new_part);
  end if;
  return jsonb_build_object(
    'restored', restored, 'conflicts', '[]'::jsonb,
    -- The lock keeps others from adding changes of items.
    'id', (
      select group_id from public.log_changes where restored > 0 and relation = 'maintenance' order by id desc limit 1
    )
  );
end
$$;
comment on function public.restore_log_change(uuid, boolean) is
  'Returns the log to how it was before a group of changes: {restored, conflicts, id} with the number of items, and the change that undoes this one. Items that were changed since are conflicts, and then nothing is restored, or with keep_changed everything else.';

-- Security invoker: the owner may make the same changes one by one.
revoke all on function private.log_change_states(uuid[]) from public;
grant execute on function private.log_change_states(uuid[]) to authenticated;
revoke all on function public.trash(bigint), public.restore_log_change(uuid, boolean) from public, anon, service_role;
grant execute on function public.trash(bigint), public.restore_log_change(uuid, boolean) to authenticated;
