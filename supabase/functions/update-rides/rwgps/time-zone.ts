import { RAILS_TIME_ZONES } from './rails-time-zones.ts'

// Intl takes these for a zone; PostgreSQL takes them for a fixed offset, often of another part of the world (IST is
// Israel's there, India's here), or does not know them. Each becomes the zone that a rider most likely means.
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['ACT', 'Australia/Darwin'],
  ['AET', 'Australia/Sydney'],
  ['AGT', 'America/Argentina/Buenos_Aires'],
  ['ART', 'America/Argentina/Buenos_Aires'],
  ['AST', 'America/Halifax'],
  ['BET', 'America/Sao_Paulo'],
  ['BST', 'Europe/London'],
  ['CAT', 'Africa/Maputo'],
  ['CET', 'Europe/Brussels'],
  ['CNT', 'America/St_Johns'],
  ['CST', 'America/Chicago'],
  ['CTT', 'Asia/Shanghai'],
  ['ECT', 'Europe/Paris'],
  ['EET', 'Europe/Athens'],
  ['IET', 'America/Indiana/Indianapolis'],
  ['IST', 'Asia/Kolkata'],
  ['MET', 'Europe/Brussels'],
  ['MIT', 'Pacific/Apia'],
  ['NET', 'Asia/Yerevan'],
  ['NST', 'America/St_Johns'],
  ['PLT', 'Asia/Karachi'],
  ['PNT', 'America/Phoenix'],
  ['PRT', 'America/Puerto_Rico'],
  ['PST', 'America/Los_Angeles'],
  ['SST', 'Pacific/Guadalcanal'],
  ['VST', 'Asia/Ho_Chi_Minh'],
  ['WET', 'Europe/Lisbon'],
])

/** Turns the name of a time zone as Ride with GPS tells it, IANA or Rails, into an IANA name; null if nobody knows it. */
export type ResolveTimeZone = (name: string | null) => string | null

/** A resolver that remembers: asking `Intl` costs about as much as reading the rest of a trip. */
export function createTimeZones(): ResolveTimeZone {
  const known = new Map<string, string | null>()
  return (name) => {
    if (name === null) return null
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const resolved =
      ABBREVIATIONS.get(name.toUpperCase()) ??
      (isTimeZone(name) ? name : (RAILS_TIME_ZONES.get(name) ?? null))
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
