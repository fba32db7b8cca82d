import { type FetchPage, readList } from './read-list.ts'
import { ok, type Result } from './rwgps/result.ts'
import type { Ride } from './rwgps/ride.ts'
import type { SkippedRow, TripPage } from './rwgps/trip-page.ts'

export interface RideSink {
  /** Stores rides not stored before in this sync, and records the skipped rows. */
  store(rides: Ride[], skipped: SkippedRow[]): Promise<void>
  /** Whether there are other rides than the `stored` ones of this sync. */
  holdsOthers(stored: number): Promise<boolean>
}

/** What speaks against removing the rides that a list lacks: the last two prove that it is not the complete list. */
export type ListDoubt = 'unreadable_count' | 'wrong_count' | 'rows_without_id'

/** The ids of every ride in the list. */
export interface Listed {
  ids: number[]
  doubt: ListDoubt | null
}

/**
 * Reads all rides into the sink. The value is what was listed, so that other rides may be removed; null if there are none.
 *
 * The list can move while it is read in pages: a trip deleted at its top makes another one slip through between two
 * pages, and one uploaded in the meantime can hide that from the count. So the list is read a second time, to its very
 * end, whenever the first reading does not add up or something would be removed; a ride is missing only if both missed it.
 */
export async function readRides(fetchPage: FetchPage, sink: RideSink): Promise<Result<Listed | null>> {
  const ids = new Set<number>()
  let stored = 0
  const isNew = (id: number) => !ids.has(id) && Boolean(ids.add(id))
  const keepFrom = (isFirst: boolean) => async (page: TripPage) => {
    const rides = page.rides.filter((ride) => isNew(ride.id))
    const skipped = page.skipped.filter(({ id }) => (id === null ? isFirst : isNew(id)))
    stored += rides.length
    if (rides.length + skipped.length > 0) await sink.store(rides, skipped)
  }
  const listed = (doubt: ListDoubt | null) => ok({ ids: [...ids], doubt })

  const first = await readList(fetchPage, keepFrom(true), { toTheEnd: false })
  if (!first.ok) return first
  const { isComplete, nameless } = first.value
  if (isComplete && !(await sink.holdsOthers(stored))) return ok(null)
  if (isComplete && nameless > 0) return listed('rows_without_id')

  const second = await readList(fetchPage, keepFrom(false), { toTheEnd: true })
  if (!second.ok) return second
  if (!second.value.isComplete) return listed('wrong_count')
  if (nameless + second.value.nameless > 0) return listed('rows_without_id')
  return listed(first.value.isCountUnreadable || second.value.isCountUnreadable ? 'unreadable_count' : null)
}

/** The ids of all rides in the list, stored nowhere. */
export async function readIds(fetchPage: FetchPage): Promise<Result<number[]>> {
  const ids = new Set<number>()
  const collect = ({ rides, skipped }: TripPage) => {
    for (const { id } of [...rides, ...skipped]) if (id !== null) ids.add(id)
    return Promise.resolve()
  }
  const reading = await readList(fetchPage, collect, { toTheEnd: false })
  return reading.ok ? ok([...ids]) : reading
}
