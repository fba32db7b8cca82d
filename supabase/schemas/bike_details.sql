-- What the owner knows of a bike, and its sale.

create function private.command_bike_details(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  bike constant bigint := private.bike_now((arguments ->> 'gear_id')::bigint);
  wanted constant jsonb := arguments -> 'wanted';
  stored constant bigint := (select id from public.bike_details where gear_id = bike);
  added jsonb;
begin
  perform private.reject_if((wanted ->> 'sold_on')::date > private.today(), 'RMT14', 'The day is in the future.');
  if stored is not null or wanted = '{}' then
    return private.edit_row('bike_details', stored, arguments -> 'shown', wanted);
  end if;
  insert into public.bike_details as details (gear_id, serial_number, size, color, sold_on, sold_for)
  select bike, serial_number, size, color, sold_on, sold_for from jsonb_populate_record(null::public.bike_details, wanted)
  returning to_jsonb(details) into added;
  return jsonb_build_object('row', added);
end
$$;
comment on function private.command_bike_details(jsonb) is
  'Edits the details of a bike: {gear_id, shown, wanted}. Returns what edit_row does. A bike whose sold_on is cleared is no longer sold.';
grant execute on function private.command_bike_details to authenticated;

create function private.command_sell_bike(arguments jsonb) returns jsonb
language plpgsql volatile security invoker set search_path = ''
as $$
declare
  bike constant bigint := private.bike_now((arguments ->> 'gear_id')::bigint);
  day constant date := coalesce((arguments ->> 'day')::date, private.today());
  along constant bigint[] := array(select jsonb_array_elements_text(arguments -> 'goes_along')::bigint);
  -- Planned ones, too.
  on_bike constant public.maintenance[] := array(
    select item from public.maintenance as item
    where "bikeId" = bike and coalesce("dateEnded" > greatest("dateStarted", private.wall_clock()), true)
  );
begin
  if exists (select from public.bike_details where gear_id = bike and sold_on is not null) then
    return private.refuse('RMT24', 'The bike is already sold.', null);
  end if;
  perform private.reject_if(
    exists (select from unnest(along) as part where part not in (select part_id from unnest(on_bike))),
    'PT422', 'goes_along: Send the ids of parts that are on the bike.'
  );
  insert into public.bike_details (gear_id, sold_on, sold_for) values (bike, day, (arguments ->> 'price')::numeric)
  on conflict (gear_id) do update set sold_on = excluded.sold_on, sold_for = excluded.sold_for;
  -- A part that was going to end ends now.
  update public.maintenance set "dateEnded" = null where id in (select id from unnest(on_bike) where "dateEnded" is not null);
  perform private.command_change_parts(jsonb_build_object('day', day, 'put_on', '[]'::jsonb, 'take_off', (
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'ended_as', case when part_id = any (along) then 'sold' else 'stored' end)), '[]')
    from unnest(on_bike)
  )));
  return jsonb_build_object(
    'sold', (select count(*) from unnest(on_bike) where part_id = any (along)),
    'stored', (select count(*) from unnest(on_bike) where part_id <> all (along))
  );
end
$$;
comment on function private.command_sell_bike(jsonb) is
  'Sells a bike, by default today: {gear_id, day, price, goes_along}. The parts in goes_along end as sold, the others as stored, and the bike counts as retired. Returns {sold, stored}: how many parts. The answer is 409 if the bike is already sold.';
grant execute on function private.command_sell_bike to authenticated;
