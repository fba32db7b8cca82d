set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.command_history(arguments jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with wanted as (
    select coalesce((arguments ->> 'limit')::integer, 100) as page_size
  ), listed as (
    select entry, place, page_size
    from wanted, jsonb_array_elements(private.history((arguments ->> 'after')::bigint, false, page_size + 1))
      with ordinality as listed (entry, place)
  )
  select jsonb_build_object(
    'groups', coalesce(jsonb_agg(entry order by place) filter (where place <= page_size), '[]'),
    'has_more', coalesce(bool_or(place > page_size), false), 'bikes', private.bike_names()
  )
  from listed
$function$;

CREATE OR REPLACE FUNCTION private.history(older_than bigint, deletions boolean, page_size integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with page as materialized (
    select change, max(id) as last_id, min(changed_at) as changed_at, min(command) as command
    from private.recent_changes where is_shown group by change
    having (older_than is null or max(id) < older_than)
      and (not deletions or min(command) is distinct from 'undo' and bool_and(after is null and relation <> 'dismissed_checks'))
    order by max(id) desc limit page_size
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
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', change, 'last_id', last_id, 'changed_at', changed_at, 'command', command, 'added', added, 'edited', edited,
      'deleted', deleted, 'is_done', change in (select change from undone), 'bikes', coalesce(bikes, '[]'), 'changes', changes
    ) order by last_id desc
  ), '[]')
  from page join counts using (change) join details using (change) join bikes using (change)
$function$;

CREATE OR REPLACE FUNCTION public.trash(older_than bigint DEFAULT NULL::bigint, deletions boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select jsonb_build_object('groups', private.history(older_than, deletions, 50)) $function$;

COMMENT ON FUNCTION "private"."command_history"(jsonb) IS 'Returns a page of private.history, {after, limit}: {groups, has_more, bikes}. after: the last_id of the page before.';

COMMENT ON FUNCTION "private"."history"(bigint, boolean, integer) IS 'Lists changes of the last 30 days, newest first: [{id, last_id, changed_at, command, added, edited, deleted, is_done, bikes, changes}]. changes: the first four rows, as {relation, before, after, item, task}. is_done: nothing is left to undo. older_than: the last_id of the previous page. deletions: only deletions, except those by an undo.';

COMMENT ON FUNCTION "public"."trash"(bigint, boolean) IS 'Returns up to 50 changes of private.history as {groups}.';

REVOKE ALL ON FUNCTION "private"."command_history"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_history"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."history"(bigint, boolean, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."history"(bigint, boolean, integer) TO "authenticated";

insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('history', 'false', 'true', '{after,limit}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
