-- Copies every row to the new tables, compares them, and drops the old tables.

do $copy$
declare
  -- Referenced tables come first.
  copied_tables constant text[] := array[
    'private.owner', 'private.calendar_feed', 'private.push_subscriptions', 'private.announced_tasks',
    'public.bikes', 'public.parts', 'public.maintenance', 'public.service_tasks', 'public.service_events',
    'public.wear_measurements', 'public.dismissed_checks', 'public.log_changes', 'public.rides', 'public.ride_syncs',
    'public.ride_changes'
  ];
  new_table text;
  old_table text;
  column_names text;
  is_different boolean;
  identity_column text;
begin
  foreach new_table in array copied_tables loop
    old_table := replace(new_table, '.', '_before_1_0.');
    select string_agg(quote_ident(attname), ', ' order by attnum) into column_names
    from pg_catalog.pg_attribute
    where attrelid = old_table::regclass and attnum > 0 and not attisdropped and attgenerated = '';

    -- Triggers would record the copied rows as changes.
    execute format('alter table %s disable trigger user', new_table);
    -- The migrations may have already added the owner.
    execute format('delete from %s', new_table);
    execute format('insert into %s (%s) overriding system value select %2$s from %s', new_table, column_names, old_table);
    execute format('alter table %s enable trigger user', new_table);

    execute format(
      $query$
        with old_rows as (
          select count(*) as number, sum(hashtextextended(row(%1$s)::text, 0)) as hash from %2$s
        ), new_rows as (
          select count(*) as number, sum(hashtextextended(row(%1$s)::text, 0)) as hash from %3$s
        )
        select old_rows is distinct from new_rows from old_rows, new_rows
      $query$, column_names, old_table, new_table
    ) into is_different;
    if is_different then
      raise exception 'the rows of % differ after copying them', new_table;
    end if;

    for identity_column in
      select attname from pg_catalog.pg_attribute where attrelid = old_table::regclass and attidentity <> ''
    loop
      execute format(
        'select setval(%L, last_value, is_called) from %s',
        pg_get_serial_sequence(new_table, identity_column), pg_get_serial_sequence(old_table, identity_column)
      );
    end loop;
  end loop;

  -- Without cascade, this fails if anything else uses the tables.
  execute 'drop table ' || replace(array_to_string(copied_tables, ', '), '.', '_before_1_0.');
end
$copy$;

drop function
  private_before_1_0.add_part(), private_before_1_0.add_push_subscription(text, text, text), private_before_1_0.changed_parts(jsonb),
  private_before_1_0.check_bikes_of_rides(), private_before_1_0.check_ends(), private_before_1_0.check_numbers(),
  private_before_1_0.check_parts(), private_before_1_0.check_same_rides(), private_before_1_0.check_service_day(bigint, date),
  private_before_1_0.claim_due_tasks(), private_before_1_0.claim_notification(), private_before_1_0.clear_blank_description(),
  private_before_1_0.clear_ended_as(), private_before_1_0.due_since(bigint, timestamp), private_before_1_0.forget_ride_changes(),
  private_before_1_0.hand_over_tasks(bigint, bigint), private_before_1_0.has_calendar_feed(),
  private_before_1_0.has_push_subscription(text), private_before_1_0.is_anonymous(jsonb), private_before_1_0.is_owner(),
  private_before_1_0.item_usage(bigint, bigint[], timestamp), private_before_1_0.known_time_zone(text),
  private_before_1_0.link_service_event(), private_before_1_0.log_change_states(uuid[]), private_before_1_0.mark_listed_bikes(jsonb),
  private_before_1_0.name_period_in_the_way(), private_before_1_0.part_changes(bigint), private_before_1_0.period_usage(bigint[]),
  private_before_1_0.read_calendar_feed(text, integer), private_before_1_0.record_log_changes(),
  private_before_1_0.record_ride_changes(), private_before_1_0.remove_missing_rides(bigint),
  private_before_1_0.remove_push_subscription(text), private_before_1_0.remove_push_subscriptions(text[]),
  private_before_1_0.request_ride_refresh(), private_before_1_0.ride_change(bigint, bigint),
  private_before_1_0.ride_refresh_obstacle(), private_before_1_0.schedule_ride_refresh(text), private_before_1_0.schema_version(),
  private_before_1_0.service_time(date), private_before_1_0.set_calendar_token(text),
  private_before_1_0.set_service_cost(bigint, numeric), private_before_1_0.set_time_zone(text),
  private_before_1_0.stamp_calendar_feed(text, text), private_before_1_0.switch_rwgps_account(), private_before_1_0.today(),
  private_before_1_0.unschedule_ride_refresh(), private_before_1_0.wall_clock();
drop schema public_before_1_0, private_before_1_0;
