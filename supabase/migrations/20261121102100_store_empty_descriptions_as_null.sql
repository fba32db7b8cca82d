-- An empty description is null, and only null. A trigger rather than a check: a backup that holds '' stays restorable.

create function private.clear_blank_description() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  new.description := null;
  return new;
end
$$;
revoke all on function private.clear_blank_description() from public;

create trigger clear_blank_description
before insert or update of description on public.maintenance
for each row when (new.description !~ '\S') execute function private.clear_blank_description();

update public.maintenance set description = null where description !~ '\S';
