import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'

import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend, type Sent } from '../../lib/fake-backend.ts'
import { ridesChangedAtom } from '../../lib/rides-changed.ts'
import { lookForUpdatesAtom, syncsAtom, updateRidesAtom, updatingAtom } from './atoms.ts'

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
