/** Normalizes a name: owners write case, spaces and Unicode forms differently. */
export const nameKey = (name: string): string => name.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase()

/** Identifies parts of one type and name, such as the chains a rider buys again and again. */
export const partKey = ({ type, name }: { type: string | null; name: string }): string =>
  `${type ?? ''}\n${nameKey(name)}`
