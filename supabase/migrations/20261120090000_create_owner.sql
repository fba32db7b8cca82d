-- The one owner.
--
-- The tracker has a single account. The first user who is not anonymous becomes the owner; every later account is
-- refused by the database itself, so a sign-up left open by mistake lets nobody in.

create schema private;
comment on schema private is 'What the data API never shows: it exposes "public" alone.';

-- Policies call private.is_owner(), so the roles that they apply to may look a function up here; tables need grants of their own.
revoke all on schema private from public;
grant usage on schema private to authenticated;

create table private.owner (
  is_the_one boolean primary key default true check (is_the_one),
  -- Removing the account frees the seat; the log and the rides belong to the tracker and stay.
  user_id uuid not null unique references auth.users (id) on delete cascade
);
comment on table private.owner is 'At most one row: the account that owns everything in this database.';
-- No policy and no grant, for nobody: only the functions below, which run as their definer, read or write it.
alter table private.owner enable row level security;
revoke all on private.owner from public, anon, authenticated, service_role;

-- Auth servers older than anonymous sign-ins have no such column, hence the way through jsonb.
create function private.is_anonymous(account jsonb) returns boolean
language sql immutable security invoker set search_path = ''
as $$ select coalesce((account ->> 'is_anonymous')::boolean, false) $$;
revoke all on function private.is_anonymous(jsonb) from public;

-- Security definer: the Auth server's role inserts users and has no rights here.
create function private.claim_ownership() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if exists (select from private.owner) then
    raise exception 'This tracker has its owner already; no second account can be made.' using errcode = 'RMT01';
  end if;

  if private.is_anonymous(to_jsonb(new)) then
    return null;
  end if;

  -- Several accounts and no owner: a database that was shared before. Who owns it is for a person to say.
  if exists (
    select from auth.users as other where other.id <> new.id and not private.is_anonymous(to_jsonb(other))
  ) then
    raise exception 'There are accounts but no owner yet; put the owner''s user id into private.owner.'
      using errcode = 'RMT01';
  end if;

  -- Two first sign-ups at once: the primary key lets one in, and the other ends with the same words as above.
  insert into private.owner (user_id) values (new.id) on conflict (is_the_one) do nothing;
  if not found then
    raise exception 'This tracker has its owner already; no second account can be made.' using errcode = 'RMT01';
  end if;
  return null;
end
$$;
revoke all on function private.claim_ownership() from public;

create trigger claim_ownership
after insert on auth.users
for each row execute function private.claim_ownership();

-- A project that had its one account before the tracker came: that account is the owner.
insert into private.owner (user_id)
select account.id from auth.users as account
where not private.is_anonymous(to_jsonb(account))
  and 1 = (select count(*) from auth.users as counted where not private.is_anonymous(to_jsonb(counted)));

-- Security definer: a policy has to read private.owner, which no role may read, and Auth's own tables.
create function private.is_owner() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  needs_second_factor boolean := false;
begin
  if not exists (select from private.owner where user_id = auth.uid()) then
    return false;
  end if;

  -- An owner with a verified second factor is let in only after giving it (aal2). Not every Auth server has factors, so
  -- their table is looked up now, not when this function is made.
  if to_regclass('auth.mfa_factors') is not null then
    execute $query$
      select exists (select from auth.mfa_factors where user_id = auth.uid() and status::text = 'verified')
    $query$ into needs_second_factor;
  end if;
  return not needs_second_factor
    or coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'aal' = 'aal2', false);
end
$$;
comment on function private.is_owner() is 'Whether the signed-in user owns this tracker, and gave the second factor if there is one. False for anon.';
revoke all on function private.is_owner() from public;
grant execute on function private.is_owner() to authenticated;

-- The same question for the edge functions, which reach "public" alone.
create function public.is_owner() returns boolean
language sql stable security invoker set search_path = ''
as $$ select private.is_owner() $$;
comment on function public.is_owner() is 'Whether the caller owns this tracker.';
revoke all on function public.is_owner() from public, anon, service_role;
grant execute on function public.is_owner() to authenticated;
