import { ok, type Result } from './rwgps/result.ts'
import type { Ride, SkippedRow, TripPage } from './rwgps/trip-page.ts'

/** Fetches the rows from an offset on. */
export type FetchPage = (offset: number) => Promise<Result<TripPage>>

/** Where the rides of a list go. */
export interface RideSink {
  /** Stores rides and records skipped rows. Each is passed only once per sync. */
  store(rides: Ride[], skipped: SkippedRow[]): Promise<void>
  /** Whether there are more rides than the `stored` ones of this sync. */
  hasOtherRides(stored: number): Promise<boolean>
}

/** Why missing rides may still exist. The last two prove that the list is incomplete. */
export type ListDoubt = 'unreadable_count' | 'wrong_count' | 'rows_without_id'

/** The ids of all rides in the list. */
export interface ListedRides {
  ids: number[]
  doubt: ListDoubt | null
}

/**
 * Reads all rides into the sink. Returns the listed rides if others may need to be removed, or null if there are no others.
 *
 * The list can shift while it is read in pages: if a trip at its top is deleted, another one slips through between two pages,
 * and if one is uploaded at the same time, the count doesn't show it. So if the first pass doesn't add up or rides would be
 * removed, the list is read again to its end. Only rides that both passes missed count as missing.
 */
export async function readRides(fetchPage: FetchPage, sink: RideSink): Promise<Result<ListedRides | null>> {
  const ids = new Set<number>()
  let stored = 0
  const isNew = (id: number) => !ids.has(id) && Boolean(ids.add(id))
  const storePage = (isFirstPass: boolean) => async (page: TripPage) => {
    const rides = page.rides.filter((ride) => isNew(ride.id))
    const skipped = page.skipped.filter(({ id }) => (id === null ? isFirstPass : isNew(id)))
    stored += rides.length
    if (rides.length + skipped.length > 0) await sink.store(rides, skipped)
  }
  const listed = (doubt: ListDoubt | null) => ok({ ids: [...ids], doubt })

  const first = await readPages(fetchPage, storePage(true), { toTheEnd: false })
  if (!first.ok) return first
  const { isComplete, rowsWithoutId } = first.value
  if (isComplete && !(await sink.hasOtherRides(stored))) return ok(null)
  if (isComplete && rowsWithoutId > 0) return listed('rows_without_id')

  const second = await readPages(fetchPage, storePage(false), { toTheEnd: true })
  if (!second.ok) return second
  if (!second.value.isComplete) return listed('wrong_count')
  if (rowsWithoutId + second.value.rowsWithoutId > 0) return listed('rows_without_id')
  return listed(first.value.isCountUnreadable || second.value.isCountUnreadable ? 'unreadable_count' : null)
}

/** Reads the ids of all rides in the list without storing anything. */
export async function readIds(fetchPage: FetchPage): Promise<Result<number[]>> {
  const ids = new Set<number>()
  const collect = ({ rides, skipped }: TripPage) => {
    for (const { id } of [...rides, ...skipped]) if (id !== null) ids.add(id)
    return Promise.resolve()
  }
  const pass = await readPages(fetchPage, collect, { toTheEnd: false })
  return pass.ok ? ok([...ids]) : pass
}

/** The result of one pass over the list. */
export interface ListPass {
  /** Every trip in the server's count was seen, and the count didn't change. */
  isComplete: boolean
  /** The server sent a count that is not a number. */
  isCountUnreadable: boolean
  rowsWithoutId: number
}

/**
 * Reads the list page by page and passes each page to `onPage` while the next one loads.
 *
 * The next offset is the number of rows received, because a server may send fewer than requested. A page without new trips
 * ends the list: an empty page, one past the end, or a repeated one from a server that ignores the offset. Unless `toTheEnd`
 * is set, reading also ends once there are as many trips as the server counts, which saves the last request.
 */
export async function readPages(
  fetchPage: FetchPage,
  onPage: (page: TripPage) => Promise<void>,
  { toTheEnd }: { toTheEnd: boolean },
): Promise<Result<ListPass>> {
  const ids = new Set<number>()
  const totals = new Set<TripPage['total']>()
  let rowsWithoutId = 0
  let offset = 0
  let next = fetchPage(offset)
  for (;;) {
    const fetched = await next
    if (!fetched.ok) return fetched
    const page = fetched.value

    const before = ids.size
    for (const ride of page.rides) ids.add(ride.id)
    for (const { id } of page.skipped) {
      if (id === null) rowsWithoutId += 1
      else ids.add(id)
    }
    totals.add(page.total)
    const collected = ids.size + rowsWithoutId
    const ended = ids.size === before || (!toTheEnd && collected === page.total)

    offset += page.rows
    if (!ended) next = fetchPage(offset)
    await onPage(page)
    if (ended) {
      return ok({
        isComplete: matchesCount(totals, collected),
        isCountUnreadable: totals.has('unreadable'),
        rowsWithoutId,
      })
    }
  }
}

// A list without a count is complete when it ends.
function matchesCount(totals: ReadonlySet<TripPage['total']>, collected: number): boolean {
  const counts = [...totals].filter((total) => typeof total === 'number')
  return counts.length <= 1 && counts.every((count) => collected >= count)
}
