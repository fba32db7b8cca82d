import { expect, test } from 'vitest'

import { GERMAN, US } from '../../../lib/fake-formats.ts'
import { roundUp } from '../../../lib/scale.ts'
import { periodsFor, tickOf, toBars, without } from './bars.ts'
import type { Period } from './periods.ts'

const ride = (
  started_at: string | null,
  distance: number | null = 1000,
  moving_time: number | null = 60,
) => ({
  started_at,
  distance,
  moving_time,
  duration: 100,
})

test('sums rides by period and local day, including empty periods', () => {
  const bars = toBars(
    [ride('2024-03-31T23:59:59', 500), ride('2024-01-01T00:00:00'), ride('2024-01-31T12:00:00', null, null)],
    'month',
    US,
  )
  expect(bars).toEqual([
    { start: '2024-01-01', end: '2024-01-31', rides: 2, distance: 1000, time: 160 },
    { start: '2024-02-01', end: '2024-02-29', rides: 0, distance: 0, time: 0 },
    { start: '2024-03-01', end: '2024-03-31', rides: 1, distance: 500, time: 60 },
  ])
})

test('leaves out doubted rides', () => {
  const rides = [{ id: 1 }, { id: 2 }, { id: 3 }]
  expect(without(rides, [{ id: 2 }, { id: 4 }]).map(({ id }) => id)).toEqual([1, 3])
  expect(without(rides, [])).toBe(rides)
})

test('ignores a ride without a date', () => {
  expect(toBars([ride(null)], 'year', US)).toEqual([])
})

test.each([
  ['2024-01-01', '2024-03-31', 'week', 3],
  ['2020-01-01', '2024-03-31', 'month', 3],
  ['2000-01-01', '2024-03-31', 'year', 2],
  ['1970-01-01', '2024-03-31', 'year', 2],
  ['1900-01-01', '2024-03-31', 'year', 1],
])('rides from %s to %s are best charted by %s, with %d possible periods', (first, last, best, possible) => {
  const periods = periodsFor([ride(`${last}T09:00:00`), ride(`${first}T09:00:00`)])
  expect([periods.best, periods.possible.length]).toEqual([best, possible])
})

test('offers every period if there are no rides', () => {
  expect(periodsFor([]).possible).toEqual(['week', 'month', 'year'])
})

test.each([
  [0, 1],
  [0.3, 0.3],
  [1, 1],
  [1.1, 1.2],
  [509.1, 600],
  [2592.8, 3000],
  [9999, 10_000],
])('the axis for %d ends at %d', (value, top) => {
  expect(roundUp(value)).toBeCloseTo(top, 10)
})

const ticks = (first: string, last: string, period: Period) => {
  const rides = [first, last].map((started_at) => ({ started_at, distance: 1, moving_time: 1, duration: 1 }))
  const bars = toBars(rides, period, GERMAN)
  return bars.map((bar, index) => tickOf(bar, index, bars.length, period, US)).filter((tick) => tick !== null)
}

test('labels each month if there are few, else each year', () => {
  expect(ticks('2023-11-05', '2024-02-05', 'month')).toEqual(['Nov', 'Dec', '2024', 'Feb'])
  expect(ticks('2022-06-05', '2024-02-05', 'month')).toEqual(['2023', '2024'])
})

test('labels a few weeks by day, more weeks by month, and many by year', () => {
  expect(ticks('2024-04-29', '2024-05-06', 'week')).toEqual(['Apr 29', 'May 6'])
  expect(ticks('2024-01-02', '2024-06-06', 'week')).toEqual(['2024', 'Feb', 'Mar', 'Apr', 'May', 'Jun'])
  expect(ticks('2022-06-05', '2024-02-05', 'week')).toEqual(['2023', '2024'])
})

test('skips years that do not fit', () => {
  expect(ticks('2020-01-01', '2023-01-01', 'year')).toEqual(['2020', '2021', '2022', '2023'])
  expect(ticks('1990-01-01', '2024-01-01', 'year').length).toBeLessThanOrEqual(14)
})
