-- Backups contain every table of the data API, so a new table needs no change here.

create or replace function public.backup_page(relation text, after bigint default null) returns json
language plpgsql stable security invoker set search_path = '' set timezone = 'UTC'
as $$
declare
  backed_up regclass;
  key text;
  columns text;
  page json;
begin
  select pg_class.oid, quote_ident(attname) into backed_up, key
  from pg_catalog.pg_class
  join pg_catalog.pg_index on indrelid = pg_class.oid and indisprimary
  join pg_catalog.pg_attribute on attrelid = indrelid and attnum = indkey[0]
  where relnamespace = 'public'::regnamespace and relname = relation and relkind = 'r';
  if not found then
    raise exception 'Backups do not contain this table.' using errcode = '22023';
  end if;
  -- Generated columns are computed again on restore.
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
  from pg_catalog.pg_attribute
  where attrelid = backed_up and attnum > 0 and not attisdropped and attgenerated = '';

  execute format(
    $query$
      with page as materialized (
        select %1$s from %2$s as stored
        where ($1 is null or stored.%3$s > $1) and %4$s
        order by stored.%3$s limit 1000
      )
      select json_build_object(
        'schema', private.schema_version(),
        'rows', coalesce(json_agg(row_to_json(page)::text order by page.%3$s), '[]'),
        'last', max(page.%3$s)::text,
        'total', case when $1 is null then (select count(*) from %2$s) end
      ) from page
    $query$, columns, backed_up, key,
    -- A sync that is running now won't be running after a restore.
    case relation
      when 'ride_syncs' then 'outcome <> ''running'''
      when 'ride_changes' then 'sync_id not in (select id from public.ride_syncs where outcome = ''running'')'
      else 'true'
    end
  ) into page using after;
  return page;
end
$$;
