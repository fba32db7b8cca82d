import { expect, test } from 'vitest'

import { KILOMETERS } from './fake-formats.ts'
import { numberKind } from './forms.ts'

const kilometers = numberKind({ max: 100_000, ...KILOMETERS.distance })
const millimeters = numberKind({ max: 1000, hasZero: true })

test.each([
  [kilometers, '1500', 1_500_000],
  [kilometers, '1,500', 1_500_000],
  [kilometers, '1.5', 1500],
  [kilometers, '1.50', 1500],
  [kilometers, '0.500', 500],
  [kilometers, '1500.125', 1_500_125],
  // The limit leaves one reading.
  [millimeters, '1.755', 1.755],
])('reads a number with one reading: %$ %s', (kind, text, value) => {
  expect(kind.parse(text, KILOMETERS)).toEqual({ value })
})

test.each([
  [kilometers, '1.500', '1.500 can mean 1.5 or 1,500. Enter 1.5 or 1500.'],
  [kilometers, ' 12.345 ', '12.345 can mean 12.345 or 12,345. Enter 12.3450 or 12345.'],
  [millimeters, '1.000', '1.000 can mean 1 or 1,000. Enter 1 or 1000.'],
])('refuses a number with two readings: %$ %s', (kind, text, message) => {
  expect(kind.parse(text, KILOMETERS)).toEqual({ message })
})
