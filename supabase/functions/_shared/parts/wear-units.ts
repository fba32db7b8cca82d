import { nameKey } from './part-names.ts'

// SQL knows the same units (private.wear_units).
const SHRINKING_UNITS = new Set(['pad mm', 'rotor mm', 'tread mm'].map(nameKey))

/** Returns whether a wear measurement gets smaller as the part wears: brake pads, rotors and treads. */
export const isShrinking = (unit: string): boolean => SHRINKING_UNITS.has(nameKey(unit))

const CHAIN = nameKey('chain %')

/**
 * Returns the limit that applies if the owner enters none, or null. Park Tool recommends replacing 11- and 12-speed chains at 0.5 %,
 * others at 0.75 %. The stricter limit applies because the log doesn't record the number of speeds, and a worn chain wears out the
 * cassette. Pads, rotors and treads have no usual limit: the minimum is stamped on the rotor or stated by the manufacturer.
 */
export const usualLimit = (unit: string): number | null => (nameKey(unit) === CHAIN ? 0.5 : null)
