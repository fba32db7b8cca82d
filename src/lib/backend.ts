import { createClient, type Session, type SupabaseClient, type User } from '@supabase/supabase-js'
import { atom } from 'jotai'

import type { Database } from '../../supabase/database.types.ts'
import {
  limitedSignOut,
  locallyTimed,
  observedFetch,
  renewOrSignOut,
  repeatedIfRejected,
  type RequestOutcome,
  retryingRefresh,
} from './auth-fetch.ts'
import type { Config } from './config.ts'

export { isAuthImplicitGrantRedirectError } from '@supabase/supabase-js'

export type { Session, User }

export type Client = SupabaseClient<Database>

export type Backend = { client: Client; config: Config }

const backendBase = atom<Backend | null>(null)

/** The backend, set before the first render. Reading it earlier throws an error. */
export const backendAtom = atom(
  (get) => {
    const backend = get(backendBase)
    if (!backend) throw new Error('The backend is not connected yet')
    return backend
  },
  (_get, set, backend: Backend) => set(backendBase, backend),
)

/** Returns the stored session's user. Auth can't provide it, because it reports no session when a refresh fails. */
export function storedUser(config: Config): User | null {
  try {
    const session = JSON.parse(localStorage.getItem(sessionKey(config)) ?? 'null') as Partial<Session> | null
    return session?.user ?? null
  } catch {
    return null
  }
}

/** Removes the stored session without going through Auth, which may be waiting to refresh it. */
export function removeStoredSession(config: Config): void {
  localStorage.removeItem(sessionKey(config))
}

// The default storage key in supabase-js.
function sessionKey({ supabaseUrl }: Config): string {
  return `sb-${new URL(supabaseUrl).hostname.split('.')[0]}-auth-token`
}

type Options = {
  onRequest: (outcome: RequestOutcome, path: string) => void
  wait: (ms: number) => Promise<void>
}

/** Creates the Supabase client. Auth stores the session in this browser and refreshes it. */
export function createBackend(config: Config, { onRequest, wait }: Options): Backend {
  const send = retryingRefresh(
    limitedSignOut(observedFetch(onRequest)),
    wait,
    () => storedUser(config) !== null,
  )
  const client: Client = createClient<Database>(config.supabaseUrl, config.publishableKey, {
    auth: {
      flowType: 'implicit',
      persistSession: true,
      autoRefreshToken: true,
      storageKey: sessionKey(config),
    },
    global: {
      fetch: repeatedIfRejected(locallyTimed(send), (rejected) => renewOrSignOut(client.auth, rejected)),
    },
  })
  return { client, config }
}
