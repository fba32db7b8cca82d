-- PostgreSQL takes 'NaN' for a numeric, and one of them makes every sum of costs none. The screen never wrote it.

update public.maintenance set cost = 0 where cost = 'NaN';
alter table public.maintenance add constraint maintenance_cost_check check (cost <> 'NaN');
