import { atom } from 'jotai'
import { unwrap } from 'jotai/utils'

import type { KindAndPosition } from '../../../supabase/functions/_shared/kinds.ts'
import { nameKey } from '../../../supabase/functions/_shared/parts/part-names.ts'
import { compareTimes, type Item } from './fields.ts'
import { allItemsAtom } from './log.ts'

type Named = Pick<Item, 'name' | 'type'>

export type Proposer = {
  kindOf: (part: Named) => KindAndPosition
  /** Returns the names of the parts that share a new name, or none. */
  partsIn: (name: string) => string[]
}

/** Loads the rules, because most visits add nothing. Null if that failed, so parts stay unknown. */
const loadRules = () =>
  import('../../../supabase/functions/_shared/parts/propose.ts').catch((cause: unknown) => {
    console.warn('The rules about names could not be loaded', cause)
    return null
  })

/** Returns what proposes kinds from names and from the owner's entries, of which the latest is the last word. */
export async function loadProposer(items: readonly Item[]): Promise<Proposer | null> {
  const rules = await loadRules()
  const earlier = items
    .toSorted((a, b) => compareTimes(b.dateStarted, a.dateStarted))
    .map(({ name, kind = null, position }) => ({ name, kind, position }))
  // An import asks for thousands of names.
  const byName = Map.groupBy(earlier, ({ name }) => nameKey(name))
  const namesakes = (name: string) => byName.get(nameKey(name)) ?? []
  return (
    rules && {
      kindOf: ({ name, type }) => rules.proposeKind({ name, type, earlier: namesakes(name) }),
      partsIn: (name) => (namesakes(name).length > 0 ? [] : rules.partsIn(name)),
    }
  )
}

/** Proposes what parts are. Resolves once the rules are loaded. */
export const proposerAtom = atom((get) => {
  const items = get(allItemsAtom)
  return loadProposer(items.state === 'ready' ? items.data : [])
})

/** Undefined while the rules load. */
export const loadedProposerAtom = unwrap(proposerAtom, (before) => before)
