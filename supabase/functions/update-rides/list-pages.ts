import { ok, type Result } from './rwgps/result.ts'
import type { Row, TripPage } from './rwgps/trip-page.ts'

/** Fetches rows starting at `offset`, by default as many as possible. Never rejects. */
export type FetchPage = (offset: number, limit?: number) => Promise<Result<TripPage>>

/** Receives each page's new rows, and the server's count of all trips. */
export type OnPage = (rows: Row[], total: TripPage['total']) => Promise<void>

export interface ListPass {
  ids: Set<number>
  rowsWithoutId: number
  /** The server's count of all trips. */
  total: TripPage['total']
  /** Whether the list matches the server's count and didn't shift during the pass. */
  isComplete: boolean
}

interface PageRequest {
  offset: number
  /** The id of the row before, with which the page should start. Null: unknown. */
  overlap: number | null
}

/**
 * Reads the list page by page, and passes each page on while the next one loads.
 *
 * Deleted or uploaded trips shift the list, so each page starts with the last row of the page before. If that row is
 * missing, other rows may be missing, too. After several pages, the first row is read again, because an upload and a
 * deletion between two pages may change neither the count nor later rows.
 *
 * A page without new trips ends the list. Reaching the server's count also ends it, which saves a request, if the count is at
 * most `trusted` or the page is shorter than the first one. Otherwise, the count may be that of the page.
 */
export async function readPages(
  fetchPage: FetchPage,
  onPage: OnPage,
  trusted = -1,
): Promise<Result<ListPass>> {
  const pass: ListPass = { ids: new Set(), rowsWithoutId: 0, total: null, isComplete: true }
  let first: Row[] = []
  let hasSeveralPages = false
  let request: PageRequest | null = { offset: 0, overlap: null }
  let loading = fetchPage(0)
  while (request) {
    const page = await loading
    if (!page.ok) return page
    const { rows, total } = page.value
    if (request.offset === 0) first = rows
    const newRows = addPage(pass, page.value, request)
    const hasNewTrips = newRows.some(({ id }) => id !== null)
    if (hasNewTrips && request.offset > 0) hasSeveralPages = true
    const isAll = total === sizeOf(pass) && (total <= trusted || rows.length < first.length)
    request = isAll ? null : requestAfter(request, rows, hasNewTrips)
    if (request) loading = fetchPage(request.offset)
    await onPage(newRows, total)
  }
  if (hasSeveralPages) {
    const again = await fetchPage(0, 1)
    if (!again.ok) return again
    if (again.value.rows[0]?.id !== first[0]?.id) pass.isComplete = false
  }
  if (typeof pass.total === 'number' && pass.total !== sizeOf(pass)) pass.isComplete = false
  return ok(pass)
}

const sizeOf = ({ ids, rowsWithoutId }: ListPass) => ids.size + rowsWithoutId

/** Returns the rows with new ids or without an id. */
function addPage(pass: ListPass, { rows, total }: TripPage, { overlap }: PageRequest): Row[] {
  if (overlap !== null && !rows.some(({ id }) => id === overlap)) pass.isComplete = false
  // A page past the end may have no count.
  if (total !== null && total !== (pass.total ??= total)) pass.isComplete = false
  return rows.filter(({ id }) => {
    if (id === null) pass.rowsWithoutId += 1
    return id === null || (!pass.ids.has(id) && pass.ids.add(id))
  })
}

/** Returns null at the end of the list. The offset depends on the rows received, because a server may limit its pages. */
function requestAfter(
  { offset, overlap }: PageRequest,
  rows: Row[],
  hasNewTrips: boolean,
): PageRequest | null {
  // If the server repeated earlier rows, new rows may follow.
  if (!hasNewTrips) return overlap !== null && rows.length > 1 ? { offset: offset + 1, overlap: null } : null
  const last = rows.at(-1)?.id ?? null
  return rows.length > 1 && last !== null
    ? { offset: offset + rows.length - 1, overlap: last }
    : { offset: offset + rows.length, overlap: null }
}
