import { atom } from 'jotai'

import type { NamedBike } from '../bikes/api.ts'

/** The bike in the set-up dialog; null while the dialog is closed. */
export const settingUpAtom = atom<NamedBike | null>(null)
