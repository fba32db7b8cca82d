import { ok, type Result } from './rwgps/result.ts'
import type { TripPage } from './rwgps/trip-page.ts'

/** Gets the rows from an offset on. */
export type FetchPage = (offset: number) => Promise<Result<TripPage>>

/** The result of reading the trip list once, from its top. */
export interface Reading {
  /** Every trip that the server counts was seen, and its count did not change while reading. */
  isComplete: boolean
  /** The server sent a count that is not a number. */
  isCountUnreadable: boolean
  /** Rows without an id: nobody can say which trips they stand for. */
  nameless: number
}

/**
 * Reads the list page by page and hands each page on as it arrives; the next one is on its way meanwhile.
 *
 * It goes on by the number of rows received, since a server may send fewer than it was asked for, and ends with a page
 * that brings no trip not seen before: an empty one, one past the end, or the same one again from a server that knows
 * no offset. Unless `toTheEnd` is set, it spares that last request once it has as many trips as the server counts.
 */
export async function readList(
  fetchPage: FetchPage,
  handOn: (page: TripPage) => Promise<void>,
  { toTheEnd }: { toTheEnd: boolean },
): Promise<Result<Reading>> {
  const ids = new Set<number>()
  const totals = new Set<TripPage['total']>()
  let nameless = 0
  let offset = 0
  let next = fetchPage(offset)
  for (;;) {
    const answer = await next
    if (!answer.ok) return answer
    const page = answer.value

    const before = ids.size
    for (const ride of page.rides) ids.add(ride.id)
    for (const { id } of page.skipped) {
      if (id === null) nameless += 1
      else ids.add(id)
    }
    totals.add(page.total)
    const collected = ids.size + nameless
    const ended = ids.size === before || (!toTheEnd && collected === page.total)

    offset += page.rows
    if (!ended) next = fetchPage(offset)
    await handOn(page)
    if (ended) {
      return ok({
        isComplete: addsUp(totals, collected),
        isCountUnreadable: totals.has('unreadable'),
        nameless,
      })
    }
  }
}

// Without any count, the list's own end has to do.
function addsUp(totals: ReadonlySet<TripPage['total']>, collected: number): boolean {
  const counts = [...totals].filter((total) => typeof total === 'number')
  return counts.length <= 1 && counts.every((count) => collected >= count)
}
