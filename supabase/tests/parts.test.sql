-- Parts: which install periods the database accepts.
begin;
create schema if not exists extensions;
create extension if not exists pgtap with schema extensions;
set search_path = public, extensions;
select plan(11);

insert into public.bikes values (1, 'Road'), (2, 'Gravel');

prepare install (bigint, bigint, timestamp, timestamp) as
insert into public.maintenance ("bikeId", part_id, name, "dateStarted", "dateEnded") values ($1, $2, 'Wheels', $3, $4);

insert into public.maintenance (id, "bikeId", name) values (1, 1, 'Chain'), (2, 1, 'Chain');
select is((select count(distinct part_id)::integer from public.maintenance), 2, 'a new item is a part of its own');

insert into public.parts values (100);
select lives_ok($$execute install(1, 100, '2024-01-01 01:00', '2024-02-01 01:00')$$, 'a part is installed');
select throws_ok($$execute install(2, 100, '2024-01-15 01:00', null)$$, '23P01', null, 'a part is not on two bikes at once');
select throws_ok($$execute install(1, 100, '2023-12-01 01:00', null)$$, '23P01', null, 'nor on one bike twice');
select throws_ok($$execute install(2, 100, '2024-03-01 01:00', '2024-02-15 01:00')$$, '23514', null, 'a period that ends before its start is rejected');
select lives_ok($$execute install(2, 100, '2024-02-01 01:00', null)$$, 'a part may move on the day it was removed');
select lives_ok($$execute install(1, 100, '2024-01-10 01:00', '2024-01-10 01:00')$$, 'work that starts and ends at the same time overlaps nothing');
select throws_ok($$execute install(1, 999, '2024-01-01 01:00', null)$$, '23503', null, 'an unknown part is rejected');

select throws_ok($$update public.maintenance set ended_as = 'worn' where id = 1$$, '23514', null, 'an item that has not ended has no reason');
update public.maintenance set "dateEnded" = '2090-01-01', ended_as = 'worn' where id = 1;
select throws_ok($$update public.maintenance set ended_as = 'lost' where id = 1$$, '23514', null, 'an unknown reason is rejected');
update public.maintenance set "dateEnded" = null where id = 1;
select is((select ended_as from public.maintenance where id = 1), null, 'clearing the end clears the reason');

select * from finish();
rollback;
