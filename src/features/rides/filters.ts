import type { Address } from '../../lib/address.ts'
import { type Day, formatDay, parseDay } from '../../lib/days.ts'

/** The default of From. */
const FIRST_DAY: Day = '1990-01-01'

/**
 * `from` and `to` are inclusive. `to` is null until the owner edits it, because a ride's local day may already be tomorrow
 * and Total Miles counts that ride. `gear` is a gear_id as text, `all`, or `none` for rides without a known gear.
 */
export type RideFilters = { from: Day; to: Day | null; gear: string; search: string }

export function defaultFilters(gearId: number): RideFilters {
  return { from: FIRST_DAY, to: null, gear: String(gearId), search: '' }
}

/** Reads the filters from the address. Missing or invalid ones have their default. */
export function readFilters(
  address: Address,
  defaults: RideFilters,
  knownGears: readonly number[],
): RideFilters {
  const gear = address['gear'] ?? ''
  const isGear = ['all', 'none', ...knownGears.map(String)].includes(gear)
  return {
    from: parseIsoDay(address['from']) ?? defaults.from,
    to: parseIsoDay(address['to']) ?? defaults.to,
    gear: isGear ? gear : defaults.gear,
    search: address['search'] ?? defaults.search,
  }
}

/** Converts filters into address parameters; null for a default. */
export function writeFilters(
  changes: Partial<RideFilters>,
  defaults: RideFilters,
): Record<string, string | null> {
  const names = (['from', 'to', 'gear', 'search'] as const).filter((name) => changes[name] !== undefined)
  return Object.fromEntries(
    names.map((name) => [name, changes[name] === defaults[name] ? null : (changes[name] ?? null)]),
  )
}

/** Whether a ride's local day is in the range. A ride without a date is shown while From is the default. */
export function isWithin(startedAt: string | null, { from, to }: Pick<RideFilters, 'from' | 'to'>): boolean {
  if (startedAt === null) return from <= FIRST_DAY
  const day = startedAt.slice(0, 10)
  return from <= day && (to === null || day <= to)
}

function parseIsoDay(text: string | undefined): Day | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const day = text as Day
  return parseDay(formatDay(day))
}
