import { atom } from 'jotai'

import { fold, matcher } from '../../lib/search.ts'
import type { Item } from './fields.ts'
import { allItemsAtom } from './log.ts'

/** What an entry's name completes to, with the type and the last cost that the owner paid for it. */
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
