import type { Address } from '../../lib/address.ts'
import { type Day, dayOf, formatDay, parseDay } from '../../lib/days.ts'
import type { Ride } from './api.ts'

/** The default of From. */
const FIRST_DAY: Day = '1990-01-01'

/**
 * `from` and `to` are inclusive. `to` is null until the owner edits it, because a ride's local day may already be tomorrow
 * and Total Miles counts that ride. `gear` is a gear_id as text, `all`, or `none` for rides without a known gear. `min` is
 * the minimum distance in meters, so it means the same in miles and kilometers.
 */
export type RideFilters = { from: Day; to: Day | null; gear: string; min: number; search: string }

export const FILTERS = ['from', 'to', 'gear', 'min', 'search'] as const satisfies (keyof RideFilters)[]

export function defaultFilters(gearId: number): RideFilters {
  return { from: FIRST_DAY, to: null, gear: String(gearId), min: 0, search: '' }
}

/** Reads the filters from the address. Missing or invalid ones have their default. */
export function readFilters(
  address: Address,
  defaults: RideFilters,
  knownGears: readonly number[],
): RideFilters {
  const gear = address['gear'] ?? ''
  const isGear = ['all', 'none', ...knownGears.map(String)].includes(gear)
  const min = address['min'] ?? ''
  return {
    from: parseIsoDay(address['from']) ?? defaults.from,
    to: parseIsoDay(address['to']) ?? defaults.to,
    gear: isGear ? gear : defaults.gear,
    min: /^\d{1,9}$/.test(min) ? Number(min) : defaults.min,
    search: address['search'] ?? defaults.search,
  }
}

/** Converts filters into address parameters; null for a default. */
export function writeFilters(
  changes: Partial<RideFilters>,
  defaults: RideFilters,
): Record<string, string | null> {
  const names = FILTERS.filter((name) => changes[name] !== undefined)
  return Object.fromEntries(
    names.map((name) => [
      name,
      changes[name] === defaults[name] ? null : (changes[name]?.toString() ?? null),
    ]),
  )
}

/** Whether the filters other than gear and search match a ride. */
export function isWithin(
  { started_at, distance }: Pick<Ride, 'started_at' | 'distance'>,
  { from, to, min }: Pick<RideFilters, 'from' | 'to' | 'min'>,
): boolean {
  if ((distance ?? 0) < min) return false
  // Only the default range includes rides without a date.
  if (started_at === null) return from <= FIRST_DAY
  const day = dayOf(started_at)
  return from <= day && (to === null || day <= to)
}

function parseIsoDay(text: string | undefined): Day | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const day = text as Day
  return parseDay(formatDay(day))
}
