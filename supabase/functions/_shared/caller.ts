import { createHash, timingSafeEqual } from 'node:crypto'
import type { Auth } from './auth.ts'
import { CodedError } from './errors.ts'

/** The access token of the owner who calls. Throws `unauthorized` without a valid token, `forbidden` for anybody else. */
export async function requireOwner(request: Request, auth: Auth): Promise<string> {
  const token = /^Bearer ([^\s]+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1]
  if (token === undefined || !(await auth.isSignedIn(token))) throw new CodedError('unauthorized')
  if (!(await auth.isOwner(token))) throw new CodedError('forbidden')
  return token
}

/** Whether the request carries the schedule's key. Without a key of ours (empty or absent) none is good. */
export function hasScheduleKey(request: Request, scheduleKey: string | undefined): boolean {
  const given = request.headers.get('x-schedule-key')
  if (given === null || !scheduleKey) return false
  return timingSafeEqual(digest(given), digest(scheduleKey))
}

// Digests are equally long, as the comparison in constant time demands, and tell nothing of the length of the key.
const digest = (text: string) => createHash('sha256').update(text).digest()
