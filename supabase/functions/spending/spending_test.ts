import assert from 'node:assert/strict'
import { groupLifetimes, type Lifetime } from '../_shared/lifetimes.ts'
import { chain } from '../_shared/testing.ts'
import { forecastOf } from './spending.ts'

/** Three worn chains of 2,000 to 4,000 km at $40. */
const WORN = [2000, 3000, 4000].map((km) => chain({ distance: km * 1000, cost: 40 }))
const running = (km: number, facts: Partial<Lifetime> = {}) =>
  chain({ distance: km * 1000, cost: 35, running: true, ended_as: null, ended: null, ...facts })

const forecast = (lifetimes: Lifetime[], kmOfYear: number) =>
  forecastOf(groupLifetimes(lifetimes), [
    { gear_id: 1, cost: 0, distance: 0, moving_time: 0, distance_of_year: kmOfYear * 1000 },
  ])

Deno.test('the forecast counts how often a part would be replaced in its longest and shortest lifetime', () => {
  const cases: [used: number, ahead: number, low: number, high: number][] = [
    [500, 1000, 0, 0],
    [500, 1500, 0, 1],
    [500, 3500, 1, 2],
    [500, 9500, 2, 5],
    // It has outlasted the others: the first replacement is due now.
    [5000, 1, 1, 1],
    [5000, 4000, 2, 3],
  ]
  for (const [used, ahead, low, high] of cases) {
    const { cost, parts } = forecast([...WORN, running(used)], ahead)
    assert.deepEqual(cost, { low: low * 40, high: high * 40 }, `${used} km, then ${ahead} km`)
    assert.deepEqual(parts, { known: 1, unknown: 0 })
  }
})

Deno.test('two lifetimes or no price are too little for a forecast', () => {
  const nothing = { cost: null, parts: { known: 0, unknown: 1 } }
  assert.deepEqual(forecast([...WORN.slice(1), running(100)], 5000), nothing)
  const free = WORN.map((worn) => ({ ...worn, cost: 0 }))
  assert.deepEqual(forecast([...free, running(100, { cost: 0 })], 5000), nothing)
})

Deno.test('parts on a bike that rests are left out', () => {
  const nothing = { cost: null, parts: { known: 0, unknown: 0 } }
  assert.deepEqual(forecast([...WORN, running(100)], 0), nothing)
  assert.deepEqual(forecast([...WORN, running(100, { gear_id: 2 })], 5000), nothing)
})
