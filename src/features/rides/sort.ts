import { MEASURE_KEYS } from '../../lib/measures.ts'
import { sortBy } from '../../lib/sort.ts'
import type { RideRow } from './rows.ts'

const SORT_KEYS = ['thumbnail', 'name', 'date', 'gear', ...MEASURE_KEYS] as const

export type SortKey = (typeof SORT_KEYS)[number]

export type Sort = { key: SortKey; desc: boolean }

/** The sort in the address: `distance`, or `-distance` for descending. */
export type SortParameter = SortKey | `-${SortKey}`

export const DEFAULT_SORT: SortParameter = '-name'

export function readSort(written: string | undefined): Sort {
  const key = SORT_KEYS.find((key) => written?.replace(/^-/, '') === key)
  return key ? { key, desc: written?.startsWith('-') === true } : readSort(DEFAULT_SORT)
}

export function writeSort({ key, desc }: Sort): SortParameter {
  return desc ? `-${key}` : key
}

/** Returns the value to sort a row by, or null if it is missing. */
export function sortValue(row: RideRow, key: SortKey): number | null {
  switch (key) {
    case 'name':
      return row.nameRank
    case 'date':
      return row.dateRank
    case 'gear':
      return row.gearRank
    case 'thumbnail':
      return (row.highlighted_photo_id === null ? 0 : 2) + (row.has_map ? 1 : 0) || null
    default:
      return row[key]
  }
}

/** Sorts rows stably. Missing values come last in both directions. */
export function sortRows(rows: readonly RideRow[], { key, desc }: Sort): RideRow[] {
  return sortBy(rows, (row) => sortValue(row, key), desc)
}
