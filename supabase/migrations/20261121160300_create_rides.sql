-- Rides: the trips of the Ride with GPS account.

-- The columns that usage needs come first and have a fixed width, because PostgreSQL reads a row from its start.
create table public.rides (
  id bigint primary key,
  -- No foreign key: rides of retired or unknown gear are stored too, and count as soon as the gear is known.
  gear_id bigint,
  started_at timestamp generated always as (timezone(time_zone, coalesce(departed_at, created_at))) stored,
  departed_at timestamptz,
  created_at timestamptz,
  duration integer,
  moving_time integer,
  distance numeric,
  name text,
  time_zone text not null default 'UTC',
  updated_at timestamptz,
  max_speed numeric,
  avg_speed numeric,
  avg_hr numeric,
  max_hr numeric,
  avg_watts numeric,
  max_watts numeric,
  avg_cad numeric,
  elevation_gain numeric,
  highlighted_photo_id bigint,
  is_stationary boolean not null default false,
  has_map boolean not null default false,
  missed_by bigint
);
comment on table public.rides is 'The trips on Ride with GPS. Only update-rides writes them.';
comment on column public.rides.id is 'The trip''s id on Ride with GPS.';
comment on column public.rides.gear_id is 'The gear the owner assigned on Ride with GPS. Null: none.';
comment on column public.rides.started_at is
  'Wall clock time where the ride started. Usage compares it with the dates of an item.';
comment on column public.rides.departed_at is 'When the ride started.';
comment on column public.rides.created_at is 'When the trip was uploaded, which may be years after the ride.';
comment on column public.rides.duration is 'Seconds from start to end.';
comment on column public.rides.moving_time is 'Seconds in motion.';
comment on column public.rides.distance is 'Meters. Numeric, so sums are exact.';
comment on column public.rides.time_zone is
  'IANA name: the trip''s own zone, else the user''s, else UTC. started_at fails on a name that PostgreSQL does not know.';
comment on column public.rides.max_speed is 'km/h.';
comment on column public.rides.avg_speed is 'km/h.';
comment on column public.rides.avg_watts is 'Watts. Estimated by Ride with GPS if max_watts is null.';
comment on column public.rides.elevation_gain is 'Meters.';
comment on column public.rides.highlighted_photo_id is 'Null: no photo (Ride with GPS sends 0).';
comment on column public.rides.is_stationary is 'Whether this is an indoor ride on a trainer.';
comment on column public.rides.has_map is 'Whether the trip has a track, and therefore a map image.';
comment on column public.rides.missed_by is
  'The first of the latest consecutive syncs whose list lacked this ride. Null: the latest list has it.';

-- Rides of a bike by start: for the ride list and for usage.
create index rides_gear_started_idx on public.rides (gear_id, started_at);
-- Every sync looks for missing rides, and there are rarely any.
create index rides_missed_idx on public.rides (missed_by) where missed_by is not null;

alter table public.rides enable row level security;
revoke all on public.rides from public, anon, authenticated, service_role;

create policy "The owner reads the rides" on public.rides
for select to authenticated using ((select private.is_owner()));

grant select on public.rides to authenticated;
-- No insert, update or delete for authenticated: rides are edited on Ride with GPS and updated here by the next sync.
-- Nothing for anon.

grant select, insert, update, delete on public.rides to service_role;
