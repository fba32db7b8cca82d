import { atom } from 'jotai'

import type { Item } from './fields.ts'

/** The item that is moved from the command menu. */
export const movingAtom = atom<Item | null>(null)
