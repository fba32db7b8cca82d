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
export async function hasKey(request: Request, header: string, key: string | undefined): Promise<boolean> {
  const given = request.headers.get(header)
  if (given === null || !key) return false
  // Verifying takes equally long for every wrong key. Deno would need 9 ms more at each start to load node:crypto.
  const hmac = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
  const signature = await crypto.subtle.sign('HMAC', hmac, encode(key))
  return crypto.subtle.verify('HMAC', hmac, signature, encode(given))
}

const encode = (text: string) => new TextEncoder().encode(text)
