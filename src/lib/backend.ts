import { createClient, type Session, type SupabaseClient, type User } from '@supabase/supabase-js'
import { atom } from 'jotai'

import type { Database } from '../../supabase/database.types.ts'
import type { Config } from './config.ts'
import { reviewSession, watchedFetch } from './session-review.ts'

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

/** Whether this browser keeps a session: Auth tells of none also when it could not be reached to renew it. */
export function isSessionKept(config: Config): boolean {
  return localStorage.getItem(sessionKey(config)) !== null
}

// The name that Auth itself would choose.
function sessionKey({ supabaseUrl }: Config): string {
  return `sb-${new URL(supabaseUrl).hostname.split('.')[0]}-auth-token`
}

/** Connects to the project that the config names. The session is kept in this browser and refreshed by Auth itself. */
export function connect(config: Config): Backend {
  const client: Client = createClient<Database>(config.supabaseUrl, config.publishableKey, {
    auth: {
      flowType: 'implicit',
      persistSession: true,
      autoRefreshToken: true,
      storageKey: sessionKey(config),
    },
    global: { fetch: watchedFetch(() => void reviewSession(client.auth)) },
  })
  return { client, config }
}
