import { createClient } from '@supabase/supabase-js'

import type { Database } from '../../supabase/database.types.ts'
import type { Backend } from './backend.ts'

export type Sent = { method: string; path: string; body: unknown }

/**
 * For tests of what is sent and how answers are taken: a backend whose network is a function. It knows no rule of the
 * database; whatever depends on one is tested against the database.
 */
export function fakeBackend(answer: (sent: Sent) => Response | Promise<Response>): {
  backend: Backend
  sent: Sent[]
} {
  const sent: Sent[] = []
  const client = createClient<Database>('http://backend.test', 'key', {
    // A key of its own: clients of the same name warn of each other.
    auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
    global: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const text = await request.text()
        const { pathname, search } = new URL(request.url)
        const call = {
          method: request.method,
          path: pathname + search,
          body: text === '' ? null : (JSON.parse(text) as unknown),
        }
        sent.push(call)
        return answer(call)
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
