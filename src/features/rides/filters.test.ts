import { expect, test } from 'vitest'

import { isWithin, readFilters } from './filters.ts'

test('without an address the filters are 1990 to today, of the selected bike', () => {
  expect(readFilters({}, 7, '2024-05-06')).toEqual({ from: '1990-01-01', to: '2024-05-06', gear: '7' })
})

test('what the address says is taken, and what is no day of it is not', () => {
  const written = { from: '2024-02-30', to: '2023-01-31', gear: 'none' }
  expect(readFilters(written, 7, '2024-05-06')).toEqual({
    from: '1990-01-01',
    to: '2023-01-31',
    gear: 'none',
  })
})

test.each([
  ['2024-01-01T00:00:00', true],
  ['2024-01-31T23:59:59', true],
  ['2023-12-31T23:59:59', false],
  ['2024-02-01T00:00:00', false],
  [null, true],
])('a ride at %s is within January: %s', (startedAt, expected) => {
  expect(isWithin(startedAt, { from: '2024-01-01', to: '2024-01-31' })).toBe(expected)
})
