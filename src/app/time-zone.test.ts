// @vitest-environment jsdom
import { createStore } from 'jotai'
import { beforeEach, expect, test } from 'vitest'

import { backendAtom } from '../lib/backend.ts'
import { fakeBackend } from '../lib/fake-backend.ts'
import { countReads } from '../lib/count-reads.ts'
import { storeTimeZoneAtom } from './time-zone.ts'

beforeEach(() => localStorage.clear())

test('stores the time zone once and retries after a failure', async () => {
  let isDown = true
  const { backend, sent } = fakeBackend(() =>
    isDown ? Response.json({ message: 'down' }, { status: 500 }) : Response.json(true),
  )
  const store = createStore()
  store.set(backendAtom, backend)
  await store.set(storeTimeZoneAtom)
  isDown = false
  await store.set(storeTimeZoneAtom)
  await store.set(storeTimeZoneAtom)
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone
  const call = { method: 'POST', path: '/rest/v1/rpc/set_time_zone', body: { name } }
  expect(sent).toEqual([call, call])
})

test.each([
  { isChanged: true, reads: 1 },
  { isChanged: false, reads: 0 },
])(
  'reads data that depends on "today" again only if the zone changed: $isChanged',
  async ({ isChanged, reads }) => {
    const { backend } = fakeBackend(() => Response.json(isChanged))
    const store = createStore()
    store.set(backendAtom, backend)
    const tasks = countReads(store, 'rides')
    await store.set(storeTimeZoneAtom)
    expect(tasks()).toBe(1 + reads)
  },
)
