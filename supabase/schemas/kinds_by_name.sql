-- Version 1.0 guessed what a part is from its name, with these rules. They fill the columns that say it now, once: when a log of that
-- version is upgraded, and when a backup of it is restored. Nothing else reads names.

create function private.kinds_by_name() returns table (type text, name text, kind text, "position" text)
language sql stable security invoker set search_path = ''
as $$
  with names as materialized (
    select type, name from public.maintenance
    union
    select version ->> 'type', version ->> 'name' from public.changes cross join lateral (values (before), (after)) as versions (version)
    where relation = 'maintenance' and version is not null
  ), families (family, nouns, of_type, pair, has_ends) as (
    -- of_type: the item type that implies the part if the name doesn't mention one. pair: words that mean both ends.
    values
      ('chain', '{chain}'::text[], null, null::text[], false),
      ('cassette', '{cassette,freewheel}', null, null, false),
      ('bottom bracket', '{bb,bottombracket}', null, null, false),
      ('saddle', '{saddle}', 'Saddle', null, false),
      ('pedals', '{pedals}', 'Pedals', null, false),
      ('tire', '{tire,tires,tyre,tyres}', 'Tires', '{tires,tyres,pair,both,set}', true),
      ('wheel', '{wheel,wheels,wheelset}', 'Wheels', '{wheels,wheelset,pair,both,set}', true),
      ('brake pads', '{pad,pads}', null, '{both}', true)
  ), things as materialized (
    select type, original, words, thing, nth
    from (
      select type, original, string_to_array(regexp_replace(lower(plain_name), '[^a-z]+', ' ', 'g'), ' ') as words, plain_name as name
      from (select type, name as original, name from names offset 0) as spelled
      cross join lateral (
        -- A waxed chain with a quick link is a chain, but "Waxed", "Chain waxed" and "Chain quick link" are not.
        select regexp_replace(name, '\m((hot|pre)[- ]?)?waxed (?=([^ ]+ ){0,3}chain)|(\mwith|,|\+)( a)? (quick|missing|master)[- ]?links?', '', 'gi') as chain_name
      ) as of_chain
      cross join lateral (
        select regexp_replace(regexp_replace(chain_name, '\mrim[- ]brake\M', 'brake', 'i'), '\m(bb\d+\w*|bottom bracket)', 'bottombracket', 'gi') as plain_name
      ) as of_others
      -- Most names contain no known part, and this test is faster than splitting them into words.
      where type in ('Saddle', 'Pedals', 'Tires', 'Wheels')
        or lower(name) like any ('{%chain%,%cassette%,%freewheel%,%bb%,%bottom bracket%,%saddle%,%pedals%,%tire%,%tyre%,%wheel%,%pad%}')
    ) as named
    -- The part is named before a comma, bracket or preposition: "Speed sensor, rear wheel" is a sensor.
    cross join lateral unnest(regexp_split_to_array(
      regexp_replace(name, '\s*([,(/:;]|\s-\s|\m(at|by|for|from|in|of|on|per|to|with)\M).*$', '', 'i'), '\s+and\s+|\s*[&+]\s*', 'i'
    )) with ordinality as named_thing (thing, nth)
  )
  -- The first of "Chain and cassette".
  select distinct on (type, original) type, original as name, family as kind, case
      when not has_ends then null
      when words && '{front}' and words && '{rear,back}' or not words && '{front,rear,back}' and words && pair then 'both'
      when words && '{front}' then 'front'
      when words && '{rear,back}' then 'rear'
    end as "position"
  from things
  cross join lateral (
    -- The last word that isn't a brand or position: "Chain KMC X11" is a chain, "Chain wear gauge" is a gauge. A word that
    -- begins with a part is something else: saddlebag, chainstay, tirelever.
    select (array_agg(lower(word) order by spelled.nth desc))[1] as noun
    from unnest(string_to_array(thing, ' ')) with ordinality as spelled (word, nth)
    where lower(word) in (select unnest(nouns) from families)
      or word ~ '^[a-z]' and word <> all ('{front,rear,back,left,right,new,pair,set,both}')
      -- Two more letters, so a plural isn't a compound.
      or lower(word) like any ('{chain__%,handlebar__%,pedal__%,saddle__%,seat__%,tire__%,tyre__%,wheel__%}')
  ) as head
  join families on case
      when noun is null then type = of_type
      else noun = any (nouns) and (family <> 'brake pads' or type = 'Brakes' or words && '{brake,disc,disk}')
    end
  -- Exclude accessories, small parts, work and spares whose names mention a part. SRAM Guide is a brake.
  where not case family when 'brake pads' then array_remove(words, 'guide') else words end && '{
    adjusted,adjustment,axle,bag,basement,battery,bearing,bearings,bleed,bleeding,board,bolt,bolts,boot,breaker,cable,cables,caliper,calipers,catcher,
    check,checked,clamp,clean,cleaned,cleaning,cleat,cleats,cover,dropper,freehub,garage,gauge,guard,guide,housing,hub,hubs,innertube,innertubes,
    insert,inserts,jockey,keeper,left,lever,levers,light,lights,liner,liners,link,links,lockring,lube,lubed,magnet,mudguard,mudguards,nipple,nipples,
    nut,nuts,oil,oiled,patch,patched,pin,pins,plug,plugs,post,pouch,proofide,protector,pulley,pulleys,pump,rack,rebuild,rebuilt,reflector,
    reflectors,repair,repaired,right,rim,rims,rimtape,ring,rings,rotor,rotors,sealant,seatpost,sensor,service,serviced,shelf,skewer,skewers,spacer,
    spacers,spare,spoke,spokes,stand,stay,storage,strap,straps,tape,tensioner,toeclips,toestraps,tool,training,trued,truing,tube,tubes,tubolito,tug,
    tugs,tune,tuned,valve,valves,wash,washed,washer,washers,wax,waxed,whip,wrench}'
  order by type, original, nth
$$;
comment on function private.kinds_by_name() is
  'Guesses the kind and position of each type and name in the log and the journal, as version 1.0 did. The first of several kinds counts. No row: unknown.';
-- No grant, here and below: only the administrator upgrades and restores.

create function private.with_position(version jsonb, guesses jsonb, kinds jsonb) returns jsonb
language sql immutable security invoker set search_path = ''
as $$
  select version || jsonb_build_object(
    'position', case when guess ->> 'kind' = kinds ->> (version ->> 'part_id') then guess -> 'position' else 'null' end
  )
  from (select guesses -> concat(version ->> 'type', E'\n', version ->> 'name') as guess) as guessed
$$;
comment on function private.with_position(jsonb, jsonb, jsonb) is 'Adds the guessed position to an item, if its part is of the kind that its name says.';

create function private.fill_kinds_and_positions() returns void
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  guesses constant jsonb := (
    select coalesce(jsonb_object_agg(concat(type, E'\n', name), jsonb_build_object('kind', kind, 'position', "position")), '{}')
    from private.kinds_by_name()
  );
  -- A part has the kind of its latest item that has one. Parts whose items were deleted may come back with them.
  kinds constant jsonb := (
    select coalesce(jsonb_object_agg(part_id, kind), '{}') from (
      select distinct on (part_id) part_id, guesses -> concat(type, E'\n', name) -> 'kind' as kind
      from (
        select part_id, type, name, "dateStarted", id, true as is_there from public.maintenance
        union all
        select item.part_id, item.type, item.name, item."dateStarted", item.id, false
        from public.changes cross join lateral (values (before), (after)) as versions (version)
        cross join lateral jsonb_populate_record(null::public.maintenance, version) as item
        where relation = 'maintenance' and item.part_id is not null
      ) as items
      where guesses ? concat(type, E'\n', name)
      order by part_id, is_there desc, "dateStarted" desc, id desc
    ) as latest
  );
begin
  update public.parts set kind = kinds ->> id::text where kinds ? id::text;
  update public.maintenance as item set "position" = guessed."position"
  from (
    select id, private.with_position(to_jsonb(stored), guesses, kinds) ->> 'position' as "position" from public.maintenance as stored
  ) as guessed
  where guessed.id = item.id and guessed."position" is not null;

  -- What is undone or restored has them, too.
  update public.changes set before = private.with_position(before, guesses, kinds), after = private.with_position(after, guesses, kinds)
  where relation = 'maintenance';
  update public.changes set before = before || jsonb_build_object('kind', kinds -> row_id::text),
    after = after || jsonb_build_object('kind', kinds -> row_id::text)
  where relation = 'parts';
end
$$;
comment on function private.fill_kinds_and_positions() is 'Fills the kinds of parts and the positions of items of a log of version 1.0.';
