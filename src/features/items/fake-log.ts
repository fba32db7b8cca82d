import { createStore } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend, type Sent } from '../../lib/fake-backend.ts'
import type { Item } from './fields.ts'
import { logAtom } from './log.ts'

export const ITEM: Item = {
  id: 1,
  bikeId: 7,
  type: null,
  name: 'Chain',
  description: 'KMC',
  cost: 45,
  dateStarted: '2024-01-10T01:00:00',
  dateEnded: null,
  part_id: 1,
  ended_as: null,
}

type Stored = Item & { request_key?: string | null }

type Hooked = Response | 'lost' | undefined

type Hook = (sent: Sent) => Hooked | Promise<Hooked>

/** Fakes bike 7's log. `hook` sees requests first, and can answer or delay them, or return `lost` to drop responses. */
export function setUpLog(items: Item[] = [ITEM], hook: Hook = () => undefined) {
  const log: Stored[] = structuredClone(items)
  const deleted: Stored[] = []
  const { backend, sent } = fakeBackend(async (call) => {
    const hooked = await hook(call)
    if (hooked instanceof Response) return hooked
    const response = answer(log, deleted, call)
    if (hooked === 'lost') throw new TypeError('Failed to fetch')
    return response
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const stop = store.sub(logAtom(7), () => undefined)
  const item = (id = 1) => {
    const state = store.get(logAtom(7))
    return state.state === 'ready' ? state.data.find((one) => one.id === id) : undefined
  }
  return {
    store,
    stop,
    item,
    log,
    writes: () => sent.filter(({ method, path }) => method !== 'GET' && isLog(path)),
  }
}

function isLog(path: string): boolean {
  return path.startsWith('/rest/v1/maintenance')
}

function answer(log: Stored[], deleted: Stored[], { method, path, body }: Sent): Response {
  if (path.startsWith('/rest/v1/log_changes')) {
    const id = /row_id=eq\.(\d+)/.exec(path)?.[1]
    return Response.json(deleted.flatMap((before) => (String(before.id) === id ? [{ before }] : [])))
  }
  if (!isLog(path)) {
    return path.startsWith('/rest/v1/bikes')
      ? Response.json(structuredClone({ gear_id: 7, maintenance: log, latest: log.slice(-1) }))
      : Response.json({ gear_id: 7, total: { rides: 0, distance: 0, moving_time: 0 }, items: [], parts: [] })
  }
  const { searchParams } = new URL(path, 'http://backend.test')
  if (method === 'POST') return upsert(log, searchParams.get('on_conflict') ?? 'id', body as Partial<Stored>)
  const found = log.filter((item) => isMatch(item, searchParams))
  if (method === 'PATCH') for (const item of found) Object.assign(item, body)
  if (method === 'DELETE') for (const item of found) deleted.unshift(...log.splice(log.indexOf(item), 1))
  return Response.json(found)
}

/** Adds an item, unless another item has the same value in the `unique` column. */
function upsert(log: Stored[], unique: string, given: Partial<Stored>): Response {
  const key = given[unique as keyof Stored]
  if (log.some((item) => item[unique as keyof Stored] === key)) return Response.json([])
  const item = { ...ITEM, description: null, cost: 0, id: 100 + log.length, ...given }
  log.push(item)
  return Response.json([item], { status: 201 })
}

/** Supports `eq.value`, `is.null` and `in.("value")`. */
function isMatch(item: Stored, search: URLSearchParams): boolean {
  return [...search].every(([column, filter]) => {
    if (!(column in item) && column !== 'request_key') return true
    const wanted = filter.replace(/^(eq|is)\./, '').replace(/^in\.\("(.*)"\)$/s, '$1')
    return String(item[column as keyof Stored] ?? null) === wanted.replaceAll(/\\(.)/gs, '$1')
  })
}
