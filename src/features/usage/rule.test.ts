import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { plainUsage, type UsageItem, type UsageRide, wallClock } from '../../../tests/database/usage.ts'
import { countsFor } from './rule.ts'

const NOW = Date.parse('2024-06-15T12:00:00Z')
const MAY = { dateStarted: '2024-05-01T01:00:00', dateEnded: '2024-06-01T01:00:00' }
const OPEN = { ...MAY, dateEnded: null }
const TO_COME = { ...MAY, dateEnded: '2024-07-01T01:00:00' }

/** A ride by the wall clock at its start and, where it matters, the instant of that. */
const at = (started_at: string | null, departed_at: string | null = '2024-05-10T00:00:00+00:00') => ({
  started_at,
  departed_at,
  created_at: '2024-05-10T00:00:00+00:00',
})

describe.each([
  ['a part of May', MAY],
  ['a part in use', OPEN],
  ['a part whose end is to come', TO_COME],
])('for %s', (_name, part) => {
  test.each([
    ['exactly at its start', at('2024-05-01T01:00:00'), true],
    ['a second before its start', at('2024-05-01T00:59:59'), false],
    ['at half past midnight of its first day', at('2024-05-01T00:30:00'), false],
    ['within it', at('2024-05-20T17:00:00'), true],
    ['with a fraction of a second', at('2024-05-01T01:00:00.5'), true],
    ['with no start at all', at(null), false],
  ])('a ride %s: %s', (_when, ride, counts) => {
    expect(countsFor(ride, part, NOW)).toBe(counts)
  })
})

test.each([
  ['exactly at the end counts for the next part alone', at('2024-06-01T01:00:00'), MAY, false],
  ['a second before the end counts', at('2024-06-01T00:59:59'), MAY, true],
  ['after the end does not count', at('2024-06-02T08:00:00'), MAY, false],
  ['on the day of an end to come counts', at('2024-06-14T08:00:00'), TO_COME, true],
])('a ride %s', (_name, ride, part, counts) => {
  expect(countsFor(ride, part, NOW)).toBe(counts)
})

test.each([
  ['an hour ago in Auckland, where it is tomorrow', '2024-06-15T23:00:00', '2024-06-15T11:00:00+00:00', true],
  ['an hour ago in Berlin', '2024-06-15T13:00:00', '2024-06-15T11:00:00+00:00', true],
  ['an hour ago in New York', '2024-06-15T07:00:00', '2024-06-15T11:00:00+00:00', true],
  ['at this very instant', '2024-06-15T12:00:00', '2024-06-15T12:00:00+00:00', true],
  ['an hour from now in New York', '2024-06-15T09:00:00', '2024-06-15T13:00:00+00:00', false],
])('a ride %s counts for a part in use: %s', (_when, started, departed, counts) => {
  expect(countsFor(at(started, departed), OPEN, NOW)).toBe(counts)
})

test('a ride without a departure is taken at the instant it was made', () => {
  expect(countsFor(at('2024-05-10T00:00:00', null), OPEN, NOW)).toBe(true)
  expect(countsFor({ started_at: null, departed_at: null, created_at: null }, OPEN, NOW)).toBe(false)
})

// Few hours of few days, so that rides, dates and now meet exactly.
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

test('any ride counts for any part exactly where it does in the plain loop that the database is held to', () => {
  fc.assert(
    fc.property(fc.array(rides), days, fc.option(days), (list, dateStarted, dateEnded) => {
      const part: UsageItem = { id: 1, bikeId: 7, dateStarted, dateEnded }
      const measured = list.map((ride, id): UsageRide =>
        Object.assign({ id, gear_id: 7, distance: 0, duration: 0, moving_time: 0 }, ride),
      )
      const counted = measured.filter(({ departed_at, created_at, time_zone }) => {
        const instant = departed_at ?? created_at
        const started_at = instant === null ? null : wallClock(instant, time_zone)
        return countsFor({ started_at, departed_at, created_at }, part, NOW)
      })
      expect(counted).toHaveLength(plainUsage(part, measured, NOW).rides)
    }),
    { numRuns: 500 },
  )
})
