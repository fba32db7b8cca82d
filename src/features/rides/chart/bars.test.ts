import { expect, test } from 'vitest'

import { periodsFor, toBars } from './bars.ts'

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
  )
  expect(bars).toEqual([
    { start: '2024-01-01', end: '2024-01-31', rides: 2, distance: 1000, time: 160 },
    { start: '2024-02-01', end: '2024-02-29', rides: 0, distance: 0, time: 0 },
    { start: '2024-03-01', end: '2024-03-31', rides: 1, distance: 500, time: 60 },
  ])
})

test('ignores a ride without a date', () => {
  expect(toBars([ride(null)], 'year')).toEqual([])
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

test('offers every period without rides', () => {
  expect(periodsFor([]).possible).toEqual(['week', 'month', 'year'])
})
