set local check_function_bodies = off;

ALTER TABLE "private"."calendar_feed" ADD COLUMN "events" jsonb;

CREATE OR REPLACE FUNCTION private.stamp_events(content text, stamped jsonb, revision integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(id, case
    when stamped -> id ->> 'hash' = hash then stamped -> id
    else jsonb_build_object('hash', hash, 'revision', revision, 'changed_at', now())
  end), '{}')
  from jsonb_each_text(content::jsonb) as event(id, text), encode(sha256(convert_to(text, 'UTF8')), 'hex') as hash
$function$;

CREATE OR REPLACE FUNCTION public.stamp_calendar_feed(token text, content text)
 RETURNS json
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  hash constant bytea := sha256(convert_to(content, 'UTF8'));
begin
  if private.open_token(sha256(convert_to(token, 'UTF8')), '{calendar}') is null then
    return null;
  end if;
  insert into private.calendar_feed as feed (content_hash, events)
  values (hash, private.stamp_events(content, null, 1))
  on conflict (is_the_one) do update set
    content_hash = hash, revision = feed.revision + 1, changed_at = now(),
    events = private.stamp_events(content, feed.events, feed.revision + 1)
  where feed.content_hash <> hash or feed.events is null;
  return (
    select coalesce(json_object_agg(event.key, event.value - 'hash'), '{}')
    from private.calendar_feed, jsonb_each(events) as event
  );
end
$function$;

COMMENT ON COLUMN "private"."calendar_feed"."events" IS 'By id: the hash of each event''s content, and the feed''s revision and time when it last changed. Null if the feed was last read by an older version.';

COMMENT ON FUNCTION "private"."stamp_events"(text, jsonb, integer) IS 'Returns the events of the feed''s new content: those that are unchanged as they are stamped, the others with this revision and time.';

COMMENT ON FUNCTION "public"."stamp_calendar_feed"(text, text) IS 'Returns, by id, the revision and time of each event''s first appearance with this content, a JSON object of texts. Both stay the same until the event''s own text changes. Null for an invalid token.';

REVOKE ALL ON FUNCTION "private"."stamp_events"(text, jsonb, integer) FROM PUBLIC;
