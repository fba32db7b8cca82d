import { atom } from 'jotai'

import type { Formats } from '../../lib/formats.ts'
import { fold, matcher } from '../../lib/search.ts'
import { type Field, FIELDS, type Item } from './fields.ts'
import { allItemsAtom } from './log.ts'

/** A completion of an entry's name, with the type and the last cost that the owner paid for it. */
export type Completion = Pick<Item, 'name' | 'type' | 'cost'>

/** The names of all bikes' entries, newest first. */
const completionsAtom = atom((get) => {
  const items = get(allItemsAtom)
  return items.state === 'ready' ? completionsOf(items.data) : []
})

export function completionsOf(items: readonly Item[]): Completion[] {
  const newestFirst = items.toSorted((a, b) => b.dateStarted.localeCompare(a.dateStarted) || b.id - a.id)
  return Array.from(Map.groupBy(newestFirst, ({ name }) => fold(name)).values(), (same) => {
    const { name, type } = same[0]!
    // A part that was moved costs nothing again.
    return { name, type, cost: same.find(({ cost }) => cost !== 0)?.cost ?? 0 }
  })
}

export type Texts = Partial<Record<Field, string>>

type Filled = { inputs: Texts; initial: Texts; former: Texts }

/** Returns the texts that a completion fills in. Keeps what the owner entered, but not what the former one filled in. */
export function filledBy(
  completion: Completion,
  { inputs, initial, former }: Filled,
  formats: Formats,
): Texts {
  const isFree = (field: Field) => [initial[field], former[field]].includes(inputs[field])
  const texts = (['name', 'type', 'cost'] as const)
    .filter((field) => field === 'name' || isFree(field))
    .map((field) => [
      field,
      completion[field] ? FIELDS[field].format(completion[field], formats) : initial[field],
    ])
  return Object.fromEntries(texts) as Texts
}

const MAX_COMPLETIONS = 6

/** A function that completes a text. Nothing completes a whole name. */
export const completeAtom = atom((get) => {
  const all = get(completionsAtom)
  return (text: string): Completion[] => {
    const matches = matcher(text)
    const isWhole = all.some(({ name }) => name === text)
    return isWhole || text.trim() === ''
      ? []
      : all.filter(({ name }) => matches(fold(name))).slice(0, MAX_COMPLETIONS)
  }
})
