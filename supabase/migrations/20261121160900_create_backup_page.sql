-- Reads a backup for the client, one page of rows at a time. PostgreSQL formats each row as the text of the backup file, so
-- numbers keep every digit, and the browser saves the same bytes as `npm run backup`.

-- Security definer: the data API can't read the migration history. Only the owner gets an answer.
create or replace function private.schema_version() returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_owner() or to_regclass('supabase_migrations.schema_migrations') is null then
    return null;
  end if;
  return (select max(version) from supabase_migrations.schema_migrations);
end
$$;
comment on function private.schema_version() is 'The version of the newest migration. Null for anyone but the owner.';
revoke all on function private.schema_version() from public;
grant execute on function private.schema_version() to authenticated;

create or replace function public.backup_page(relation text, after bigint default null) returns json
language plpgsql stable security invoker set search_path = '' set timezone = 'UTC'
as $$
declare
  key text := case when relation = 'bikes' then 'gear_id' when relation in ('maintenance', 'rides', 'ride_syncs') then 'id' end;
  columns text;
  page json;
begin
  if key is null then
    raise exception 'Backups do not contain this table.' using errcode = '22023';
  end if;
  -- Generated columns are computed again on restore.
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', relation)::regclass and attnum > 0 and not attisdropped and attgenerated = '';

  execute format(
    $query$
      with page as materialized (
        select %1$s from public.%2$I as stored
        where ($1 is null or stored.%3$I > $1) and %4$s
        order by stored.%3$I limit 1000
      )
      select json_build_object(
        'schema', private.schema_version(),
        'rows', coalesce(json_agg(row_to_json(page)::text order by page.%3$I), '[]'),
        'last', max(page.%3$I)::text,
        'total', case when $1 is null then (select count(*) from public.%2$I) end
      ) from page
    $query$, columns, relation, key,
    -- A sync that is running now won't be running after a restore.
    case relation when 'ride_syncs' then 'outcome <> ''running''' else 'true' end
  ) into page using after;
  return page;
end
$$;
comment on function public.backup_page(text, bigint) is
  'Up to 1,000 rows of a table after the given key as lines of a backup file, and the key of the last one. The first page also has the total number of rows.';

revoke all on function public.backup_page(text, bigint) from public, anon, service_role;
-- Security invoker: row-level security decides what the caller gets.
grant execute on function public.backup_page(text, bigint) to authenticated;
