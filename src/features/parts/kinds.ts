import type { Resource } from '../../lib/resource.ts'
import type { Item } from '../items/fields.ts'
import type { Usage } from '../items/usage-api.ts'

/** What kind of part an item is: `chain`, `front tire`… Null: unknown. */
export function kindOf(usage: Resource<Usage>, { part_id, name }: Pick<Item, 'part_id' | 'name'>) {
  const kind = usage.state === 'ready' ? usage.data.byPart.get(part_id)?.kind : null
  // The answer has no rotors, since To check can't know how many a bike has.
  return kind ?? (/\brotors?\b/i.test(name) ? 'rotor' : null)
}

/** Whether a kind of part is a tire on a kind of wheel: on the same end, if both are known. */
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

/** The unit in which the wear of a kind of part is measured. Null: it isn't. */
export const wearUnitOf = (kind: string | null): string | null =>
  UNIT_OF_KIND.find(([word]) => kind?.includes(word))?.[1] ?? null
