-- The tracker has one account. The first user who is not anonymous becomes the owner, and the database refuses every
-- later account, even if sign-ups were left open by mistake.

create schema private;
comment on schema private is 'Hidden from the data API, which exposes only "public".';

-- Grant nothing by default, so an object stays closed until a migration grants rights. Default privileges apply to objects that
-- the same role creates later, in these and later migrations. PostgreSQL grants execute on new functions to everyone, which can
-- only be revoked for all schemas. Supabase projects may grant everything in "public" to the roles of the API, per schema.
-- The functions of triggers and the sequences of identity columns need no grants to work.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public, private revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public, private revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public, private revoke all on sequences from anon, authenticated, service_role;

-- Policies call private.is_owner(), so the roles of those policies need usage on its schema. Tables need their own grants.
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

create function private.reject_if(condition boolean, code text, message text) returns void
language plpgsql immutable security invoker set search_path = ''
as $$
begin
  if condition then
    raise exception using errcode = code, message = message;
  end if;
end
$$;
comment on function private.reject_if(boolean, text, text) is
  'Raises an error with this code. Some messages repeat the code, because Supabase Lite only returns the message.';
grant execute on function private.reject_if to authenticated, service_role;

create table private.owner (
  is_the_one boolean primary key default true check (is_the_one),
  -- Deleting the account deletes only this row, so the next account becomes the owner of the existing log and rides.
  user_id uuid not null unique references auth.users (id) on delete cascade,
  -- Determines today, this year, and when service tasks are due.
  time_zone text
);
comment on table private.owner is 'At most one row: the account that owns everything in this database.';
comment on column private.owner.time_zone is 'IANA name, at first that of the first browser. Null until the owner opens the tracker.';

-- No policies or grants: only the security definer functions below use this table.
alter table private.owner enable row level security;

-- The argument is jsonb because older Auth servers have no is_anonymous column.
create function private.is_anonymous(account jsonb) returns boolean
language sql immutable security invoker set search_path = ''
as $$ select coalesce((account ->> 'is_anonymous')::boolean, false) $$;

-- Security definer: the Auth server's role, which inserts users, has no rights in this schema.
create function private.claim_ownership() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
declare
  taken constant text := 'This tracker already has an owner. It allows only one account.';
begin
  perform private.reject_if(exists (select from private.owner), 'RMT01', taken);
  if private.is_anonymous(to_jsonb(new)) then
    return null;
  end if;

  -- An administrator must choose the owner if there were several accounts before the tracker was installed.
  perform private.reject_if(
    exists (select from auth.users as other where other.id <> new.id and not private.is_anonymous(to_jsonb(other))),
    'RMT01', 'There are accounts but no owner. Insert the owner''s user id into private.owner.'
  );

  -- If two first sign-ups race, the primary key lets only one succeed.
  insert into private.owner (user_id) values (new.id) on conflict (is_the_one) do nothing;
  perform private.reject_if(not found, 'RMT01', taken);
  return null;
end
$$;

create trigger claim_ownership
after insert on auth.users
for each row execute function private.claim_ownership();

-- If the project already has exactly one account, that account becomes the owner.
insert into private.owner (user_id)
select account.id from auth.users as account
where not private.is_anonymous(to_jsonb(account))
  and 1 = (select count(*) from auth.users as counted where not private.is_anonymous(to_jsonb(counted)));

-- Security definer: the roles of the policies may not read private.owner or Auth's tables.
create function private.is_owner() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  claims jsonb := coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
begin
  if not exists (select from private.owner where user_id = auth.uid()) then
    return false;
  end if;

  -- Not every Auth server has the following tables. PL/pgSQL looks them up only when it runs the statement.

  -- Auth deletes the session at sign-out, but its access token would be valid until it expires. An error, because empty
  -- tables would look as if the data were gone.
  if claims ->> 'session_id' is not null and to_regclass('auth.sessions') is not null then
    perform private.reject_if(
      not exists (select from auth.sessions where id = (claims ->> 'session_id')::uuid), 'PT401', 'Your session has ended. Sign in again.'
    );
  end if;

  -- Owners with a verified second factor must have signed in with it (aal2).
  if to_regclass('auth.mfa_factors') is not null then
    return coalesce(claims ->> 'aal' = 'aal2', false)
      or not exists (select from auth.mfa_factors where user_id = auth.uid() and status::text = 'verified');
  end if;
  return true;
end
$$;
comment on function private.is_owner() is
  'Returns whether the user is the owner, with their second factor if they have one. Raises PT401 after a sign-out.';
grant execute on function private.is_owner to authenticated;

-- For edge functions, which can only call functions in "public".
create function public.is_owner() returns boolean
language sql stable security invoker set search_path = ''
as $$ select private.is_owner() $$;
comment on function public.is_owner() is 'Returns whether the caller is the owner.';
grant execute on function public.is_owner to authenticated;

-- Functions call this because row-level security hides rows without raising an error.
create function private.require_owner() returns void
language plpgsql stable security invoker set search_path = ''
as $$
begin
  perform private.reject_if(not private.is_owner(), '42501', 'Only the owner can do this.');
end
$$;
comment on function private.require_owner() is 'Raises 42501 unless the caller is the owner.';
grant execute on function private.require_owner to authenticated;

-- Security definer: no role may write private.owner.
create function private.command_set_time_zone(arguments jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  wanted constant text := arguments ->> 'name';
begin
  perform private.require_owner();
  -- Validating a name reads every time zone file, which takes 50 to 100 ms, so skip it if the name is already stored.
  if exists (select from private.owner as stored where stored.time_zone = wanted) then
    return '{}';
  end if;
  perform private.reject_if(
    not exists (select from pg_catalog.pg_timezone_names as zone where zone.name = wanted), 'PT422', format('name: There is no time zone called %s.', wanted)
  );
  update private.owner set time_zone = wanted where is_the_one;
  return '{}';
end
$$;
comment on function private.command_set_time_zone(jsonb) is 'Stores the owner''s time zone, {name}: an IANA name that PostgreSQL knows.';
grant execute on function private.command_set_time_zone to authenticated;

-- Security definer: no role may read private.owner.
create function private.time_zone() returns text
language sql stable security definer set search_path = ''
as $$
  select private.require_owner();
  select time_zone from private.owner;
$$;
grant execute on function private.time_zone to authenticated;

create function public.time_zone() returns text
language sql stable security invoker set search_path = ''
as $$ select private.time_zone() $$;
comment on function public.time_zone() is 'Returns the owner''s time zone. Null until a browser has stored one.';
grant execute on function public.time_zone to authenticated;
