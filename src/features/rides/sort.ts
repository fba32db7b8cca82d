import type { RideRow } from './rows.ts'

/** The columns of numbers, by the ride's field of the same name. */
export const MEASURES = [
  'distance',
  'duration',
  'moving_time',
  'max_speed',
  'avg_speed',
  'avg_hr',
  'max_hr',
  'avg_watts',
  'max_watts',
  'avg_cad',
  'elevation_gain',
] as const

export type Measure = (typeof MEASURES)[number]

const SORT_KEYS = ['thumbnail', 'name', 'gear', ...MEASURES] as const

export type SortKey = (typeof SORT_KEYS)[number]

export type Sort = { key: SortKey; desc: boolean }

/** The sort as the address writes it: `distance`, or `-distance` from the highest down. */
export type WrittenSort = SortKey | `-${SortKey}`

export const DEFAULT_SORT: WrittenSort = '-name'

/** The sort that the address writes; the default where it writes none. */
export function readSort(written: string | undefined): Sort {
  const key = SORT_KEYS.find((key) => written?.replace(/^-/, '') === key)
  return key ? { key, desc: written?.startsWith('-') === true } : readSort(DEFAULT_SORT)
}

export function writeSort({ key, desc }: Sort): WrittenSort {
  return desc ? `-${key}` : key
}

/** What a row is sorted by; null: missing. */
export function sortValue(row: RideRow, key: SortKey): number | null {
  switch (key) {
    case 'name':
      return row.nameRank
    case 'gear':
      return row.gearRank
    case 'thumbnail':
      return (row.highlighted_photo_id === null ? 0 : 2) + (row.has_map ? 1 : 0) || null
    default:
      return row[key]
  }
}

/** The rows in order; what is missing comes last both ways, and equal rows stay as they were. */
export function sortRows(rows: readonly RideRow[], { key, desc }: Sort): RideRow[] {
  const present: { row: RideRow; value: number }[] = []
  const missing: RideRow[] = []
  for (const row of rows) {
    const value = sortValue(row, key)
    if (value === null) missing.push(row)
    else present.push({ row, value: desc ? -value : value })
  }
  present.sort((a, b) => a.value - b.value)
  return [...present.map(({ row }) => row), ...missing]
}
