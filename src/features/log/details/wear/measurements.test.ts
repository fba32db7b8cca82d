import { expect, test } from 'vitest'

import type { Day } from '../../../../lib/days.ts'
import { US } from '../../../../lib/fake-formats.ts'
import { formatInputs, readInputs } from '../../../../lib/forms.ts'
import type { Measurement, WearSeries } from './api.ts'
import {
  checkMeasurement,
  estimateMessage,
  formatReading,
  measurementFields,
  newInputs,
} from './measurements.ts'

const MILE = 1609
const TODAY: Day = '2026-11-21'

function messageOf(facts: Partial<WearSeries>, miles = 2000): string {
  const unknown = { not_before: null, reached_on: null, estimate: null, likely: null }
  const nothing = { limit: 0.5, ...unknown, measurements: [] }
  const wear = { distance: miles * MILE, least_distance: 300 * MILE }
  return estimateMessage({ unit: 'chain %', tool: '', ...nothing, ...facts }, wear, US)
}

test('suggests when to check a part', () => {
  const line = { kind: 'line', from: 2300 * MILE, to: 2800 * MILE } as const
  expect(messageOf({ estimate: line, likely: '2027-03-14' })).toBe(
    'Check it from 2,300\u00A0mi (about 03/14/2027): 0.5 is likely reached by 2,800\u00A0mi.',
  )
  expect(messageOf({ estimate: line })).toBe(
    'Check it from 2,300\u00A0mi: 0.5 is likely reached by 2,800\u00A0mi.',
  )
  expect(messageOf({ estimate: line }, 2500)).toBe('Check it: 0.5 is likely reached by 2,800\u00A0mi.')
  expect(messageOf({ estimate: line }, 2900)).toBe(
    'Check it: 0.5 was likely reached between 2,300 and 2,800\u00A0mi.',
  )
  expect(messageOf({ estimate: { kind: 'bracket', from: 2100 * MILE, to: 2900 * MILE } })).toBe(
    'Check it: 0.5 was reached between 2,100 and 2,900\u00A0mi.',
  )
  const two = 'Add two exact readings at least 300\u00A0mi apart to get an estimate.'
  const another = 'Add another exact reading at least 300\u00A0mi after the first one to get an estimate.'
  const below = { not_before: 2100 * MILE }
  const at = (...miles: number[]) =>
    miles.map((mile) => ({ reading: null, distance: mile * MILE }) as Measurement)
  expect(messageOf(below)).toBe(`Still below 0.5 at 2,100\u00A0mi. ${two}`)
  expect(messageOf({ ...below, unit: 'Pad mm', measurements: at(2100) })).toBe(
    `Still above 0.5 at 2,100\u00A0mi. ${another}`,
  )
  expect(messageOf({ ...below, measurements: at(2000, 2100) })).toBe(
    `Still below 0.5 at 2,100\u00A0mi. ${another}`,
  )
  expect(messageOf({ ...below, measurements: at(1000, 2100) })).toBe('Still below 0.5 at 2,100\u00A0mi.')
  expect(messageOf({ measurements: at(1000, 2100) })).toMatch(/^The readings are too close/)
  expect(messageOf({})).toBe(two)
  expect(messageOf({ reached_on: '2026-10-04', measurements: at(2100) })).toBe(
    'At its limit of 0.5 since 10/04/2026.',
  )
  expect(messageOf({ limit: null })).toBe('Enter a limit to get an estimate.')
})

test('shows a value or the reading of a gauge', () => {
  expect(formatReading({ value: 0.35, reading: null })).toBe('0.35')
  expect(formatReading({ value: 0.5, reading: 'under' })).toBe('under 0.5')
  expect(formatReading({ value: null, reading: 'over' })).toBe('over')
})

const START = newInputs(undefined, 'chain %', US.day(TODAY))

function read(inputs: object) {
  const kinds = measurementFields(TODAY)
  const { values, problems } = readInputs(kinds, { ...formatInputs(kinds, {}, US, START), ...inputs }, US)
  return { values, problems: { ...checkMeasurement(values), ...problems } }
}

test('starts with the usual unit, or with what was measured last', () => {
  const latest = { unit: 'pad mm', tool: 'Park', limit: 1 } as Measurement
  expect(newInputs(undefined, 'chain %', '11/21/2026').unit).toBe('chain %')
  expect(newInputs(latest, 'chain %', '11/21/2026')).toEqual({
    measured_on: '11/21/2026',
    unit: 'pad mm',
    tool: 'Park',
    limit: '1',
  })
})

test('reads the form', () => {
  const values = { measured_on: TODAY, reading: null, unit: 'chain %', note: null }
  expect(read({ value: ' 0,35 % ', tool: ' Park ', limit: '.75' })).toEqual({
    values: { ...values, value: 0.35, tool: 'Park', limit: 0.75 },
    problems: {},
  })
  expect(read({ reading: 'over' }).problems).toEqual({})
})

const wrong = (inputs: object) => Object.keys(read(inputs).problems)

test('rejects invalid measurements', () => {
  for (const value of ['', 'x', '-1', '1001', '1e2', '1,000.5']) expect(wrong({ value })).toEqual(['value'])
  expect(wrong({ value: '1', limit: 'x', unit: ' ' })).toEqual(['unit', 'limit'])
  expect(wrong({ value: '1', measured_on: '2026-11-22' })).toEqual(['measured_on'])
})
