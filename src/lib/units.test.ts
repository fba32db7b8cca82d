import { describe, expect, test } from 'vitest'

import { UNITS } from './units.ts'

const SPACE = '\u00A0'
const { miles, kilometers } = UNITS

describe('distance', () => {
  test.each([
    [0, '0.0'],
    [1609, '1.0'],
    [80.44, '0.0'],
    [80.45, '0.1'],
    [241.35, '0.2'],
    [1_986_310.5, '1,234.5'],
    [160_900_000, '100,000.0'],
  ])('%d m is %s mi, at 1609 m per mile, rounded half up', (meters, shown) => {
    expect(miles.distance.format(meters)).toBe(`${shown}${SPACE}mi`)
  })

  test.each([
    [0, '0.0'],
    [49.99, '0.0'],
    [50, '0.1'],
    [1000, '1.0'],
    [1050, '1.1'],
    [1_234_449.9, '1,234.4'],
    [1_234_450, '1,234.5'],
    [100_000_000, '100,000.0'],
  ])('%d m is %s km, rounded half up', (meters, shown) => {
    expect(kilometers.distance.format(meters)).toBe(`${shown}${SPACE}km`)
  })
})

describe('speed', () => {
  test.each([
    [0, '0.0'],
    [1.609, '1.0'],
    [19.79, '12.3'],
    [0.08045, '0.1'],
    [1_609, '1,000.0'],
  ])('%d km/h is %s mph, at 1.609 km per mile', (speed, shown) => {
    expect(miles.speed.format(speed)).toBe(`${shown}${SPACE}mph`)
  })

  test.each([
    [0, '0.0'],
    [0.05, '0.1'],
    [19.75, '19.8'],
    [19.749, '19.7'],
    [1.005, '1.0'],
    [1_000, '1,000.0'],
  ])('%d km/h is %s km/h, rounded half up', (speed, shown) => {
    expect(kilometers.speed.format(speed)).toBe(`${shown}${SPACE}km/h`)
  })
})

describe('elevation', () => {
  test.each([
    [0, '0'],
    [0.15, '0'],
    [0.1524, '1'],
    [545, '1,788'],
    [8848, '29,029'],
  ])('%d m is %s ft, at 3.28084 ft per meter, rounded half up', (meters, shown) => {
    expect(miles.elevation.format(meters)).toBe(`${shown}${SPACE}ft`)
  })

  test.each([
    [0, '0'],
    [0.49, '0'],
    [0.5, '1'],
    [544.5, '545'],
    [8848, '8,848'],
  ])('%d m is %s m, rounded half up', (meters, shown) => {
    expect(kilometers.elevation.format(meters)).toBe(`${shown}${SPACE}m`)
  })
})

test.each([miles, kilometers])('a missing value in $name is a dash, not 0', (units) => {
  for (const { format } of [units.distance, units.speed, units.elevation]) {
    expect([format(null), format(undefined), format(Number.NaN)]).toEqual(['–', '–', '–'])
  }
})

test.each([
  ['miles', 50, 80_450],
  ['miles', 0.1, 161],
  ['kilometers', 50.5, 50_500],
] as const)('%s: %d as shown is %d m as stored', (units, shown, stored) => {
  expect(UNITS[units].distance.toStored(shown)).toBe(stored)
  expect(UNITS[units].distance.of(stored)).toBe(shown)
})

test('distances without decimals are rounded once, from what is stored', () => {
  expect([4311.49, 4311.5, 0.2].map((value) => miles.distance.formatWhole(value * 1609))).toEqual([
    '4,311\u00A0mi',
    '4,312\u00A0mi',
    '0\u00A0mi',
  ])
})
