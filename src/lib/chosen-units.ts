import { atom } from 'jotai'
import * as v from 'valibot'

import { preferenceAtom } from './preference.ts'
import { type Units, UNITS, type UnitsId } from './units.ts'

export const chosenUnitsAtom = preferenceAtom<UnitsId>('units', 'miles', v.picklist(['miles', 'kilometers']))

export const unitsAtom = atom((get): Units => UNITS[get(chosenUnitsAtom)])
