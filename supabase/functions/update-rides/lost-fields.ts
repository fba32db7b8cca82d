import { type Field, FIELDS, type Row } from './rwgps/trip-page.ts'

/** Holds back what could replace good data by nothing. */
export interface LostFields {
  /** Counts these rows and returns those that can be stored now. */
  check(rows: Row[]): Row[]
  /** At the end of the list: a field that it lost, if any, and the rows that were held back. */
  end(): { lost: Field | undefined; held: Row[] }
}

/**
 * Detects a field that the list lost: most stored rides have it (`known`), and most rows lack it. Only the end of the list
 * shows that. Until then, this holds back rows that lack such a field, and all rows of a page on which most do.
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
