import { expect, test } from 'vitest'

import { ITEM } from '../entries/fake-item.ts'
import type { Ride } from './api.ts'
import { drillDownFilter, usageTotals } from './drill-down.ts'
import { toRows } from './rows.ts'

const RIDE = {
  gear_id: 7,
  started_at: '2024-05-10T09:00:00',
  departed_at: '2024-05-10T16:00:00+00:00',
  distance: 1609,
  duration: 4000,
  moving_time: 3600,
} as Ride

const rows = (...rides: Partial<Ride>[]) =>
  toRows(
    rides.map((ride, id) => Object.assign({}, RIDE, { id }, ride)),
    new Map(),
  )

test('counts the duration if moving time is missing, and 0 for a missing value', () => {
  const unmeasured = { moving_time: null, duration: null, distance: null }
  const totals = usageTotals(rows({}, { moving_time: null }, unmeasured))
  expect(totals).toMatchObject({ moving_time: 7600, distance: 3218 })
  expect(usageTotals([])).toMatchObject({ moving_time: 0, distance: 0 })
  expect(usageTotals(rows({ distance: null }))).toMatchObject({ distance: 0 })
})

test('shows every ride for the bike, and only the rides that count for an item', () => {
  const item = { ...ITEM, dateStarted: '2024-05-10T01:00:00' }
  const rides = rows({}, { started_at: '2024-05-10T00:30:00' }, { started_at: null })
  expect(rides.filter(drillDownFilter(null))).toHaveLength(3)
  expect(rides.filter(drillDownFilter(item)).map(({ id }) => id)).toEqual([0])
})
