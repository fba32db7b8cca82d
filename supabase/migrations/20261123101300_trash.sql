-- Undo and the trash: one way back for every change of the last 30 days. An undo is recorded like any other change, so it can
-- be undone, too.

create function private.stored_rows(relation text, ids bigint[]) returns table (row_id bigint, stored jsonb)
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return query execute format('select id, to_jsonb(stored) from public.%I as stored where id = any ($1)', relation) using ids;
end
$$;
comment on function private.stored_rows(text, bigint[]) is 'Returns the stored rows of a table.';
grant execute on function private.stored_rows to authenticated;

create type private.changed_row as (
  change uuid, relation text, row_id bigint, before jsonb, after jsonb, present jsonb, target jsonb, state text
);
comment on type private.changed_row is
  'A row that a change wrote. target: the row after an undo; null if the undo removes it. state: ready (can be undone), done (nothing to undo), changed or deleted by a later change, or used (rows that were added later belong to it).';

create function private.changed_rows(names uuid[], ids bigint[] default null) returns setof private.changed_row
language sql stable security invoker set search_path = '' set timezone = 'UTC'
as $$
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
      when net.after is null then case when stored is not null then 'done' when lost.task then 'deleted' else 'ready' end
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
  -- A part goes with its items, unless another item has it or may come back.
  left join lateral (
    select count(*) = 0 or bool_or(item.id not in (select row_id from net where relation = 'maintenance' and before is null))
      or net.row_id in (
        select (gone.before ->> 'part_id')::bigint from public.changes as gone left join public.maintenance as present on present.id = gone.row_id
        where gone.relation = 'maintenance' and gone.after is null and present.id is null
      ) as stays
    from public.maintenance as item where item.part_id = net.row_id
  ) as part on net.relation = 'parts' and net.before is null
  -- An event only comes back with its task. The item with its cost may have been deleted or restored since.
  left join lateral (
    -- Other rows must not evaluate this: it may read all rows of the change.
    select
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
$$;
comment on function private.changed_rows(uuid[], bigint[]) is
  'Returns the rows that these changes wrote in the last 30 days. With ids, returns only those rows, and only "done" is a reliable state.';
grant execute on function private.changed_rows to authenticated;

create function private.has_come_since(relation text, row_id bigint, link text, owner_id bigint, since bigint) returns boolean
language sql stable security invoker set search_path = ''
as $$
  select coalesce((
    select later.before ->> link is distinct from owner_id::text
    from public.changes as later
    where later.relation = has_come_since.relation and later.row_id = has_come_since.row_id and later.id > since order by later.id limit 1
  ), false)
$$;
comment on function private.has_come_since(text, bigint, text, bigint, bigint) is
  'Returns whether a row didn''t belong to another one, by a link column, when the journal had this many entries.';
grant execute on function private.has_come_since to authenticated;

create function private.rows_in_the_way(undone private.changed_row[])
returns table (relation text, row_id bigint, by_relation text, by_id bigint)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  since constant bigint := (select max(id) from public.changes where changes.change = undone[1].change);
  items constant bigint[] := array(
    select step.row_id from unnest(undone) as step where step.relation = 'maintenance' and step.target is null
  );
  reference record;
begin
  for reference in
    select owner.name as relation, referring.name as by_relation, attname as link
    from pg_catalog.pg_constraint
    join private.tracked_tables as owner on owner.relation = confrelid
    join private.tracked_tables as referring on referring.relation = conrelid
    join pg_catalog.pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and referring.relation <> 'public.maintenance'::regclass
  loop
    return query execute format($query$
      select removed.relation, removed.row_id, %2$L, referring.id
      from (
        select step.relation, step.row_id, step.row_id as id from unnest($1) as step
        where step.relation = %1$L and step.relation <> 'parts' and step.target is null
        union all
        -- What belongs to a part would disappear with the part's last item.
        select 'maintenance', min(item.id), item.part_id from public.maintenance as item
        where item.id = any ($2) and %1$L = 'parts' and not exists (
          select from public.maintenance as other where other.part_id = item.part_id and other.id <> all ($2)
        ) group by item.part_id
      ) as removed join public.%2$I as referring on referring.%3$I = removed.id
      where not exists (select from unnest($1) as step where step.relation = %2$L and step.row_id = referring.id)
        and private.has_come_since(%2$L, referring.id, %3$L, removed.id, $3)
    $query$, reference.relation, reference.by_relation, reference.link) using undone, items, since;
  end loop;
  return query
    -- An item doesn't come back into use while another one that has replaced it since is there.
    select step.relation, step.row_id, 'maintenance', item.id
    from unnest(undone) as step join public.maintenance as item on item.replaces = step.row_id
    where step.relation = 'maintenance' and step.present is not null and step.target ->> 'dateEnded' is null and item.id <> all (items)
      and private.has_come_since('maintenance', item.id, 'replaces', step.row_id, since);
end
$$;
comment on function private.rows_in_the_way(private.changed_row[]) is
  'Returns the rows that keep an undo from removing the rows that they belong to, because they were added later.';
grant execute on function private.rows_in_the_way to authenticated;

create function private.subject(relation text, version jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with of_task as (
    select coalesce(
      case relation when 'service_tasks' then version end,
      (select to_jsonb(stored) from public.service_tasks as stored where id = (version ->> 'task_id')::bigint),
      (
        select coalesce(removed.after, removed.before) from public.changes as removed
        where removed.relation = 'service_tasks' and removed.row_id = (version ->> 'task_id')::bigint order by id desc limit 1
      )
    ) as task
  ), of_item as (
    select to_jsonb(latest) as item from public.maintenance as latest
    where latest.part_id = (case relation when 'parts' then version ->> 'id' else version ->> 'part_id' end)::bigint
    order by latest."dateStarted" desc, latest.id desc limit 1
  )
  select jsonb_build_object(
    'item', (
      select jsonb_build_object('id', item -> 'id', 'bikeId', item -> 'bikeId', 'type', item -> 'type', 'name', item -> 'name')
      from (select case relation when 'maintenance' then version else (select item from of_item) end as item) as shown
      where item is not null
    ),
    'task', (
      select jsonb_build_object('id', task -> 'id', 'name', task -> 'name', 'gear_id', task -> 'gear_id') from of_task
      where task is not null
    )
  )
$$;
comment on function private.subject(text, jsonb) is
  'Returns what a row is about: its item, or its part''s latest item, as {id, bikeId, type, name}, and its task as {id, name, gear_id}.';
grant execute on function private.subject to authenticated;

create function private.with_cost(relation text, version jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select case when relation = 'service_events' then version || jsonb_build_object('cost', (
    select to_jsonb(item) -> 'cost' from public.maintenance as item where item.id = (version ->> 'maintenance_id')::bigint
    union all
    select coalesce(item.after, item.before) -> 'cost' from public.changes as item
    where item.relation = 'maintenance' and item.row_id = (version ->> 'maintenance_id')::bigint
    limit 1
  )) else version end
$$;
comment on function private.with_cost(text, jsonb) is 'Adds the cost of its item to a service event. Returns other rows unchanged.';
grant execute on function private.with_cost to authenticated;

create function private.conflict(step private.changed_row, blockers jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object(
    'relation', step.relation, 'row_id', step.row_id, 'state', step.state, 'before', private.with_cost(step.relation, step.before),
    'after', private.with_cost(step.relation, step.after), 'present', private.with_cost(step.relation, step.present), 'added', (
      select coalesce(jsonb_agg(jsonb_build_object('relation', by_relation, 'row', stored) || private.subject(by_relation, stored)), '[]')
      from (
        select * from jsonb_to_recordset(blockers) as blocker (relation text, row_id bigint, by_relation text, by_id bigint)
        where blocker.relation = step.relation and blocker.row_id = step.row_id order by by_relation, by_id limit 5
      ) as blocker
      cross join lateral private.stored_rows(by_relation, array[by_id]) as present
    )
  ) || private.subject(step.relation, coalesce(step.present, step.after, step.before))
$$;
comment on function private.conflict(private.changed_row, jsonb) is 'Describes a row that could not be undone, as undo returns it.';
grant execute on function private.conflict to authenticated;

-- Security definer: the owner may not write every column. The values come from the journal, which only triggers write.
create function private.write_targets(undone private.changed_row[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
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
    select name, list, pg_get_serial_sequence('public.' || name, 'id') as sequence
    from private.tracked_tables
    cross join lateral (
      select string_agg(quote_ident(attname), ', ') as list from pg_catalog.pg_attribute
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
        select %2$s from unnest($1) as step cross join lateral jsonb_populate_record(null::public.%1$I, step.target)
        where step.relation = %1$L and step.present is null and step.target is not null
        returning id
      )
      -- No later row gets the id of a row that came back.
      select setval(%3$L, greatest(max(inserted.id), (select last_value from %3$s))) from inserted having count(*) > 0
    $query$, tracked.name, tracked.list, tracked.sequence) using undone;
  end loop;
  -- Tasks are back at their earlier parts by now.
  delete from public.parts where id in (select row_id from unnest(undone) where relation = 'parts' and target is null);
end
$$;
comment on function private.write_targets(private.changed_row[]) is 'Gives each row its target: writes or removes it, or adds it again.';
grant execute on function private.write_targets to authenticated;

create function private.undo(change uuid, keep_changed boolean default false) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  steps private.changed_row[];
  ready private.changed_row[];
  found jsonb;
  blockers jsonb := '[]';
  conflicts jsonb;
begin
  steps := array(select step from private.changed_rows(array[undo.change]) as step);
  perform private.reject_if(cardinality(steps) = 0, 'RMT30', 'RMT30: The change is unknown, or older than 30 days.');
  -- Repeat, because a row that stays may itself keep another one.
  loop
    ready := array(select step from unnest(steps) as step where state = 'ready');
    select jsonb_agg(to_jsonb(blocker)) into found from private.rows_in_the_way(ready) as blocker;
    exit when found is null;
    blockers := blockers || found;
    steps := array(
      select (
        step.change, step.relation, step.row_id, before, after, present, target, case when blocked.row_id is null then state else 'used' end
      )::private.changed_row
      from unnest(steps) as step
      left join (select distinct relation, row_id from jsonb_to_recordset(found) as blocker (relation text, row_id bigint)) as blocked
        on (blocked.relation, blocked.row_id) = (step.relation, step.row_id)
    );
  end loop;

  select jsonb_agg(private.conflict(step, blockers) order by relation, row_id) into conflicts
  from unnest(steps) as step where state not in ('done', 'ready');
  if conflicts is not null and not keep_changed then
    return jsonb_build_object('restored', 0, 'conflicts', conflicts);
  end if;

  -- A part stays with an item that stays.
  ready := array(
    select step from unnest(ready) as step where step.relation <> 'parts' or step.target is not null or not exists (
      select from public.maintenance as item
      where item.part_id = step.row_id and item.id not in (select row_id from unnest(ready) where relation = 'maintenance' and target is null)
    )
  );
  perform private.write_targets(ready);
  return jsonb_build_object('restored', (
      -- A part comes and goes with its items.
      select count(*) from unnest(ready) as step where step.relation <> 'parts' or num_nulls(before, after) = 0
    ), 'conflicts', '[]'::jsonb);
end
$$;
comment on function private.undo(uuid, boolean) is
  'Undoes a change. Returns {restored, conflicts}: the number of rows that it wrote, and the rows that have been changed since. If there are conflicts, nothing is undone, unless keep_changed is set: then only the conflicting rows are skipped.';
grant execute on function private.undo to authenticated;

create view private.recent_changes with (security_invoker = true) as
select *, case
    when num_nulls(before, after) > 0 then relation <> 'parts'
    else before - '{part_id,maintenance_id,snoozed_from,snoozed_part,counted_from,replaces}'::text[]
      <> after - '{part_id,maintenance_id,snoozed_from,snoozed_part,counted_from,replaces}'::text[]
  end as is_shown
from public.changes where changed_at >= now() - interval '30 days';
comment on view private.recent_changes is
  'The changes of the last 30 days. is_shown: the trash lists it; false for links to other rows, and for parts that came or went with an item.';
grant select on private.recent_changes to authenticated;

create function public.trash(older_than bigint default null, deletions boolean default false) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with page as materialized (
    select change, max(id) as last_id, min(changed_at) as changed_at, min(command) as command
    from private.recent_changes where is_shown group by change
    having (older_than is null or max(id) < older_than)
      and (not deletions or min(command) is distinct from 'undo' and bool_and(after is null and relation <> 'dismissed_checks'))
    order by max(id) desc limit 50
  ), net as materialized (
    -- Thousands of rows may have been imported, so read whole rows only for the first four.
    select change, relation, row_id, min(id) filter (where before is null) is not distinct from min(id) as is_added,
      max(id) filter (where after is null) is not distinct from max(id) as is_deleted
    from private.recent_changes where change in (select change from page) group by change, relation, row_id having bool_or(is_shown)
  ), shown as materialized (
    select *, row_number() over (partition by change order by not is_added, not is_deleted, relation, row_id) as place
    from net where not (is_added and is_deleted)
  ), first_rows as materialized (
    select * from private.changed_rows(array(select change from page), array(select row_id from shown where place <= 4))
    join shown using (change, relation, row_id) where place <= 4
  ), undone as (
    select change
    from private.changed_rows(array(select change from first_rows group by change having bool_and(state = 'done')))
    group by change having bool_and(state = 'done')
  ), bikes as (
    select change, jsonb_agg(bike order by bike) filter (where bike <> 'null') as bikes
    from (
      select distinct change, case relation when 'maintenance' then coalesce(after, before) -> 'bikeId' else (
        select coalesce(subject #> '{item,bikeId}', subject #> '{task,gear_id}')
        from private.subject(relation, coalesce(after, before)) as subject
      ) end as bike
      from private.recent_changes where is_shown and change in (select change from page)
    ) as of_row group by change
  ), details as (
    select change, jsonb_agg(
      jsonb_build_object('relation', relation, 'before', before, 'after', after) || private.subject(relation, coalesce(after, before))
      order by place
    ) as changes
    from first_rows group by change
  ), counts as (
    select change, count(*) filter (where is_added) as added, count(*) filter (where is_deleted) as deleted,
      count(*) filter (where not is_added and not is_deleted) as edited
    from shown group by change
  )
  select jsonb_build_object('groups', coalesce(jsonb_agg(
    jsonb_build_object(
      'id', change, 'last_id', last_id, 'changed_at', changed_at, 'command', command, 'added', added, 'edited', edited,
      'deleted', deleted, 'is_done', change in (select change from undone), 'bikes', coalesce(bikes, '[]'), 'changes', changes
    ) order by last_id desc
  ), '[]'))
  from page join counts using (change) join details using (change) join bikes using (change)
$$;
comment on function public.trash(bigint, boolean) is
  'Lists up to 50 changes of the last 30 days, newest first: {groups: [{id, last_id, changed_at, command, added, edited, deleted, is_done, bikes, changes}]}. changes: the first four rows, as {relation, before, after, item, task}. is_done: nothing is left to undo. older_than: the last_id of the previous page. deletions: only deletions, except those by an undo.';
grant execute on function public.trash to authenticated;

create function private.edit_row(relation text, row_id bigint, shown jsonb, wanted jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  was record;
  edited jsonb;
begin
  perform private.reject_if(
    not exists (select from private.tracked_tables where name = edit_row.relation), '22023', 'Unknown table.'
  );
  execute format($query$
    select to_jsonb(stored) as stored, to_jsonb(jsonb_populate_record(stored, $2)) as shown, to_jsonb(jsonb_populate_record(stored, $3)) as wanted
    from public.%I as stored where id = $1
  $query$, edit_row.relation) into was using edit_row.row_id, edit_row.shown, edit_row.wanted;
  if private.is_stale(was.stored, was.shown, was.wanted) then
    return private.refuse('RMT31', 'The values have changed since.', was.stored);
  end if;
  if edit_row.wanted = '{}' then
    return jsonb_build_object('row', was.stored);
  end if;
  execute format(
    'update public.%1$I as stored set (%2$s) = (select %2$s from jsonb_populate_record(stored, $2)) where id = $1 returning to_jsonb(stored)',
    edit_row.relation, (select string_agg(quote_ident(key), ', ') from jsonb_object_keys(edit_row.wanted) as key)
  ) into edited using edit_row.row_id, edit_row.wanted;
  return jsonb_build_object('row', edited);
end
$$;
comment on function private.edit_row(text, bigint, jsonb, jsonb) is
  'Edits a row of the owner: wanted has the new values, and shown the values that the owner saw. Returns {row}, which is null if it was removed. If one of these values is neither the shown nor the wanted one, the answer is 409 with the row as "stored", and nothing is written.';
grant execute on function private.edit_row to authenticated;
