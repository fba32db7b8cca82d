import { expect, test } from 'vitest'

import type { Ride } from './api.ts'
import { drillDownFilter, usageTotals } from './drill-down.ts'
import { toRows } from './rows.ts'

const RIDE = {
  id: 1,
  name: 'Ride',
  gear_id: 7,
  started_at: '2024-05-10T09:00:00',
  departed_at: '2024-05-10T16:00:00+00:00',
  created_at: null,
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
  const totals = usageTotals(
    rows({}, { moving_time: null }, { moving_time: null, duration: null, distance: null }),
  )
  expect(totals).toMatchObject({ moving_time: 7600, distance: 3218 })
})

test('totals without values are 0, not missing', () => {
  expect(usageTotals([])).toMatchObject({ moving_time: 0, distance: 0 })
  expect(usageTotals(rows({ distance: null }))).toMatchObject({ distance: 0 })
})

test('shows every ride for the bike, and only the rides that count for an item', () => {
  const item = {
    id: 3,
    bikeId: 7,
    type: null,
    name: 'Chain',
    description: null,
    cost: 0,
    dateStarted: '2024-05-10T01:00:00',
    dateEnded: null,
    part_id: 1,
    ended_as: null,
  }
  const rides = rows({}, { started_at: '2024-05-10T00:30:00' }, { started_at: null })
  expect(rides.filter(drillDownFilter(null))).toHaveLength(3)
  expect(rides.filter(drillDownFilter(item)).map(({ id }) => id)).toEqual([0])
})
