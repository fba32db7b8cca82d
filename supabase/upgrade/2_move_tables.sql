-- Moves the tables to other schemas and drops the tracker's functions, so the migrations run as in an empty database. Fails if
-- anything else depends on these functions.

-- Wait for running requests. Lock ride_syncs first, as each sync does, to avoid a deadlock.
lock table
  public.ride_syncs, public.rides, public.ride_changes, public.maintenance, public.parts, public.service_tasks,
  public.service_events, public.wear_measurements, public.dismissed_checks, public.log_changes, public.bikes,
  private.owner, private.calendar_feed, private.push_subscriptions, private.announced_tasks
in access exclusive mode;

-- Hosted Supabase owns auth.users, so its trigger can only be dropped by dropping the trigger's function.
drop function private.claim_ownership() cascade;

alter schema private rename to private_before_1_0;

create schema public_before_1_0;
alter table public.bikes set schema public_before_1_0;
alter table public.dismissed_checks set schema public_before_1_0;
alter table public.log_changes set schema public_before_1_0;
alter table public.maintenance set schema public_before_1_0;
alter table public.parts set schema public_before_1_0;
alter table public.ride_changes set schema public_before_1_0;
alter table public.ride_syncs set schema public_before_1_0;
alter table public.rides set schema public_before_1_0;
alter table public.service_events set schema public_before_1_0;
alter table public.service_tasks set schema public_before_1_0;
alter table public.wear_measurements set schema public_before_1_0;

drop function
  public.add_push_subscription(text, text, text), public.add_service_task(jsonb, date), public.backup_page(text, bigint),
  public.bike_timeline(bigint), public.calendar_feed(text, integer), public.change_part_day(jsonb), public.change_parts(jsonb),
  public.changes_of_sync(bigint, integer), public.claim_notification(), public.claim_rwgps_account(bigint, bigint, bigint[]),
  public.correct_service_event(bigint, date, numeric, text, bigint[]), public.finish_ride_sync(bigint, text, text), public.garage(),
  public.has_calendar_feed(), public.has_push_subscription(text), public.import_maintenance(jsonb), public.is_owner(),
  public.maintenance_use(bigint, date), public.mark_service_done(bigint, bigint, date, numeric, text), public.part_history(bigint),
  public.part_lifetimes(jsonb), public.part_wear(bigint), public.remove_missing_rides(bigint), public.remove_push_subscription(text),
  public.remove_push_subscriptions(text[]), public.remove_rides_except(bigint, bigint[], text), public.remove_service_event(bigint),
  public.remove_service_task(bigint), public.rename_items(jsonb), public.restore_log_change(uuid, boolean),
  public.restore_service(jsonb), public.ride_days(integer, bigint), public.service_due(bigint), public.service_history(bigint, bigint),
  public.set_calendar_token(text), public.set_time_zone(text), public.spending(date, date), public.stamp_calendar_feed(text, text),
  public.start_ride_sync(text), public.store_bikes(bigint, jsonb), public.store_rides(bigint, json, text[]), public.stored_parts(),
  public.switch_rwgps_account(), public.to_check(), public.trash(bigint), public.undo_change_parts(jsonb);

delete from supabase_migrations.schema_migrations;
