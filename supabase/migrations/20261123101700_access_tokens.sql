-- Access for the owner's other software: tokens, and the commands that they may run.

-- Private, like accounts and keys: no role may read it and no backup contains it.
create table private.access_tokens (
  id bigint generated always as identity primary key,
  -- A token stops working with the account that created it.
  owner_id uuid not null references private.owner (user_id) on delete cascade,
  token_hash bytea not null unique,
  name text not null constraint access_tokens_name_check check (name ~ '\S' and char_length(name) <= 100),
  scope text not null constraint access_tokens_scope_check check (scope in ('read', 'read and write')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on table private.access_tokens is 'Tokens for other software. Expired and revoked ones are removed after 30 days.';
comment on column private.access_tokens.token_hash is 'SHA-256. Only the owner''s software knows the token.';
comment on column private.access_tokens.last_used_at is 'The hour of the last request, so most requests don''t write.';
comment on column private.access_tokens.revoked_at is
  'A revoked token keeps its row, so a repeated request to create it can''t bring it back.';
alter table private.access_tokens enable row level security;

-- Security definer: no role may read or write private.access_tokens. The functions with this reason are only for the owner, with
-- the second factor if there is one. Tokens can't call them, because run_command doesn't list them.

create function private.remove_old_tokens() returns void
language sql volatile security definer set search_path = ''
as $$ delete from private.access_tokens where least(expires_at, revoked_at) < now() - interval '30 days' $$;
comment on function private.remove_old_tokens() is 'Removes the tokens that expired or were revoked more than 30 days ago.';
-- No grant: only functions below and the embedded stack call it.

create function private.tokens() returns json
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  perform private.remove_old_tokens();
  return (
    select json_build_object('tokens', coalesce(json_agg(listed order by id desc), '[]'))
    from (
      select id, name, scope, created_at, last_used_at, expires_at, coalesce(expires_at <= now(), false) as is_expired
      from private.access_tokens where revoked_at is null
    ) as listed
  );
end
$$;
grant execute on function private.tokens to authenticated;

create function public.tokens() returns json
language sql volatile security invoker set search_path = ''
as $$ select private.tokens() $$;
comment on function public.tokens() is
  'Lists the owner''s tokens, newest first: {tokens: [{id, name, scope, created_at, last_used_at, expires_at, is_expired}]}. last_used_at is the hour of the last request, and null before the first. expires_at is null for tokens that don''t expire.';
grant execute on function public.tokens to authenticated;

create function private.create_token(token text, name text, scope text, days integer) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  hash constant bytea := sha256(convert_to(token, 'UTF8'));
  created private.access_tokens;
begin
  perform private.require_owner();
  perform private.reject_if((token ~ '^rmt_[A-Za-z0-9]{40}$') is not true, '22023', 'A token is rmt_ and 40 letters and digits.');
  perform private.reject_if(days not between 1 and 366, '22023', 'A token expires after 1 to 366 days, or never.');
  perform private.remove_old_tokens();
  insert into private.access_tokens (owner_id, token_hash, name, scope, expires_at)
  values (auth.uid(), hash, create_token.name, create_token.scope, now() + make_interval(days => create_token.days))
  on conflict (token_hash) do nothing;
  select * into created from private.access_tokens where token_hash = hash;
  perform private.reject_if(created.revoked_at is not null, '22023', 'The token was revoked. Create a new one.');
  return created.id;
end
$$;
grant execute on function private.create_token to authenticated;

create function public.create_token(token text, name text, scope text, days integer default null) returns bigint
language sql volatile security invoker set search_path = ''
as $$ select private.create_token(token, name, scope, days) $$;
comment on function public.create_token(text, text, text, integer) is
  'Creates a token with the scope read, or read and write, and returns its id. days: until it expires; null for never. The caller generates the token, so a retry after a lost response changes nothing. Only its hash is stored.';
grant execute on function public.create_token to authenticated;

create function private.revoke_token(token_id bigint) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.access_tokens set revoked_at = now() where id = token_id and revoked_at is null;
  return true;
end
$$;
grant execute on function private.revoke_token to authenticated;

create function public.revoke_token(token_id bigint) returns boolean
language sql volatile security invoker set search_path = ''
as $$ select private.revoke_token(token_id) $$;
comment on function public.revoke_token(bigint) is 'Revokes a token at once, and returns true. Repeating it changes nothing.';
grant execute on function public.revoke_token to authenticated;

-- Commands. They run the same functions as the screens do, with the owner's rights.

create function private.latest_item(part_id bigint) returns public.maintenance
language plpgsql stable security invoker set search_path = ''
as $$
declare
  latest public.maintenance;
begin
  select * into latest from public.maintenance as item where item.part_id = latest_item.part_id
  order by item."dateStarted" desc, item.id desc limit 1;
  perform private.reject_if(
    latest.id is null or latest."dateEnded" = latest."dateStarted" and latest.ended_as is null, 'RMT23', 'RMT23: The part is not in the log.'
  );
  return latest;
end
$$;
comment on function private.latest_item(bigint) is 'Returns a part''s latest item. Raises RMT23 for an unknown part, and for work.';
grant execute on function private.latest_item to authenticated;

create function private.add_measurement(part_id bigint, measured jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  item constant public.maintenance := private.latest_item(part_id);
  new_row public.wear_measurements := jsonb_populate_record(null::public.wear_measurements, measured);
begin
  new_row.measured_on := coalesce(new_row.measured_on, private.today());
  perform private.reject_if(new_row.measured_on > private.today(), 'RMT14', 'The day is in the future.');
  insert into public.wear_measurements (part_id, measured_on, value, reading, unit, tool, "limit", note)
  values (
    item.part_id, new_row.measured_on, new_row.value, new_row.reading, new_row.unit, coalesce(new_row.tool, ''), new_row."limit", new_row.note
  ) returning * into new_row;
  return jsonb_build_object('id', new_row.id, 'change', private.written_change());
end
$$;
comment on function private.add_measurement(bigint, jsonb) is
  'Adds a wear measurement with the columns of wear_measurements, by default of today. Returns {id, change}.';
grant execute on function private.add_measurement to authenticated;

-- Security definer: the secret key may not read private.access_tokens.
create function private.open_token(hash bytea) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  token private.access_tokens;
begin
  select * into token from private.access_tokens where token_hash = hash and revoked_at is null and (expires_at > now()) is not false;
  if token.id is null then
    return null;
  end if;
  update private.access_tokens set last_used_at = date_trunc('hour', now())
  where id = token.id and last_used_at is distinct from date_trunc('hour', now());
  -- Supabase Lite's auth.uid() reads the first setting, and Supabase's the second if the first is empty.
  perform set_config('request.jwt.claim.sub', token.owner_id::text, true);
  -- No session_id: a token doesn't end with a session. Creating it required the second factor, if there is one.
  perform set_config('request.jwt.claims', json_build_object('sub', token.owner_id, 'role', 'authenticated', 'aal', 'aal2')::text, true);
  return token.scope;
end
$$;
comment on function private.open_token(bytea) is
  'Returns a token''s scope, and makes its owner the user of this transaction. Null for an unknown, expired or revoked token.';
grant execute on function private.open_token(bytea) to service_role;
-- Not for authenticated, who could make themselves the owner.

create function public.run_command(token_hash text, command text, arguments jsonb default '{}', key uuid default null) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  writes constant text[] := '{mark_done,snooze,replace_part,move_part,add_measurement,undo}';
  content constant jsonb := jsonb_build_object('command', command, 'arguments', arguments);
  scope constant text := private.open_token(decode(token_hash, 'hex'));
  item public.maintenance;
  answer jsonb;
begin
  if scope is null then
    return null;
  end if;
  perform private.reject_if(command = any (writes) and scope <> 'read and write', '42501', 'The token may only read.');
  -- From here on, row-level security applies as in the owner's own session.
  perform set_config('role', 'authenticated', true);

  if command = any (writes) and key is not null then
    answer := private.earlier_answer(key, content);
    if answer ->> 'code' = 'RMT07' then
      return answer;
    end if;
  end if;

  if answer is null then
    -- The closed list of what tokens may do. Anything else raises 42501.
    case command
      when 'token' then null;
      when 'due' then
        answer := jsonb_build_object(
          'tasks', public.service_due() -> 'tasks', 'bikes', private.bike_names(),
          'last_sync', (select coalesce(checked_at, finished_at) from private.last_ride_sync())
        );
      when 'rides' then
        answer := public.ride_days((arguments ->> 'days')::integer);
      when 'bikes' then
        answer := jsonb_build_object(
          'garage', public.garage(), 'tasks', public.service_due() -> 'tasks',
          'bikes', (select coalesce(jsonb_agg(jsonb_build_object('gear_id', gear_id, 'name', name, 'is_retired', is_retired)), '[]') from public.bikes)
        );
      when 'parts' then
        answer := jsonb_build_object('used', public.part_lifetimes(), 'bikes', private.bike_names());
      when 'mark_done' then
        answer := public.mark_service_done(
          (arguments ->> 'task_id')::bigint, null, (arguments ->> 'done_on')::date, (arguments ->> 'cost')::numeric, arguments ->> 'note'
        );
      when 'snooze' then
        answer := public.snooze_service_task(
          (arguments ->> 'task_id')::bigint,
          coalesce((arguments ->> 'until')::date, private.today() + (arguments ->> 'days')::integer), (arguments ->> 'distance')::numeric
        );
      when 'replace_part' then
        item := private.latest_item((arguments ->> 'part_id')::bigint);
        answer := public.change_parts(jsonb_build_object(
          'day', coalesce(arguments ->> 'day', private.today()::text),
          'take_off', jsonb_build_array(jsonb_build_object('id', item.id, 'ended_as', arguments -> 'ended_as')),
          'put_on', jsonb_build_array(jsonb_build_object('replaces', item.id, 'type', item.type, 'name', item.name) || (arguments -> 'successor'))
        ));
      when 'move_part' then
        item := private.latest_item((arguments ->> 'part_id')::bigint);
        answer := public.change_parts(jsonb_build_object(
          'day', coalesce(arguments ->> 'day', private.today()::text),
          -- A part in storage is installed.
          'take_off', case when item.ended_as = 'stored' then '[]' else jsonb_build_array(jsonb_build_object('id', item.id, 'ended_as', 'moved')) end,
          'put_on', jsonb_build_array(jsonb_build_object('bikeId', arguments -> 'gear_id', 'part_of', item.id))
        ));
      when 'add_measurement' then
        answer := private.add_measurement((arguments ->> 'part_id')::bigint, arguments -> 'measurement');
      when 'undo' then
        answer := public.undo((arguments ->> 'change')::uuid);
      else
        raise exception 'Tokens can''t run this command.' using errcode = '42501';
    end case;
    if command = any (writes) and key is not null then
      answer := private.remember_request(key, content, answer);
    end if;
  end if;
  return jsonb_build_object(
    'scope', scope, 'answer', answer, 'settings', (select to_jsonb(settings) from public.settings)
  );
end
$$;
comment on function public.run_command(text, text, jsonb, uuid) is
  'Runs a command as the owner of the token with this SHA-256 hash, in hex: {scope, answer, settings}. Null for an unknown, expired or revoked token. Raises 42501 if the token''s scope doesn''t include the command. key: the request key of a write, if any. Repeating it answers as before, and reusing it with other arguments is answered with 409.';
-- Only the edge functions "api" and "mcp" may call this. They limit guesses, so tokens can't be tried through the data API.
grant execute on function public.run_command(text, text, jsonb, uuid) to service_role;
