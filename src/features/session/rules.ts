import type { Session } from '../../lib/backend.ts'

type Parts = Pick<Session, 'access_token' | 'refresh_token' | 'expires_at'>

/** A session without access token, refresh token or expiry is none. */
export function wholeSession<T extends Parts>(session: T | null): T | null {
  return session?.access_token && session.refresh_token && session.expires_at ? session : null
}

/** What is missing before signing in can be tried; null when nothing is. */
export function missingCredential(email: string, password: string): string | null {
  if (!email && !password) return 'Enter your e-mail and your password.'
  if (!email) return 'Enter your e-mail.'
  if (!password) return 'Enter your password.'
  return null
}

// Auth ignores the rest.
const MAX_PASSWORD_BYTES = 72

/** What is wrong with a new password as far as can be told here; Auth has the last word on its strength. */
export function wrongNewPassword(password: string, repeated: string): string | null {
  if (!password) return 'Enter a new password.'
  if (password !== repeated) return 'The two are not the same.'
  if (new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES)
    return 'Use at most 72 characters, or fewer with accents or emoji.'
  return null
}
