import type { PartKind, Position } from '../../../../supabase/functions/_shared/kinds.ts'
import { kindPlural } from '../../../../supabase/functions/_shared/messages/kind-messages.ts'
import { quote } from '../../../lib/formats.ts'
import { compareTimes, type Item, knownAs } from '../../entries/fields.ts'

/** An end of a bike. */
export type End = Exclude<Position, 'both'>

export const ENDS = ['front', 'rear'] as const satisfies readonly End[]

export const otherEnd = (end: End): End => (end === 'front' ? 'rear' : 'front')

/** What is at each end. One of the ends may be empty. */
export type Rotation = { at: Readonly<Record<End, Item | null>>; latest: Item }

/** Returns what can be rotated on a bike, or why nothing can. The command `rotate` has the same rules. */
export function rotationOf(
  items: readonly Item[],
  kind: PartKind,
  drafted: readonly number[],
): Rotation | { problem: string } {
  const parts = items.filter((item) => item.kind === kind && item.dateEnded === null)
  const latest = parts.toSorted((a, b) => compareTimes(b.dateStarted, a.dateStarted)).at(0)
  if (!latest) return { problem: `No ${kindPlural(kind)} are in use on this bike.` }
  const problem = problemOf(parts, drafted)
  if (problem !== null) return { problem }
  const at = (end: End) => parts.find(({ position }) => position === end) ?? null
  return { at: { front: at('front'), rear: at('rear') }, latest }
}

function problemOf(parts: readonly Item[], drafted: readonly number[]): string | null {
  const unplaced = parts.find(({ position }) => position === null)
  if (unplaced)
    return `It isn’t known whether ${quote(unplaced.name)} is at the front or at the rear. Choose it in its details first.`
  const pair = parts.find(({ position }) => position === 'both')
  if (pair)
    return `${quote(pair.name)} is one entry for the front and the rear, so there is nothing to rotate.`
  for (const end of ENDS) {
    const [first, second] = parts.filter(({ position }) => position === end)
    if (first && second)
      return `${quote(first.name)} and ${quote(second.name)} are both at the ${end}. End or correct one of them first.`
  }
  const draft = parts.find((item) => drafted.includes(knownAs(item)))
  return draft ? `Save or restore your changes to ${quote(draft.name)} first.` : null
}
