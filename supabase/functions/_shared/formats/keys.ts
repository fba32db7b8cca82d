/** Returns the time at which a key was made. NaN if it doesn't say so. */
export const timeOf = (key: string): number =>
  key[14] === '7' ? Number.parseInt(key.replace('-', '').slice(0, 12), 16) : Number.NaN

const SHOWN_MS = 31 * 86_400_000

/** Returns when a change was made, which may be days before it was saved. */
export function madeAt(key: string, savedAt: Date): Date {
  const time = timeOf(key)
  // The device's clock may be wrong.
  const isLikely = time < savedAt.getTime() && time > savedAt.getTime() - SHOWN_MS
  return isLikely ? new Date(time) : savedAt
}
