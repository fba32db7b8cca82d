-- The owner's settings.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(12);

insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000a', 'owner@example.com');
select set_config('request.jwt.claim.sub', '00000000-0000-0000-0000-00000000000a', true);

select is_empty('select from public.settings', 'nothing is chosen at first');
insert into public.settings (distance) values ('km');
select results_eq(
  'select distance, dates, currency, week_start from public.settings',
  $$values ('km', 'MM/DD/YYYY', 'USD', 'Sunday')$$,
  'what is not chosen has the spec''s formats'
);
insert into public.settings (distance) values ('mi') on conflict do nothing;
select is((select distance from public.settings), 'km', 'of several browsers, the first decides');
select private.command_set_settings('{"currency": "EUR"}');
select results_eq(
  'select distance, currency from public.settings', $$values ('km', 'EUR')$$, 'a change leaves the other settings as they are'
);
select throws_ok(format('update public.settings set %s', change), '23514', null, 'refuses ' || change) from unnest(array[
  $$distance = 'miles'$$, $$dates = 'DD-MM-YYYY'$$, $$currency = 'eur'$$, $$currency = 'EURO'$$, $$week_start = 'Tuesday'$$
]) as change;
select throws_ok('insert into public.settings (is_the_one) values (false)', '23514', null, 'refuses a second row');
select throws_ok('insert into public.settings (currency) values (null)', '23502', null, 'refuses a missing value');
select is_empty($$select from public.changes where relation = 'settings'$$, 'the journal has no settings');

select * from finish();
rollback;
