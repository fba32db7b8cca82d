import { atom } from 'jotai'
import * as v from 'valibot'

import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { preferenceAtom } from '../../lib/preference.ts'

const preference = preferenceAtom<boolean>('sample-guide', true, v.boolean())

/** What the owner chose since the page was opened. */
const chosenBase = atom<boolean | null>(null)

/** Whether the sample guide is open. Above a log only if the owner opened it; with real data never. */
export const isGuideShownAtom = atom(
  (get) =>
    get(backendAtom).config.sample && (get(chosenBase) ?? (get(preference) && !('bike' in get(addressAtom)))),
  (_get, set, isShown: boolean) => {
    set(chosenBase, isShown)
    set(preference, isShown)
  },
)
