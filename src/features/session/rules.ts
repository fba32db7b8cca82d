import type { Session } from '../../lib/backend.ts'
import { AppError } from '../../lib/errors.ts'

type Parts = Pick<Session, 'access_token' | 'refresh_token' | 'expires_at'>

/** Returns null for a session without an access token, refresh token or expiry. */
export function completeSession<T extends Parts>(session: T | null): T | null {
  return session?.access_token && session.refresh_token && session.expires_at ? session : null
}

export function missingCredential(email: string, password: string): string | null {
  if (!email && !password) return 'Enter your email and password.'
  if (!email) return 'Enter your email.'
  if (!password) return 'Enter your password.'
  return null
}

// Auth ignores any further bytes.
const MAX_PASSWORD_BYTES = 72

/** Returns a message if the new password is missing, unconfirmed or too long, else null. Auth checks its strength. */
export function newPasswordProblem(password: string, confirmation: string): string | null {
  if (!password) return 'Enter a new password.'
  if (password !== confirmation) return 'The passwords do not match.'
  if (new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES)
    return 'Use at most 72 characters, or fewer with accents or emoji.'
  return null
}

/** Reads the six digits that an authenticator app shows, with or without spaces. */
export function readCode(text: string): string {
  const code = text.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(code)) throw new AppError('no_code', 'The code is not six digits')
  return code
}
