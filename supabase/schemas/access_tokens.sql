-- Tokens of the owner's other software. Private, like accounts and keys: no backup contains it, and the data API doesn't show it.
create table private.access_tokens (
  id bigint generated always as identity primary key,
  -- A token stops working with the account that created it.
  owner_id uuid not null default auth.uid() references private.owner (user_id) on delete cascade,
  token_hash bytea not null unique,
  name text not null constraint access_tokens_name_check check (name ~ '\S' and char_length(name) <= 100),
  scope text not null constraint access_tokens_scope_check check (scope in ('read', 'read and write', 'calendar')),
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

create policy "The owner reads the tokens" on private.access_tokens
for select to authenticated using ((select private.is_owner()));

create policy "The owner creates tokens" on private.access_tokens
for insert to authenticated with check ((select private.is_owner()));

-- A revoked token stays revoked.
create policy "The owner revokes tokens" on private.access_tokens
for update to authenticated using ((select private.is_owner())) with check (revoked_at is not null);

create policy "The owner removes old tokens" on private.access_tokens
for delete to authenticated using ((select private.is_owner()) and least(expires_at, revoked_at) < now() - interval '30 days');

grant select, insert (token_hash, name, scope, expires_at), update (revoked_at), delete on private.access_tokens to authenticated;
-- No insert of owner_id, and no update of anything else: a token is the caller's, and keeps its scope and its end. No grants for
-- anon or service_role. Tokens can't manage tokens, because private.commands doesn't list the functions below.

create function private.remove_old_tokens() returns void
language sql volatile security invoker set search_path = ''
as $$ delete from private.access_tokens where least(expires_at, revoked_at) < now() - interval '30 days' $$;
comment on function private.remove_old_tokens() is 'Removes the tokens that expired or were revoked more than 30 days ago.';
grant execute on function private.remove_old_tokens to authenticated;

create function public.tokens() returns json
language plpgsql volatile security invoker set search_path = ''
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
comment on function public.tokens() is
  'Lists the owner''s tokens, newest first: {tokens: [{id, name, scope, created_at, last_used_at, expires_at, is_expired}]}. last_used_at is the hour of the last request, and null before the first. expires_at is null for tokens that don''t expire.';
grant execute on function public.tokens to authenticated;

create function public.create_token(token text, name text, scope text, days integer default null) returns bigint
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  hash constant bytea := sha256(convert_to(token, 'UTF8'));
  created private.access_tokens;
begin
  perform private.require_owner();
  perform private.reject_if((token ~ '^rmt_[A-Za-z0-9]{40}$') is not true, '22023', 'A token is rmt_ and 40 letters and digits.');
  perform private.reject_if(days not between 1 and 366, '22023', 'A token expires after 1 to 366 days, or never.');
  perform private.remove_old_tokens();
  insert into private.access_tokens (token_hash, name, scope, expires_at)
  values (hash, create_token.name, create_token.scope, now() + make_interval(days => create_token.days))
  on conflict (token_hash) do nothing;
  select * into created from private.access_tokens where token_hash = hash;
  perform private.reject_if(created.revoked_at is not null, '22023', 'The token was revoked. Create a new one.');
  return created.id;
end
$$;
comment on function public.create_token(text, text, text, integer) is
  'Creates a token with the scope read, read and write, or calendar, and returns its id. days: until it expires; null for never. The caller generates the token, so a retry after a lost response changes nothing. Only its hash is stored.';
grant execute on function public.create_token to authenticated;

create function public.revoke_token(token_id bigint) returns boolean
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.access_tokens set revoked_at = now() where id = token_id and revoked_at is null;
  return true;
end
$$;
comment on function public.revoke_token(bigint) is 'Revokes a token at once, and returns true. Repeating it changes nothing.';
grant execute on function public.revoke_token to authenticated;

-- Security definer: the secret key may not read private.access_tokens.
create function private.open_token(hash bytea, scopes text[]) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  token private.access_tokens;
begin
  select * into token from private.access_tokens
  where token_hash = hash and scope = any (scopes) and revoked_at is null and (expires_at > now()) is not false;
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
comment on function private.open_token(bytea, text[]) is
  'Returns a token''s scope, and makes its owner the user of this transaction. Null for an unknown, expired or revoked token, and for one with another scope.';
grant execute on function private.open_token to service_role;
-- Not for authenticated, who could make themselves the owner.
