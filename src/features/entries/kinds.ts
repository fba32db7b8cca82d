import type { KindAndPosition, PartKind } from '../../../supabase/functions/_shared/kinds.ts'

/** Returns whether a part is a tire for a wheel. If both are known to be front or rear, they must match. */
export function isTireOf(wheel: Partial<KindAndPosition>, part: Partial<KindAndPosition>): boolean {
  if (part.kind !== 'tire') return false
  const [one, other] = [wheel.position ?? 'both', part.position ?? 'both']
  return one === 'both' || other === 'both' || one === other
}

const UNIT_OF_KIND: Partial<Record<PartKind, string>> = {
  chain: 'chain %',
  cassette: 'cassette mm',
  'brake pads': 'pad mm',
  tire: 'tread mm',
  rotor: 'rotor mm',
}

/** Returns the unit in which a kind of part's wear is measured, or null if it isn't measured. */
export const wearUnitOf = (kind: PartKind | null): string | null =>
  (kind === null ? undefined : UNIT_OF_KIND[kind]) ?? null
