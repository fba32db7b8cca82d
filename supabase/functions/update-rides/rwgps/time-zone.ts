import { RAILS_TIME_ZONES } from './rails-time-zones.ts'

/** Turns the name of a time zone as Ride with GPS tells it, IANA or Rails, into an IANA name; null if nobody knows it. */
export type ResolveTimeZone = (name: string | null) => string | null

/** A resolver that remembers: asking `Intl` costs about as much as reading the rest of a trip. */
export function createTimeZones(): ResolveTimeZone {
  const known = new Map<string, string | null>()
  return (name) => {
    if (name === null) return null
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const resolved = isTimeZone(name) ? name : (RAILS_TIME_ZONES.get(name) ?? null)
    known.set(name, resolved)
    return resolved
  }
}

function isTimeZone(name: string): boolean {
  // To Intl "+02:00" is east of Greenwich, to PostgreSQL west of it.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}
