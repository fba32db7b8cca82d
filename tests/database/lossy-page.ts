// Opens a page of the client whose connection to the real database loses requests and responses.
//
// oxlint-disable no-restricted-imports -- losing hundreds of responses in a browser takes too long
import fc from 'fast-check'
import { createStore } from 'jotai'
import { backendAtom } from '../../src/lib/backend.ts'
import { backendOf } from '../../src/lib/fake-backend.ts'
import type { DataApi } from './data-api.ts'
import { onlyWorld } from '../world.ts'

/** `late`: given up by the page, and written after its next request. */
export type Fate = 'answered' | 'lost before' | 'lost after' | 'late'
export const fates = fc.array(fc.constantFrom<Fate>('answered', 'lost before', 'lost after'), {
  maxLength: 8,
})

export const BIKE = 7
// New parts and items have different ids, so mixing them up is noticed.
const LOG = `${onlyWorld({
  bikes: { 7: 'Road', 8: 'Gravel' },
  entries: [
    { id: 1001, bike: BIKE, part: 1001, type: 'Drivetrain', name: 'Chain' },
    { id: 1002, bike: BIKE, part: 1002, type: 'Tires', name: 'Tires' },
  ],
  tasks: [
    { id: 1001, part: 1001, name: 'Wax', days: 30 },
    { id: 1002, part: 1001, name: 'Wipe', days: 10 },
  ],
  events: [{ id: 1001, task: 1001, at: '2024-02-01', note: 'Drip' }],
  measurements: [{ id: 1001, part: 1001, on: '2024-02-01', value: 0.3 }],
  lastId: 2000,
})}; select setval('public.parts_id_seq', 3000)`

const isWrite = ({ method, url }: Request) =>
  /rpc\/run_command/.test(url) || (method !== 'GET' && !url.includes('/rpc/'))

function lose({ method }: Request): Response {
  // Answer reads with an error, because the client would wait before retrying a lost read.
  if (method === 'GET') return new Response('{}', { status: 500 })
  throw new TypeError('Failed to fetch')
}

type OnWrite = (body: { key: string }) => Promise<void>

/** Adds what the client sends for the owner. */
export function asOwner(api: DataApi, request: Request): Request {
  request.headers.set('apikey', api.secrets.publishableKey)
  request.headers.set('Authorization', `Bearer ${api.ownerToken}`)
  return request
}

/**
 * Opens a page whose writes, and reads of the written rows, get the fates in `plan`, in order. Later requests succeed. Calls
 * `onWrite` while a command is on its way.
 */
export async function openLossyPage(api: DataApi, plan: readonly Fate[], onWrite?: OnWrite) {
  await api.database.run(LOG)
  const remaining = [...plan]
  const late: (() => Promise<unknown>)[] = []
  const store = createStore()
  const send: typeof fetch = async (input, init) => {
    const request = asOwner(api, new Request(input, init))
    const { pathname, search } = new URL(request.url)
    if (pathname.startsWith('/functions/')) return Response.json({ code: 'internal' }, { status: 500 })
    const fate = isWrite(request) ? (remaining.shift() ?? 'answered') : 'answered'
    const { method, headers } = request
    const body = method === 'GET' ? {} : { body: await request.text() }
    const send = () => api.fetch(pathname + search, { method, headers, ...body })
    if (body.body?.includes('"key"')) await onWrite?.(JSON.parse(body.body) as { key: string })
    if (fate === 'late') {
      late.push(send)
      throw new DOMException('signal timed out', 'TimeoutError')
    }
    if (fate === 'lost before') return lose(request)
    const response = await send()
    await Promise.all(late.splice(0).map((one) => one()))
    return fate === 'lost after' ? lose(request) : response
  }
  store.set(backendAtom, backendOf(send))
  return {
    store,
    reconnect: () => void (remaining.length = 0),
    rowsOf: async <Row>(sql: string) => (await api.database.run(sql)).at(-1) as Row[],
  }
}

export type Page = Awaited<ReturnType<typeof openLossyPage>>
