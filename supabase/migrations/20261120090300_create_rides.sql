-- Rides: the trips of the Ride with GPS account, as it tells them.

-- What usage is computed from comes first and has a fixed width: PostgreSQL reads a row from its front.
create table public.rides (
  id bigint primary key,
  -- No foreign key: rides of retired, unknown or no gear are kept, and count again once the gear is known.
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
  has_map boolean not null default false
);
comment on table public.rides is 'A row per trip at Ride with GPS, written by update-rides alone.';
comment on column public.rides.id is 'The trip''s id at Ride with GPS.';
comment on column public.rides.gear_id is 'The gear that the trip was ridden on, as the owner assigned it there; null: none.';
comment on column public.rides.created_at is 'When it was uploaded, which may be years after the ride.';
comment on column public.rides.departed_at is 'When it began.';
comment on column public.rides.time_zone is
  'IANA name of the zone it was ridden in: the trip''s own, else the user''s, else UTC. update-rides resolves it, since an unknown name would be an error here.';
comment on column public.rides.distance is 'Metres. Numeric, so that sums agree everywhere to the last digit.';
comment on column public.rides.duration is 'Seconds from start to end.';
comment on column public.rides.moving_time is 'Seconds in motion.';
comment on column public.rides.max_speed is 'km/h.';
comment on column public.rides.avg_speed is 'km/h.';
comment on column public.rides.avg_watts is 'Watts; estimated by Ride with GPS where max_watts is null.';
comment on column public.rides.elevation_gain is 'Metres.';
comment on column public.rides.highlighted_photo_id is 'Null: no photo (Ride with GPS says 0).';
comment on column public.rides.is_stationary is 'Ridden on a trainer.';
comment on column public.rides.has_map is 'Whether it has a track, so that a map picture exists.';
comment on column public.rides.started_at is 'The wall clock at the start, where it was ridden; what a part''s dates are compared with.';

-- For the rides of a bike in the order of their start: the ride list and the usage of parts.
create index rides_gear_started_idx on public.rides (gear_id, started_at);

alter table public.rides enable row level security;
revoke all on public.rides from public, anon, authenticated, service_role;

create policy "The owner reads the rides" on public.rides
for select to authenticated using ((select private.is_owner()));

grant select on public.rides to authenticated;
-- No insert, update or delete for authenticated: a ride is corrected at Ride with GPS, and the next refresh brings it.
-- anon: nothing.

grant select, insert, update, delete on public.rides to service_role;
