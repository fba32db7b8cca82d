// @vitest-environment jsdom
import { expect, test } from 'vitest'

import { countReads, fakeStore } from '../lib/fake-backend.ts'
import { storeTimeZoneAtom } from './time-zone.ts'

test('stores the time zone once and retries after a failure', async () => {
  const responses = [Response.json({ message: 'down' }, { status: 500 }), Response.json(true)]
  const { store, sent } = fakeStore(() => responses.shift()!)
  for (let visit = 0; visit < 3; visit++) await store.set(storeTimeZoneAtom)
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone
  const call = { method: 'POST', path: '/rest/v1/rpc/set_time_zone', body: { name } }
  expect(sent).toEqual([call, call])
})

test.each([true, false])(
  'reads data that depends on "today" again only if the zone changed: %s',
  async (isChanged) => {
    const { store } = fakeStore(() => Response.json(isChanged))
    const tasks = countReads(store, 'rides')
    await store.set(storeTimeZoneAtom)
    expect(tasks()).toBe(isChanged ? 2 : 1)
  },
)
