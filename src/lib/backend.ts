import type { AuthClient, Session } from '@supabase/auth-js'
import { FunctionsClient } from '@supabase/functions-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { atom } from 'jotai'

import type { Database } from '../../supabase/database.types.ts'
import { observedFetch, ownersFetch, type RequestOutcome } from './auth-fetch.ts'
import type { Config } from './config.ts'
import { lazyCode } from './lazy-code.ts'
import { usableSession } from './stored-session.ts'

export type Auth = InstanceType<typeof AuthClient>

/** What reads and writes, as supabase-js names it. */
export type Client = Pick<PostgrestClient<Database>, 'from' | 'rpc'> & { functions: FunctionsClient }

export type Backend = {
  client: Client
  /** Loads Auth at its first call. Rejects if its code can't be loaded, and then tries again at the next call. */
  auth: () => Promise<Auth>
  /** Wraps fetch to send requests as the owner, and to repeat those whose access token was rejected with a new one. */
  asOwner: (send: typeof fetch) => typeof fetch
  config: Config
}

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

type Options = {
  onRequest: (outcome: RequestOutcome, path: string) => void
  /** Called with Auth's events, from the stored session's on. Null: the session has ended. */
  onSession: (event: string, session: Session | null) => void
  wait: (ms: number) => Promise<void>
}

const loadAuth = lazyCode(() => import('./auth.ts'))

/**
 * Connects to Supabase as supabase-js would, but without Auth's code until it is needed: Auth stores the session in this browser
 * and refreshes it, and while it is fresh, requests take it from there.
 */
export function createBackend(config: Config, { onRequest, onSession, wait }: Options): Backend {
  const send = observedFetch(onRequest)
  let loading: Promise<Auth> | undefined
  const start = async () => {
    const client = (await loadAuth()).createAuth(config, send, wait)
    client.onAuthStateChange(onSession)
    return client
  }
  const auth = () =>
    (loading ??= start().catch((cause: unknown) => {
      loading = undefined
      throw cause
    }))

  const asOwner = (send: typeof fetch) =>
    ownersFetch(send, {
      publishableKey: config.publishableKey,
      token: async () => {
        const session = usableSession(config) ?? (await (await auth()).getSession()).data.session
        return session?.access_token ?? null
      },
      renew: async (rejected) => (await loadAuth()).renewOrSignOut(await auth(), rejected),
    })
  return { client: createClient(config, asOwner(send)), auth, asOwner, config }
}

/** Creates the clients of the data API and of the functions. Their requests go through `send`. */
export function createClient({ supabaseUrl }: Config, send: typeof fetch): Client {
  const data = new PostgrestClient<Database>(`${supabaseUrl}/rest/v1`, { schema: 'public', fetch: send })
  return Object.assign(data, {
    functions: new FunctionsClient(`${supabaseUrl}/functions/v1`, { customFetch: send }),
  })
}
