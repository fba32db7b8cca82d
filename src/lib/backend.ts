import { createClient, type Session, type SupabaseClient, type User } from '@supabase/supabase-js'
import { atom } from 'jotai'

import type { Database } from '../../supabase/database.types.ts'
import type { Config } from './config.ts'
import { type Fate, persistentRefresh, reviewSession, watchedFetch } from './session-review.ts'

export { isAuthImplicitGrantRedirectError } from '@supabase/supabase-js'

export type { Session, User }

export type Client = SupabaseClient<Database>

export type Backend = { client: Client; config: Config }

const backendBase = atom<Backend | null>(null)

/** The one backend. Set once, before the first render; reading it earlier is a fault of the program. */
export const backendAtom = atom(
  (get) => {
    const backend = get(backendBase)
    if (!backend) throw new Error('The backend is not connected yet')
    return backend
  },
  (_get, set, backend: Backend) => set(backendBase, backend),
)

/**
 * Whose session this browser keeps; null when it keeps none. Auth tells of none also when it could not be reached to renew
 * the one that is kept.
 */
export function storedUser(config: Config): User | null {
  try {
    const session = JSON.parse(localStorage.getItem(sessionKey(config)) ?? 'null') as Partial<Session> | null
    return session?.user ?? null
  } catch {
    return null
  }
}

/** Ends the kept session at once, without Auth, which may be waiting for an answer to it. */
export function removeStoredSession(config: Config): void {
  localStorage.removeItem(sessionKey(config))
}

// The name that Auth itself would choose.
function sessionKey({ supabaseUrl }: Config): string {
  return `sb-${new URL(supabaseUrl).hostname.split('.')[0]}-auth-token`
}

type Ear = {
  /** Hears what becomes of each request. */
  tell: (fate: Fate, path: string) => void
  /** Waits before the session's refresh is tried again. */
  wait: (ms: number) => Promise<void>
}

/** Connects to the project that the config names. Auth keeps the session in this browser and refreshes it. */
export function connect(config: Config, { tell, wait }: Ear): Backend {
  const send = watchedFetch((fate, path) => {
    if (fate === 'refused') void reviewSession(client.auth)
    tell(fate, path)
  })
  const client: Client = createClient<Database>(config.supabaseUrl, config.publishableKey, {
    auth: {
      flowType: 'implicit',
      persistSession: true,
      autoRefreshToken: true,
      storageKey: sessionKey(config),
    },
    global: {
      fetch: persistentRefresh(send, wait, () => storedUser(config) !== null),
    },
  })
  return { client, config }
}
