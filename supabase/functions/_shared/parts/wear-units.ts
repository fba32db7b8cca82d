import { nameKey } from './part-names.ts'

const SHRINKING_UNITS = new Set(['pad mm', 'rotor mm', 'tread mm'].map(nameKey))

/** Returns whether a wear measurement gets smaller as the part wears: brake pads, rotors and treads. */
export const isShrinking = (unit: string): boolean => SHRINKING_UNITS.has(nameKey(unit))
