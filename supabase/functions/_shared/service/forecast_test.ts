import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  backtest,
  daysAtPace,
  findWindows,
  goalOf,
  hasEnoughChecks,
  isResting,
  PAD_METERS,
  rangeOf,
  scoreOf,
  spreadOf,
  typicalRide,
} from './forecast.ts'
import { daysUntil, MAX_WINDOW_DAYS, type Sums, sumDays } from './forecast-windows.ts'
import { METERS_PER_MILE } from '../formats/units.ts'

// A fixed seed makes failures reproducible.
fc.configureGlobal({ seed: 1 })

const days = (count: number, amount: (day: number) => number) =>
  sumDays(Array.from({ length: count }, (_, day) => amount(day)))

/** Creates days with the same amount each. */
const steadyDays = (count: number, amount: number) => days(count, () => amount)

/** Creates 400 days with a ride on each of these days before today. */
const ridesOn = (...ago: number[]) => days(400, (day) => (ago.includes(399 - day) ? 10 : 0))

const miles = (perDay: (day: number) => number, count = 1500) =>
  days(count, (day) => perDay(day) * METERS_PER_MILE)

/** Creates days of 10 miles each, then a rest. */
const tenMiles = (count = 1500, rest = 0) => miles((day) => (day < count ? 10 : 0), count + rest)

const goalOfMiles = (sums: Sums, distance: number) => goalOf(sums, distance * METERS_PER_MILE, PAD_METERS)

Deno.test('computes the 5th, 50th and 95th percentile of the windows', () => {
  const recent = Array.from({ length: 20 }, (_, index) => index + 1)
  // 5 % of 20 is the first, 50 % the tenth, 95 % the nineteenth.
  assert.deepEqual(spreadOf({ recent, earlier: [] }), { early: 1, likely: 10, late: 19 })
})

Deno.test('weighs recent and earlier windows equally, however many there are', () => {
  // Cumulative shares: 25 % at 1 day, 50 % at 2 days, 100 % at 10 days.
  assert.deepEqual(spreadOf({ recent: [1, 2], earlier: [10] }), { early: 1, likely: 2, late: 10 })
  assert.deepEqual(spreadOf({ recent: [1], earlier: [10, 10, 10, 20] }), { early: 1, likely: 1, late: 20 })
  assert.deepEqual(spreadOf({ recent: [], earlier: [5] }), { early: 5, likely: 5, late: 5 })
})

Deno.test('a window that today cuts off took at least this long', () => {
  // Among the windows of at least 30 days, one of 40 and one of 60 days are known.
  assert.deepEqual(spreadOf({ recent: [20, 40, 60, -30], earlier: [] }), { early: 20, likely: 40, late: 60 })
  // Windows that began a moment ago say nothing.
  assert.deepEqual(spreadOf({ recent: [20, 40, 60, -1, -1], earlier: [] }), {
    early: 20,
    likely: 40,
    late: 60,
  })
  // Nothing is known beyond the longest one.
  assert.deepEqual(spreadOf({ recent: [20, -30], earlier: [] }), { early: 20, likely: 20, late: Infinity })
  const never = { early: Infinity, likely: Infinity, late: Infinity }
  assert.deepEqual(spreadOf({ recent: [-30], earlier: [-MAX_WINDOW_DAYS] }), never)
})

Deno.test('looks back from each day of the last year', () => {
  // At 10 a day, 35 needs four days, looking back from any day except the first three.
  const { recent } = findWindows(goalOf(steadyDays(100, 10), 35, 60))
  assert.deepEqual(Array.from(recent), [-1, -2, -3, ...Array<number>(97).fill(4)])
  // With 7 every seventh day, 14 needs 8 days looking back from a ride, plus one for each day since that ride, up to 14.
  const everyWeek = days(800, (day) => (day % 7 === 0 ? 7 : 0))
  const weekly = Array.from(findWindows(goalOf(everyWeek, 14, 60)).recent)
  assert.equal(weekly.length, 365)
  assert.deepEqual(weekly.slice(-8), [9, 10, 11, 12, 13, 14, 8, 9])
})

const earlierOf = (sums: Sums, amount: number, pad: number) => [
  ...new Set(Array.from(findWindows(goalOf(sums, amount, pad)).earlier)),
]

Deno.test('looks forward from every third day around this date in up to three earlier years', () => {
  const steady = steadyDays(2000, 10)
  assert.deepEqual(findWindows(goalOf(steady, 35, 60)).earlier, new Int16Array(63).fill(4))
  // Before day 55, the 56-day pace isn't known, so only the last four of the days from 4 to 64 remain.
  assert.equal(findWindows(goalOf(steady.slice(0, 401), 35, 60)).earlier.length, 4)
})

Deno.test('scales earlier windows by the pace of 56 days, at most by three', () => {
  // The pace became ten times as much, which counts three times.
  const muchFaster = days(800, (day) => (day < 600 ? 1 : 10))
  assert.deepEqual(earlierOf(muchFaster, 30, 0), [10])
})

Deno.test('scales earlier windows less for amounts that take longer', () => {
  const twice = days(800, (day) => (day < 600 ? 10 : 20))
  const yearly = 200 * 20 + 165 * 10
  // An amount of 182 days would be scaled by the square root of two.
  const scaled = (amount: number, ratio: number) =>
    Math.ceil(amount / ratio ** (182 / (182 + (amount * 365) / yearly)) / 10)
  assert.deepEqual(earlierOf(twice, 300, 0), [scaled(300, 2)])
  assert.deepEqual(earlierOf(twice, 900, 0), [scaled(900, 2)])
  // The pace doubled from 560 to 1,120. Adding the pad of 560 to both lowers the factor to 1.5.
  assert.deepEqual(earlierOf(twice, 300, 560), [scaled(300, 1.5)])
})

Deno.test('an amount that was not reached took longer than until today', () => {
  const stopped = days(800, (day) => (day < 300 ? 10 : 0))
  const { recent, earlier } = findWindows(goalOf(stopped, 9000, 60))
  assert.ok(Array.from(recent).every((days) => days < 0))
  assert.deepEqual([earlier[0], Math.min(...Array.from(recent))], [-395, -MAX_WINDOW_DAYS])
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

Deno.test('the pace of a young bike counts from its first ride, without it', () => {
  const ridesOfYoung = days(15, (day) => (day % 7 === 0 ? 30 : 0))
  // 60 in the 14 days since the first ride.
  assert.equal(daysAtPace(ridesOfYoung, 14, 300), 70)
  const slower = days(200, (day) => (day < 110 ? 500 : 1))
  assert.equal(daysAtPace(slower, 199, 45), 45)
  assert.equal(daysAtPace(steadyDays(10, 0), 9, 95), null)
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
      for (const { at, range } of backtest(goalOf(sums, 200, 60), 6)) {
        const known = sumDays(amounts.slice(0, at + 1))
        assert.deepEqual(rangeOf(goalOf(known, 200, 60)), range)
      }
    }),
    { numRuns: 10 },
  )
})

Deno.test('a range is in order and never begins before tomorrow', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant(0), fc.nat(40)), { minLength: 366, maxLength: 900 }),
      fc.nat(120),
      fc.integer({ min: 1, max: 9000 }),
      (amounts, rest, amount) => {
        const { early, likely, late } = rangeOf(
          goalOf(sumDays([...amounts, ...Array<number>(rest).fill(0)]), amount, 60),
        )
        assert.ok(early >= 1 && early <= likely && likely <= late)
      },
    ),
  )
})

Deno.test('a range widens with the days ahead', () => {
  // A year widens it by a quarter, so 30 days by 2 % and 100 days by 7 %.
  const steady = tenMiles()
  assert.deepEqual(rangeOf(goalOfMiles(steady, 300)), { early: 29, likely: 30, late: 31 })
  assert.deepEqual(rangeOf(goalOfMiles(steady, 1000)), { early: 94, likely: 100, late: 107 })
})

/** Rides 15, then 5 miles a day, for so many days each. */
const inTurns = (turn: number) => miles((day) => (Math.floor(day / turn) % 2 === 0 ? 15 : 5), 2400)

Deno.test('a range allows for how far past forecasts were off', () => {
  const weeks = rangeOf(goalOfMiles(inTurns(7), 300))
  const halfYears = rangeOf(goalOfMiles(inTurns(180), 300))
  assert.ok(weeks.late / weeks.early < 1.5)
  assert.ok(halfYears.late / halfYears.early > 2)
})

/** Rides 20 miles a day from May to August of each year. */
const summers = (count: number) => miles((day) => (day % 365 >= 120 && day % 365 < 240 ? 20 : 0), count)

Deno.test('an amount that is ridden every year has a range with an end', () => {
  // 2,400 miles a year: 2,000 miles take up to 365 days, and windows that began a year ago are cut off in the summer.
  for (let today = 1460; today < 1825; today += 5) {
    const goal = goalOfMiles(summers(today), 2000)
    const { late } = rangeOf(goal)
    assert.ok(late < MAX_WINDOW_DAYS, `day ${today}: ${late}`)
  }
})

Deno.test('an unusual rest counts more, the longer it lasts', () => {
  const after = (rest: number) => rangeOf(goalOfMiles(tenMiles(1200, rest), 300))
  for (let rest = 0; rest < 80; rest += 10) {
    const [sooner, later] = [after(rest), after(rest + 10)]
    assert.ok(later.likely >= sooner.likely && later.late >= sooner.late, `${rest} days`)
  }
  assert.ok(after(0).likely === 30 && after(20).likely > 35 && after(60).likely > 90)
  assert.deepEqual([after(20).late < 180, after(60).late], [true, Infinity])
  // A winter's rest isn't unusual.
  const { likely, late } = rangeOf(goalOfMiles(summers(1460 + 30), 300))
  assert.ok(likely < 125 && late < 300)
})

const scoreOfMiles = (sums: Sums, distance: number) => scoreOf(goalOfMiles(sums, distance))

Deno.test('scores up to 52 past forecasts with a known outcome', () => {
  const steady = tenMiles()
  // 300 miles take 30 days and 3,000 take 300, so later forecasts may still come true.
  assert.deepEqual(scoreOfMiles(steady, 300), { held: 50, times: 50 })
  assert.deepEqual(scoreOfMiles(steady, 3000), { held: 31, times: 31 })
  assert.deepEqual(scoreOfMiles(tenMiles(300), 300), { held: 0, times: 0 })
})

Deno.test('a forecast misses once the end of its range has passed', () => {
  // The last forecasts before the bike stopped for good are 30 days, and none are made while it rests.
  const stopped = backtest(goalOfMiles(tenMiles(1300, 200), 300))
  const missed = stopped.filter(({ at, days }) => at < 1300 && days === null)
  assert.deepEqual([...new Set(missed.map(({ held }) => held))], [false])
  // The outcome of a forecast that may still come true is unknown.
  const open = backtest(goalOfMiles(tenMiles(), 300)).filter(({ days }) => days === null)
  assert.deepEqual(
    open.map(({ at, held }) => `${1499 - at} ${held}`),
    ['28 null', '14 null'],
  )
})

Deno.test('a range without an upper end holds if the amount took two years', () => {
  // 380 days of 10 miles each between two rests. The longest windows begin in the first rest.
  const sums = miles((day) => (day === 0 || (day >= 920 && day < 1300) ? 10 : 0), 2100)
  const outcome = backtest(goalOfMiles(sums, 300)).find(({ at }) => at === 2099 - 58 * 14)
  assert.deepEqual([outcome?.range.late, outcome?.days, outcome?.held], [Infinity, null, true])
})

const hasEnough = (count: number, distance: number) => hasEnoughChecks(goalOfMiles(tenMiles(count), distance))

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
        const goal = goalOf(sums, amount + 1, 60)
        assert.equal(hasEnoughChecks(goal), scoreOf(goal).times >= 6)
      },
    ),
  )
})

Deno.test('a typical ride is the median of the days with a ride', () => {
  assert.equal(typicalRide(sumDays([0, 30, 0, 10, 20])), 20)
  assert.equal(typicalRide(sumDays([0])), 0)
})
