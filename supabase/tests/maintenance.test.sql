-- What the log refuses, and what it keeps exactly.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(23);

insert into public.bikes values (1, 'Road');

prepare add_part (text, text, numeric, timestamp, timestamp) as
insert into public.maintenance ("bikeId", type, name, cost, "dateStarted", "dateEnded") values (1, $1, $2, $3, $4, $5);

select lives_ok(
  $$execute add_part('Drivetrain', 'Chain', 45, '2024-01-01 01:00:00', null)$$, 'a part with a listed type is kept'
);
select lives_ok($$execute add_part(null, 'Chain', 45, '2024-01-01 01:00:00', null)$$, 'a type may be missing');
select throws_ok($$execute add_part('Motor', 'Hub motor', 0, '2024-01-01', null)$$, '23514', null, 'no other type is known');
select throws_ok($$execute add_part(null, '', 0, '2024-01-01', null)$$, '23514', null, 'a name is never empty');
select throws_ok($$execute add_part(null, E' \t\n', 0, '2024-01-01', null)$$, '23514', null, 'a name is never blank');
select throws_ok($$execute add_part(null, null, 0, '2024-01-01', null)$$, '23502', null, 'a name is never null');
select throws_ok(
  $$execute add_part(null, repeat('x', 1001), 0, '2024-01-01', null)$$, '23514', null, 'a name has 1,000 characters at most'
);
select throws_ok($$execute add_part(null, 'Chain', 'NaN', '2024-01-01', null)$$, '23514', null, 'a cost is a number');
select lives_ok(
  $$execute add_part(null, 'Kette „Größe" 🚲 <script>alert(1)</script> '' % _ \ مرحبا', 0, '2024-01-01', null)$$,
  'quotes, markup, emoji and right-to-left text are text'
);
select is(
  (select name from public.maintenance where name like 'Kette%'),
  'Kette „Größe" 🚲 <script>alert(1)</script> '' % _ \ مرحبا', 'and come back as they were'
);

prepare add_described (text) as
insert into public.maintenance ("bikeId", name, description) values (1, 'Described', $1) returning description;
select results_eq($$execute add_described('')$$, array[null::text], 'an empty description is stored as null');
select results_eq($$execute add_described(E' \t\n')$$, array[null::text], 'so is a blank one');
select results_eq($$execute add_described(' KMC ')$$, array[' KMC '], 'any other text is stored as it is');
select results_eq(
  $$update public.maintenance set description = '' where description = ' KMC ' returning description$$,
  array[null::text], 'an update clears a description the same way'
);

prepare add_once (uuid) as insert into public.maintenance ("bikeId", name, request_key) values (1, 'Once', $1);
execute add_once('00000000-0000-4000-8000-000000000001');
select throws_ok(
  $$execute add_once('00000000-0000-4000-8000-000000000001')$$, '23505', null, 'a request key adds one item only'
);
select lives_ok($$execute add_once(null)$$, 'items without a request key are independent of each other');

select throws_ok(
  $$execute add_part(null, 'Chain', 0, '2024-01-02', '2024-01-01')$$, '23514', null, 'a part does not end before it starts'
);
select lives_ok($$execute add_part(null, 'Chain', 0, '2024-01-02', '2024-01-02')$$, 'it may end on the day it started');
select throws_ok($$execute add_part(null, 'Chain', 0, '0001-01-01', null)$$, '23514', null, 'years begin with 1900');
select throws_ok($$execute add_part(null, 'Chain', 0, '2101-01-01', null)$$, '23514', null, 'and end with 2100');
select throws_ok(
  $$insert into public.maintenance ("bikeId", name) values (99, 'Chain')$$, '23503', null, 'a record belongs to a bike'
);
select throws_ok('delete from public.bikes where gear_id = 1', '23503', null, 'deleting a bike never takes its log along');
insert into public.maintenance ("bikeId", name) values (1, 'Fallback');
select is(
  (select "dateStarted" from public.maintenance where name = 'Fallback'),
  date_trunc('day', timezone('UTC', now())) + interval '1 hour', 'without a start it starts today at 01:00, UTC'
);

select * from finish();
rollback;
