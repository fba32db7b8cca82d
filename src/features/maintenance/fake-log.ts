import { createStore } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend, type Sent } from '../../lib/fake-backend.ts'
import type { Item } from './api.ts'
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
}

type Hook = (sent: Sent) => Response | Promise<Response | undefined> | undefined

/**
 * For tests: a store over the log of bike 7, in which writes are applied as they are sent. `hook` sees each request
 * first and may answer it otherwise, or later.
 */
export function setUpLog(items: Item[] = [ITEM], hook: Hook = () => undefined) {
  const log = structuredClone(items)
  const { backend, sent } = fakeBackend(async (call) => (await hook(call)) ?? answer(log, call))
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

function answer(log: Item[], { method, path, body }: Sent): Response {
  if (!isLog(path)) {
    return path.startsWith('/rest/v1/bikes')
      ? Response.json({ gear_id: 7, maintenance: structuredClone(log) })
      : Response.json({ gear_id: 7, total: { rides: 0, distance: 0, moving_time: 0 }, items: [] })
  }
  const id = Number(/[?&]id=eq\.(\d+)/.exec(path)?.[1])
  const place = log.findIndex((item) => item.id === id)
  if (method === 'PATCH') {
    log.splice(
      place,
      place < 0 ? 0 : 1,
      ...log.slice(place, place + 1).map((item) => Object.assign(item, body)),
    )
    return Response.json(place < 0 ? [] : [{ id }])
  }
  if (method === 'DELETE') log.splice(place, 1)
  else log.push({ ...ITEM, id: 100 + log.length, ...(body as Partial<Item>) })
  return new Response(null, { status: 201 })
}
