import { atom } from 'jotai'
import * as v from 'valibot'

import { preferenceAtom } from './preference.ts'
import { type Units, UNITS, type UnitsId } from './units.ts'

/** Which units were chosen: miles, until the owner says otherwise. */
export const chosenUnitsAtom = preferenceAtom<UnitsId>('units', 'miles', v.picklist(['miles', 'kilometers']))

/** The units in which everything is shown. */
export const unitsAtom = atom((get): Units => UNITS[get(chosenUnitsAtom)])
