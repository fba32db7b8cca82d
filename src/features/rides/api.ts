import type { Tables } from '../../../supabase/database.types.ts'
import { dataOf } from '../../lib/answers.ts'
import type { Client } from '../../lib/backend.ts'

const COLUMNS =
  'id, name, gear_id, started_at, distance, duration, moving_time, max_speed, avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, highlighted_photo_id, has_map'

export type Ride = Pick<
  Tables<'rides'>,
  | 'id'
  | 'name'
  | 'gear_id'
  | 'started_at'
  | 'distance'
  | 'duration'
  | 'moving_time'
  | 'max_speed'
  | 'avg_speed'
  | 'avg_hr'
  | 'max_hr'
  | 'avg_watts'
  | 'max_watts'
  | 'avg_cad'
  | 'elevation_gain'
  | 'highlighted_photo_id'
  | 'has_map'
>

/** A bike's gear_id, every ride, or the rides with no gear or one that is not among the bikes. */
export type Gear = number | 'all' | { noneOf: readonly number[] }

/** What the data API gives at most in one answer. */
const PAGE = 1000

/** All rides of a gear: the first page tells how many there are, the others are read side by side. */
export async function readRides(client: Client, gear: Gear, signal: AbortSignal): Promise<Ride[]> {
  const first = await readPage(client, gear, 0, signal)
  const total = first.count ?? first.rides.length
  const size = first.rides.length
  const starts =
    size === 0 ? [] : Array.from({ length: Math.ceil(total / size) - 1 }, (_, i) => (i + 1) * size)
  const others = await Promise.all(starts.map((start) => readPage(client, gear, start, signal)))
  // An update between two pages may move a ride from one to the next: each counts once.
  const byId = new Map([first, ...others].flatMap((page) => page.rides).map((ride) => [ride.id, ride]))
  return [...byId.values()]
}

async function readPage(client: Client, gear: Gear, start: number, signal: AbortSignal) {
  const counted = start === 0 ? ({ count: 'exact' } as const) : {}
  let query = client.from('rides').select(COLUMNS, counted)
  if (typeof gear === 'number') query = query.eq('gear_id', gear)
  else if (gear !== 'all') query = query.or(`gear_id.is.null,gear_id.not.in.(${gear.noneOf.join(',')})`)
  const answer = await query
    .order('id')
    .range(start, start + PAGE - 1)
    .abortSignal(signal)
  const rides: Ride[] = dataOf(answer)
  return { rides, count: answer.count }
}
