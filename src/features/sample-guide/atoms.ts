import { atom } from 'jotai'
import * as v from 'valibot'

import { backendAtom } from '../../lib/backend.ts'
import { preferenceAtom } from '../../lib/preference.ts'

const wantedBase = preferenceAtom<boolean>('sample-guide', true, v.boolean())

/** Whether the guide to the sample is shown: with sample data, until it is dismissed; the mark in the header brings it back. */
export const isGuideShownAtom = atom(
  (get) => get(backendAtom).config.sample && get(wantedBase),
  (_get, set, isShown: boolean) => set(wantedBase, isShown),
)
