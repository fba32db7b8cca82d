import type { Outing } from './outing.ts'
import type { Random } from './random.ts'
import type { Trip } from './types.ts'

type Track = Pick<
  Trip,
  | 'is_gps'
  | 'first_lat'
  | 'first_lng'
  | 'last_lat'
  | 'last_lng'
  | 'sw_lat'
  | 'sw_lng'
  | 'ne_lat'
  | 'ne_lng'
  | 'track_type'
>

/** Without a track the service turns the box inside out. */
export const NO_TRACK: Track = {
  is_gps: false,
  first_lat: null,
  first_lng: null,
  last_lat: null,
  last_lng: null,
  sw_lat: 90,
  sw_lng: 180,
  ne_lat: -90,
  ne_lng: -180,
  track_type: 'loop',
}

/** Whether there is a track to draw on a map; `is_gps` alone does not tell. */
export const hasTrack = (trip: Pick<Trip, 'first_lat'>): boolean => trip.first_lat !== null

/** Where the ride began and ended, and the box that holds it. */
export function trackOf({ kind, place, to, kilometres }: Outing, random: Random): Track {
  // Now and then the service believes that a trainer has been somewhere.
  if (kind === 'trainer') return { ...NO_TRACK, is_gps: random.chance(0.04) }
  const loop = !to && random.chance(0.75)
  const first = near(place, random)
  const last = near(to ?? place, random)
  const heading = random.between(0, 2 * Math.PI)
  // A round trip reaches about a third of its length away, a one-way ride hardly leaves its line.
  const reach = kilometres * (to ? 0.05 : loop ? random.between(0.22, 0.3) : random.between(0.36, 0.46))
  const corners = [first, last, move(first, heading, reach), move(first, heading + 0.9, reach * 0.7)]
  const latitudes = corners.map((corner) => corner.lat)
  const longitudes = corners.map((corner) => corner.lng)
  return {
    is_gps: true,
    first_lat: first.lat,
    first_lng: first.lng,
    last_lat: last.lat,
    last_lng: last.lng,
    sw_lat: Math.min(...latitudes),
    sw_lng: Math.min(...longitudes),
    ne_lat: Math.max(...latitudes),
    ne_lng: Math.max(...longitudes),
    track_type: to ? 'point_to_point' : loop ? 'loop' : 'out_and_back',
  }
}

interface Point {
  lat: number
  lng: number
}

const near = (point: Point, random: Random): Point => move(point, random.between(0, 2 * Math.PI), 0.2)

const KILOMETRES_PER_DEGREE = 111.32

function move({ lat, lng }: Point, heading: number, kilometres: number): Point {
  const degrees = kilometres / KILOMETRES_PER_DEGREE
  return {
    lat: fiveDecimals(lat + degrees * Math.cos(heading)),
    lng: fiveDecimals(lng + (degrees * Math.sin(heading)) / Math.cos((lat * Math.PI) / 180)),
  }
}

const fiveDecimals = (value: number) => Math.round(value * 1e5) / 1e5
