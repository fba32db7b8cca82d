import { atom } from 'jotai'

const version = atom(0)

/** Resources derived from rides read this atom. Write to it after a sync, so they are read again. */
export const ridesChangedAtom = atom(
  (get) => get(version),
  (_get, set) => set(version, (n) => n + 1),
)
