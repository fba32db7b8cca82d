import { type FetchPage, readList } from './read-list.ts'
import { ok, type Result } from './rwgps/result.ts'
import type { Ride } from './rwgps/ride.ts'
import type { TripPage } from './rwgps/trip-page.ts'

export interface RideSink {
  /** Stores rides not stored before in this run, and counts the rows set aside. */
  store(rides: Ride[], setAside: number): Promise<void>
  /** Whether there are other rides than the `stored` ones of this run. */
  holdsOthers(stored: number): Promise<boolean>
}

/**
 * Reads all rides into the sink. The value is the ids of every ride there is, if that is certain, so that others may be
 * removed; null if there is nothing to remove or any doubt.
 *
 * The list can move while it is read in pages: a trip deleted at its top makes another one slip through between two
 * pages, and one uploaded meanwhile can hide that from the count. So it is read a second time, and to its very end,
 * whenever the first reading does not add up or something would be removed; a ride is gone only if both missed it.
 */
export async function readRides(fetchPage: FetchPage, sink: RideSink): Promise<Result<number[] | null>> {
  const listed = new Set<number>()
  let stored = 0
  const isNew = (id: number) => !listed.has(id) && Boolean(listed.add(id))
  const keep = async (page: TripPage) => {
    const rides = page.rides.filter((ride) => isNew(ride.id))
    const setAside = page.unreadable.filter(isNew).length + page.nameless
    stored += rides.length
    if (rides.length + setAside > 0) await sink.store(rides, setAside)
  }

  const first = await readList(fetchPage, keep, { toTheEnd: false })
  if (!first.ok) return first
  const { whole, nameless } = first.value
  if (whole && (nameless > 0 || !(await sink.holdsOthers(stored)))) return ok(null)

  const second = await readList(fetchPage, (page) => keep({ ...page, nameless: 0 }), { toTheEnd: true })
  if (!second.ok) return second
  const certain = second.value.whole && nameless + second.value.nameless === 0
  return ok(certain ? [...listed] : null)
}
