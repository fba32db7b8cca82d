import { expect, test } from 'vitest'

import { US } from '../../lib/fake-formats.ts'
import type { Task } from './api.ts'
import { headingOf, upcomingDay, whenText } from './upcoming.ts'

const TODAY = '2026-11-27'
const task = (more: Partial<Task>): Task =>
  ({
    state: 'ok',
    snoozed_until: null,
    forecast: null,
    forecast_note: null,
    is_next_ride: false,
    ...more,
  }) as Task
const exactly = (day: Task['snoozed_until'] & {}) => ({ forecast: { early: day, likely: day, late: day } })
const about = (day: Task['snoozed_until'] & {}) => ({ forecast: { early: null, likely: day, late: null } })

test.each([
  ['2026-11-28', 'This week'],
  ['2026-12-03', 'This week'],
  ['2026-12-04', 'December'],
  ['2026-12-31', 'December'],
  ['2027-01-01', 'Later'],
  [null, 'Later'],
] as const)('%s is under %s', (day, expected) => {
  expect(headingOf(day, TODAY)).toBe(expected)
})

test('the rest of this month has its name', () => {
  expect(headingOf('2026-11-20', '2026-11-01')).toBe('November')
})

test.each<[string, Partial<Task>]>([
  ['Sun, Nov 29', exactly('2026-11-29')],
  ['Dec 27', exactly('2026-12-27')],
  ['Jan 16, 2027', exactly('2027-01-16')],
  ['~2 weeks', about('2026-12-11')],
  ['next ride or two', { ...about('2026-11-29'), is_next_ride: true }],
  ['Wed, Dec 2', { ...about('2027-03-01'), state: 'snoozed', snoozed_until: '2026-12-02' }],
  ['~3 months', { ...about('2027-02-27'), state: 'snoozed' }],
  ['over a year', { forecast_note: 'over_a_year' }],
  ['resting', { forecast_note: 'resting' }],
  ['', {}],
])('says %s', (expected, more) => {
  expect(whenText(task(more), TODAY, US)).toBe(expected)
})

test('a snooze until a day decides when a task is next', () => {
  expect(upcomingDay(task({ ...exactly('2026-11-01'), state: 'snoozed', snoozed_until: '2026-12-02' }))).toBe(
    '2026-12-02',
  )
})
