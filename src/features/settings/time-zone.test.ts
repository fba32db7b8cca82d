// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { countReads, fakeStore, writtenTo } from '../../lib/fake-backend.ts'
import { browserZone, timeZoneAtom } from '../../lib/time-zone.ts'
import { keptZoneAtom, offeredZoneAtom, readTimeZoneAtom, saveTimeZoneAtom } from './time-zone.ts'

const toasts = recordToasts()
beforeEach(() => localStorage.clear())

test('reads the owner’s time zone, and offers another one of this browser once', async () => {
  const { store, sent } = fakeStore(() => Response.json('Pacific/Auckland'))
  expect([store.get(timeZoneAtom), store.get(offeredZoneAtom)]).toEqual([browserZone(), null])
  await store.set(readTimeZoneAtom)
  expect(sent).toMatchObject([{ path: '/rest/v1/rpc/time_zone' }])
  expect([store.get(timeZoneAtom), store.get(offeredZoneAtom)]).toEqual(['Pacific/Auckland', browserZone()])
  store.set(keptZoneAtom, browserZone())
  expect(store.get(offeredZoneAtom)).toBeNull()
})

test('a new tracker takes the browser’s time zone, and what depends on "today" is read again', async () => {
  const answers = [Response.json(null), writtenTo('owner')]
  const { store, sent } = fakeStore(() => answers.shift()!)
  const tasks = countReads(store, 'rides')
  await store.set(readTimeZoneAtom)
  expect(sent[1]!.body).toMatchObject({ command: 'set_time_zone', arguments: { name: browserZone() } })
  expect([store.get(timeZoneAtom), tasks()]).toEqual([browserZone(), 2])
})

test('keeps the browser’s zone while the owner’s can’t be read, or isn’t known here', async () => {
  const answers = [Response.json({ message: 'down' }, { status: 500 }), Response.json('Mars/Base')]
  const { store } = fakeStore(() => answers.shift()!)
  for (let visit = 0; visit < 2; visit++) {
    await store.set(readTimeZoneAtom)
    expect(store.get(timeZoneAtom)).toBe(browserZone())
  }
})

test('saves a time zone, and reads what depends on "today" again; a failure changes nothing', async () => {
  const answers = [writtenTo('owner'), Response.json({ code: 'PT422', message: 'No.' }, { status: 422 })]
  const { store } = fakeStore(() => answers.shift()!)
  const tasks = countReads(store, 'rides')
  await store.set(saveTimeZoneAtom, 'Asia/Tokyo')
  expect([store.get(timeZoneAtom), tasks()]).toEqual(['Asia/Tokyo', 2])
  await store.set(saveTimeZoneAtom, 'Mars/Base')
  expect(store.get(timeZoneAtom)).toBe('Asia/Tokyo')
  expect(toasts.failures).toEqual(['The time zone was not saved. No.'])
})
