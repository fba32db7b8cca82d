import { type Day, formatDay, parseDay } from '../../lib/days.ts'

/** Where the list of rides begins unless the owner says otherwise. */
const FIRST_DAY: Day = '1990-01-01'

/** `gear` is a gear_id as text, `all`, or `none` for rides without a gear or with one that is not known. */
export type RideFilters = { from: Day; to: Day; gear: string }

type Written = Readonly<Record<string, string>>

/** The filters as the address holds them (`from`, `to`, `gear`); what is missing or no day has its default. */
export function readFilters(written: Written, selectedGear: number, today: Day): RideFilters {
  return {
    from: writtenDay(written['from']) ?? FIRST_DAY,
    to: writtenDay(written['to']) ?? today,
    gear: written['gear'] ?? String(selectedGear),
  }
}

/** Whether a ride's own day lies within the filters; both ends count. A ride without a day is always shown. */
export function isWithin(startedAt: string | null, { from, to }: Pick<RideFilters, 'from' | 'to'>): boolean {
  if (startedAt === null) return true
  const day = startedAt.slice(0, 10)
  return from <= day && day <= to
}

function writtenDay(text: string | undefined): Day | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const day = text as Day
  return parseDay(formatDay(day))
}
