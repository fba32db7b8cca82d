import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  backtest,
  daysAtPace,
  daysUntil,
  findWindows,
  hasEnoughChecks,
  isResting,
  MAX_WINDOW_DAYS,
  PAD_METERS,
  rangeOf,
  scoreOf,
  type Sums,
  sumDays,
  typicalRide,
} from './forecast.ts'
import { METERS_PER_MILE } from './units.ts'

// A fixed seed makes failures reproducible.
fc.configureGlobal({ seed: 1 })

const days = (count: number, amount: (day: number) => number) =>
  sumDays(Array.from({ length: count }, (_, day) => amount(day)))

/** Creates 400 days with a ride on each of these days before today. */
const ridesOn = (...ago: number[]) => days(400, (day) => (ago.includes(399 - day) ? 10 : 0))

const miles = (perDay: (day: number) => number, count = 1500) =>
  days(count, (day) => perDay(day) * METERS_PER_MILE)

Deno.test('computes the 5th, 50th and 95th percentile of the windows', () => {
  const recent = Array.from({ length: 20 }, (_, index) => index + 1)
  // 5 % of 20 is the first, 50 % the tenth, 95 % the nineteenth.
  assert.deepEqual(rangeOf({ recent, earlier: [] }), { early: 1, likely: 10, late: 19 })
})

Deno.test('weighs recent and earlier windows equally, however many there are', () => {
  // Cumulative shares: 25 % at 1 day, 50 % at 2 days, 100 % at 10 days.
  assert.deepEqual(rangeOf({ recent: [1, 2], earlier: [10] }), { early: 1, likely: 2, late: 10 })
  assert.deepEqual(rangeOf({ recent: [1], earlier: [10, 10, 10, 20] }), { early: 1, likely: 1, late: 20 })
  assert.deepEqual(rangeOf({ recent: [], earlier: [5] }), { early: 5, likely: 5, late: 5 })
})

Deno.test('gives no exact number of days from two years on', () => {
  assert.deepEqual(rangeOf({ recent: [30], earlier: [MAX_WINDOW_DAYS] }), {
    early: 30,
    likely: 30,
    late: Infinity,
  })
  assert.deepEqual(rangeOf({ recent: [], earlier: [] }), {
    early: Infinity,
    likely: Infinity,
    late: Infinity,
  })
})

Deno.test('looks back from each day of the last year', () => {
  // At 10 a day, 35 needs four days, looking back from any day except the first three.
  const { recent } = findWindows(
    days(100, () => 10),
    99,
    35,
    60,
  )
  assert.deepEqual(recent, Array<number>(97).fill(4))
  // With 7 every seventh day, 14 needs 8 days looking back from a ride, plus one for each day since that ride, up to 14.
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
  // Before day 55, the 56-day pace isn't known, so only the last four of the days from 4 to 64 remain.
  assert.equal(findWindows(steady.slice(0, 401), 399, 35, 60).earlier.length, 4)
})

Deno.test('scales earlier windows by the pace of 56 days, at most by three', () => {
  // The pace doubled half a year ago, from 560 to 1,120. Adding the pad of 560 to both lowers the factor to 1.5.
  const faster = days(800, (day) => (day < 600 ? 10 : 20))
  assert.deepEqual([...new Set(findWindows(faster, 799, 300, 560).earlier)], [20])
  assert.deepEqual([...new Set(findWindows(faster, 799, 300, 0).earlier)], [15])
  const muchFaster = days(800, (day) => (day < 600 ? 10 : 90))
  assert.deepEqual([...new Set(findWindows(muchFaster, 799, 300, 0).earlier)], [10])
  const slower = days(800, (day) => (day < 600 ? 90 : 10))
  assert.deepEqual([...new Set(findWindows(slower, 799, 900, 0).earlier)], [30])
})

Deno.test('an amount that was not reached gets the longest time', () => {
  const stopped = days(800, (day) => (day < 300 ? 10 : 0))
  assert.deepEqual([...new Set(findWindows(stopped, 799, 9000, 60).earlier)], [MAX_WINDOW_DAYS])
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
  // The pace is 100 in 10 days.
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
  assert.equal(isResting(ridesOn(0, 50, 89), 399), false)
  assert.equal(isResting(ridesOn(0, 50, 90), 399), true)
  assert.equal(isResting(ridesOn(0, 50, 90), 398), true)
})

Deno.test('a past forecast uses only what was known then', () => {
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

const scoreOfMiles = (sums: Sums, distance: number) => scoreOf(sums, distance * METERS_PER_MILE, PAD_METERS)

Deno.test('scores up to 52 past forecasts with a known outcome', () => {
  const steady = miles(() => 10)
  // 300 miles take 30 days and 3,000 take 300, so later forecasts may still come true.
  assert.deepEqual(scoreOfMiles(steady, 300), { held: 50, times: 50 })
  assert.deepEqual(scoreOfMiles(steady, 3000), { held: 31, times: 31 })
  assert.deepEqual(
    scoreOfMiles(
      miles(() => 10, 300),
      300,
    ),
    { held: 0, times: 0 },
  )
})

Deno.test('a forecast misses once the end of its range has passed', () => {
  // The last forecasts before the bike stopped for good are 30 days, and none are made while it rests.
  const stopped = backtest(
    miles((day) => (day < 1300 ? 10 : 0)),
    300 * METERS_PER_MILE,
    PAD_METERS,
  )
  assert.deepEqual([...new Set(stopped.filter(({ days }) => days === null).map(({ held }) => held))], [false])
  // The outcome of a forecast that may still come true is unknown.
  const steady = backtest(
    miles(() => 10),
    300 * METERS_PER_MILE,
    PAD_METERS,
  )
  assert.deepEqual(
    steady.filter(({ days }) => days === null).map(({ at, held }) => [1499 - at, held]),
    [
      [28, null],
      [14, null],
    ],
  )
})

Deno.test('a range without an upper end holds if the amount took two years', () => {
  // 380 days of 10 miles each between two rests. The longest windows begin in the first rest.
  const sums = miles((day) => (day === 0 || (day >= 920 && day < 1300) ? 10 : 0), 2100)
  const outcome = backtest(sums, 300 * METERS_PER_MILE, PAD_METERS).find(({ at }) => at === 2099 - 58 * 14)
  assert.deepEqual([outcome?.range.late, outcome?.days, outcome?.held], [Infinity, null, true])
})

const hasEnough = (count: number, distance: number) =>
  hasEnoughChecks(
    miles(() => 10, count),
    distance * METERS_PER_MILE,
    PAD_METERS,
  )

Deno.test('a range needs six checked forecasts of its own distance', () => {
  // The sixth forecast is made 70 days after the first year. Its 300 miles take 30 days, so it can be checked 42 days later.
  const checked = 366 + 70 + 42
  assert.equal(hasEnough(checked - 1, 300), false)
  assert.equal(hasEnough(checked, 300), true)
  assert.equal(hasEnough(checked, 1000), false)
  assert.equal(hasEnough(366 + 70 + 112, 1000), true)
})

Deno.test('has enough checks as soon as the score knows six', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { minLength: 366, maxLength: 800 }),
      fc.nat(400),
      fc.nat(6000),
      (amounts, rest, amount) => {
        const sums = sumDays([...amounts, ...Array<number>(rest).fill(0)])
        assert.equal(hasEnoughChecks(sums, amount + 1, 60), scoreOf(sums, amount + 1, 60).times >= 6)
      },
    ),
  )
})

Deno.test('a typical ride is the median of the days with a ride', () => {
  assert.equal(typicalRide(sumDays([0, 30, 0, 10, 20])), 20)
  assert.equal(typicalRide(sumDays([0])), 0)
})
