import { type Field, FIELDS, type Row } from './rwgps/trip-page.ts'

/** Holds back rows that could overwrite good data with nothing. */
export interface LostFields {
  /** Counts rows and returns the rows that can be stored now. */
  check(rows: Row[]): Row[]
  /** Ends the list. Returns the lost field, if any, and the rows that were held back. */
  end(): { lost: Field | undefined; held: Row[] }
}

/**
 * Detects a field that the list lost: most stored rides have it (`known`), but most rows lack it. Only the complete list
 * shows that, so rows that lack such a field are held back, as are all rows of a page if most of them lack one.
 */
export function createLostFields(known: ReadonlySet<Field>): LostFields {
  const lacking = new Map<Field, number>()
  let total = 0
  let held: Row[] = []
  return {
    check(rows) {
      total += rows.length
      const incomplete = new Set(rows.filter(({ lacks }) => lacks.some((field) => known.has(field))))
      for (const { lacks } of incomplete)
        for (const field of lacks) lacking.set(field, (lacking.get(field) ?? 0) + 1)
      const isDoubtful = (row: Row) => incomplete.size * 2 > rows.length || incomplete.has(row)
      held.push(...rows.filter(isDoubtful))
      return rows.filter((row) => !isDoubtful(row))
    },
    end() {
      const lost = FIELDS.find((field) => known.has(field) && (lacking.get(field) ?? 0) * 2 > total)
      const rows = held
      held = []
      return { lost, held: rows }
    },
  }
}
