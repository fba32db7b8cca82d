// Opens a page of the client whose connection to the real database loses requests and responses.
//
// oxlint-disable no-restricted-imports -- losing hundreds of responses in a browser takes too long
import { createClient } from '@supabase/supabase-js'
import fc from 'fast-check'
import { createStore } from 'jotai'
import { backendAtom } from '../../src/lib/backend.ts'
import type { Database } from '../../supabase/database.types.ts'
import type { DataApi } from './data-api.ts'
import { DELETE_ROWS } from './databases.ts'

export type Fate = 'answered' | 'lost before' | 'lost after'
export const fates = fc.array(fc.constantFrom<Fate>('answered', 'lost before', 'lost after'), {
  maxLength: 8,
})

export const BIKE = 7
const LOG = `
  ${DELETE_ROWS}; delete from private.requests;
  insert into public.bikes (gear_id, name) values (7, 'Road'), (8, 'Gravel');
  insert into public.parts values (1001), (1002);
  insert into public.maintenance (id, "bikeId", part_id, type, name, "dateStarted")
  values (1001, 7, 1001, 'Drivetrain', 'Chain', '2024-01-01 01:00'), (1002, 7, 1002, 'Tires', 'Tires', '2024-01-01 01:00');
  insert into public.service_tasks (id, part_id, name, every_days) values (1001, 1001, 'Wax', 30), (1002, 1001, 'Wipe', 10);
  insert into public.service_events (id, task_id, part_id, done_at, note) values (1001, 1001, 1001, '2024-02-01 01:00', 'Drip');
  insert into public.wear_measurements (id, part_id, measured_on, value, unit) values (1001, 1001, '2024-02-01', 0.3, 'chain %')`

const isWrite = ({ method, url }: Request) =>
  /rpc\/run_command/.test(url) || (method !== 'GET' && !url.includes('/rpc/'))

function lose({ method }: Request): Response {
  // Answer reads with an error, because the client would wait before retrying a lost read.
  if (method === 'GET') return new Response('{}', { status: 500 })
  throw new TypeError('Failed to fetch')
}

/** Opens a page whose writes, and reads of the written rows, get the fates in `plan`, in order. Later requests succeed. */
export async function openLossyPage(api: DataApi, plan: readonly Fate[]) {
  await api.database.run(LOG)
  const remaining = [...plan]
  const client = createClient<Database>('http://127.0.0.1', api.secrets.publishableKey, {
    accessToken: () => Promise.resolve(api.ownerToken),
    global: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const { pathname, search } = new URL(request.url)
        if (pathname.startsWith('/functions/')) return Response.json({ code: 'internal' }, { status: 500 })
        const fate = isWrite(request) ? (remaining.shift() ?? 'answered') : 'answered'
        if (fate === 'lost before') return lose(request)
        const body = request.method === 'GET' ? {} : { body: await request.text() }
        const { method } = request
        const response = await api.fetch(pathname + search, { method, headers: request.headers, ...body })
        return fate === 'lost after' ? lose(request) : response
      },
    },
  })
  const store = createStore()
  const config = { supabaseUrl: 'http://127.0.0.1', publishableKey: '', rwgpsUrl: '', sample: true }
  store.set(backendAtom, { client, config })
  return {
    store,
    reconnect: () => void (remaining.length = 0),
    rowsOf: async <Row>(sql: string) => (await api.database.run(sql)).at(-1) as Row[],
  }
}

export type Page = Awaited<ReturnType<typeof openLossyPage>>
