import { ok, type Result } from './rwgps/result.ts'
import type { Ride, SkippedRow, TripPage } from './rwgps/trip-page.ts'
import type { FetchPage } from './trip-list.ts'

/** A ride with only an id. */
export function ride(id: number): Ride {
  return { id, time_zone: 'UTC' }
}

/** A page of rides. `over` overrides other fields. */
export function page(ids: number[], total: TripPage['total'], over: Partial<TripPage> = {}): TripPage {
  return {
    rows: ids.length,
    total,
    rides: ids.map(ride),
    skipped: [],
    ...over,
  }
}

/** A skipped row; null: a row without an id. */
export function skippedRow(id: number | null): SkippedRow {
  return { id, position: 1, field: id === null ? 'id' : 'distance' }
}

/** Returns these pages in order, then empty ones, and records the requested offsets. */
export function pagesInOrder(...pages: (TripPage | Result<TripPage>)[]) {
  const offsets: number[] = []
  const fetchPage: FetchPage = (offset) => {
    const next = pages[offsets.length] ?? page([], null)
    offsets.push(offset)
    return Promise.resolve('rows' in next ? ok(next) : next)
  }
  return { fetchPage, offsets }
}

/** A server with this list of ids that sends at most `cap` rows per page. */
export function serve(list: readonly number[], cap: number, counted = true): FetchPage {
  return (offset) => Promise.resolve(ok(page(list.slice(offset, offset + cap), counted ? list.length : null)))
}

/** The ids from `from` to `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** An in-memory table of rides. */
export function createTable(initial: number[] = []) {
  const ids = new Set(initial)
  const stored: number[] = []
  const skippedRows: SkippedRow[] = []
  return {
    ids,
    stored,
    skippedRows,
    sink: {
      store(rides: Ride[], skipped: SkippedRow[]) {
        skippedRows.push(...skipped)
        for (const { id } of rides) {
          ids.add(id)
          stored.push(id)
        }
        return Promise.resolve()
      },
      hasOtherRides: (count: number) => Promise.resolve(ids.size > count),
    },
  }
}
