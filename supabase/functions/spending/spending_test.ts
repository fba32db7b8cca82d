import assert from 'node:assert/strict'
import { is } from 'valibot'
import type { Lifetime, UsedItem } from '../_shared/contracts/lifetimes.ts'
import { groupLifetimes } from '../_shared/parts/lifetimes.ts'
import { forecastOf } from '../_shared/parts/spending.ts'
import { callFunction, chain, chainItem, usedColumns } from '../_shared/testing.ts'
import type { Costs } from '../_shared/contracts/spending.ts'
import * as contract from './contract.ts'
import { respond } from './spending.ts'

const COSTS: Costs = {
  today: '2026-11-21',
  months: [{ month: '2026-10', gear_id: 1, type: null, cost: 40 }],
  income: [{ month: '2026-11', gear_id: 2, amount: 900 }],
  this_year: 40,
  last_year_to_date: 0,
  bikes: [
    { gear_id: 1, cost: 40, distance: 2_000_000, moving_time: 360_000, distance_of_year: 1_000_000 },
    { gear_id: 2, cost: 0, distance: 0, moving_time: 0, distance_of_year: 0 },
  ],
  types: [{ type: null, cost: 40 }],
  total: { cost: 40, distance: 2_000_000, moving_time: 360_000 },
}
const spendingFor = (input: object | undefined, calls: unknown[] = []) =>
  callFunction(contract, respond, input, {
    spending(args) {
      calls.push(args)
      return COSTS
    },
    part_lifetimes: () => usedColumns([chainItem()]),
  })

const WORN = [2000, 3000, 4000].map((km) => chain({ distance: km * 1000, cost: 40 }))
const running = (km: number, facts: Partial<UsedItem> = {}) =>
  chain({ distance: km * 1000, cost: 40, until: null, ...facts })

const forecast = (lifetimes: Lifetime[], kmOfYear: number) =>
  forecastOf(groupLifetimes(lifetimes), [
    { gear_id: 1, cost: 0, distance: 0, moving_time: 0, distance_of_year: kmOfYear * 1000 },
  ])

Deno.test('the forecast counts replacements for the longest and the shortest lifetime', () => {
  const cases: [used: number, ahead: number, low: number, high: number][] = [
    [500, 1000, 0, 0],
    [500, 1500, 0, 1],
    [500, 3500, 1, 2],
    [500, 9500, 2, 5],
    // The part has outlasted all finished parts, so the first replacement is due now.
    [5000, 1, 1, 1],
    [5000, 4000, 2, 3],
  ]
  for (const [used, ahead, low, high] of cases) {
    const { cost, parts } = forecast([...WORN, running(used)], ahead)
    assert.deepEqual(cost, { low: low * 40, high: high * 40 }, `${used} km, then ${ahead} km`)
    assert.deepEqual(parts, { known: 1, unknown: 0 })
  }
})

Deno.test('the forecast uses the cost of the newest part with a price, whether or not it has ended', () => {
  const current = running(500, { cost: 90, since: '2026-01-01T01:00:00' })
  const free = running(100, { cost: 0, since: '2026-02-01T01:00:00', gear_id: 2 })
  assert.deepEqual(forecast([...WORN, current, free], 3500).cost, { low: 90, high: 180 })
  const refitted = running(500, { cost: 90, since: '2024-01-01T01:00:00' })
  assert.deepEqual(forecast([...WORN, refitted], 3500).cost, { low: 40, high: 80 })
})

Deno.test('services are no price', () => {
  const serviced = Object.assign(running(500, { cost: 0, since: '2026-01-01T01:00:00' }), { cost: 200 })
  assert.deepEqual(forecast([...WORN, serviced], 6500).cost, { low: 40, high: 120 })
})

Deno.test('gives no forecast for two lifetimes or without a price', () => {
  const nothing = { cost: null, parts: { known: 0, unknown: 1 } }
  assert.deepEqual(forecast([...WORN.slice(1), running(100)], 5000), nothing)
  const free = WORN.map((worn) => ({ ...worn, price: 0, cost: 0 }))
  assert.deepEqual(forecast([...free, running(100, { cost: 0 })], 5000), nothing)
})

Deno.test('leaves out parts of resting bikes', () => {
  const nothing = { cost: null, parts: { known: 0, unknown: 0 } }
  assert.deepEqual(forecast([...WORN, running(100)], 0), nothing)
  assert.deepEqual(forecast([...WORN, running(100, { gear_id: 2 })], 5000), nothing)
})

Deno.test('returns months, a forecast and the costs of a period', async () => {
  const calls: unknown[] = []
  const answer = await spendingFor({ from: '2026-01-01', to: '2026-11-21' }, calls)
  assert.deepEqual(calls, [{ from_day: '2026-01-01', to_day: '2026-11-21' }])
  const rates = { cost_per_km: 0.02, cost_per_hour: 0.4 }
  assert.deepEqual(answer, {
    months: COSTS.months,
    income: COSTS.income,
    next_twelve_months: null,
    next_twelve_months_parts: { known: 0, unknown: 0 },
    today: '2026-11-21',
    this_year: 40,
    last_year_to_date: 0,
    period: {
      bikes: [
        { gear_id: 1, cost: 40, distance: 2_000_000, moving_time: 360_000, ...rates },
        { gear_id: 2, cost: 0, distance: 0, moving_time: 0, cost_per_km: null, cost_per_hour: null },
      ],
      types: [{ type: null, cost: 40, ...rates }],
      total: { ...COSTS.total, ...rates },
    },
  })
})

Deno.test('counts all days without a period', async () => {
  for (const input of [undefined, {}]) {
    const calls: unknown[] = []
    await spendingFor(input, calls)
    assert.deepEqual(calls, [{ from_day: undefined, to_day: undefined }])
  }
})

Deno.test('returns nothing if row-level security hides the log', async () => {
  const nothing = { spending: () => null, part_lifetimes: () => null }
  assert.equal(await callFunction(contract, respond, {}, nothing), null)
})

for (const input of [[], { from: '2026-13-01' }, { to: 7 }, { year: 2026 }]) {
  Deno.test(`rejects the input ${JSON.stringify(input)}`, () => {
    assert.equal(is(contract.Input, input), false)
  })
}
