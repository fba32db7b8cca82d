import { onlyHosted, Refusal } from './refusal.ts'

const KNOWN: Record<string, RegExp> = {
  return: /^(?:minimal|representation|headers-only)$/,
  count: /^(?:exact|planned|estimated)$/,
  resolution: /^(?:merge-duplicates|ignore-duplicates)$/,
  missing: /^(?:default|null)$/,
  handling: /^(?:strict|lenient)$/,
  tx: /^(?:commit|rollback)$/,
  'max-affected': /^\d+$/,
  timezone: /^/,
}

export type Preferences = Partial<Record<string, string>>

/** Reads `Prefer`. Of two values for one preference, the first counts. */
export function readPreferences(header: string): Preferences {
  const preferences: Preferences = {}
  const unknown: string[] = []
  for (const preference of header
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const [name, value] = /^([\w-]+)=(.*)$/.exec(preference)?.slice(1) ?? []
    if (name === undefined || !KNOWN[name]?.test(value!)) unknown.push(preference)
    else preferences[name] ??= value!
  }
  if (preferences['handling'] === 'strict' && unknown.length > 0)
    throw new Refusal('PGRST122', 'Invalid preferences given with handling=strict')
  // Hosted projects ignore it and keep the changes. Whoever asks for it doesn't want that.
  if (preferences['tx'] === 'rollback')
    throw new Refusal('PGRST122', 'No project undoes changes for "tx=rollback".')
  if (preferences['timezone'] !== undefined) throw onlyHosted('"timezone="', 'PGRST122')
  return preferences
}

export const STRIPPED = ';nulls=stripped'

const JSON_TYPES = /^(?:application\/json|application\/\*|\*\/\*)$/
const OBJECT = /^application\/vnd\.pgrst\.object(?:\+json)?$/
const ARRAY = /^application\/vnd\.pgrst\.array(?:\+json)?$/

/** Returns the media type that answers `Accept`. */
export function readAccept(header: string): string {
  const types = header.split(',').map((type) => {
    const [name, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
    const strips = parameters.includes('nulls=stripped') ? STRIPPED : ''
    if (OBJECT.test(name!)) return `application/vnd.pgrst.object+json${strips}`
    if (ARRAY.test(name!)) return strips ? `application/vnd.pgrst.array+json${strips}` : 'application/json'
    return JSON_TYPES.test(name!) ? 'application/json' : ''
  })
  const [type, ...others] = new Set(types.filter(Boolean))
  if (type === undefined || others.length > 0) throw onlyHosted(`An answer as ${header}`, 'PGRST107', 406)
  return type
}

/** Returns the header `Prefer` for Supabase Lite. */
export function forwardedPreferences(preferences: Preferences, isCall: boolean): string {
  return Object.entries(preferences)
    .filter(([name]) => !isCall || name !== 'max-affected')
    .map(([name, value]) => `${name}=${forwarded(value!)}`)
    .join(', ')
}

// An exact count is the best estimate. Supabase Lite would only ask the planner.
const forwarded = (value: string) => (value === 'estimated' ? 'exact' : value)

// In PostgREST's order.
const APPLIED = {
  read: ['count', 'handling'],
  call: ['count', 'handling', 'max-affected'],
  POST: ['resolution', 'missing', 'return', 'count', 'handling'],
  PATCH: ['missing', 'return', 'count', 'handling', 'max-affected'],
  DELETE: ['return', 'count', 'handling', 'max-affected'],
}

/** Returns the header `Preference-Applied`. */
export function appliedPreferences(preferences: Preferences, kind: keyof typeof APPLIED): string {
  const isApplied = (name: string) =>
    preferences[name] !== undefined && (name !== 'max-affected' || preferences['handling'] === 'strict')
  return APPLIED[kind]
    .filter(isApplied)
    .map((name) => `${name}=${preferences[name]}`)
    .join(', ')
}
