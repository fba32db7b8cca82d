/** Normalizes a name, because owners vary case, spaces and Unicode forms. */
export const nameKey = (name: string): string => name.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase()

/** Returns one key for all parts of the same type and name, such as a rider's successive chains. */
export const partKey = ({ type, name }: { type: string | null; name: string }): string =>
  `${type ?? ''}\n${nameKey(name)}`
