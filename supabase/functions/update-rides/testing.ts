import type { FetchPage } from './list-pages.ts'
import { ok, type Result } from './rwgps/result.ts'
import type { Row, TripPage } from './rwgps/trip-page.ts'

export function row(id: number, over: Partial<Row> = {}): Row {
  return { id, position: 1, lacks: [], ride: { id }, unreadable: null, ...over }
}

/** Creates a skipped row. Pass null for a row without an id. */
export function skippedRow(id: number | null): Row {
  return { id, position: 1, lacks: [], ride: null, unreadable: id === null ? 'id' : 'distance' }
}

export function page(rows: (number | Row)[], total: TripPage['total']): TripPage {
  return { rows: rows.map((one) => (typeof one === 'number' ? row(one) : one)), total }
}

/** Serves these pages in order, then empty pages, and records the requested offsets. The first row never changes. */
export function pagesInOrder(...pages: (TripPage | Result<TripPage>)[]) {
  const offsets: number[] = []
  let first: Row[] = []
  const fetchPage: FetchPage = (offset, limit) => {
    if (limit === 1) return Promise.resolve(ok(page(first, null)))
    const next = pages[offsets.length] ?? page([], null)
    const result = 'rows' in next ? ok(next) : next
    if (offsets.length === 0 && result.ok) first = result.value.rows.slice(0, 1)
    offsets.push(offset)
    return Promise.resolve(result)
  }
  return { fetchPage, offsets }
}

export function serve(list: readonly number[], cap: number, counted = true): FetchPage {
  return (offset, limit = cap) =>
    Promise.resolve(ok(page(list.slice(offset, offset + Math.min(cap, limit)), counted ? list.length : null)))
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
