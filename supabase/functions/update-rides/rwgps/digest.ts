import { Buffer } from 'node:buffer'
import type { TripPage } from './trip-page.ts'

export const DIGEST_ROWS = 20

/** Hashes the first rows of a list, in any order, and its count. Rows are hashed as the sync would store or skip them. */
export async function digestOf({ rows, total }: TripPage): Promise<string> {
  const newest = rows
    .slice(0, DIGEST_ROWS)
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map(({ id, ride, unreadable }) => ride ?? [id, unreadable])
  const text = JSON.stringify([total, newest])
  return Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString(
    'base64url',
  )
}
