import { expect, test } from 'vitest'

import { US } from '../../../lib/fake-formats.ts'
import type { Day } from '../../../lib/days.ts'
import { ITEM } from '../../entries/fake-item.ts'
import { priceKind, problemOfDay, soldWith, yearsBetween } from './fields.ts'

test.each([
  ['', { value: null }],
  ['0', { value: 0 }],
  ['$1,450.50', { value: 1450.5 }],
  ['-1', { message: 'Enter a price of 0 or more.' }],
  ['a lot', { message: expect.stringContaining('Enter an amount') }],
])('reads the price %j', (text, parsed) => {
  expect(priceKind.parse(text, US)).toEqual(parsed)
})

const TODAY = '2026-11-28' as Day
const item = (name: string, dateStarted: string, dateEnded: string | null = null) => ({
  ...ITEM,
  name,
  dateStarted: `${dateStarted}T01:00:00`,
  dateEnded: dateEnded && `${dateEnded}T01:00:00`,
})

test('a sale ends the parts in use and planned ones, no work, and nothing that has ended', () => {
  const log = [
    item('Chain', '2026-01-01'),
    item('Rental wheels', '2026-01-01', '2027-01-01'),
    item('Planned tire', '2027-01-01'),
    item('Old tire', '2026-01-01', '2026-02-01'),
    item('Tune-up', '2026-01-01', '2026-01-01'),
  ]
  expect(soldWith(log, TODAY).map(({ name }) => name)).toEqual(['Chain', 'Rental wheels', 'Planned tire'])
})

test('a bike isn’t sold before the start of its newest part', () => {
  const items = [item('Chain', '2026-05-01'), item('Tire', '2026-06-01')]
  expect(problemOfDay('2026-06-01', items, US)).toBeUndefined()
  expect(problemOfDay('2026-05-31', items, US)).toBe(
    '“Tire” starts on 06/01/2026. Enter that day or a later one.',
  )
  expect(problemOfDay(TODAY, [], US)).toBeUndefined()
})

test.each([
  ['2022-04-12', '2026-11-28', '4 years 7 months'],
  ['2025-11-28', '2026-11-28', '1 year'],
  ['2025-11-29', '2026-11-28', '11 months'],
  ['2026-11-01', '2026-11-28', 'under a month'],
])('between %s and %s are %s', (from, to, text) => {
  expect(yearsBetween(from as Day, to as Day)).toBe(text)
})
