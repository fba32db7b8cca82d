-- Items that the log accepts or rejects, and how it stores them.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(21);

insert into public.bikes values (1, 'Road');

prepare add_item (text, text, numeric, timestamp, timestamp) as
insert into public.maintenance ("bikeId", type, name, cost, "dateStarted", "dateEnded") values (1, $1, $2, $3, $4, $5);

select lives_ok(
  $$execute add_item('Drivetrain', 'Chain', 45, '2024-01-01 01:00:00', null)$$, 'a listed type is accepted'
);
select lives_ok($$execute add_item(null, 'Chain', 45, '2024-01-01 01:00:00', null)$$, 'the type can be null');
select throws_ok($$execute add_item('Motor', 'Hub motor', 0, '2024-01-01', null)$$, '23514', null, 'an unknown type is rejected');
select throws_ok($$execute add_item(null, '', 0, '2024-01-01', null)$$, '23514', null, 'an empty name is rejected');
select throws_ok($$execute add_item(null, E' \t\n', 0, '2024-01-01', null)$$, '23514', null, 'a blank name is rejected');
select throws_ok($$execute add_item(null, null, 0, '2024-01-01', null)$$, '23502', null, 'a missing name is rejected');
select throws_ok(
  $$execute add_item(null, repeat('x', 1001), 0, '2024-01-01', null)$$, '23514', null, 'a name of more than 1,000 characters is rejected'
);
select throws_ok($$execute add_item(null, 'Chain', 'NaN', '2024-01-01', null)$$, '23514', null, 'a cost of NaN is rejected');
select lives_ok(
  $$execute add_item(null, 'Kette „Größe" 🚲 <script>alert(1)</script> '' % _ \ مرحبا', 0, '2024-01-01', null)$$,
  'quotes, markup, emoji and right-to-left text are accepted'
);
select is(
  (select name from public.maintenance where name like 'Kette%'),
  'Kette „Größe" 🚲 <script>alert(1)</script> '' % _ \ مرحبا', 'quotes, markup, emoji and right-to-left text are stored unchanged'
);

prepare add_described (text) as
insert into public.maintenance ("bikeId", name, description) values (1, 'Described', $1) returning description;
select results_eq($$execute add_described('')$$, array[null::text], 'an empty description is stored as null');
select results_eq($$execute add_described(E' \t\n')$$, array[null::text], 'a blank description is stored as null');
select results_eq($$execute add_described(' KMC ')$$, array[' KMC '], 'any other description is stored unchanged');
select results_eq(
  $$update public.maintenance set description = '' where description = ' KMC ' returning description$$,
  array[null::text], 'an update clears a description the same way'
);

select throws_ok(
  $$execute add_item(null, 'Chain', 0, '2024-01-02', '2024-01-01')$$, '23514', null, 'an end before the start is rejected'
);
select lives_ok($$execute add_item(null, 'Chain', 0, '2024-01-02', '2024-01-02')$$, 'an end on the day of the start is accepted');
select throws_ok($$execute add_item(null, 'Chain', 0, '0001-01-01', null)$$, '23514', null, 'years before 1900 are rejected');
select throws_ok($$execute add_item(null, 'Chain', 0, '2101-01-01', null)$$, '23514', null, 'years after 2100 are rejected');
select throws_ok(
  $$insert into public.maintenance ("bikeId", name) values (99, 'Chain')$$, '23503', null, 'an unknown bike is rejected'
);
select throws_ok('delete from public.bikes where gear_id = 1', '23503', null, 'a bike with a log cannot be deleted');
insert into public.maintenance ("bikeId", name) values (1, 'Fallback');
select is(
  (select "dateStarted" from public.maintenance where name = 'Fallback'),
  date_trunc('day', timezone('UTC', now())) + interval '1 hour', 'the default start is today at 01:00 in UTC'
);

select * from finish();
rollback;
