import { atom } from 'jotai'
import * as v from 'valibot'

import { preferenceAtom } from './preference.ts'
import { type Units, UNITS, type UnitsId } from './units.ts'

/** The owner's choice of units. */
export const chosenUnitsAtom = preferenceAtom<UnitsId>('units', 'miles', v.picklist(['miles', 'kilometers']))

/** The units used on the screen. */
export const unitsAtom = atom((get): Units => UNITS[get(chosenUnitsAtom)])
