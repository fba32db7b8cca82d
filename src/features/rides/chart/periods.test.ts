import { expect, test } from 'vitest'

import type { Day } from '../../../lib/days.ts'
import { GERMAN, US } from '../../../lib/fake-formats.ts'
import { daysBetween, lastDay, type Period, periodName, periodOf } from './periods.ts'

test.each<[Day, Period, Day, Day]>([
  ['2024-05-08', 'week', '2024-05-06', '2024-05-12'],
  ['2024-05-06', 'week', '2024-05-06', '2024-05-12'],
  ['2025-01-01', 'week', '2024-12-30', '2025-01-05'],
  ['2024-03-10', 'week', '2024-03-04', '2024-03-10'],
  ['2024-02-29', 'month', '2024-02-01', '2024-02-29'],
  ['2023-12-31', 'month', '2023-12-01', '2023-12-31'],
  ['2024-07-04', 'year', '2024-01-01', '2024-12-31'],
  ['2023-07-04', 'year', '2023-01-01', '2023-12-31'],
])('%s is in the %s from %s to %s', (day, period, first, last) => {
  const start = periodOf(day, period, 'Monday')
  expect([start, lastDay(start, period)]).toEqual([first, last])
})

test.each([
  ['2024-05-08', 'Sunday', '2024-05-05'],
  ['2024-05-04', 'Sunday', '2024-04-28'],
  ['2024-05-04', 'Saturday', '2024-05-04'],
  ['2024-05-03', 'Saturday', '2024-04-27'],
] as const)('the week of %s that starts on %s starts on %s', (day, weekStart, start) => {
  expect(periodOf(day, 'week', weekStart)).toBe(start)
})

test('names periods', () => {
  expect(periodName('2024-05-06', 'week', US)).toBe('Week of May 6, 2024')
  expect(periodName('2024-05-06', 'week', GERMAN)).toBe('Week of 6 May 2024')
  expect(periodName('2024-05-01', 'month', US)).toBe('May 2024')
  expect(periodName('2024-01-01', 'year', US)).toBe('2024')
})

test('counts calendar days across the start of daylight saving time', () => {
  expect(daysBetween('2024-03-09', '2024-03-11')).toBe(2)
})
