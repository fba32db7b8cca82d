import type { FetchPage } from './list-pages.ts'
import { QUICK_CHECK_ROWS } from './rwgps/client.ts'
import type { Ride, Row, TripPage } from './rwgps/trip-page.ts'

/** Recorded by a full sync for later quick checks. */
export interface ListSummary {
  /** The ids of the first rows. */
  newest: number[]
  /** The server's count of all trips. Null: none, or unreadable. */
  count: number | null
  homeZone: string | null
}

export interface NewestRows {
  rows: Row[]
  /** The server's count of all trips. Null: none, or unreadable. */
  count: number | null
  /** The dates by which the rows are sorted, newest first. Rides without a start are sorted by upload. */
  sortedBy: RideDate[]
}

/** Picks the rows that a quick check compares. Keeps the first row of each id, because a sync stores only that row. */
export function newestRows(page: TripPage): NewestRows {
  const first = page.rows().slice(0, QUICK_CHECK_ROWS)
  const ids = first.map(({ id }) => id)
  const unique = first.filter(({ id }, index) => id === null || ids.indexOf(id) === index)
  const rides = unique.flatMap(({ ride }) => ride ?? [])
  return { rows: unique, count: countOf(page.total), sortedBy: ordersOf(rides) }
}

type RideDate = 'departed_at' | 'created_at'

const DATES: Record<RideDate, (ride: Ride) => string | null | undefined> = {
  departed_at: ({ departed_at, created_at }) => departed_at ?? created_at,
  created_at: ({ created_at }) => created_at,
}

function ordersOf(rides: Ride[]): RideDate[] {
  return (['departed_at', 'created_at'] as const).filter((name) => {
    const dates = rides.flatMap((ride) => DATES[name](ride) ?? [])
    return dates.every((date, index) => index === 0 || date <= dates.at(index - 1)!)
  })
}

const countOf = (total: TripPage['total']) => (typeof total === 'number' ? total : null)

export function summarizeList(fetchPage: FetchPage): {
  fetchPage: FetchPage
  summary: Omit<ListSummary, 'homeZone'>
} {
  const summary: Omit<ListSummary, 'homeZone'> = { newest: [], count: null }
  return {
    summary,
    async fetchPage(offset, limit) {
      const page = await fetchPage(offset, limit)
      // Pages with a limit only check whether the list has shifted.
      if (!page.ok || limit !== undefined) return page
      const { ids, total } = page.value
      if (ids.length > 0 || offset === 0) summary.count = countOf(total)
      if (offset === 0)
        summary.newest = [...new Set(ids.slice(0, QUICK_CHECK_ROWS))].flatMap((id) => id ?? [])
      return page
    },
  }
}
