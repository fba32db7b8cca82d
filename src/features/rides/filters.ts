import { type Day, formatDay, parseDay } from '../../lib/days.ts'

/** Where the list of rides begins unless the owner says otherwise. */
const FIRST_DAY: Day = '1990-01-01'

/**
 * `from` and `to` are the first and last day that count. `to` is null until the owner edits it: a ride's local day may
 * already be tomorrow here, and Total Miles counts that ride. `gear` is a gear_id as text, `all`, or `none` for rides
 * without a known gear. `search` is what was typed.
 */
export type RideFilters = { from: Day; to: Day | null; gear: string; search: string }

type Written = Readonly<Record<string, string>>

/** The filters of a bike before anything was chosen. */
export function defaultFilters(gearId: number): RideFilters {
  return { from: FIRST_DAY, to: null, gear: String(gearId), search: '' }
}

/** The filters that the address holds; what is missing there, or is no such thing, has its default. */
export function readFilters(
  written: Written,
  defaults: RideFilters,
  knownGears: readonly number[],
): RideFilters {
  const gear = written['gear'] ?? ''
  const isGear = ['all', 'none', ...knownGears.map(String)].includes(gear)
  return {
    from: writtenDay(written['from']) ?? defaults.from,
    to: writtenDay(written['to']) ?? defaults.to,
    gear: isGear ? gear : defaults.gear,
    search: written['search'] ?? defaults.search,
  }
}

/** What the address has to hold for some filters; null, which takes a parameter out, for what is as by default. */
export function writeFilters(
  changes: Partial<RideFilters>,
  defaults: RideFilters,
): Record<string, string | null> {
  const names = (['from', 'to', 'gear', 'search'] as const).filter((name) => changes[name] !== undefined)
  return Object.fromEntries(
    names.map((name) => [name, changes[name] === defaults[name] ? null : (changes[name] ?? null)]),
  )
}

/**
 * Whether a ride's own day lies within the filters; both ends count. A ride without a day is shown as long as the list
 * begins where it begins by default.
 */
export function isWithin(startedAt: string | null, { from, to }: Pick<RideFilters, 'from' | 'to'>): boolean {
  if (startedAt === null) return from <= FIRST_DAY
  const day = startedAt.slice(0, 10)
  return from <= day && (to === null || day <= to)
}

function writtenDay(text: string | undefined): Day | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const day = text as Day
  return parseDay(formatDay(day))
}
