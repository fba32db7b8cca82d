import { expect, test } from 'vitest'

import { defaultFilters, isWithin, readFilters, writeFilters } from './filters.ts'

const defaults = defaultFilters(7)
const on = (started_at: string | null, distance: number | null = 1000) => ({ started_at, distance })

test('by default, shows the selected bike from 1990 without an end', () => {
  expect(readFilters({}, defaults, [7])).toEqual({
    from: '1990-01-01',
    to: null,
    gear: '7',
    min: 0,
    search: '',
  })
})

test('reads filters from the address and ignores an impossible date', () => {
  const written = { from: '2024-02-30', to: '2023-01-31', gear: 'none', min: '80450', search: 'hill' }
  expect(readFilters(written, defaults, [7])).toEqual({
    from: '1990-01-01',
    to: '2023-01-31',
    gear: 'none',
    min: 80_450,
    search: 'hill',
  })
})

test.each([
  ['8', '8'],
  ['all', 'all'],
  ['9', '7'],
  ['gear', '7'],
])('with bikes 7 and 8, reads gear %s as %s', (written, expected) => {
  expect(readFilters({ gear: written }, defaults, [7, 8]).gear).toBe(expected)
})

test.each(['', '0', '-5', '1.5', '1e3', 'far', '9999999999'])(
  'reads a minimum distance of %j as none',
  (min) => {
    expect(readFilters({ min }, defaults, [7]).min).toBe(0)
  },
)

test('leaves defaults out of the address', () => {
  const changes = { from: '1990-01-01', to: '2023-01-31', min: 0, search: '' } as const
  expect(writeFilters(changes, defaults)).toEqual({ from: null, to: '2023-01-31', min: null, search: null })
})

test('reads back what it writes', () => {
  const filters = { from: '2024-02-29', to: '2024-03-01', gear: 'all', min: 80_450, search: 'a b' } as const
  const written = writeFilters(filters, defaults) as Record<string, string>
  expect(readFilters(written, defaults, [7])).toEqual(filters)
})

test.each([
  ['2024-01-01T00:00:00', true],
  ['2024-01-31T23:59:59', true],
  ['2023-12-31T23:59:59', false],
  ['2024-02-01T00:00:00', false],
  [null, false],
])('a ride at %s is in January: %s', (startedAt, expected) => {
  expect(isWithin(on(startedAt), { from: '2024-01-01', to: '2024-01-31', min: 0 })).toBe(expected)
})

test('shows a ride whose local day is tomorrow until To is edited', () => {
  const tomorrow = '2024-05-07T08:00:00'
  expect(isWithin(on(tomorrow), defaults)).toBe(true)
  expect(isWithin(on(tomorrow), { ...defaults, to: '2024-05-06' })).toBe(false)
})

test('shows a ride without a date while From is the default', () => {
  expect(isWithin(on(null), defaults)).toBe(true)
})

test.each([
  [80_450, true],
  [80_449.9, false],
  [null, false],
])('a ride of %s m has the minimum distance of 80,450 m: %s', (distance, expected) => {
  expect(isWithin(on('2024-05-07T08:00:00', distance), { ...defaults, min: 80_450 })).toBe(expected)
})
