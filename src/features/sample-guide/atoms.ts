import { atom } from 'jotai'
import * as v from 'valibot'

import { backendAtom } from '../../lib/backend.ts'
import { preferenceAtom } from '../../lib/preference.ts'

const preference = preferenceAtom<boolean>('sample-guide', true, v.boolean())

/** Whether the sample guide is open. It never is with real data. */
export const isGuideShownAtom = atom(
  (get) => get(backendAtom).config.sample && get(preference),
  (_get, set, isShown: boolean) => set(preference, isShown),
)
