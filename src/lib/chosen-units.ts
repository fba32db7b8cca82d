import { atom } from 'jotai'
import * as v from 'valibot'

import { preferenceAtom } from './preference.ts'
import { type Units, UNITS, type UnitsId } from './units.ts'

const chosenBase = preferenceAtom<UnitsId>('units', 'miles', v.picklist(['miles', 'kilometers']))

/** Which units were chosen: miles, until the owner says otherwise. */
export const chosenUnitsAtom = atom(
  (get) => get(chosenBase),
  (_get, set, chosen: UnitsId) => set(chosenBase, chosen),
)

/** The units in which everything is shown. */
export const unitsAtom = atom((get): Units => UNITS[get(chosenBase)])
