import { railsTimeZones } from './rails-time-zones.ts'

// Intl accepts these abbreviations as time zones. PostgreSQL rejects them or reads them as a fixed offset, often of another
// region (IST is Israel's time in PostgreSQL, but India's in Intl). Each maps to the zone that a rider most likely means.
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

/** Converts a time zone name from Ride with GPS, IANA or Rails, to an IANA name; undefined if unknown. */
export type ResolveTimeZone = (name: string | undefined) => string | undefined

/** Creates a resolver with a cache, because asking `Intl` takes about as long as parsing the rest of a trip. */
export function createTimeZones(): ResolveTimeZone {
  const cache = new Map<string, string | undefined>()
  return (name) => {
    if (name === undefined) return undefined
    if (!cache.has(name)) cache.set(name, resolve(name))
    return cache.get(name)
  }
}

const resolve = (name: string) =>
  ABBREVIATIONS.get(name.toUpperCase()) ?? [name, ...railsTimeZones(name)].find(isTimeZone)

function isTimeZone(name: string): boolean {
  // "+02:00" is east of Greenwich in Intl, but west of it in PostgreSQL.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}
