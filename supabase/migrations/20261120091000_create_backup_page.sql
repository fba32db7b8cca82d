-- Everything worth keeping, as the client saves it: a page of rows at a time, each row as the text that a backup file holds.
-- PostgreSQL writes the rows, so no digit of a number is lost on the way through a browser, and a file that was saved in the
-- browser has the very bytes of one that `npm run backup` wrote.

-- Security definer: the list of migrations is not the data API's to read. Told to the owner alone.
create function private.schema_version() returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_owner() or to_regclass('supabase_migrations.schema_migrations') is null then
    return null;
  end if;
  return (select max(version) from supabase_migrations.schema_migrations);
end
$$;
comment on function private.schema_version() is 'The version of the newest migration; null for anybody but the owner.';
revoke all on function private.schema_version() from public;
grant execute on function private.schema_version() to authenticated;

create function public.backup_page(relation text, after bigint default null) returns json
language plpgsql stable security invoker set search_path = '' set timezone = 'UTC'
as $$
declare
  key text := case when relation = 'bikes' then 'gear_id' when relation in ('maintenance', 'rides', 'ride_syncs') then 'id' end;
  columns text;
  page json;
begin
  if key is null then
    raise exception 'A backup holds no table of this name.' using errcode = '22023';
  end if;
  -- Columns that are computed from others are computed again when a backup is restored.
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', relation)::regclass and attnum > 0 and not attisdropped and attgenerated = '';

  execute format(
    $query$
      with kept as materialized (
        select %1$s from public.%2$I as told
        where ($1 is null or told.%3$I > $1) and %4$s
        order by told.%3$I limit 1000
      )
      select json_build_object(
        'schema', private.schema_version(),
        'rows', coalesce(json_agg(row_to_json(kept)::text order by kept.%3$I), '[]'),
        'last', max(kept.%3$I)::text,
        'total', case when $1 is null then (select count(*) from public.%2$I) end
      ) from kept
    $query$, columns, relation, key,
    -- A refresh that is running now is running nowhere once it is restored.
    case relation when 'ride_syncs' then 'outcome <> ''running''' else 'true' end
  ) into page using after;
  return page;
end
$$;
comment on function public.backup_page(text, bigint) is
  'Up to a thousand rows of a table after the given key, as the lines of a backup file; the last one''s key; with the first page how many rows there are.';

revoke all on function public.backup_page(text, bigint) from public, anon, service_role;
-- Security invoker: whoever calls gets what they may read, which is the owner's alone.
grant execute on function public.backup_page(text, bigint) to authenticated;
