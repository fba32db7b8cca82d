import { createClient } from '@supabase/supabase-js'

import type { Database } from '../../supabase/database.types.ts'
import type { Backend } from './backend.ts'

/** A request. `change` names the write that it belongs to. */
export type Sent = { method: string; path: string; body: unknown; change?: string }

/** Creates a backend that answers requests with `respond`. It doesn't enforce any database rules. */
export function fakeBackend(respond: (sent: Sent, signal: AbortSignal) => Response | Promise<Response>): {
  backend: Backend
  sent: Sent[]
} {
  const sent: Sent[] = []
  const client = createClient<Database>('http://backend.test', 'key', {
    // supabase-js warns when two clients share a storage key.
    auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
    global: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const text = await request.text()
        const { pathname, search } = new URL(request.url)
        const change = request.headers.get('x-change')
        const call = {
          method: request.method,
          path: pathname + search,
          body: text === '' ? null : (JSON.parse(text) as unknown),
          ...(change !== null && { change }),
        }
        sent.push(call)
        return respond(call, request.signal)
      },
    },
  })
  const config = {
    supabaseUrl: 'http://backend.test',
    publishableKey: 'key',
    rwgpsUrl: 'http://rwgps.test',
    sample: true,
  }
  return { backend: { client, config }, sent }
}
