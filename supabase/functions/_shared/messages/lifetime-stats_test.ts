import assert from 'node:assert/strict'
import { wholeAmount } from '../axes.ts'
import type { Group, Lifetime } from '../contracts/lifetimes.ts'
import { KILOMETERS, US } from '../formats/testing.ts'
import { costOf, costSoFar, rangeOf, rateOf, ruleOf, typicalOf } from './lifetime-stats.ts'

const MILE = 1609

function lifetime(facts: Partial<Lifetime> = {}): Lifetime {
  return {
    part_id: 1,
    item_id: 1,
    gear_id: 1,
    type: 'Drivetrain',
    name: 'Chain',
    kind: 'chain',
    position: null,
    by_position: null,
    rides: 9,
    distance: 2000 * MILE,
    moving_time: 360_000,
    earlier_distance: null,
    earlier_moving_time: null,
    days: 90,
    price: 40,
    cost: 40,
    ended_as: 'worn',
    running: false,
    finished: true,
    started: '2025-01-01T01:00:00',
    ended: '2025-04-01T01:00:00',
    item_ids: [1],
    gear_ids: [1],
    cost_per_km: 40 / (2000 * 1.609),
    cost_per_hour: 0.4,
    ...facts,
  }
}
const inUse = (length: number) =>
  lifetime({ running: true, finished: false, ended_as: null, ended: null, distance: length * MILE })
const running = inUse(900)
const unused = lifetime({ distance: 0, moving_time: 0, rides: 0, cost_per_km: null, cost_per_hour: null })

const group = (facts: Partial<Group>): Group => ({
  key: 'Drivetrain\nchain',
  type: 'Drivetrain',
  position: null,
  name: 'Chain',
  kind: 'chain',
  lifetimes: [],
  finished: 0,
  median: null,
  range: null,
  has_range: false,
  is_comparable: false,
  ended_without_reason: 0,
  cost_per_km: null,
  cost_per_hour: null,
  ...facts,
})

for (const [axis, value, text] of [
  ['distance', 751.46 * MILE, '751\u00A0mi'],
  ['distance', 751.5 * MILE, '752\u00A0mi'],
  ['moving_time', 1.46 * 3600, '1\u00A0h'],
] as const) {
  Deno.test(`rounds the ${axis} ${value} once`, () => {
    assert.equal(wholeAmount(value, axis, US), text)
  })
}

const medianOf = (value: number, kind: 'median' | 'kaplan_meier' | 'over' = 'median') => ({
  distance: value * MILE,
  moving_time: value * 180,
  kind,
  moving_time_kind: kind,
})
const rangeFrom = (low: number, high: number): Group['range'] => ({
  distance: [low * MILE, high * MILE],
  moving_time: [low * 180, high * 180],
})
const worn = (...lengths: number[]) => lengths.map((length) => lifetime({ distance: length * MILE }))

const stored = lifetime({ finished: false, ended_as: 'stored', distance: 300 * MILE })
const TYPICAL: [string, Group, string][] = [
  ['no rides', group({ lifetimes: [unused] }), '–'],
  ['one in use', group({ lifetimes: [running] }), '1 still in use at 900 mi'],
  ['one', group({ lifetimes: worn(2000), finished: 1 }), '1 lasted 2,000 mi'],
  ['two', group({ lifetimes: worn(2597, 1826), finished: 2 }), '2 lasted 1,826 and 2,597 mi'],
  [
    'one, and one in use',
    group({ lifetimes: [...worn(559), inUse(15_662), unused], finished: 1 }),
    '1 lasted 559 mi, 1 still in use at 15,662 mi',
  ],
  [
    'one stored, and three in use',
    group({ lifetimes: [stored, ...[3, 1, 2].map(inUse)] }),
    '1 lasted at least 300 mi, 3 still in use at 1–3 mi',
  ],
  ['three', group({ lifetimes: worn(1, 2, 3), finished: 3, median: medianOf(2) }), '2 mi'],
  [
    'an estimate',
    group({ lifetimes: [...worn(1, 2, 3), running], finished: 3, median: medianOf(3, 'kaplan_meier') }),
    '3 mi',
  ],
  [
    'too early',
    group({
      lifetimes: [...worn(1, 2, 3), ...Array<Lifetime>(4).fill(running), unused],
      finished: 3,
      median: medianOf(900, 'over'),
    }),
    '> 900 mi (7 parts)',
  ],
]
for (const [which, group, text] of TYPICAL) {
  Deno.test(`the typical lifetime of ${which}`, () => {
    assert.equal(typicalOf(group, 'distance', US).replaceAll('\u00A0', ' '), text)
  })
}

Deno.test('shows a range only with enough lifetimes', () => {
  const range = rangeFrom(1, 3)
  assert.equal(rangeOf(group({ range, has_range: false }), 'distance', US), '–')
  assert.equal(rangeOf(group({ range, has_range: true }), 'distance', US), '1–3')
})

Deno.test('explains each kind of median', () => {
  const lifetimes = [...worn(1, 2, 3), running]
  const rule = (kind: 'median' | 'kaplan_meier' | 'over') =>
    ruleOf(group({ lifetimes, finished: 3, median: medianOf(2, kind) }), 'distance')
  assert.equal(rule('median'), 'The median of the 3 worn-out parts. The other part counts as “at least”.')
  assert.match(rule('kaplan_meier'), /Kaplan-Meier median of all 4/)
  assert.match(rule('over'), /not known yet/)
  assert.equal(ruleOf(group({ lifetimes }), 'distance'), 'A median needs three worn-out parts.')
})

Deno.test('a cost is shown per 1,000 miles, per 1,000 kilometers or per hour', () => {
  const part = lifetime()
  assert.ok(Math.abs(Number(rateOf(part, 'distance', US)) - 20) < 0.005)
  assert.ok(Math.abs(Number(rateOf(part, 'distance', KILOMETERS)) - 40 / 3.218) < 0.005)
  assert.equal(rateOf(part, 'moving_time', US), 0.4)
  assert.equal(rateOf(unused, 'distance', US), null)
})

Deno.test('a cost is unknown without a price', () => {
  const free = { ...running, cost: 0, cost_per_km: null, cost_per_hour: null }
  assert.equal(costOf(group({ lifetimes: [free] }), 'distance', US), '–')
  assert.equal(costSoFar(free, 'distance', US), '–')
  assert.equal(costSoFar(running, 'moving_time', US), '≤\u00A0$0.40')
  assert.equal(costSoFar(lifetime(), 'moving_time', US), '$0.40')
})

Deno.test('a cost is an upper limit for a single part in use', () => {
  assert.equal(costOf(group({ lifetimes: [running] }), 'moving_time', US), '≤\u00A0$0.40')
  assert.equal(costOf(group({ lifetimes: [running, running] }), 'moving_time', US), '–')
  assert.equal(costOf(group({ lifetimes: [unused] }), 'moving_time', US), '–')
  assert.equal(costOf(group({ lifetimes: worn(2000), cost_per_hour: -0.1 }), 'moving_time', US), '-$0.10')
})
