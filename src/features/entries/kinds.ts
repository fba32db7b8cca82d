import type { Item } from './fields.ts'
import type { Usage } from './usage-api.ts'

/** Returns the kind of an item's part, such as `chain` or `front tire`, or null if it is unknown. */
export function kindOf(
  usage: Pick<Usage, 'byPart'> | null,
  { part_id, name }: Pick<Item, 'part_id' | 'name'>,
) {
  const kind = usage?.byPart.get(part_id)?.kind
  // The server doesn't classify rotors, because To check can't tell how many rotors a bike has.
  return kind ?? (/\brotors?\b/i.test(name) ? 'rotor' : null)
}

/** Returns whether `kind` is a tire for `wheel`. If both are known to be front or rear, they must match. */
export function isTireOf(wheel: string | null, kind: string | null): boolean {
  if (!kind?.includes('tire')) return false
  const other = wheel?.startsWith('front') ? 'rear' : wheel?.startsWith('rear') ? 'front' : null
  return other === null || !kind.startsWith(other)
}

const UNIT_OF_KIND = [
  ['chain', 'chain %'],
  ['cassette', 'cassette mm'],
  ['pads', 'pad mm'],
  ['tire', 'tread mm'],
  ['rotor', 'rotor mm'],
] as const

/** Returns the unit in which a kind of part's wear is measured, or null if it isn't measured. */
export const wearUnitOf = (kind: string | null): string | null =>
  UNIT_OF_KIND.find(([word]) => kind?.includes(word))?.[1] ?? null
