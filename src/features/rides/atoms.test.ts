// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'

import { addDays, localDay } from '../../lib/days.ts'
import { fakeStore } from '../../lib/fake-backend.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { shownRidesAtom } from './atoms.ts'
import { filterPeriodAtom, filterRidesAtom } from './filters.ts'

const HOUR = 3_600_000
const at = (hours: number) => {
  const departed_at = new Date(Date.now() + hours * HOUR).toISOString()
  return { gear_id: 7, departed_at, started_at: departed_at.slice(0, 19), distance: 1000 }
}
const NEXT_WEEK = addDays(localDay(new Date()), 7)
const RIDES = [
  { id: 1, ...at(-48) },
  { id: 2, ...at(1 / 60) },
  { id: 3, ...at(72) },
  { id: 4, ...at(240) },
]

beforeEach(() => window.history.replaceState(null, '', '/#bike=7&tab=rides'))

async function open() {
  const { store } = fakeStore(({ path }) =>
    path.includes('/bikes')
      ? Response.json([{ gear_id: 7, name: 'Road' }])
      : Response.json(RIDES, { headers: { 'content-range': `0-3/${RIDES.length}` } }),
  )
  store.sub(bikesAtom, () => undefined)
  await expect.poll(() => store.get(bikesAtom).state).toBe('ready')
  store.sub(shownRidesAtom, () => undefined)
  await expect.poll(() => store.get(shownRidesAtom).state).toBe('ready')
  return store
}

function shown(store: Awaited<ReturnType<typeof open>>) {
  const rides = store.get(shownRidesAtom)
  if (rides.state !== 'ready') throw new Error(rides.state)
  const { rows, total, read, future, totals } = rides.data
  return {
    rides: rows.map(({ id }) => id).toSorted((a, b) => a - b),
    total,
    read,
    future,
    distance: totals.distance,
  }
}

test('lists rides until now, unless To is later than today', async () => {
  const store = await open()
  const untilNow = { rides: [1], total: 1, read: 1, future: 0, distance: 1000 }
  expect(shown(store)).toEqual(untilNow)
  store.set(filterRidesAtom, { to: localDay(new Date()) }, 'typing')
  expect(shown(store)).toEqual(untilNow)
  store.set(filterRidesAtom, { to: NEXT_WEEK }, 'typing')
  expect(shown(store)).toEqual({ rides: [1, 2, 3], total: 4, read: 4, future: 2, distance: 3000 })
})

test('the chart’s current period ends now, too', async () => {
  const store = await open()
  const period = { start: addDays(localDay(new Date()), -7), end: NEXT_WEEK }
  store.set(filterPeriodAtom, period)
  expect(window.location.hash).not.toContain('to=')
  expect(shown(store).rides).toEqual([1])
  store.set(filterRidesAtom, { to: NEXT_WEEK }, 'typing')
  store.set(filterPeriodAtom, period)
  expect(shown(store).future).toBe(2)
})
