set local check_function_bodies = off;

DROP FUNCTION "private"."command_undo"(jsonb);

CREATE OR REPLACE FUNCTION private.command_undo(arguments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  undone constant uuid := arguments ->> 'change';
begin
  if (arguments ->> 'even_unsaved')::boolean and not exists (select from public.changes where change = undone) then
    -- The request may still be on its way. It is refused from now on.
    insert into private.requests (key, digest, answer)
    values (undone, private.digest('null'), jsonb_build_object('answer', '{}'::jsonb, 'change', null, 'touched', private.touched(null)))
    on conflict (key) do nothing;
    return '{"restored": 0, "conflicts": []}';
  end if;
  return private.undo(undone, coalesce((arguments ->> 'keep_changed')::boolean, false));
end
$function$;

COMMENT ON FUNCTION "private"."command_undo"(jsonb) IS 'Undoes a change: {change, keep_changed, even_unsaved}. Returns what undo does. With even_unsaved, the change of a request that was not saved is never saved.';

REVOKE ALL ON FUNCTION "private"."command_undo"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."command_undo"(jsonb) TO "authenticated";

insert into private.commands (name, is_write, for_tokens, arguments, touches) values ('undo', 'true', 'true', '{change,keep_changed,even_unsaved}', NULL)
on conflict (name) do update set name = excluded.name, is_write = excluded.is_write, for_tokens = excluded.for_tokens, arguments = excluded.arguments, touches = excluded.touches;
