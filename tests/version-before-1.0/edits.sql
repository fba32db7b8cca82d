-- Edits to every table of the version before 1.0. The account already exists.
set timezone = 'UTC';

update private.owner set time_zone = 'America/Los_Angeles';
insert into private.calendar_feed (token_hash, content_hash, revision, changed_at)
values ('\x01ff', '\x02', 3, '2026-06-01 12:00:00.123456+00');
insert into private.push_subscriptions (endpoint, p256dh, auth, added_at)
values ('https://fcm.googleapis.com/fcm/send/1', 'B' || repeat('a', 86), repeat('b', 22), '2026-06-02 12:00:00+00');
insert into private.announced_tasks (task_id, announced_for)
values (1, '{"baseline": "2026-01-01T01:00:00", "every": [160900.0, null, 30]}'), (99, '{"baseline": null}');

insert into public.bikes (gear_id, name, is_listed, brand, model, is_retired) values
  (9007199254740991, 'Großes "Rad" ''s 🚲', true, 'Surly', null, false), (1, 'Road', true, 'Trek', 'Émonda', false), (2, 'Sold', false, null, null, true);

-- A sync without recorded changes, because every ride is new.
insert into public.ride_syncs (started_at, finished_at, triggered_by, outcome, fetched, added, set_aside, skipped_rows, rwgps_user_id)
values ('2026-06-01 08:00:00+00', '2026-06-01 08:00:05+00', 'owner', 'ok', 5, 4, 1, '17 departed_at', 4711);
insert into public.rides (
  id, gear_id, departed_at, created_at, duration, moving_time, distance, name, time_zone, updated_at, max_speed, avg_speed, avg_hr, max_hr,
  avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, is_stationary, has_map, missed_by
) values
  (11, 1, '2026-01-01 23:30:00-11', '2026-01-03 00:30:00+00', 4000, 3600, 31234.1234567890120, 'Kathmandu', 'Asia/Kathmandu',
    '2026-01-04 00:00:00+00', 61.3, 24.10, 130, 171, 150.5, 600, 81, 432.10, 12345, false, true, null),
  (12, 1, null, '2026-02-01 10:00:00+00', 60, null, 0.10, null, 'UTC', null, null, null, null, null, -0.50, null, null, null, null, true, false, null),
  (13, null, null, null, null, null, null, null, 'UTC', null, null, null, null, null, 1e-20, null, null, null, null, false, false, null),
  (14, 9007199254740991, '2026-03-01 10:00:00+00', null, 7200, 7000, 50000, 'Gone', 'America/Los_Angeles', null, null, null, null, null,
    null, null, null, null, null, false, true, 1);
insert into public.ride_syncs (started_at, finished_at, triggered_by, outcome, code)
values ('2026-06-02 08:00:00+00', '2026-06-02 08:00:15+00', 'schedule', 'failed', 'rwgps_timeout');
-- A sync that changes, adds and removes a ride.
insert into public.ride_syncs (started_at, triggered_by, rwgps_user_id) values (now(), 'schedule', 4711);
update public.rides set distance = 31300.5, gear_id = 9007199254740991 where id = 11;
insert into public.rides (id, gear_id, departed_at, distance, moving_time, duration) values (15, 1, '2026-05-01 10:00:00+00', 1609, 300, 301);
delete from public.rides where id = 13;
update public.ride_syncs set finished_at = now(), outcome = 'ok', fetched = 4, added = 1, changed = 1, removed = 1, waiting = 1,
  doubt = 'many_missing', waiting_from = 1 where outcome = 'running';

insert into public.maintenance ("bikeId", type, name, description, cost, "dateStarted", "dateEnded", ended_as, request_key) values
  (1, 'Drivetrain', 'Chain', E'Two\nlines', 45.10, '2026-01-01 01:00:00', '2026-03-01 01:00:00.123456', 'worn', '00000000-0000-4000-8000-000000000001'),
  (1, 'Tires', 'Tire', null, 60, '2025-01-01 01:00:00', '2026-02-01 01:00:00', 'moved', null),
  (1, null, 'Refund', '', -9999999999.99, '1900-01-01', '1900-01-01', null, null),
  (2, 'Frame', 'Frame', null, 0, '2020-05-05 01:00:00', null, null, null);
-- The tire moves to another bike. A replacement chain follows below.
insert into public.maintenance ("bikeId", type, name, "dateStarted", part_id)
values (9007199254740991, 'Tires', 'Tire', '2026-02-01 01:00:00', 2);
insert into public.service_tasks (part_id, gear_id, name, kind, every_distance, every_moving_time, every_days, snoozed_until, snoozed_distance, snoozed_from) values
  (1, null, 'Wax', 'service', 321800.5, null, 30, '2026-06-10', null, '2026-05-01 01:00:00'),
  (null, 1, 'Check the bolts', 'check', null, 36000, null, null, 1000.25, '2026-05-01 01:00:00');
insert into public.maintenance ("bikeId", type, name, cost, "dateStarted") values (1, 'Drivetrain', 'Chain', 45.20, '2026-03-01 01:00:00.123456');
update public.service_tasks set part_id = 5 where id = 1;
insert into public.maintenance ("bikeId", name, cost, "dateStarted", "dateEnded", request_key)
values (1, 'Wax', 3.5, '2026-05-01 01:00:00', '2026-05-01 01:00:00', '00000000-0000-4000-8000-000000000002');
insert into public.service_events (task_id, part_id, done_at, note, maintenance_id, request_key) values
  (1, 1, '2026-02-01 01:00:00', 'Cold', null, default), (1, 5, '2026-05-01 01:00:00', null, 7, '00000000-0000-4000-8000-000000000002'),
  (2, null, '2026-05-02 17:03:04.5', '', null, default);
insert into public.wear_measurements (part_id, measured_on, value, reading, unit, tool, "limit", note, request_key) values
  (1, '2026-02-20', 0.50, null, 'chain %', 'Shimano TL-CN42', 0.75, 'Almost', '00000000-0000-4000-8000-000000000003'),
  (5, '2026-05-20', null, 'under', 'chain %', '', null, null, null);
insert into public.dismissed_checks (key, dismissed_at) values ('numbers:12:0.10', '2026-06-03 00:00:00+00');

-- The trash: an edit and a deletion. Deleted rows' ids must not be reused.
update public.maintenance set description = 'Two chains' where id = 1;
insert into public.maintenance ("bikeId", name) values (2, 'Bell');
delete from public.maintenance where name = 'Bell';
insert into public.dismissed_checks (key) values ('gone');
delete from public.dismissed_checks where key = 'gone';
insert into public.parts default values;
