import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'

import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend, type Sent } from '../../lib/fake-backend.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import {
  lookForUpdatesAtom,
  removeMissingRidesAtom,
  syncsAtom,
  updateRidesAtom,
  updatingAtom,
} from './atoms.ts'

vi.mock(import('../../components/toasts.tsx'), { spy: true })

function isUpdate({ path }: Sent) {
  return path === '/functions/v1/update-rides'
}

function setUp(update: () => Response | Promise<Response>) {
  const { backend, sent } = fakeBackend((call) => (isUpdate(call) ? update() : Response.json([])))
  const store = createStore()
  store.set(backendAtom, backend)
  return { store, updates: () => sent.filter(isUpdate).length }
}

test('a second press while an update runs asks for nothing', async () => {
  const { store, updates } = setUp(() => Response.json({ status: 'ok' }))
  const first = store.set(updateRidesAtom)
  expect(store.get(updatingAtom)).toBe(true)
  await Promise.all([first, store.set(updateRidesAtom)])
  expect(store.get(updatingAtom)).toBe(false)
  expect(updates()).toBe(1)
})

test('a failure is logged by its code, and what had come before it is shown', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { store } = setUp(() => Response.json({ code: 'rwgps_timeout', message: 'slow' }, { status: 504 }))
  const before = store.get(ridesChangedAtom)
  await store.set(updateRidesAtom)
  expect(log).toHaveBeenCalledExactlyOnceWith('The rides could not be updated', {
    code: 'rwgps_timeout',
    status: 504,
  })
  expect(store.get(ridesChangedAtom)).toBe(before + 1)
  expect(store.get(updatingAtom)).toBe(false)
})

test('an update made elsewhere is noticed, once; one made here counts once too', async () => {
  let newest = 1
  const { backend } = fakeBackend((call) =>
    isUpdate(call)
      ? Response.json({ status: 'ok', id: ++newest })
      : Response.json([{ id: newest, outcome: 'ok' }]),
  )
  const store = createStore()
  store.set(backendAtom, backend)
  const stop = store.sub(syncsAtom, () => undefined)
  const changes = () => store.get(ridesChangedAtom)

  await store.set(lookForUpdatesAtom)
  await store.set(lookForUpdatesAtom)
  expect(changes()).toBe(0)

  newest++
  await store.set(lookForUpdatesAtom)
  await store.set(lookForUpdatesAtom)
  expect(changes()).toBe(1)

  await store.set(updateRidesAtom)
  await store.set(lookForUpdatesAtom)
  expect(changes()).toBe(2)
  stop()
})

function follow(read: () => object[], call: (sent: Sent) => Response = () => Response.json(0)) {
  const { backend, sent } = fakeBackend((one) =>
    one.path.startsWith('/rest/v1/ride_syncs') ? Response.json(read()) : call(one),
  )
  const store = createStore()
  store.set(backendAtom, backend)
  store.sub(syncsAtom, () => undefined)
  return { store, sent, changes: () => store.get(ridesChangedAtom) }
}

test('rides that a sync stored before it failed elsewhere are shown', async () => {
  const ok = { id: 1, outcome: 'ok', added: 0, changed: 0, removed: 0 }
  let syncs: object[] = [ok]
  const { store, changes } = follow(() => syncs)
  await store.set(lookForUpdatesAtom)
  syncs = [{ ...ok, id: 2, outcome: 'failed' }, ok]
  await store.set(lookForUpdatesAtom)
  expect(changes()).toBe(0)
  syncs = [{ ...ok, id: 3, outcome: 'failed', added: 40 }, ...syncs]
  await store.set(lookForUpdatesAtom)
  expect(changes()).toBe(1)
})

test('rides that the owner removed in another tab go here too', async () => {
  const ok = { id: 1, outcome: 'ok', added: 0, changed: 0, removed: 0 }
  const { store, changes } = follow(() => [ok])
  await store.set(lookForUpdatesAtom)
  ok.removed = 1180
  await store.set(lookForUpdatesAtom)
  expect(changes()).toBe(1)
})

test('removing missing rides names the sync that was shown, and shows what is left', async () => {
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

test('a removal that fails changes nothing and says so', async () => {
  const { store, changes } = follow(
    () => [],
    () => Response.json({ code: '42501', message: 'no' }, { status: 403 }),
  )
  await store.set(removeMissingRidesAtom, 7)
  expect(changes()).toBe(0)
  expect(notifyFailure).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^The rides were not removed\. /),
  )
})
