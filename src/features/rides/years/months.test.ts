import { expect, test } from 'vitest'

import type { Day } from '../../../lib/days.ts'
import { US } from '../../../lib/fake-formats.ts'
import { chosenIn, compare, monthBeside, rangeOf, yearBefore, yearsIn } from './months.ts'

const TODAY = '2026-11-28' as Day

test.each<[string, string | null, string | null]>([
  ['2026-05-01', '2026-05-31', '2026-05'],
  ['2026-11-01', null, '2026-11'],
  ['2025-11-01', null, null],
  ['2025-01-01', '2025-12-31', '2025'],
  ['2025-01-01', '2025-01-31', '2025-01'],
  ['2026-01-01', null, '2026'],
  ['2024-02-01', '2024-02-28', null],
  ['1990-01-01', null, null],
])('from %s to %s is %s', (from, to, period) => {
  expect(chosenIn({ from: from as Day, to: to as Day | null }, TODAY)).toBe(period)
})

test('a period has its first and last day', () => {
  expect(rangeOf('2024-02')).toEqual({ start: '2024-02-01', end: '2024-02-29' })
  expect(rangeOf('2024')).toEqual({ start: '2024-01-01', end: '2024-12-31' })
})

test('years go from the first with rides that aren’t doubted until today, also those without rides', () => {
  const sums = { rides: 1, distance: 1, moving_time: 1, elevation_gain: 1 }
  const years = ['2025', '2023'].map((year) => Object.assign({ year, to_date: sums }, sums))
  const data = { today: TODAY, months: [], years, total: sums }
  expect(yearsIn(data, [])).toEqual(['2026', '2025', '2024', '2023'])
  expect(yearsIn({ ...data, years: [] }, [])).toEqual(['2026'])
  expect(yearsIn(data, [{ started_at: '2023-04-14T12:00:00' }])).toEqual(['2026', '2025'])
  const two = years.map((one) => Object.assign({}, one, { rides: 2 }))
  expect(yearsIn({ ...data, years: two }, [{ started_at: '2023-04-14T12:00:00' }])).toHaveLength(4)
})

test('months follow one another across years', () => {
  expect([monthBeside('2026-01', -1), monthBeside('2026-12', 1), monthBeside('2026-05', 1)]).toEqual([
    '2025-12',
    '2027-01',
    '2026-06',
  ])
  expect([yearBefore('2026-05'), yearBefore('2026')]).toEqual(['2025-05', '2025'])
})

test('differences are those of the shown numbers', () => {
  expect(compare(16_090, 8045, 'distance', US)).toBe('5 mi more')
  expect(compare(8045, 16_090, 'distance', US)).toBe('5 mi less')
  expect(compare(16_090, 16_091, 'distance', US)).toBe('the same')
  expect(compare(7200, 3600, 'moving_time', US)).toBe('1 h more')
})
