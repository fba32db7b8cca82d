-- The first user is the owner, and the last one.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(15);

select lives_ok(
  $$insert into auth.users (id, is_anonymous) values ('00000000-0000-0000-0000-000000000001', true)$$,
  'an anonymous user may come first'
);
select is_empty('select from private.owner', 'an anonymous user does not become the owner');
select lives_ok(
  $$insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com')$$,
  'the first account is made'
);
select results_eq(
  'select user_id from private.owner', array['00000000-0000-0000-0000-00000000000a'::uuid], 'it is the owner''s'
);
select throws_ok(
  $$insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000b', 'second@example.com')$$,
  'RMT01', null, 'a second account is refused'
);
select is_empty(
  $$select from auth.users where email = 'second@example.com'$$, 'nothing of the refused account stays'
);
select throws_ok(
  $$insert into auth.users (id, is_anonymous) values ('00000000-0000-0000-0000-00000000000c', true)$$,
  'RMT01', null, 'an anonymous user is refused once there is an owner'
);
select throws_ok(
  $$insert into private.owner (is_the_one, user_id) values (false, '00000000-0000-0000-0000-00000000000a')$$,
  '23514', null, 'there is room for one row'
);

-- Two-factor sign-in, with and without the table that keeps the factors.
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);
select set_config('request.jwt.claims', '{"sub": "00000000-0000-0000-0000-00000000000a", "aal": "aal1"}', true);
alter table if exists auth.mfa_factors rename to mfa_factors_of_this_server;
select ok(private.is_owner(), 'where Auth has no factors, a password is enough');

create table auth.mfa_factors (user_id uuid, factor_type text, status text);
select ok(private.is_owner(), 'without a factor a password is enough');
insert into auth.mfa_factors values ('00000000-0000-0000-0000-00000000000a', 'totp', 'unverified');
select ok(private.is_owner(), 'a factor that was never verified asks nothing');
insert into auth.mfa_factors values ('00000000-0000-0000-0000-00000000000b', 'totp', 'verified');
select ok(private.is_owner(), 'another user''s factor asks nothing of the owner');
insert into auth.mfa_factors values ('00000000-0000-0000-0000-00000000000a', 'totp', 'verified');
select ok(not private.is_owner(), 'with a verified factor a password is not enough');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-0000-0000-00000000000a"}', true);
select ok(not private.is_owner(), 'nor is a token that does not tell its level');
select set_config('request.jwt.claims', '{"sub": "00000000-0000-0000-0000-00000000000a", "aal": "aal2"}', true);
select ok(private.is_owner(), 'with the second factor given the owner is let in');

select * from finish();
rollback;
