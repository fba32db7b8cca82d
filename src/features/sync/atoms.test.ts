// @vitest-environment jsdom
import { createStore } from 'jotai'
import { describe, expect, test, vi } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { backendAtom } from '../../lib/backend.ts'
import { countReads } from '../../lib/count-reads.ts'
import { fakeBackend, type Sent } from '../../lib/fake-backend.ts'
import { clearResourcesAtom } from '../../lib/resource.ts'
import {
  checkSyncsAtom,
  didNotStartAtom,
  isSyncingAtom,
  removeMissingRidesAtom,
  syncRidesAtom,
  syncsAtom,
} from './atoms.ts'

const toasts = recordToasts()

function isSync({ path }: Sent) {
  return path === '/functions/v1/update-rides'
}

const nothing = { added: 0, changed: 0, removed: 0 }

function setUp(sync: () => Response | Promise<Response>) {
  const { backend, sent } = fakeBackend((call) => (isSync(call) ? sync() : Response.json([])))
  const store = createStore()
  store.set(backendAtom, backend)
  return { store, syncs: () => sent.filter(isSync).length }
}

test('ignores a second press while a sync is running', async () => {
  const { store, syncs } = setUp(() => Response.json({ status: 'ok', id: 1, ...nothing }))
  const first = store.set(syncRidesAtom)
  expect(store.get(isSyncingAtom)).toBe(true)
  await Promise.all([first, store.set(syncRidesAtom)])
  expect(store.get(isSyncingAtom)).toBe(false)
  expect(syncs()).toBe(1)
})

test('logs the code of a failure and shows the rides it stored', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { store } = setUp(() => Response.json({ code: 'rwgps_timeout', message: 'slow' }, { status: 504 }))
  const reads = countReads(store, 'rides')
  await store.set(syncRidesAtom)
  expect(log).toHaveBeenCalledExactlyOnceWith('The sync failed', {
    code: 'rwgps_timeout',
    status: 504,
  })
  expect(reads()).toBe(2)
  expect(store.get(isSyncingAtom)).toBe(false)
})

const hide = (): never => {
  throw new TypeError('Failed to fetch')
}

describe('a sync that fails without being recorded', () => {
  const missing = { code: 'NOT_FOUND', message: 'Requested function was not found' }
  // Answers from a hosted project's gateway. The browser hides answers without CORS headers.
  test.each<[string, () => Response]>([
    ['hidden by the browser', hide],
    ['404 for a missing function', () => Response.json(missing, { status: 404 })],
    ['503 for one without its secrets', () => Response.json({ code: 'BOOT_ERROR' }, { status: 503 })],
    ['546 for one over its limits', () => Response.json({ code: 'WORKER_LIMIT' }, { status: 546 })],
    ['502 with a page', () => new Response('<html>', { status: 502 })],
  ])('counts as not started: %s', async (_, respond) => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { store } = setUp(respond)
    store.sub(syncsAtom, () => undefined)
    await store.set(syncRidesAtom)
    expect(store.get(didNotStartAtom)).toBe(true)
  })

  test('counts as not started after a sync that did start', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const syncs: object[] = []
    let answer = () => {
      syncs.unshift({ id: 1, outcome: 'ok', ...nothing })
      return Response.json({ status: 'ok', id: 1, ...nothing })
    }
    const { store } = follow(
      () => syncs,
      () => answer(),
    )
    await store.set(checkSyncsAtom)
    await store.set(syncRidesAtom)
    answer = hide
    await store.set(syncRidesAtom)
    expect(store.get(didNotStartAtom)).toBe(true)
  })

  test.each([401, 403, 409, 429])('counts as refused with %d', async (status) => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { store } = setUp(() => Response.json({ code: 'refused', message: '' }, { status }))
    store.sub(syncsAtom, () => undefined)
    await store.set(syncRidesAtom)
    expect(store.get(didNotStartAtom)).toBe(false)
  })

  test('may be recorded if the backend is down now', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { backend } = fakeBackend(hide)
    const store = createStore()
    store.set(backendAtom, backend)
    store.sub(syncsAtom, () => undefined)
    await store.set(syncRidesAtom)
    expect(store.get(didNotStartAtom)).toBe(false)
  })
})

test('finds the code of a sync whose answer a gateway replaced', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const failed = { id: 1, outcome: 'failed', code: 'rwgps_unreachable', ...nothing }
  let syncs: object[] = []
  const { backend } = fakeBackend((call) => {
    if (!isSync(call)) return Response.json(syncs)
    syncs = [failed]
    return new Response('<html>', { status: 502 })
  })
  const store = createStore()
  store.set(backendAtom, backend)
  store.sub(syncsAtom, () => undefined)
  await store.set(checkSyncsAtom)
  await store.set(syncRidesAtom)
  expect(log).toHaveBeenCalledExactlyOnceWith('The sync failed', { code: 'rwgps_unreachable', status: 502 })
  expect(store.get(didNotStartAtom)).toBe(false)
})

test('counts each sync once, whether it started here or elsewhere', async () => {
  let newest = 1
  const { backend } = fakeBackend((call) =>
    isSync(call)
      ? Response.json({ status: 'ok', id: ++newest, ...nothing })
      : Response.json([{ id: newest, outcome: 'ok', ...nothing }]),
  )
  const store = createStore()
  store.set(backendAtom, backend)
  const stop = store.sub(syncsAtom, () => undefined)
  const reads = countReads(store, 'rides')
  const changes = () => reads() - 1

  await store.set(checkSyncsAtom)
  await store.set(checkSyncsAtom)
  expect(changes()).toBe(0)

  newest++
  await store.set(checkSyncsAtom)
  await store.set(checkSyncsAtom)
  expect(changes()).toBe(1)

  await store.set(syncRidesAtom)
  await store.set(checkSyncsAtom)
  expect(changes()).toBe(2)
  stop()
})

test('shows the result of a sync without reading the sync history again', async () => {
  const running = { id: 2, outcome: 'running', started_at: new Date().toISOString(), ...nothing }
  const read = Promise.withResolvers<void>()
  let syncs: object[] = [{ id: 1, outcome: 'ok', ...nothing }]
  const { backend, sent } = fakeBackend(async (call) => {
    if (isSync(call)) return Response.json({ status: 'ok', id: 2, ...nothing, added: 3 })
    if (syncs[0] === running) await read.promise
    return Response.json(syncs)
  })
  const store = createStore()
  store.set(backendAtom, backend)
  store.sub(syncsAtom, () => undefined)
  await store.set(checkSyncsAtom)
  syncs = [running]
  const reads = countReads(store, 'rides')
  const requests = sent.length
  // The tab requests the progress, and the sync ends before the response arrives.
  const check = store.set(checkSyncsAtom)
  await store.set(syncRidesAtom)
  read.resolve()
  await check
  expect(sent).toHaveLength(requests + 2)
  expect(reads()).toBe(2)
  expect(store.get(syncsAtom)).toMatchObject({
    data: { running: null, lastEnded: { id: 2 }, lastOk: { id: 2, added: 3 }, lastChange: { id: 2 } },
  })

  store.set(clearResourcesAtom)
  syncs = []
  await store.set(syncsAtom)
  expect(store.get(syncsAtom)).toMatchObject({ data: { lastOk: null } })
})

function follow(read: () => object[], call: (sent: Sent) => Response = () => Response.json(0)) {
  const { backend, sent } = fakeBackend((one) =>
    one.path.startsWith('/rest/v1/ride_syncs') ? Response.json(read()) : call(one),
  )
  const store = createStore()
  store.set(backendAtom, backend)
  store.sub(syncsAtom, () => undefined)
  const reads = countReads(store, 'rides')
  return { store, sent, changes: () => reads() - 1 }
}

test('shows rides that a sync stored elsewhere before it failed', async () => {
  const ok = { id: 1, outcome: 'ok', added: 0, changed: 0, removed: 0 }
  let syncs: object[] = [ok]
  const { store, changes } = follow(() => syncs)
  await store.set(checkSyncsAtom)
  syncs = [{ ...ok, id: 2, outcome: 'failed' }, ok]
  await store.set(checkSyncsAtom)
  expect(changes()).toBe(0)
  syncs = [{ ...ok, id: 3, outcome: 'failed', added: 40 }, ...syncs]
  await store.set(checkSyncsAtom)
  expect(changes()).toBe(1)
})

test('follows the removal of rides in another tab', async () => {
  const ok = { id: 1, outcome: 'ok', added: 0, changed: 0, removed: 0 }
  const { store, changes } = follow(() => [ok])
  await store.set(checkSyncsAtom)
  ok.removed = 1180
  await store.set(checkSyncsAtom)
  expect(changes()).toBe(1)
})

test('removes the missing rides of the sync on the screen, then reloads', async () => {
  const { store, sent, changes } = follow(() => [])
  await store.set(removeMissingRidesAtom, 7)
  expect(sent).toContainEqual({
    method: 'POST',
    path: '/rest/v1/rpc/remove_missing_rides',
    body: { shown_by: 7 },
  })
  expect(sent.at(-1)?.path).toMatch(/ride_syncs/)
  expect(changes()).toBe(1)
})

test('reports a failed removal and changes nothing', async () => {
  const { store, changes } = follow(
    () => [],
    () => Response.json({ code: '42501', message: 'no' }, { status: 403 }),
  )
  await store.set(removeMissingRidesAtom, 7)
  expect(changes()).toBe(0)
  expect(toasts.failures).toEqual([expect.stringMatching(/^The rides could not be removed\. /)])
})
