// @vitest-environment jsdom
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { countReads, fakeStore, type Sent } from '../../lib/fake-backend.ts'
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
let log: MockInstance
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockReturnValue()
})

const nothing = { added: 0, changed: 0, removed: 0 }
const ok = { id: 1, outcome: 'ok', ...nothing }
const result = { status: 'ok', ...ok }

const isSync = ({ path }: Sent) => path === '/functions/v1/update-rides'

type Respond = (sent: Sent) => Response | Promise<Response>

/** Follows the syncs that `read` returns. `call` answers other requests, such as those to sync. */
function follow(read: () => object[] | Promise<object[]>, call: Respond = () => Response.json(0)) {
  const { store, sent } = fakeStore(async (one) =>
    one.path.startsWith('/rest/v1/ride_syncs') ? Response.json(await read()) : call(one),
  )
  store.sub(syncsAtom, () => undefined)
  const reads = countReads(store, 'rides')
  return {
    store,
    sent,
    check: () => store.set(checkSyncsAtom),
    sync: () => store.set(syncRidesAtom),
    /** How often data of rides was read again. */
    changes: () => reads() - 1,
  }
}

test('ignores a second press while a sync is running', async () => {
  const { store, sync, sent } = follow(
    () => [],
    () => Response.json(result),
  )
  const first = sync()
  expect(store.get(isSyncingAtom)).toBe(true)
  await Promise.all([first, sync()])
  expect(store.get(isSyncingAtom)).toBe(false)
  expect(sent.filter(isSync)).toHaveLength(1)
})

test('logs the code of a failure and shows the rides it stored', async () => {
  const { store, sync, changes } = follow(
    () => [],
    () => Response.json({ code: 'rwgps_timeout', message: 'slow' }, { status: 504 }),
  )
  await sync()
  expect(log).toHaveBeenCalledExactlyOnceWith('The sync failed', { code: 'rwgps_timeout', status: 504 })
  expect(changes()).toBe(1)
  expect(store.get(isSyncingAtom)).toBe(false)
})

const hide = (): never => {
  throw new TypeError('Failed to fetch')
}

describe('a sync that fails without being recorded', () => {
  const missing = { code: 'NOT_FOUND', message: 'Requested function was not found' }
  // Answers from a hosted project's gateway. The browser hides answers without CORS headers.
  test.each<[boolean, string, () => Response]>([
    [true, 'hidden by the browser', hide],
    [true, '404 for a missing function', () => Response.json(missing, { status: 404 })],
    [true, '503 for one without its secrets', () => Response.json({ code: 'BOOT_ERROR' }, { status: 503 })],
    [true, '546 for one over its limits', () => Response.json({ code: 'WORKER_LIMIT' }, { status: 546 })],
    [true, '502 with a page', () => new Response('<html>', { status: 502 })],
    ...[401, 403, 409, 429].map((status): [boolean, string, () => Response] => [
      false,
      String(status),
      () => Response.json({ code: 'refused', message: '' }, { status }),
    ]),
  ])('did not start: %s, after %s', async (didNotStart, _, respond) => {
    const { store, sync } = follow(() => [], respond)
    await sync()
    expect(store.get(didNotStartAtom)).toBe(didNotStart)
  })

  test('did not start after a sync that did start', async () => {
    const syncs: object[] = []
    let answer = () => {
      syncs.unshift(ok)
      return Response.json(result)
    }
    const { store, check, sync } = follow(
      () => syncs,
      () => answer(),
    )
    await check()
    await sync()
    answer = hide
    await sync()
    expect(store.get(didNotStartAtom)).toBe(true)
  })

  test('may be recorded if the backend is down now', async () => {
    const { store, sync } = follow(hide, hide)
    await sync()
    expect(store.get(didNotStartAtom)).toBe(false)
  })
})

test('finds the code of a sync whose answer a gateway replaced', async () => {
  let syncs: object[] = []
  const { store, check, sync } = follow(
    () => syncs,
    () => {
      syncs = [{ ...ok, outcome: 'failed', code: 'rwgps_unreachable' }]
      return new Response('<html>', { status: 502 })
    },
  )
  await check()
  await sync()
  expect(log).toHaveBeenCalledExactlyOnceWith('The sync failed', { code: 'rwgps_unreachable', status: 502 })
  expect(store.get(didNotStartAtom)).toBe(false)
})

test('counts each sync once, whether it started here or elsewhere', async () => {
  let newest = 1
  const { check, sync, changes } = follow(
    () => [{ ...ok, id: newest }],
    () => Response.json({ ...result, id: ++newest }),
  )
  await check()
  await check()
  expect(changes()).toBe(0)

  newest++
  await check()
  await check()
  expect(changes()).toBe(1)

  await sync()
  await check()
  expect(changes()).toBe(2)
})

test('shows the result of a sync without reading the sync history again', async () => {
  const running = { ...ok, id: 2, outcome: 'running', started_at: new Date().toISOString() }
  const read = Promise.withResolvers<void>()
  let syncs: object[] = [ok]
  const { store, sent, check, sync, changes } = follow(
    async () => {
      if (syncs[0] === running) await read.promise
      return syncs
    },
    () => Response.json({ ...result, id: 2, added: 3 }),
  )
  await check()
  syncs = [running]
  const requests = sent.length
  // The tab requests the progress, and the sync ends before the response arrives.
  const checked = check()
  await sync()
  read.resolve()
  await checked
  expect(sent).toHaveLength(requests + 2)
  expect(changes()).toBe(1)
  expect(store.get(syncsAtom)).toMatchObject({
    data: { running: null, lastEnded: { id: 2 }, lastOk: { id: 2, added: 3 }, lastChange: { id: 2 } },
  })

  store.set(clearResourcesAtom)
  syncs = []
  await store.set(syncsAtom)
  expect(store.get(syncsAtom)).toMatchObject({ data: { lastOk: null } })
})

test('shows rides that a sync stored elsewhere before it failed', async () => {
  let syncs: object[] = [ok]
  const { check, changes } = follow(() => syncs)
  await check()
  syncs = [{ ...ok, id: 2, outcome: 'failed' }, ok]
  await check()
  expect(changes()).toBe(0)
  syncs = [{ ...ok, id: 3, outcome: 'failed', added: 40 }, ...syncs]
  await check()
  expect(changes()).toBe(1)
})

test('follows the removal of rides in another tab', async () => {
  let removed = 0
  const { check, changes } = follow(() => [{ ...ok, removed }])
  await check()
  removed = 1180
  await check()
  expect(changes()).toBe(1)
})

test('removes the missing rides of the sync on the screen, then reloads', async () => {
  const { store, sent, changes } = follow(() => [])
  await store.set(removeMissingRidesAtom, 7)
  const path = '/rest/v1/rpc/remove_missing_rides'
  expect(sent).toContainEqual({ method: 'POST', path, body: { shown_by: 7 } })
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
