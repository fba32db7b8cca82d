import { describe, expect, test } from 'vitest'

import { formatCount, formatCurrency, formatDuration, quote, formatDollars, formatRate } from './formats.ts'

describe('duration', () => {
  test.each([
    [0, '00:00:00'],
    [59, '00:00:59'],
    [3909, '01:05:09'],
    [86_399, '23:59:59'],
    [360_000, '100:00:00'],
    [59.5, '00:01:00'],
  ])('%d s is %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})

test.each([
  [45, '$45.00'],
  [0, '$0.00'],
  [-5, '-$5.00'],
  [12.5, '$12.50'],
  [1_234_567, '$1,234,567.00'],
])('%d dollars is %s', (dollars, text) => {
  expect(formatCurrency(dollars)).toBe(text)
})

test.each([
  [151.5, '152'],
  [0, '0'],
  [1234, '1,234'],
])('%d is %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test.each([formatDuration, formatCurrency, formatCount])(
  'a missing value is a dash, not 0 (%o)',
  (format) => {
    expect([format(null), format(undefined), format(Number.NaN)]).toEqual(['–', '–', '–'])
  },
)

test('quotes a name and cuts a long one between characters', () => {
  expect(quote('Chain')).toBe('“Chain”')
  expect(quote('🚲'.repeat(80))).toBe(`“${'🚲'.repeat(80)}”`)
  expect(quote('🚲'.repeat(1000))).toBe(`“${'🚲'.repeat(80)}…”`)
})

test.each([
  [0.3597, '36¢'],
  [0.0994, '9.9¢'],
  [0.0996, '10¢'],
  [0.006, '0.6¢'],
  [0.994, '99¢'],
  [0.995, '$1.00'],
  [1.2, '$1.20'],
  [null, '–'],
])('formats a rate of %d dollars as %s', (dollars, text) => {
  expect(formatRate(dollars)).toBe(text)
})

test('formats sums of dollars without cents', () => {
  expect([8323.4, 457.5, 0, null].map(formatDollars)).toEqual(['$8,323', '$458', '$0', '–'])
})
