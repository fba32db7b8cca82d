import { describe, expect, test } from 'vitest'

import {
  formatCount,
  formatCurrency,
  formatDistance,
  formatDuration,
  formatElevation,
  formatSpeed,
} from './formats.ts'

const SPACE = '\u00A0'

describe('distance', () => {
  test.each([
    [0, '0.0'],
    [1609, '1.0'],
    [80.44, '0.0'],
    [80.45, '0.1'],
    [241.35, '0.2'],
    [1_986_310.5, '1,234.5'],
    [160_900_000, '100,000.0'],
  ])('%d m is %s mi, at 1609 m a mile and half up', (metres, miles) => {
    expect(formatDistance(metres)).toBe(`${miles}${SPACE}mi`)
  })
})

describe('speed', () => {
  test.each([
    [0, '0.0'],
    [1.609, '1.0'],
    [19.79, '12.3'],
    [0.08045, '0.1'],
    [1_609, '1,000.0'],
  ])('%d km/h is %s mph, at 1.609 km a mile', (kilometres, miles) => {
    expect(formatSpeed(kilometres)).toBe(`${miles}${SPACE}mph`)
  })
})

describe('elevation', () => {
  test.each([
    [0, '0'],
    [0.15, '0'],
    [0.1524, '1'],
    [545, '1,788'],
    [8848, '29,029'],
  ])('%d m is %s ft, at 3.28084 ft a metre and rounded', (metres, feet) => {
    expect(formatElevation(metres)).toBe(`${feet}${SPACE}ft`)
  })
})

describe('duration', () => {
  test.each([
    [0, '00:00:00'],
    [59, '00:00:59'],
    [3909, '01:05:09'],
    [86_399, '23:59:59'],
    [360_000, '100:00:00'],
    [59.5, '00:01:00'],
  ])('%d s is %s, and hours go on past 99', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})

test.each([
  [45, '$45.00'],
  [0, '$0.00'],
  [-5, '-$5.00'],
  [12.5, '$12.50'],
  [1_234_567, '$1,234,567.00'],
])('%d dollars are shown as %s', (dollars, text) => {
  expect(formatCurrency(dollars)).toBe(text)
})

test.each([
  [151.5, '152'],
  [0, '0'],
  [1234, '1,234'],
])('the count %d is shown as %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test.each([formatDistance, formatSpeed, formatElevation, formatDuration, formatCurrency, formatCount])(
  'a missing value is a dash and never 0 (%o)',
  (format) => {
    expect([format(null), format(undefined), format(Number.NaN)]).toEqual(['–', '–', '–'])
  },
)
