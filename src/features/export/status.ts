import { atom } from 'jotai'

/** How far an export is, in words; null while there is none. */
export const exportStatusAtom = atom<string | null>(null)
