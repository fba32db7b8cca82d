import type { FetchPage } from './read-list.ts'
import { type Result, ok } from './rwgps/result.ts'
import type { Ride } from './rwgps/ride.ts'
import type { SkippedRow, TripPage } from './rwgps/trip-page.ts'

/** A ride of which nothing matters but its id. */
export function ride(id: number): Ride {
  return { id, time_zone: 'UTC' }
}

/** A page of rides; `over` says what else came with it. */
export function page(ids: number[], total: TripPage['total'], over: Partial<TripPage> = {}): TripPage {
  return {
    rows: ids.length,
    total,
    rides: ids.map(ride),
    skipped: [],
    ...over,
  }
}

/** A skipped row; null: one without an id. */
export function skippedRow(id: number | null): SkippedRow {
  return { id, position: 1, field: id === null ? 'id' : 'distance' }
}

/** Pages in turn, whatever offset is asked for, and then empty ones; remembers the offsets. */
export function inTurn(...answers: (TripPage | Result<TripPage>)[]) {
  const offsets: number[] = []
  const fetchPage: FetchPage = (offset) => {
    const answer = answers[offsets.length] ?? page([], null)
    offsets.push(offset)
    return Promise.resolve('rows' in answer ? ok(answer) : answer)
  }
  return { fetchPage, offsets }
}

/** A server that answers from a list of ids, with `cap` rows at most. */
export function serve(list: readonly number[], cap: number, counted = true): FetchPage {
  return (offset) => Promise.resolve(ok(page(list.slice(offset, offset + cap), counted ? list.length : null)))
}

/** The ids from `from` to `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** A table of rides in memory, to see what a reading does to one. */
export function createTable(held: number[] = []) {
  const ids = new Set(held)
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
      holdsOthers: (count: number) => Promise.resolve(ids.size > count),
    },
  }
}
