import { expect, test } from 'vitest'

import { MEASURE_KEYS } from '../../lib/measures.ts'
import { totalsOf } from './totals.ts'

type Measured = Parameters<typeof totalsOf>[0][number]

const EMPTY = Object.fromEntries(MEASURE_KEYS.map((key) => [key, null])) as Measured

test('sums distance, time and elevation', () => {
  const one = { ...EMPTY, distance: 1000.5, duration: 60, moving_time: 50, elevation_gain: 10 }
  expect(totalsOf([one, one, EMPTY])).toMatchObject({
    distance: 2001,
    duration: 120,
    moving_time: 100,
    elevation_gain: 20,
  })
})

test('uses the highest maximum', () => {
  const totals = totalsOf([{ ...EMPTY, max_hr: 150, max_speed: 40 }, { ...EMPTY, max_hr: 180 }, EMPTY])
  expect([totals.max_hr, totals.max_speed, totals.max_watts]).toEqual([180, 40, null])
})

test('weights averages by moving time, or by duration if that is missing, over the rides that have one', () => {
  const rides = [
    { ...EMPTY, avg_hr: 100, moving_time: 3600 },
    { ...EMPTY, avg_hr: 160, moving_time: null, duration: 1800 },
    { ...EMPTY, moving_time: 9999 },
  ]
  expect(totalsOf(rides).avg_hr).toBe(120)
})

test('has no totals without rides', () => {
  expect(Object.values(totalsOf([]))).toEqual(Array(11).fill(null))
})
