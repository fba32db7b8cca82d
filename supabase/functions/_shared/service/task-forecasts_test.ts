import assert from 'node:assert/strict'
import type { RideDays, Task } from '../contracts/service-tasks.ts'
import { TASK } from '../testing.ts'
import { addDays, type Day } from '../formats/days.ts'
import { explain, withForecasts } from './task-forecasts.ts'

// Integer meters keep the sums exact.
const MILE = 1600
const TODAY = '2026-05-13'

const wax: Task = {
  ...TASK,
  every: { distance: 500 * MILE, moving_time: null, days: null },
  used: { distance: 200 * MILE, moving_time: 60_000, days: 12 },
  fraction: 0.4,
  state: 'ok',
}

/** Creates one-hour rides. `miles` returns a ride's miles, given the number of days before today. */
function dailyRides(count: number, miles: (ago: number) => number): RideDays {
  const days = Array.from({ length: count }, (_, index) => ({
    ago: count - 1 - index,
    miles: miles(count - 1 - index),
  })).filter((day) => day.miles > 0)
  const bike = {
    gear_id: 7,
    is_stationary: false,
    ago: days.map(({ ago }) => ago),
    distance: days.map((day) => day.miles * MILE),
    moving_time: days.map(() => 3600),
  }
  return { today: TODAY, bikes: [bike] }
}

const tenMiles = (count: number) => dailyRides(count, () => 10)

const NO_RIDES: RideDays = { today: TODAY, bikes: [] }

/** 10 miles a day for three years. */
const steady = tenMiles(1095)

function forecast(rides: RideDays, changes: Partial<Task> = {}) {
  const [task] = withForecasts([{ ...wax, ...changes }], rides)
  return { state: task?.state, forecast: task?.forecast, note: task?.forecast_note, next: task?.is_next_ride }
}
const every = (limits: Partial<Task['every']>) => ({
  every: { distance: null, moving_time: null, days: null, ...limits },
})
const used = (miles: number) => ({ used: { ...wax.used, distance: miles * MILE } })
const exactly = (date: string) => ({ early: date, likely: date, late: date })
/** A range that is one day wide on both sides. */
const around = (date: Day) => ({ early: addDays(date, -1), likely: date, late: addDays(date, 1) })
const about = (date: string) => ({ early: null, likely: date, late: null })

Deno.test('300 miles at 10 a day take 30 days', () => {
  assert.deepEqual(forecast(steady), {
    state: 'ok',
    forecast: around('2026-06-12'),
    note: null,
    next: false,
  })
})

Deno.test('indoor rides count for all but outdoor-only tasks', () => {
  const outdoors = steady.bikes.at(0)!
  const indoors = {
    ...outdoors,
    is_stationary: true,
    distance: outdoors.distance.map((meters) => meters * 2),
  }
  const both = { ...steady, bikes: [outdoors, indoors] }
  assert.deepEqual(forecast(both).forecast, exactly('2026-05-23'))
  assert.deepEqual(forecast(both, { outdoor_only: true }).forecast, around('2026-06-12'))
  assert.deepEqual(explain({ ...wax, outdoor_only: true }, both)?.range, { early: 29, likely: 30, late: 31 })
  // For outdoor-only tasks, a bike that is only ridden indoors is resting.
  const onlyIndoors = { ...steady, bikes: [indoors] }
  assert.equal(forecast(onlyIndoors, { outdoor_only: true }).note, 'resting')
})

Deno.test('hours are forecast like miles', () => {
  // 60,000 of 132,000 seconds are used, which leaves 20 hours.
  assert.deepEqual(forecast(steady, every({ moving_time: 132_000 })).forecast, exactly('2026-06-02'))
})

Deno.test('days count from the start of a planned part, and its miles are unknown', () => {
  const planned = {
    state: 'paused',
    baseline: '2027-02-01T01:00:00',
    used: { distance: 0, moving_time: 0, days: 0 },
  } as const
  assert.deepEqual(forecast(steady, { ...planned, ...every({ days: 30 }) }).forecast, exactly('2027-03-03'))
  assert.equal(forecast(steady, { ...planned, ...every({ distance: 500 * MILE }) }).forecast, null)
  assert.deepEqual(
    forecast(steady, { ...planned, ...every({ distance: MILE, days: 30 }) }).forecast,
    exactly('2027-03-03'),
  )
  // A stored part is paused too, but its next start is unknown.
  assert.equal(forecast(steady, { state: 'paused', ...every({ days: 30 }) }).forecast, null)
})

Deno.test('days are exact, with or without rides', () => {
  for (const rides of [steady, NO_RIDES]) {
    const { forecast: date, note } = forecast(rides, every({ days: 3650 }))
    assert.deepEqual([date, note], [exactly(addDays(TODAY, 3638)), null])
  }
})

Deno.test('the limit that is reached first decides, percentile by percentile', () => {
  assert.deepEqual(
    forecast(steady, every({ distance: 500 * MILE, days: 32 })).forecast,
    exactly('2026-06-02'),
  )
  assert.deepEqual(forecast(steady, every({ distance: 500 * MILE, days: 50 })).forecast, around('2026-06-12'))
  // Rides come in bursts, so `early` comes from the distance limit and `late` from the day limit.
  const bursts = dailyRides(1095, (ago) => (Math.floor(ago / 50) % 2 === 0 ? 19 : 1))
  const { early, late } = forecast(bursts, every({ distance: 500 * MILE, days: 60 })).forecast!
  assert.ok(early! < late!)
  assert.equal(late, addDays(TODAY, 48))
})

Deno.test('a task that is likely due within 14 days is due soon', () => {
  assert.equal(forecast(steady, used(360)).state, 'soon')
  assert.equal(forecast(steady, used(350)).state, 'ok')
  assert.equal(forecast(steady, { ...used(360), state: 'snoozed' }).state, 'snoozed')
})

Deno.test('the first year has no range', () => {
  const young = tenMiles(200)
  assert.deepEqual(forecast(young), {
    state: 'ok',
    forecast: about('2026-06-12'),
    note: 'first_year',
    next: false,
  })
})

Deno.test('a resting bike has no date, except for a limit in days', () => {
  for (const rides of [dailyRides(1095, (ago) => (ago >= 90 || ago === 20 ? 10 : 0)), NO_RIDES]) {
    assert.deepEqual([forecast(rides).forecast, forecast(rides).note], [null, 'resting'])
    const { forecast: date, note } = forecast(rides, every({ distance: 500 * MILE, days: 100 }))
    assert.deepEqual([date, note], [about(addDays(TODAY, 88)), 'resting'])
  }
})

Deno.test('a date more than a year away is not shown', () => {
  const far = forecast(steady, every({ distance: 5000 * MILE }))
  assert.deepEqual([far.forecast, far.note], [null, 'over_a_year'])
  // A bike that was never ridden that far, and a bike in its first year.
  for (const rides of [tenMiles(400), tenMiles(200)]) {
    assert.equal(forecast(rides, every({ distance: 50_000 * MILE })).note, 'over_a_year')
  }
  const both = forecast(steady, every({ distance: 50_000 * MILE, days: 100 }))
  assert.deepEqual([both.forecast, both.note], [exactly(addDays(TODAY, 88)), null])
})

Deno.test('a range needs six checked forecasts of the same distance', () => {
  // 300 miles take 30 days; another task's 1,000 miles take 100.
  const rides = tenMiles(366 + 70 + 42)
  assert.deepEqual([forecast(rides).forecast, forecast(rides).note], [around('2026-06-12'), null])
  const far = forecast(rides, every({ distance: 1200 * MILE }))
  assert.deepEqual([far.forecast, far.note], [about(addDays(TODAY, 100)), 'low_score'])
  const hours = forecast(rides, every({ moving_time: 60_000 + 100 * 3600 }))
  assert.deepEqual([hours.forecast, hours.note], [about(addDays(TODAY, 100)), 'low_score'])
})

Deno.test('a range that missed most of the time is still shown', () => {
  // Each window takes less time than all earlier windows.
  const hurrying = dailyRides(1095, (ago) => Math.round(10 * MILE * 0.997 ** ago) / MILE)
  const { held, times } = explain(wax, hurrying)!.score
  assert.ok(times >= 6 && held < 0.6 * times)
  const { forecast: date, note } = forecast(hurrying)
  assert.equal(note, null)
  assert.ok(date!.early! < date!.late!)
})

/** 10 miles a day for 380 days, after one ride and a long rest. The earliest windows start over two years before these rides. */
const restarted = dailyRides(1300, (ago) => (ago < 380 || ago === 1299 ? 10 : 0))

Deno.test('a range that ends over two years away has no end date', () => {
  assert.deepEqual(forecast(restarted).note, null)
  const { early, likely, late } = forecast(restarted).forecast!
  assert.ok(early !== null && early < likely)
  assert.equal(late, null)
  assert.equal(explain(wax, restarted)!.range.late, null)
  // A limit in days ends the range.
  assert.equal(
    forecast(restarted, every({ distance: 500 * MILE, days: 400 })).forecast!.late,
    addDays(TODAY, 388),
  )
})

Deno.test('says when less than two typical rides are left', () => {
  assert.equal(forecast(steady, used(481)).next, true)
  assert.equal(forecast(steady, used(480)).next, false)
})

Deno.test('a limit in days counts from the baseline, which may be tomorrow after a journey west', () => {
  const done = { baseline: '2026-05-14T00:30:00', used: { distance: 0, moving_time: 0, days: 0 } }
  assert.deepEqual(forecast(NO_RIDES, { ...every({ days: 30 }), ...done }).forecast, exactly('2026-06-13'))
})

Deno.test('tasks that are due or paused have no date', () => {
  const none = { forecast: null, note: null, next: false }
  assert.deepEqual(forecast(steady, { fraction: 1, state: 'due' }), { state: 'due', ...none })
  assert.deepEqual(forecast(steady, { fraction: 1.2, state: 'snoozed' }), { state: 'snoozed', ...none })
  assert.deepEqual(forecast(steady, { state: 'paused' }), { state: 'paused', ...none })
  assert.deepEqual(forecast(NO_RIDES, { ...every({ days: 30 }), baseline: null }), {
    state: 'ok',
    ...none,
  })
})

Deno.test('explains a forecast by its windows', () => {
  const explanation = explain(wax, steady)!
  assert.equal(explanation.axis, 'distance')
  assert.equal(Math.round(explanation.remaining / MILE), 300)
  assert.deepEqual([...new Set(explanation.windows.recent)], [30])
  assert.deepEqual([explanation.windows.recent.length, explanation.windows.earlier.length], [365, 42])
  assert.deepEqual(explanation.range, { early: 29, likely: 30, late: 31 })
  assert.deepEqual(explanation.score, { held: 50, times: 50 })
  // Windows that don't contain the amount aren't listed: the first ends on the 30th day.
  const young = explain(wax, tenMiles(366))!.windows
  assert.deepEqual([young.recent.length, young.earlier.length], [366 - 29, 0])
  assert.equal(explain({ ...wax, ...every({ days: 30 }) }, steady), null)
  assert.equal(explain({ ...wax, ...every({ distance: 50_000 * MILE }) }, tenMiles(370)), null)
  assert.equal(explain({ ...wax, fraction: 1, state: 'due' }, steady), null)
  assert.equal(explain(wax, tenMiles(200)), null)
})
