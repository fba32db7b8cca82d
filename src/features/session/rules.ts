import { AppError } from '../../lib/errors.ts'
import type { Session } from '../../lib/stored-session.ts'

/** Returns whether a session still needs the account's second factor. False if unknown, because the database enforces it anyway. */
export function lacksSecondFactor({ access_token, user }: Session): boolean {
  const hasFactor = user.factors?.some(({ status }) => status === 'verified') ?? false
  return hasFactor && assuranceLevel(access_token) === 'aal1'
}

/** Returns a token's claim `aal`, undefined if it isn't readable. */
function assuranceLevel(token: string): unknown {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
    return (JSON.parse(atob(payload)) as { aal?: unknown }).aal
  } catch {
    return undefined
  }
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
