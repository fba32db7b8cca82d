import fc from 'fast-check'
import { expect, test } from 'vitest'

import { plainUsage, type UsageItem, type UsageRide, wallClock } from '../../../tests/database/usage.ts'
import { counts, countsFor } from './counts-for.ts'

const NOW = Date.parse('2024-06-15T12:00:00Z')

test.each([
  ['in the past', '2024-06-15T11:59:59+00:00', null, true],
  ['in the future', '2024-06-15T12:00:01+00:00', '2024-06-01T00:00:00+00:00', false],
  ['uploaded in the future, without a departure', null, '2024-06-16T00:00:00+00:00', false],
  ['without a date', null, null, true],
])('a ride %s counts for its bike: %s', (_when, departed_at, created_at, expected) => {
  expect(counts({ departed_at, created_at }, NOW)).toBe(expected)
})

// Only a few hours on a few days, so ride times, item dates and the current time often coincide.
const hours = fc.oneof(
  fc.constant('2024-06-15T12:00:00Z'),
  fc
    .record({ day: fc.integer({ min: 13, max: 16 }), hour: fc.integer({ min: 0, max: 2 }) })
    .map(({ day, hour }) => `2024-06-${day}T0${hour}:00:00Z`),
)
const days = fc.integer({ min: 13, max: 16 }).map((day) => `2024-06-${day}T01:00:00`)
const rides = fc.record({
  departed_at: fc.option(hours),
  created_at: fc.option(hours),
  time_zone: fc.constantFrom('UTC', 'UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland'),
})

test('matches the reference implementation of the database tests', () => {
  fc.assert(
    fc.property(fc.array(rides), days, fc.option(days), (list, dateStarted, dateEnded) => {
      const item: UsageItem = { id: 1, bikeId: 7, dateStarted, dateEnded }
      const measured = list.map((ride, id): UsageRide =>
        Object.assign({ id, gear_id: 7, distance: 0, duration: 0, moving_time: 0 }, ride),
      )
      const counted = measured.filter(({ departed_at, created_at, time_zone }) => {
        const instant = departed_at ?? created_at
        const started_at = instant === null ? null : wallClock(instant, time_zone)
        return countsFor({ started_at, departed_at, created_at }, item, NOW)
      })
      expect(counted).toHaveLength(plainUsage(item, measured, NOW).rides)
    }),
    { numRuns: 200 },
  )
})
