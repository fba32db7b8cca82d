import { expect, test } from 'vitest'

import { toBars } from './bars.ts'
import type { Period } from './periods.ts'
import { roundUp } from '../../../lib/scale.ts'
import { tickOf } from './scale.ts'

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
  const bars = toBars(rides, period)
  return bars.map((bar, index) => tickOf(bar, index, bars.length, period)).filter((tick) => tick !== null)
}

test('labels each of a few months, or the years of many', () => {
  expect(ticks('2023-11-05', '2024-02-05', 'month')).toEqual(['Nov', 'Dec', '2024', 'Feb'])
  expect(ticks('2022-06-05', '2024-02-05', 'month')).toEqual(['2023', '2024'])
})

test('labels a few weeks by day, more by month, many by year', () => {
  expect(ticks('2024-04-29', '2024-05-06', 'week')).toEqual(['Apr 29', 'May 6'])
  expect(ticks('2024-01-02', '2024-06-06', 'week')).toEqual(['2024', 'Feb', 'Mar', 'Apr', 'May', 'Jun'])
  expect(ticks('2022-06-05', '2024-02-05', 'week')).toEqual(['2023', '2024'])
})

test('skips years that do not fit', () => {
  expect(ticks('2020-01-01', '2023-01-01', 'year')).toEqual(['2020', '2021', '2022', '2023'])
  expect(ticks('1990-01-01', '2024-01-01', 'year').length).toBeLessThanOrEqual(14)
})
