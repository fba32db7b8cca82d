import { atom } from 'jotai'

import type { NamedBike } from '../bikes/api.ts'

/** The bike that the owner is setting up in the dialog. Null: the dialog is closed. */
export const settingUpAtom = atom<NamedBike | null>(null)
