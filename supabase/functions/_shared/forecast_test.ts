import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  backtest,
  daysAtPace,
  daysUntil,
  findWindows,
  isResting,
  LONGEST,
  rangeOf,
  scoreOf,
  sumDays,
  typicalRide,
} from './forecast.ts'
import { METERS_PER_MILE } from './units.ts'

// The same cases in every run, so a red run is red again.
fc.configureGlobal({ seed: 1 })

const days = (count: number, amount: (day: number) => number) =>
  sumDays(Array.from({ length: count }, (_, day) => amount(day)))

/** 400 days with a ride on some. */
const ridden = (...ago: number[]) => days(400, (day) => (ago.includes(399 - day) ? 10 : 0))

const miles = (perDay: (day: number) => number, count = 1500) =>
  days(count, (day) => perDay(day) * METERS_PER_MILE)

Deno.test('computes the 5th, 50th and 95th percentile of the windows', () => {
  const recent = Array.from({ length: 20 }, (_, index) => index + 1)
  // 5 % of 20 is the first, 50 % the tenth, 95 % the nineteenth.
  assert.deepEqual(rangeOf({ recent, earlier: [] }), { early: 1, likely: 10, late: 19 })
})

Deno.test('weighs recent and earlier windows half each, however many there are', () => {
  // 1 day: 25 %, 2 days: 50 %, 10 days: 100 %.
  assert.deepEqual(rangeOf({ recent: [1, 2], earlier: [10] }), { early: 1, likely: 2, late: 10 })
  assert.deepEqual(rangeOf({ recent: [1], earlier: [10, 10, 10, 20] }), { early: 1, likely: 1, late: 20 })
  assert.deepEqual(rangeOf({ recent: [], earlier: [5] }), { early: 5, likely: 5, late: 5 })
  assert.equal(rangeOf({ recent: [], earlier: [] }), null)
})

Deno.test('looks back from each day of the last year', () => {
  // 10 a day: 35 needs four days, from every day but the first three.
  const { recent } = findWindows(
    days(100, () => 10),
    99,
    35,
    60,
  )
  assert.deepEqual(recent, Array<number>(97).fill(4))
  // 7 every seventh day: 14 needs 8 days looking back from a ride, one more on each day after it, up to 14.
  const weekly = findWindows(
    days(800, (day) => (day % 7 === 0 ? 7 : 0)),
    799,
    14,
    60,
  ).recent
  assert.equal(weekly.length, 365)
  assert.deepEqual(weekly.slice(0, 8), [9, 8, 14, 13, 12, 11, 10, 9])
})

Deno.test('looks forward from every third day around this date in up to three earlier years', () => {
  const steady = days(2000, () => 10)
  const { earlier } = findWindows(steady, 1999, 35, 60)
  assert.deepEqual(earlier, Array<number>(63).fill(4))
  // Before day 55, the pace of 56 days isn't known: of days 4 to 64, the last four remain.
  assert.equal(findWindows(steady.slice(0, 401), 399, 35, 60).earlier.length, 4)
})

Deno.test('scales earlier windows by the pace of 56 days, at most by two', () => {
  // Twice the pace since half a year: 560 + 1120 is between 1 and 2 times, and the pad of 560 pulls it to 1.5.
  const faster = days(800, (day) => (day < 600 ? 10 : 20))
  assert.deepEqual([...new Set(findWindows(faster, 799, 300, 560).earlier)], [20])
  assert.deepEqual([...new Set(findWindows(faster, 799, 300, 0).earlier)], [15])
  const muchFaster = days(800, (day) => (day < 600 ? 10 : 90))
  assert.deepEqual([...new Set(findWindows(muchFaster, 799, 300, 0).earlier)], [15])
  const slower = days(800, (day) => (day < 600 ? 90 : 10))
  assert.deepEqual([...new Set(findWindows(slower, 799, 900, 0).earlier)], [20])
})

Deno.test('an amount that was not reached gets the longest time', () => {
  const stopped = days(800, (day) => (day < 300 ? 10 : 0))
  assert.deepEqual([...new Set(findWindows(stopped, 799, 9000, 60).earlier)], [LONGEST])
  assert.deepEqual(findWindows(stopped, 799, 9000, 60).recent, [])
})

Deno.test('finds the same day as a plain loop', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { minLength: 1, maxLength: 60 }),
      fc.nat(59),
      fc.integer({ min: 1, max: 80 }),
      (amounts, index, amount) => {
        const start = index % amounts.length
        let [left, expected] = [amount, null as number | null]
        for (let day = start + 1; day < amounts.length && expected === null; day++) {
          left -= amounts[day] ?? 0
          if (left <= 0) expected = day - start
        }
        assert.equal(daysUntil(sumDays(amounts), start, amount, amounts.length - 1), expected)
      },
    ),
  )
})

Deno.test('the pace of a young bike counts from its first ride', () => {
  // 100 in 10 days.
  assert.equal(
    daysAtPace(
      days(10, () => 10),
      9,
      95,
    ),
    10,
  )
  assert.equal(
    daysAtPace(
      days(200, (day) => (day < 110 ? 500 : 1)),
      199,
      45,
    ),
    45,
  )
  assert.equal(
    daysAtPace(
      days(10, () => 0),
      9,
      95,
    ),
    null,
  )
})

Deno.test('a bike with fewer than three ride days in 90 is resting', () => {
  assert.equal(isResting(ridden(0, 50, 89), 399), false)
  assert.equal(isResting(ridden(0, 50, 90), 399), true)
  assert.equal(isResting(ridden(0, 50, 90), 398), true)
})

Deno.test('a past forecast knows only what was known then', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { minLength: 600, maxLength: 900 }), (amounts) => {
      const sums = sumDays(amounts)
      for (const { at, range } of backtest(sums, 200, 60, 6)) {
        const known = sumDays(amounts.slice(0, at + 1))
        assert.deepEqual(rangeOf(findWindows(known, at, 200, 60)), range)
      }
    }),
    { numRuns: 10 },
  )
})

Deno.test('scores up to 26 forecasts of the last year that are known', () => {
  // 300 miles take 30 days, so the forecasts of the last 28 days may still come true.
  assert.deepEqual(scoreOf(miles(() => 10)), { distance: 482_700, held: 24, times: 24 })
  // The bike stopped long ago: the ranges of the days before passed, and no forecast was made while it rested.
  const stopped = scoreOf(miles((day) => (day < 1300 ? 10 : 0)))
  assert.ok(stopped.held < stopped.times)
  assert.deepEqual(scoreOf(miles(() => 10, 300)), { distance: 482_700, held: 0, times: 0 })
})

Deno.test('a typical ride is the median of the days with a ride', () => {
  assert.equal(typicalRide(sumDays([0, 30, 0, 10, 20])), 20)
  assert.equal(typicalRide(sumDays([0])), 0)
})
