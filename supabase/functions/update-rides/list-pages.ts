import { ok, type Result } from './rwgps/result.ts'
import type { Row, TripPage } from './rwgps/trip-page.ts'

/** Fetches the rows from an offset on, by default as many as possible. */
export type FetchPage = (offset: number, limit?: number) => Promise<Result<TripPage>>

/** The result of one pass over the list. */
export interface ListPass {
  /** The list has exactly the trips that the server counts, and didn't shift while it was read. */
  isComplete: boolean
  count: 'readable' | 'unreadable' | 'none'
  rowsWithoutId: number
}

/**
 * Reads the list page by page and passes each page to `onPage` while the next one loads.
 *
 * The list shifts if trips are deleted or uploaded in the meantime. So each page starts with the last row of the page before:
 * if that row is missing, others may have slipped through. After several pages, the first row is read again, because a trip
 * that was uploaded while another one was deleted changes neither the count nor what follows.
 *
 * The next offset depends on the number of rows received, because a server may send fewer than requested. A page without new
 * trips ends the list. If the server counts at most `trusted` trips, that many also end it, which saves the last request.
 */
export async function readPages(
  fetchPage: FetchPage,
  onPage: (page: TripPage) => Promise<void>,
  trusted = -1,
): Promise<Result<ListPass>> {
  const seen = { ids: new Set<number>(), rowsWithoutId: 0, totals: new Set<TripPage['total']>() }
  let first: Row | undefined
  let pagesWithNews = 0
  let hasShifted = false
  let request: PageRequest = { offset: 0, startsWith: null }
  let next = fetchPage(request.offset)
  let firstAgain: ReturnType<FetchPage> | undefined
  for (;;) {
    const fetched = await next
    if (!fetched.ok) return fetched
    const page = fetched.value
    const { rows, total } = page

    first ??= rows[0]
    const { startsWith } = request
    if (startsWith !== null && !rows.some(({ id }) => id === startsWith)) hasShifted = true
    const before = seen.ids.size
    for (const { id } of rows) {
      if (id === null) seen.rowsWithoutId += 1
      else seen.ids.add(id)
    }
    seen.totals.add(total)
    const hasNews = seen.ids.size > before
    if (hasNews) pagesWithNews += 1
    const collected = seen.ids.size + seen.rowsWithoutId
    const left = typeof total === 'number' && total <= trusted ? total - collected : null

    const following = left === 0 ? null : requestAfter(request, rows, hasNews)
    if (following) {
      request = following
      next = fetchPage(request.offset)
      // Together with what is probably the last page.
      firstAgain = left !== null && left > 0 && left < rows.length ? fetchPage(0, 1) : undefined
    }
    await onPage(page)
    if (following) continue

    if (pagesWithNews > 1) {
      const again = await (firstAgain ?? fetchPage(0, 1))
      if (!again.ok) return again
      if (again.value.rows[0]?.id !== first?.id) hasShifted = true
    }
    const counts = [...seen.totals].filter((count) => typeof count === 'number')
    return ok({
      // A list without a count is complete when it ends.
      isComplete: !hasShifted && counts.length <= 1 && counts.every((count) => count === collected),
      count: seen.totals.has('unreadable') ? 'unreadable' : counts.length > 0 ? 'readable' : 'none',
      rowsWithoutId: seen.rowsWithoutId,
    })
  }
}

interface PageRequest {
  offset: number
  /** The id of the row that the page starts with; null: unknown. */
  startsWith: number | null
}

/** The request after a page; null at the end of the list. */
function requestAfter(
  { offset, startsWith }: PageRequest,
  rows: Row[],
  hasNews: boolean,
): PageRequest | null {
  const last = rows.at(-1)?.id ?? null
  if (hasNews && rows.length > 1 && last !== null)
    return { offset: offset + rows.length - 1, startsWith: last }
  if (hasNews) return { offset: offset + rows.length, startsWith: null }
  // A server that repeats earlier rows may have others after them.
  return startsWith !== null && rows.length > 1 ? { offset: offset + 1, startsWith: null } : null
}
