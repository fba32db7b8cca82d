import { atom } from 'jotai'

const version = atom(0)

/**
 * Whatever is derived from the rides reads this atom, and so is read again after an update of the rides; writing to
 * it says that there was one.
 */
export const ridesChangedAtom = atom(
  (get) => get(version),
  (_get, set) => set(version, (n) => n + 1),
)
