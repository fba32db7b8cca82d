import { expect, test } from 'vitest'

import { addDays } from '../../lib/days.ts'
import { US } from '../../lib/fake-formats.ts'
import { formatDays, formatLikely, formatSpan } from './likely-dates.ts'

const TODAY = '2026-11-21'
const inDays = (days: number) => addDays(TODAY, days)
const range = (early: number | null, likely: number, late: number | null) => ({
  early: early === null ? null : inDays(early),
  likely: inDays(likely),
  late: late === null ? null : inDays(late),
})
const task = {
  state: 'ok',
  fraction: 0.5,
  forecast: null,
  forecast_note: null,
  is_next_ride: false,
} as const

test.each([
  ['about 5 weeks, within 11 weeks', { forecast: range(15, 34, 75) }],
  ['about 9 days, within 21 days', { forecast: range(4, 9, 21) }],
  ['about 2 weeks, within 4 weeks', { forecast: range(6, 14, 28) }],
  ['about 4 months, within 8 months', { forecast: range(70, 120, 240) }],
  ['about 10 months, maybe over a year', { forecast: range(160, 300, 500) }],
  ['about 10 months, maybe over two years', { forecast: range(160, 300, null) }],
  ['about 5 weeks, maybe over two years', { forecast: range(3, 34, null) }],
  ['about 5 weeks', { forecast: range(null, 34, null), forecast_note: 'first_year' }],
  ['about 1 day', { forecast: range(null, 1, null), forecast_note: 'low_score' }],
  ['12/21/2026', { forecast: range(30, 30, 30) }],
  ['12/21/2026', { forecast: range(null, 30, null), forecast_note: 'resting' }],
  ['next ride or two', { forecast: range(1, 3, 9), is_next_ride: true }],
  ['resting', { forecast_note: 'resting' }],
  ['over a year', { forecast_note: 'over_a_year' }],
  ['', { fraction: 1, state: 'due' }],
  ['', { state: 'paused' }],
  ['', {}],
] as const)('says %j', (text, changes) => {
  expect(formatLikely({ ...task, ...changes }, TODAY, US)).toBe(text)
})

test('shows a range in the unit of its middle', () => {
  expect(formatSpan({ early: 15, likely: 34, late: 75 })).toBe('2–11 weeks')
  expect(formatSpan({ early: 3, likely: 14, late: 28 })).toBe('<1–4 weeks')
  expect(formatSpan({ early: 160, likely: 300, late: 500 })).toBe('5–12+ months')
  expect(formatSpan({ early: 40, likely: 120, late: null })).toBe('1 month to over two years')
  expect(formatSpan({ early: 3, likely: 34, late: null })).toBe('<1 week to over two years')
})

test('counts days, weeks or months', () => {
  expect([1, 13, 14, 89, 90, 365].map(formatDays)).toEqual([
    '1 day',
    '13 days',
    '2 weeks',
    '13 weeks',
    '3 months',
    '12 months',
  ])
})
