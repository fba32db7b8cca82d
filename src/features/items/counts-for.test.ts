import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { plainUsage, type UsageItem, type UsageRide, wallClock } from '../../../tests/database/usage.ts'
import { counts, countsFor } from './counts-for.ts'

const NOW = Date.parse('2024-06-15T12:00:00Z')
const MAY = { dateStarted: '2024-05-01T01:00:00', dateEnded: '2024-06-01T01:00:00' }
const OPEN = { ...MAY, dateEnded: null }
const FUTURE_END = { ...MAY, dateEnded: '2024-07-01T01:00:00' }

const at = (started_at: string | null, departed_at: string | null = '2024-05-10T00:00:00+00:00') => ({
  started_at,
  departed_at,
  created_at: '2024-05-10T00:00:00+00:00',
})

describe.each([
  ['an item that ended', MAY],
  ['an open item', OPEN],
  ['an item with a future end', FUTURE_END],
])('for %s', (_name, item) => {
  test.each([
    ['exactly at its start', at('2024-05-01T01:00:00'), true],
    ['a second before its start', at('2024-05-01T00:59:59'), false],
    ['before 01:00 on its first day', at('2024-05-01T00:30:00'), false],
    ['during it', at('2024-05-20T17:00:00'), true],
    ['with a fractional second', at('2024-05-01T01:00:00.5'), true],
    ['without a start time', at(null), false],
  ])('a ride %s counts: %s', (_when, ride, counts) => {
    expect(countsFor(ride, item, NOW)).toBe(counts)
  })
})

test.each([
  ['exactly at the end does not count', at('2024-06-01T01:00:00'), MAY, false],
  ['a second before the end counts', at('2024-06-01T00:59:59'), MAY, true],
  ['after the end does not count', at('2024-06-02T08:00:00'), MAY, false],
  ['before a future end counts', at('2024-06-14T08:00:00'), FUTURE_END, true],
])('a ride %s', (_name, ride, item, counts) => {
  expect(countsFor(ride, item, NOW)).toBe(counts)
})

test.each([
  ['an hour ago in Auckland, where it is tomorrow', '2024-06-15T23:00:00', '2024-06-15T11:00:00+00:00', true],
  ['an hour ago in Berlin', '2024-06-15T13:00:00', '2024-06-15T11:00:00+00:00', true],
  ['an hour ago in New York', '2024-06-15T07:00:00', '2024-06-15T11:00:00+00:00', true],
  ['right now', '2024-06-15T12:00:00', '2024-06-15T12:00:00+00:00', true],
  ['an hour from now in New York', '2024-06-15T09:00:00', '2024-06-15T13:00:00+00:00', false],
])('a ride %s counts for an open item: %s', (_when, started, departed, counts) => {
  expect(countsFor(at(started, departed), OPEN, NOW)).toBe(counts)
})

test.each([
  ['in the past', '2024-06-15T11:59:59+00:00', null, true],
  ['in the future', '2024-06-15T12:00:01+00:00', '2024-06-01T00:00:00+00:00', false],
  ['uploaded in the future, without a departure', null, '2024-06-16T00:00:00+00:00', false],
  ['without a date', null, null, true],
])('a ride %s counts for its bike: %s', (_when, departed_at, created_at, expected) => {
  expect(counts({ departed_at, created_at }, NOW)).toBe(expected)
})

test('uses the upload time of a ride without a departure', () => {
  expect(countsFor(at('2024-05-10T00:00:00', null), OPEN, NOW)).toBe(true)
  expect(countsFor({ started_at: null, departed_at: null, created_at: null }, OPEN, NOW)).toBe(false)
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
