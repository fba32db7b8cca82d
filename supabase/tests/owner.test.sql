-- The first user is the owner, and the last one.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(8);

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

select * from finish();
rollback;
