-- A refused install period names the period that is in the way, and statements may change several periods of a part.

-- Deferrable, so the check runs at the end of a statement: changing the day of a move changes two periods that touch.
alter table public.maintenance
  drop constraint if exists maintenance_one_place_at_a_time,
  add constraint maintenance_one_place_at_a_time exclude using gist (
    int8range(part_id, part_id, '[]') with &&, tsrange("dateStarted", "dateEnded") with &&
  ) deferrable initially immediate;

create or replace function private.name_period_in_the_way() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  other record;
begin
  select bike.name, item."dateStarted", item."dateEnded" into other
  from public.maintenance as item join public.bikes as bike on bike.gear_id = item."bikeId"
  where item.part_id = new.part_id and item.id <> new.id
    and tsrange(item."dateStarted", item."dateEnded") && tsrange(new."dateStarted", new."dateEnded")
  order by item."dateStarted" limit 1;
  if found then
    raise exception 'This part % on % %. Choose another day.',
      case when other."dateEnded" is null then 'has been' else 'was' end, other.name,
      case when other."dateEnded" is null then to_char(other."dateStarted", '"since" MM/DD/YYYY')
        else to_char(other."dateStarted", '"from" MM/DD/YYYY') || to_char(other."dateEnded", ' "to" MM/DD/YYYY') end
      using errcode = 'RMT10';
  end if;
  return null;
end
$$;
comment on function private.name_period_in_the_way() is
  'Raises RMT10 if a part is already installed at that time. Of two simultaneous writes, only the constraint sees the other (23P01).';
revoke all on function private.name_period_in_the_way() from public;

-- Triggers fire by name, and the constraint's own is called "Unique_ConstraintTrigger_…", so this one comes first.
create or replace trigger "Name the period in the way"
after insert or update of "dateStarted", "dateEnded" on public.maintenance
for each row execute function private.name_period_in_the_way();
