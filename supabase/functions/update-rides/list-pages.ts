import { setTimeout as sleep } from 'node:timers/promises'
import { ok, type Result } from './rwgps/result.ts'
import type { Row, TripPage } from './rwgps/trip-page.ts'

/** Fetches rows starting at `offset`, by default as many as possible. */
export type FetchPage = (offset: number, limit?: number) => Promise<Result<TripPage>>

export interface ListPass {
  /** Whether the list matches the server's count and didn't shift during the pass. */
  isComplete: boolean
  count: 'readable' | 'unreadable' | 'none'
  rowsWithoutId: number
}

/**
 * Reads the list page by page and passes each page's rows to `onPage` while the next one loads.
 *
 * Deleted or uploaded trips shift the list, so each page starts with the last row of the page before. If that row is
 * missing, other rows may be missing, too. After several pages, the first row is read again, because an upload and a
 * deletion between two pages may change neither the count nor later rows.
 *
 * The next offset depends on the number of rows received, because a server may send fewer than requested. A page without new
 * trips ends the list. Reaching the server's count also ends it, if the count is at most `trusted`, which saves the last
 * request.
 */
export async function readPages(
  fetchPage: FetchPage,
  onPage: (rows: Row[]) => Promise<void>,
  trusted = -1,
): Promise<Result<ListPass>> {
  const seen: Seen = { ids: new Set(), rowsWithoutId: 0, totals: new Set() }
  let first: number | null | undefined
  let pagesWithNewTrips = 0
  let hasShifted = false
  let request: PageRequest | null = { offset: 0, startsWith: null }
  let next = fetchPage(request.offset)
  while (request) {
    const fetched = await next
    if (!fetched.ok) return fetched
    const page = fetched.value
    const { ids, total } = page
    if (request.offset === 0) first = ids[0]
    if (request.startsWith !== null && !ids.includes(request.startsWith)) hasShifted = true
    const before = seen.ids.size
    for (const id of ids) {
      if (id === null) seen.rowsWithoutId += 1
      else seen.ids.add(id)
    }
    seen.totals.add(total)
    const hasNewTrips = seen.ids.size > before
    if (hasNewTrips) pagesWithNewTrips += 1
    const isAtEnd =
      typeof total === 'number' && total <= trusted && total === seen.ids.size + seen.rowsWithoutId
    request = isAtEnd ? null : requestAfter(request, ids, hasNewTrips)
    if (request) {
      next = fetchPage(request.offset)
      // The request only leaves once this process is idle, so don't parse this page before.
      await sleep(0)
    }
    await onPage(page.rows())
  }

  if (pagesWithNewTrips > 1) {
    const again = await fetchPage(0, 1)
    if (!again.ok) return again
    if (again.value.ids[0] !== first) hasShifted = true
  }
  return ok(passOf(seen, hasShifted))
}

interface Seen {
  ids: Set<number>
  rowsWithoutId: number
  totals: Set<TripPage['total']>
}

function passOf({ ids, rowsWithoutId, totals }: Seen, hasShifted: boolean): ListPass {
  const counts = [...totals].filter((count) => typeof count === 'number')
  const collected = ids.size + rowsWithoutId
  return {
    // A list without a count is complete when it ends.
    isComplete: !hasShifted && counts.length <= 1 && counts.every((count) => count === collected),
    count: totals.has('unreadable') ? 'unreadable' : counts.length > 0 ? 'readable' : 'none',
    rowsWithoutId,
  }
}

interface PageRequest {
  offset: number
  /** The expected id of the page's first row. Null: unknown. */
  startsWith: number | null
}

/** Returns null at the end of the list. */
function requestAfter(
  { offset, startsWith }: PageRequest,
  ids: TripPage['ids'],
  hasNewTrips: boolean,
): PageRequest | null {
  const last = ids.at(-1) ?? null
  if (hasNewTrips && ids.length > 1 && last !== null)
    return { offset: offset + ids.length - 1, startsWith: last }
  if (hasNewTrips) return { offset: offset + ids.length, startsWith: null }
  // If the server repeated earlier rows, new rows may follow.
  return startsWith !== null && ids.length > 1 ? { offset: offset + 1, startsWith: null } : null
}
