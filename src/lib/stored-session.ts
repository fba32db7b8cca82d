// The session as Auth stores it in this browser.
import type { Session, User } from '@supabase/auth-js'

import type { Config } from './config.ts'

export type { Session, User }

/** Returns the stored session, which may be incomplete or have expired. */
export function storedSession(config: Config): Partial<Session> | null {
  try {
    return JSON.parse(localStorage.getItem(sessionKey(config)) ?? 'null') as Partial<Session> | null
  } catch {
    return null
  }
}

/** Returns the stored session's user. Auth can't provide it, because it reports no session when a refresh fails. */
export const storedUser = (config: Config): User | null => storedSession(config)?.user ?? null

/** Removes the stored session without going through Auth, which may be waiting to refresh it. */
export function removeStoredSession(config: Config): void {
  localStorage.removeItem(sessionKey(config))
}

/** Auth refreshes a session that expires sooner. */
const EXPIRY_MARGIN_MS = 90_000

/** Returns the stored session if Auth would use it as it is, else null. */
export function usableSession(config: Config): Session | null {
  const session = completeSession(storedSession(config))
  return session && session.expires_at! * 1000 - Date.now() > EXPIRY_MARGIN_MS ? session : null
}

/** Returns null for a session without an access token, refresh token, expiry or user. */
export function completeSession(session: Partial<Session> | null): Session | null {
  const isComplete = session?.access_token && session.refresh_token && session.expires_at && session.user
  return isComplete ? (session as Session) : null
}

// The default storage key in supabase-js.
export function sessionKey({ supabaseUrl }: Config): string {
  return `sb-${new URL(supabaseUrl).hostname.split('.')[0]}-auth-token`
}
