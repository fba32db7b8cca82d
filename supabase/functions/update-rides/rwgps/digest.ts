import { createHash } from 'node:crypto'
import type { TripPage } from './trip-page.ts'

export const DIGEST_ROWS = 20

/** Hashes the first rows of a list, in any order, and its count. Rows are hashed as the sync would store or skip them. */
export function digestOf({ rows, total }: TripPage): string {
  const newest = rows
    .slice(0, DIGEST_ROWS)
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map(({ id, ride, unreadable }) => ride ?? [id, unreadable])
  return createHash('sha256')
    .update(JSON.stringify([total, newest]))
    .digest('base64url')
}
