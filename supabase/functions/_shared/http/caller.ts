import { createHash, timingSafeEqual } from 'node:crypto'
import type { Auth } from './auth.ts'
import { CodedError } from './errors.ts'

/** Returns the request's bearer token, unverified. Throws `unauthorized` if there is none. */
export function bearerToken(request: Request): string {
  const token = /^Bearer ([^\s]+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1]
  if (token === undefined) throw new CodedError('unauthorized')
  return token
}

/** Throws `unauthorized` for an invalid token and `forbidden` for anyone but the owner. */
export async function requireOwner(token: string, auth: Auth): Promise<void> {
  if (!(await auth.isSignedIn(token))) throw new CodedError('unauthorized')
  if (!(await auth.isOwner(token))) throw new CodedError('forbidden')
}

/** Returns whether the request has the key in a header; false if no key is configured. */
export function hasKey(request: Request, header: string, key: string | undefined): boolean {
  const given = request.headers.get(header)
  if (given === null || !key) return false
  return timingSafeEqual(digest(given), digest(key))
}

// timingSafeEqual needs buffers of equal length, and digests don't reveal the key's length.
const digest = (text: string) => createHash('sha256').update(text).digest()
