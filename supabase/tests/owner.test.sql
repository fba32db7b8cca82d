-- The first user becomes the owner. Later users are refused.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(20);

select lives_ok(
  $$insert into auth.users (id, is_anonymous) values ('00000000-0000-0000-0000-000000000001', true)$$,
  'an anonymous user can come first'
);
select is_empty('select from private.owner', 'an anonymous user does not become the owner');
select lives_ok(
  $$insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com')$$,
  'the first account can be created'
);
select results_eq(
  'select user_id from private.owner', array['00000000-0000-0000-0000-00000000000a'::uuid], 'the first account becomes the owner'
);
select throws_ok(
  $$insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000b', 'second@example.com')$$,
  'RMT01', null, 'a second account is refused'
);
select is_empty(
  $$select from auth.users where email = 'second@example.com'$$, 'the refused account is not stored'
);
select throws_ok(
  $$insert into auth.users (id, is_anonymous) values ('00000000-0000-0000-0000-00000000000c', true)$$,
  'RMT01', null, 'an anonymous user is refused once there is an owner'
);
select throws_ok(
  $$insert into private.owner (is_the_one, user_id) values (false, '00000000-0000-0000-0000-00000000000a')$$,
  '23514', null, 'private.owner holds only one row'
);

-- Two-factor sign-in. Not every Auth server has a table of factors.
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
select set_config('request.jwt.claims', '{"sub": "00000000-0000-0000-0000-00000000000a", "aal": "aal1"}', true);
select case when to_regclass('auth.mfa_factors') is null
  then ok(private.is_owner(), 'a password is enough if Auth has no factors table')
  else skip('This Auth server has a factors table.', 1)
end;
do $$
begin
  if to_regclass('auth.mfa_factors') is null then
    create table auth.mfa_factors (
      id uuid, user_id uuid, factor_type text, status text, created_at timestamptz, updated_at timestamptz
    );
  end if;
end
$$;
select ok(private.is_owner(), 'a password is enough without a factor');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (gen_random_uuid(), '00000000-0000-0000-0000-00000000000a', 'totp', 'unverified', now(), now());
select ok(private.is_owner(), 'a password is enough with an unverified factor');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (gen_random_uuid(), '00000000-0000-0000-0000-000000000001', 'totp', 'verified', now(), now());
select ok(private.is_owner(), 'a password is enough if only another user has a factor');
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
values (gen_random_uuid(), '00000000-0000-0000-0000-00000000000a', 'totp', 'verified', now(), now());
select ok(not private.is_owner(), 'with a verified factor a password is not enough');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-0000-0000-00000000000a"}', true);
select ok(not private.is_owner(), 'with a verified factor a token without a level is not enough');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-0000-0000-00000000000a", "aal": "aal2"}', true);
select ok(private.is_owner(), 'with a verified factor a token of level aal2 is enough');

-- Auth deletes a session at sign-out. Not every Auth server has a table of sessions.
select set_config('request.jwt.claims', '{"aal": "aal2", "session_id": "00000000-0000-0000-0000-000000000005"}', true);
select case when to_regclass('auth.sessions') is null
  then ok(private.is_owner(), 'a token is enough if Auth has no sessions table')
  else skip('This Auth server has a sessions table.', 1)
end;
do $$
begin
  if to_regclass('auth.sessions') is null then
    create table auth.sessions (id uuid, user_id uuid);
  end if;
end
$$;
select throws_ok('select private.is_owner()', 'PT401', null, 'a token is refused after its session has ended');
insert into auth.sessions (id, user_id)
values ('00000000-0000-0000-0000-000000000005', '00000000-0000-0000-0000-00000000000a');
select ok(private.is_owner(), 'a token is enough while its session exists');

select private.command_set_time_zone('{"name": "America/Lima"}');
select throws_ok($$select private.command_set_time_zone('{"name": "Mars/Base"}')$$, 'PT422', null, 'an unknown time zone is refused');
select is(private.time_zone(), 'America/Lima', 'the owner reads the time zone');

select * from finish();
rollback;
