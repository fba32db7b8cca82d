import { atom } from 'jotai'

import { settingsAtom } from './settings.ts'
import { type Units, UNITS } from './units.ts'

export const unitsAtom = atom((get): Units =>
  get(settingsAtom).distance === 'km' ? UNITS.kilometers : UNITS.miles,
)
