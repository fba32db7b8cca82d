-- The kinds of parts. Those that end nothing, don't wear and are compared with nothing, such as cables, have no kind.
-- supabase/functions/_shared/kinds.ts lists the same.

create view private.kinds with (security_invoker = true) as
select * from (values
  -- has_ends: one at the front and one at the rear. is_single: a bike has one, or one per end, so a new one ends it. is_needed:
  -- no bike is ridden without, so a time without one is a gap in the log.
  ('chain', false, true, true),
  ('belt', false, true, false),
  ('cassette', false, true, true),
  ('chainring', false, false, false),
  ('crankset', false, true, false),
  ('bottom bracket', false, true, true),
  ('derailleur', true, true, false),
  ('jockey wheels', false, true, false),
  ('shifters', false, false, false),
  ('pedals', false, true, true),
  ('cleats', false, true, false),
  ('tire', true, true, true),
  ('tube', true, true, false),
  ('wheel', true, true, true),
  ('brake', true, true, false),
  ('brake pads', true, true, true),
  ('rotor', true, true, false),
  ('frame', false, true, false),
  ('fork', false, true, false),
  ('shock', false, true, false),
  ('headset', false, true, false),
  ('stem', false, true, false),
  ('handlebar', false, true, false),
  ('bar tape', false, true, false),
  ('grips', false, true, false),
  ('saddle', false, true, true),
  ('seatpost', false, true, false)
) as listed (name, has_ends, is_single, is_needed);
comment on view private.kinds is
  'The kinds of parts. has_ends: one at the front and one at the rear. is_single: a bike has one, or one per end. is_needed: every bike has one.';
grant select on private.kinds to authenticated;

create function private.is_kind(name text) returns boolean
language sql immutable strict security invoker set search_path = ''
as $$ select exists (select from private.kinds as kind where kind.name = is_kind.name) $$;
comment on function private.is_kind(text) is 'Returns whether parts can be this. Null for null.';
grant execute on function private.is_kind to authenticated;

create function private.has_ends(kind text) returns boolean
language sql immutable security invoker set search_path = ''
as $$ select exists (select from private.kinds as known where known.name = has_ends.kind and known.has_ends) $$;
comment on function private.has_ends(text) is 'Returns whether parts of a kind are at the front or at the rear.';
grant execute on function private.has_ends to authenticated;
