export function trip(id: number, fields: object = {}): object {
  return {
    id,
    name: `Ride ${id}`,
    gear_id: 1 + (id % 3),
    created_at: '2026-02-18T04:09:43Z',
    departed_at: '2026-02-17T23:27:00Z',
    updated_at: '2026-02-18T04:10:59Z',
    time_zone: 'America/New_York',
    utc_offset: -18000,
    distance: 20_000 + id + 0.4,
    duration: 3700,
    moving_time: 3600,
    max_speed: 42.326,
    avg_speed: 16.0709,
    avg_hr: 136,
    max_hr: 178,
    avg_watts: 209.939,
    max_watts: null,
    avg_cad: null,
    elevation_gain: 686.459,
    highlighted_photo_id: 0,
    is_stationary: false,
    is_gps: true,
    first_lat: 33.8,
    ...fields,
  }
}

/** Returns trips with the ids from `newest` down to `oldest`, in list order. */
export function trips(newest: number, oldest = 1): object[] {
  return Array.from({ length: newest - oldest + 1 }, (_, index) => trip(newest - index))
}

export const idsTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
