import type { Tables } from '../../../supabase/database.types.ts'
import { unwrap } from '../../lib/errors.ts'
import { MEASURE_KEYS } from '../../lib/measures.ts'
import type { Client } from '../../lib/backend.ts'

const COLUMNS =
  `id, name, gear_id, started_at, departed_at, created_at, highlighted_photo_id, has_map, ${joined(MEASURE_KEYS)}` as const

export type Ride = Pick<Tables<'rides'>, Names<typeof COLUMNS>>

type Names<List extends string> = List extends `${infer Name}, ${infer Rest}` ? Name | Names<Rest> : List

/** Joins column names so that their type is kept, from which the client infers the type of a row. */
function joined<const Names extends readonly string[]>(names: Names): Joined<Names> {
  return names.join(', ') as Joined<Names>
}

type Joined<Names extends readonly string[]> = Names extends readonly [
  infer Name extends string,
  ...infer Rest extends readonly string[],
]
  ? Rest extends readonly []
    ? Name
    : `${Name}, ${Joined<Rest>}`
  : ''

/** The ids that a bike's rides carry, all rides, or only rides whose gear is missing or not in `noneOf`. */
export type Gear = readonly number[] | 'all' | { noneOf: readonly number[] }

export type Rides = { rides: Ride[]; total: number }

/** The maximum number of rows per data API response. */
const PAGE = 1000

/**
 * Reads all of a gear's rides. The first page includes the total and can be shown immediately; the other pages are read in
 * parallel. Both promises reject with an AppError.
 */
export function readRides(
  client: Client,
  gear: Gear,
  signal: AbortSignal,
): { first: Promise<Rides>; all: Promise<Rides> } {
  const page = (start: number) => readPage(client, gear, start, signal)
  const first = page(0)
  return { first, all: first.then((rides) => readOthers(rides, page)) }
}

async function readOthers(first: Rides, page: (start: number) => Promise<Rides>): Promise<Rides> {
  const size = first.rides.length
  const count = size === 0 ? 0 : Math.ceil(first.total / size) - 1
  const others = await Promise.all(Array.from({ length: count }, (_, i) => page((i + 1) * size)))
  // A sync between two requests may move a ride to another page, so remove duplicates.
  const byId = new Map([first, ...others].flatMap(({ rides }) => rides).map((ride) => [ride.id, ride]))
  return { rides: [...byId.values()], total: byId.size }
}

const isIds = (gear: Gear): gear is readonly number[] => Array.isArray(gear)

async function readPage(client: Client, gear: Gear, start: number, signal: AbortSignal): Promise<Rides> {
  const options = start === 0 ? ({ count: 'exact' } as const) : {}
  let query = client.from('rides').select(COLUMNS, options)
  if (isIds(gear)) query = query.in('gear_id', gear)
  else if (gear !== 'all') query = query.or(`gear_id.is.null,gear_id.not.in.(${gear.noneOf.join(',')})`)
  const response = await query
    .order('id')
    .range(start, start + PAGE - 1)
    .abortSignal(signal)
  const rides: Ride[] = unwrap(response)
  return { rides, total: response.count ?? rides.length }
}
