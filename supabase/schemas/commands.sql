-- The gate: how the owner's data changes, for screens, the API and assistants alike. docs/decisions/saving.md#the-gate has the
-- rules. Security invoker: row-level security applies to each command as to the owner's own session.

create table private.commands (
  name text primary key,
  is_write boolean not null,
  for_tokens boolean not null,
  arguments text[] not null,
  touches text[]
);
comment on table private.commands is
  'The closed list of commands. Each is a function private.command_<name>(arguments jsonb) returns jsonb, which checks what it is sent.';
comment on column private.commands.is_write is 'The journal records it, unless it touches other tables. Only a token that may write can run it.';
comment on column private.commands.for_tokens is 'Whether a token may run it at all.';
comment on column private.commands.arguments is 'The names of its arguments. Others are rejected.';
comment on column private.commands.touches is 'The tables that a command outside the journal writes.';

alter table private.commands enable row level security;
-- The list holds nothing of the owner's, and each command checks who calls it.
create policy "Everyone who is signed in reads the list" on private.commands for select to authenticated using (true);
grant select on private.commands to authenticated;
-- No other grants: only migrations change the list.

insert into private.commands (name, is_write, for_tokens, arguments, touches)
values
  ('token', false, true, '{}'::text[], null::text[]),
  ('due', false, true, '{}', null),
  ('rides', false, true, '{days}', null),
  ('bikes', false, true, '{}', null),
  ('parts', false, true, '{}', null),
  ('log', false, true, '{gear_id,type,word,from,to,after,limit}', null),
  ('services', false, true, '{task_id,gear_id,from,to,after,limit}', null),
  ('ride_months', false, true, '{gear_id,from,to}', null),
  ('spending', false, true, '{from,to}', null),
  ('checks', false, true, '{}', null),
  ('history', false, true, '{after,limit}', null),
  ('files', false, true, '{item_id,part_id}', null),
  ('file', false, true, '{file_id,thumbnail}', null),
  ('check_file', false, true, '{item_id,key}', null),
  ('add_item', true, true, '{item,replaces}', null),
  ('edit_row', true, true, '{relation,row_id,shown,wanted,all}', null),
  ('set_up_bike', true, false, '{gear_id,parts}', null),
  ('change_parts', true, false, '{day,take_off,put_on}', null),
  ('add_task', true, true, '{task,parts,last_done,count_from}', null),
  ('preview_task', false, false, '{task,parts,last_done,count_from}', null),
  ('correct_event', true, false, '{event_id,shown,wanted,also_done,all}', null),
  ('mark_done', true, true, '{task_id,seen,done_on,cost,note,also_done,value,reading,tool}', null),
  ('snooze', true, true, '{task_id,until,days,distance,also}', null),
  ('remove_task', true, true, '{task_id,all}', null),
  ('remove_event', true, false, '{event_id,all}', null),
  ('replace_part', true, true, '{part_id,ended_as,day,successor}', null),
  ('move_part', true, true, '{part_id,gear_id,day,replaces}', null),
  ('change_part_day', true, false, '{from,to,ended,started}', null),
  ('add_measurement', true, true, '{part_id,measurement,also_done}', null),
  ('remove_measurement', true, false, '{id}', null),
  ('delete_item', true, true, '{bikeId,id}', null),
  ('add_file', true, true, '{item_id,name,content,thumbnail}', null),
  ('remove_file', true, true, '{file_id}', null),
  ('import_items', true, false, '{added,changed,records,newest,dry_run}', null),
  ('attach_log', true, false, '{from,to}', null),
  ('bike_details', true, false, '{gear_id,shown,wanted}', null),
  ('sell_bike', true, false, '{gear_id,day,price,goes_along}', null),
  ('rotate', true, true, '{gear_id,kind,part_id,day,without_words}', null),
  ('name_kinds', true, true, '{parts}', null),
  ('rename_items', true, false, '{names}', null),
  ('dismiss_check', true, false, '{key}', null),
  ('undo', true, true, '{change,keep_changed,even_unsaved}', null),
  ('set_settings', true, false, '{distance,dates,currency,week_start}', '{settings}'),
  -- The owner's "today" changes with it.
  ('set_time_zone', true, false, '{name}', '{owner}'),
  ('add_push_subscription', true, false, '{endpoint,p256dh,auth}', '{push_subscriptions}'),
  ('remove_push_subscription', true, false, '{endpoint}', '{push_subscriptions}');
create function private.command_token(arguments jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$ select null::jsonb $$;
comment on function private.command_token(jsonb) is 'Returns null: run_command_as answers whether the token is known, and with what scope.';
grant execute on function private.command_token to authenticated;

create function private.command_due(arguments jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object(
    'tasks', due -> 'tasks', 'limits', due -> 'limits', 'bikes', private.bike_names(),
    'last_sync', (select coalesce(checked_at, finished_at) from private.last_ride_sync())
  )
  from public.service_due() as due
$$;
comment on function private.command_due(jsonb) is 'Returns {tasks, limits, bikes, last_sync}, with the answer of service_due.';
grant execute on function private.command_due to authenticated;

create function private.command_rides(arguments jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$ select public.ride_days((arguments ->> 'days')::integer)::jsonb $$;
comment on function private.command_rides(jsonb) is 'Returns the ride_days of the last {days}.';
grant execute on function private.command_rides to authenticated;

create function private.command_bikes(arguments jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object(
    'garage', public.garage(), 'tasks', due -> 'tasks', 'limits', due -> 'limits',
    'bikes', (select coalesce(jsonb_agg(jsonb_build_object('gear_id', gear_id, 'name', name, 'is_retired', public.counts_as_retired(bikes))), '[]') from public.bikes where public.attached_to(bikes) is null)
  )
  from public.service_due() as due
$$;
comment on function private.command_bikes(jsonb) is 'Returns {garage, tasks, limits, bikes}, with the answer of service_due.';
grant execute on function private.command_bikes to authenticated;

create function private.command_parts(arguments jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$ select jsonb_build_object('used', public.part_lifetimes(), 'bikes', private.bike_names()) $$;
comment on function private.command_parts(jsonb) is 'Returns {used, bikes}, with the answer of part_lifetimes.';
grant execute on function private.command_parts to authenticated;

create function private.command_ride_months(arguments jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object('bikes', private.bike_names(), 'months', coalesce(jsonb_agg(months order by month), '[]'))
  from private.ride_months((arguments ->> 'gear_id')::bigint, (arguments ->> 'from')::date, (arguments ->> 'to')::date) as months
$$;
comment on function private.command_ride_months(jsonb) is 'Returns {bikes, months} with the ride_months of a bike or all rides: {gear_id, from, to}.';
grant execute on function private.command_ride_months to authenticated;

create function private.command_spending(arguments jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select jsonb_build_object(
    'costs', public.spending((arguments ->> 'from')::date, (arguments ->> 'to')::date),
    'months', (
      select coalesce(jsonb_agg(costs order by month desc), '[]')
      from private.cost_months((arguments ->> 'from')::date, (arguments ->> 'to')::date) as costs
    ),
    'used', public.part_lifetimes(),
    'bikes', private.bike_names()
  )
$$;
comment on function private.command_spending(jsonb) is 'Returns {costs, months, used, bikes}: spending, the costs of each month and part_lifetimes, in a period {from, to}.';
grant execute on function private.command_spending to authenticated;

create function private.command_checks(arguments jsonb) returns jsonb
language sql stable security invoker set search_path = ''
as $$ select jsonb_build_object('found', public.to_check(), 'bikes', private.bike_names()) $$;
comment on function private.command_checks(jsonb) is 'Returns {found, bikes}, with the findings of to_check.';
grant execute on function private.command_checks to authenticated;

create function private.execute(command text, arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  answer jsonb;
begin
  -- Only functions with this prefix can be reached, and private.run looks the name up first.
  execute format('select private.%I($1)', 'command_' || command) into answer using arguments;
  return answer;
end
$$;
comment on function private.execute(text, jsonb) is 'Runs a command of private.commands, and returns its answer.';
grant execute on function private.execute to authenticated;

create function private.touched(change uuid) returns jsonb
-- plpgsql keeps the plan, which takes longer than the query.
language plpgsql stable security invoker set search_path = ''
as $$
begin
  return (
  -- Only ids, because the rows of an import are long.
  with versions as materialized (
    select relation, row_id, (version ->> 'bikeId')::bigint as bike, (version ->> 'gear_id')::bigint as gear_id,
      (version ->> 'former_gear_id')::bigint as former_gear_id,
      case relation when 'parts' then row_id else (version ->> 'part_id')::bigint end as part_id,
      (version ->> 'item_id')::bigint as item_id, (version ->> 'task_id')::bigint as task_id, (version ->> 'maintenance_id')::bigint as paid_item
    from public.changes cross join lateral (values (before), (after)) as versions (version)
    where changes.change = touched.change and version is not null
  ), columns as (
    select distinct unnest(case
      -- A new part comes with its item. A part's own columns are its usage from before the log.
      when relation = 'parts' then case when num_nulls(before, after) > 0 then '{}'::text[] else '{*}' end
      when num_nulls(before, after) = 0 then array(select key from jsonb_each(before) where value is distinct from after -> key)
      -- The entry with a service's cost.
      when row_id in (select paid_item from versions where relation = 'service_events') then '{cost,service}'
      else '{*}'
    end) as name
    from public.changes where changes.change = touched.change and relation in ('maintenance', 'parts')
  ), tasks as (
    select distinct on (id) id, part_id, gear_id from (
      select row_id, part_id, gear_id from versions where relation = 'service_tasks'
      union all
      select id, part_id, gear_id from public.service_tasks where id in (select task_id from versions where relation = 'service_events')
    ) as known (id, part_id, gear_id)
  ), parts as materialized (
    select part_id from versions union select part_id from tasks
    union select part_id from public.maintenance where id in (select item_id from versions)
  ), bikes as (
    select bike from versions
    union select gear_id from tasks
    -- A task or a log that came to another bike was on this one.
    union select gear_id from versions
    union select former_gear_id from versions
    union select item."bikeId" from public.maintenance as item join parts using (part_id)
  )
  select jsonb_build_object(
    'tables', (select coalesce(jsonb_agg(distinct relation), '[]') from versions),
    'columns', (select coalesce(jsonb_agg(name), '[]') from columns),
    'bikes', (select coalesce(jsonb_agg(bike order by bike), '[]') from bikes where bike is not null),
    -- After an import, the bikes say enough.
    'parts', (select coalesce(jsonb_agg(part_id order by part_id) filter (where part_id is not null), '[]') from parts having count(*) <= 100)
  ));
end
$$;
comment on function private.touched(uuid) is
  'Returns what a change wrote: {tables, columns, bikes, parts}. columns are those of the log: "*" stands for all of an item that is new or gone, and "service" for the entry of a service. parts is null if there are more than 100.';
grant execute on function private.touched to authenticated;

create function private.run(known private.commands, arguments jsonb, key uuid) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  content constant jsonb := jsonb_build_array(known.name, arguments);
  unknown constant text := (select min(name) from jsonb_object_keys(arguments) as name where name <> all (known.arguments));
  earlier private.requests;
  answer jsonb;
  change uuid;
begin
  perform private.require_owner();
  perform private.reject_if(unknown is not null, 'PT422', format('Unknown argument: %s.', unknown));
  if not known.is_write then
    return jsonb_build_object('answer', private.execute(known.name, arguments));
  end if;

  -- A retry waits here until the first attempt has ended.
  perform private.lock_writes();
  select * into earlier from private.requests as request where request.key = run.key;
  if found and earlier.digest = private.digest(content) then
    return earlier.answer;
  elsif found then
    return private.refuse('RMT07', 'This key belongs to a request with other content.', earlier.answer);
  elsif key is not null then
    perform private.name_change(key);
  end if;

  perform set_config('tracker.command', known.name, true);
  answer := private.execute(known.name, arguments);
  perform set_config('tracker.command', '', true);
  if current_setting('response.status', true) = '409' then
    return answer;
  end if;
  select written.change into change from public.changes as written
  where written.change = nullif(current_setting('tracker.change', true), '')::uuid limit 1;
  answer := jsonb_build_object('answer', answer, 'change', change, 'touched', case
    when known.touches is null then private.touched(change)
    else jsonb_build_object('tables', known.touches, 'columns', '{}'::text[], 'bikes', '{}'::bigint[], 'parts', '{}'::bigint[])
  end);
  delete from private.requests where answered_at < now() - interval '30 days';
  -- A request that wrote nothing may be repeated.
  insert into private.requests (key, digest, answer) select run.key, private.digest(content), answer
  where key is not null and (change is not null or known.touches is not null);
  return answer;
end
$$;
comment on function private.run(private.commands, jsonb, uuid) is
  'Runs a command as run_command does. A repeated key is answered as before; with other arguments, the response is 409 with that answer as "stored".';
grant execute on function private.run to authenticated;

create function private.known_command(name text) returns private.commands
language plpgsql stable security invoker set search_path = ''
as $$
declare
  known private.commands;
begin
  select * into known from private.commands as listed where listed.name = known_command.name;
  perform private.reject_if(known.name is null, 'PT422', format('Unknown command: %s.', known_command.name));
  return known;
end
$$;
comment on function private.known_command(text) is 'Returns a command. Raises PT422 for an unknown name.';
grant execute on function private.known_command to authenticated;

create function private.storable(arguments json) returns jsonb
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  return arguments::jsonb;
exception when untranslatable_character or invalid_text_representation then
  raise exception using errcode = 'PT422', message = coalesce(
    -- The last field before a text that begins with characters, escapes and pairs of surrogates, and continues with another escape.
    substring(arguments::text from '"(\w+)"\s*:\s*\[?\s*"(?:[^"\\]|\\[^u]|\\u(?!0000|d[89a-f])|\\ud[89ab]\w\w\\ud[c-f])*\\u'), 'arguments'
  ) || ': Remove the characters that can’t be stored.';
end
$$;
comment on function private.storable(json) is
  'Converts arguments. Raises PT422 with the field''s name for U+0000 and half of a surrogate pair, which PostgreSQL can''t store.';
grant execute on function private.storable to authenticated;

create function public.run_command(command text, arguments json default '{}', key uuid default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  return private.run(private.known_command(command), private.storable(arguments), key);
end
$$;
comment on function public.run_command(text, json, uuid) is
  'Runs a command of the owner: {answer, change, touched}, or {answer} for a command that only reads. change is null if nothing was written. touched: {tables, columns, bikes, parts}. Repeating a key is answered as before for 30 days; with other arguments, nothing is written and the response is 409 with the earlier answer as "stored". Raises PT422 for an unknown command or argument, and for text that PostgreSQL can''t store.';
grant execute on function public.run_command to authenticated;

create function public.run_command_as(token_hash text, command text, arguments jsonb default '{}', key uuid default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  scope constant text := private.open_token(decode(token_hash, 'hex'), '{read,read and write}');
  known private.commands;
  answer jsonb;
begin
  if scope is null then
    return null;
  end if;
  -- From here on, row-level security applies as in the owner's own session.
  perform set_config('role', 'authenticated', true);
  known := private.known_command(command);
  perform private.reject_if(not known.for_tokens, '42501', 'Tokens can''t run this command.'),
    private.reject_if(known.is_write and scope <> 'read and write', '42501', 'The token may only read.');
  answer := private.run(known, arguments, key);
  -- A refused command has no answer.
  return case when answer ? 'answer' then
    jsonb_build_object('scope', scope, 'settings', (select to_jsonb(settings) from public.settings)) || answer
  else answer end;
end
$$;
comment on function public.run_command_as(text, text, jsonb, uuid) is
  'Runs a command as the owner of the token with this SHA-256 hash, in hex: as run_command, with scope and settings. Null for an unknown, expired or revoked token. Raises 42501 if the token may not run the command.';
-- Only the edge functions "api" and "mcp" may call this. They limit guesses, so tokens can't be tried through the data API.
grant execute on function public.run_command_as to service_role;
