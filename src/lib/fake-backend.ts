import { AuthClient } from '@supabase/auth-js'
import { createStore } from 'jotai'

import { type Backend, backendAtom, createClient } from './backend.ts'
import type { Config } from './config.ts'
import type { Input } from './inputs.ts'
import { resourceAtom } from './resource.ts'

export type Sent = { method: string; path: string; body: unknown }

type Respond = (sent: Sent, signal: AbortSignal) => Response | Promise<Response>

/** Creates a backend that sends its requests by `send`, as they are: without a session. */
export function backendOf(send: typeof fetch): Backend {
  const config = {
    supabaseUrl: 'http://backend.test',
    publishableKey: 'key',
    rwgpsUrl: 'http://rwgps.test',
    sample: true,
  }
  const auth = new AuthClient({
    url: `${config.supabaseUrl}/auth/v1`,
    // Auth warns when two clients share a storage key.
    storageKey: crypto.randomUUID(),
    persistSession: false,
    autoRefreshToken: false,
    fetch: send,
  })
  return {
    client: createClient(config, send),
    auth: () => Promise.resolve(auth),
    asOwner: (send) => send,
    config,
  }
}

/** Creates a backend that answers requests with `respond`. It doesn't enforce any database rules. */
export function fakeBackend(respond: Respond): { backend: Backend; sent: Sent[] } {
  const sent: Sent[] = []
  const backend = backendOf(async (input, init) => {
    const request = new Request(input, init)
    const text = await request.text()
    const { pathname, search } = new URL(request.url)
    const call = {
      method: request.method,
      path: pathname + search,
      body: text === '' ? null : (JSON.parse(text) as unknown),
    }
    sent.push(call)
    return respond(call, request.signal)
  })
  return { backend, sent }
}

/** A command sent to the gate. */
export type Command = { command: string; arguments: Record<string, unknown>; key: string }

export const GATE = '/rest/v1/rpc/run_command'

/** Answers a command of the gate, which wrote to bike 7's log. */
export const written = (answer: object, change: string | null, headers: Record<string, string> = {}) =>
  Response.json(
    {
      answer,
      change,
      touched: { tables: ['maintenance'], columns: ['*'], bikes: [7], parts: [] },
    },
    { headers },
  )

/** Answers a command of the gate, which wrote to a table outside the journal. */
export const writtenTo = (table: string) =>
  Response.json({ answer: {}, change: null, touched: { tables: [table], columns: [], bikes: [], parts: [] } })

/** Creates a store whose backend answers requests with `respond`. */
export function fakeStore(respond: Respond, config: Partial<Config> = {}) {
  const { backend, sent } = fakeBackend(respond)
  const store = createStore()
  Object.assign(backend.config, config)
  store.set(backendAtom, backend)
  return { store, backend, sent }
}

/** Mounts a resource. Returns a function that returns the number of its reads so far. */
export function countReads(store: ReturnType<typeof createStore>, ...reads: Input[]): () => number {
  let count = 0
  const read = () => Promise.resolve((count += 1))
  store.sub(resourceAtom({ reads }, read), () => undefined)
  return () => count
}
