-- Adding, reading and removing files. The edge function "files" and the API read bodies, and send bytes as base64.

create function private.media_type(content bytea) returns text
language sql immutable security invoker set search_path = ''
as $$
  select case
    when substring(content from 1 for 3) = '\xffd8ff' then 'image/jpeg'
    when substring(content from 1 for 8) = '\x89504e470d0a1a0a' then 'image/png'
    when substring(content from 1 for 4) = 'RIFF' and substring(content from 9 for 4) = 'WEBP' then 'image/webp'
    when substring(content from 1 for 5) = '%PDF-' then 'application/pdf'
  end
$$;
comment on function private.media_type(bytea) is 'Says what bytes are. Null: nothing that the tracker keeps.';
grant execute on function private.media_type to authenticated;

create function private.require_room(item_id bigint) returns void
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  perform private.reject_if(
    not exists (select from public.maintenance as item where item.id = require_room.item_id), 'RMT40', 'RMT40: The entry is not in the log.'
  );
  perform private.reject_if(
    (select count(*) from public.entry_files as file where file.item_id = require_room.item_id) >= 20, 'RMT42',
    'RMT42: The entry has 20 files already.'
  );
end
$$;
comment on function private.require_room(bigint) is 'Raises RMT40 for an unknown entry, and RMT42 for one with 20 files.';
grant execute on function private.require_room to authenticated;

-- Security definer: nobody else may write what describes the bytes.
create function private.store_file(item_id bigint, name text, content bytea, thumbnail bytea) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  key constant text := encode(sha256(content), 'hex');
  media_type constant text := private.media_type(content);
  file_id bigint;
begin
  perform private.require_owner();
  perform private.require_room(item_id);
  perform private.reject_if(
    media_type is null or private.media_type(thumbnail) not in ('image/webp', 'image/jpeg')
      or thumbnail is not null and private.media_type(thumbnail) is null,
    'RMT43', 'RMT43: It is no JPEG, PNG, WebP or PDF.'
  );
  insert into private.file_contents as stored (sha256, content, thumbnail) values (key, store_file.content, store_file.thumbnail)
  on conflict (sha256) do update set thumbnail = excluded.thumbnail where stored.thumbnail is null and excluded.thumbnail is not null;
  insert into public.entry_files (item_id, name, media_type, size, sha256)
  values (store_file.item_id, store_file.name, media_type, octet_length(store_file.content), key)
  returning id into file_id;
  return file_id;
end
$$;
comment on function private.store_file(bigint, text, bytea, bytea) is
  'Adds a file to an entry, and returns its id. Raises RMT40, RMT42 (20 files) or RMT43 (none of the media types).';
grant execute on function private.store_file to authenticated;

create function private.command_check_file(arguments jsonb) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
begin
  if not exists (select from private.requests where key = (arguments ->> 'key')::uuid) then
    perform private.require_room((arguments ->> 'item_id')::bigint);
  end if;
  return '{}';
end
$$;
comment on function private.command_check_file(jsonb) is
  'Raises what adding a file to an entry would raise before its bytes are known, {item_id, key}, unless the key''s file was added already.';
grant execute on function private.command_check_file to authenticated;

create function private.command_add_file(arguments jsonb) returns jsonb
language sql volatile security invoker set search_path = ''
as $$
  select jsonb_build_object('file_id', private.store_file(
    (arguments ->> 'item_id')::bigint, arguments ->> 'name', decode(arguments ->> 'content', 'base64'), decode(arguments ->> 'thumbnail', 'base64')
  ))
$$;
comment on function private.command_add_file(jsonb) is
  'Adds a file to an entry: {item_id, name, content, thumbnail}, with bytes as base64. Returns {file_id}.';
grant execute on function private.command_add_file to authenticated;

create function private.command_remove_file(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  delete from public.entry_files where id = (arguments ->> 'file_id')::bigint;
  return '{}';
end
$$;
comment on function private.command_remove_file(jsonb) is 'Removes a file, {file_id}. Succeeds even if it is gone.';
grant execute on function private.command_remove_file to authenticated;

create function private.command_files(arguments jsonb) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
declare
  wanted_item constant bigint := arguments ->> 'item_id';
  wanted_part constant bigint := arguments ->> 'part_id';
  items constant bigint[] := array(select id from public.maintenance where id = wanted_item or part_id = wanted_part);
begin
  perform private.reject_if(
    items = '{}', case when wanted_part is null then 'RMT40' else 'RMT23' end,
    case when wanted_part is null then 'RMT40: The entry is not in the log.' else 'RMT23: The part is no longer in the log.' end
  );
  return (
    select jsonb_build_object('files', coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'item_id', item_id, 'name', name, 'media_type', media_type, 'size', size, 'added_at', added_at,
      'in_passport', in_passport, 'has_thumbnail', thumbnail is not null
    ) order by id), '[]'))
    from public.entry_files join private.file_contents using (sha256) where item_id = any (items)
  );
end
$$;
comment on function private.command_files(jsonb) is
  'Lists the files of an entry {item_id}, or of all entries of a part {part_id}, oldest first: {files}. Raises RMT40 or RMT23 if nothing has this id.';
grant execute on function private.command_files to authenticated;

create function private.base64(content bytea) returns text
language sql immutable security invoker set search_path = ''
as $$ select replace(encode(content, 'base64'), e'\n', '') $$;
comment on function private.base64(bytea) is 'Returns bytes as base64 in one line.';
grant execute on function private.base64 to authenticated;

create function private.command_file(arguments jsonb) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
declare
  file jsonb;
begin
  select jsonb_build_object('name', name, 'media_type', private.media_type(shown), 'content', private.base64(shown)) into file
  from public.entry_files join private.file_contents using (sha256)
  cross join lateral (select case when (arguments ->> 'thumbnail')::boolean then coalesce(thumbnail, content) else content end as shown) as version
  where id = (arguments ->> 'file_id')::bigint;
  perform private.reject_if(file is null, 'RMT41', 'RMT41: There is no such file.');
  return file;
end
$$;
comment on function private.command_file(jsonb) is
  'Returns a file, {file_id, thumbnail}: {name, media_type, content}, with bytes as base64. thumbnail: its thumbnail, if it has one. Raises RMT41 if it is gone.';
grant execute on function private.command_file to authenticated;

create function public.file_sizes() returns json
language sql stable security invoker set search_path = ''
as $$
  select json_build_object('files', count(*), 'bytes', coalesce(sum(octet_length(content) + coalesce(octet_length(thumbnail), 0)), 0))
  from private.file_contents where private.is_owner()
$$;
comment on function public.file_sizes() is 'Returns the number of stored files and their size, {files, bytes}, with those in the trash.';
grant execute on function public.file_sizes to authenticated;

create function private.remove_files_of_items() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  delete from public.entry_files where item_id in (select id from removed_items);
  return null;
end
$$;
comment on function private.remove_files_of_items() is 'Deletes the files of deleted items in the same change, so an undo brings both back.';

create trigger remove_files
after delete on public.maintenance referencing old table as removed_items
for each statement execute function private.remove_files_of_items();

create function private.remove_unnamed_contents() returns trigger
language plpgsql volatile security invoker set search_path = ''
as $$
begin
  delete from private.file_contents as stored
  where sha256 in (select coalesce(before, after) ->> 'sha256' from forgotten_changes where relation = 'entry_files')
    and not exists (select from public.entry_files as file where file.sha256 = stored.sha256)
    and not exists (
      select from public.changes as named
      where named.relation = 'entry_files' and coalesce(named.before, named.after) ->> 'sha256' = stored.sha256
    );
  return null;
end
$$;
comment on function private.remove_unnamed_contents() is 'Removes the bytes that neither a file nor another change names, once a change is forgotten.';

create trigger remove_contents
after delete on public.changes referencing old table as forgotten_changes
for each statement execute function private.remove_unnamed_contents();
