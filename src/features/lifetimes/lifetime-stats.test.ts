import { describe, expect, test } from 'vitest'

import { wholeAmount } from '../../../supabase/functions/_shared/axes.ts'
import { KILOMETERS, US } from '../../lib/fake-formats.ts'
import type { Group, Lifetime } from './api.ts'
import { costOf, lifetimesToCsv, rangeOf, rateOf, ruleOf, costSoFar, typicalOf } from './lifetime-stats.ts'

const MILE = 1609

function lifetime(facts: Partial<Lifetime> = {}): Lifetime {
  return {
    part_id: 1,
    item_id: 1,
    gear_id: 1,
    type: 'Drivetrain',
    name: 'Chain',
    kind: 'chain',
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
test.each([
  ['distance', 751.46 * MILE, '751\u00A0mi'],
  ['distance', 751.5 * MILE, '752\u00A0mi'],
  ['moving_time', 1.46 * 3600, '1\u00A0h'],
] as const)('rounds the %s %d once', (axis, value, text) => {
  expect(wholeAmount(value, axis, US)).toBe(text)
})

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

describe('the typical lifetime', () => {
  const stored = lifetime({ finished: false, ended_as: 'stored', distance: 300 * MILE })
  test.each<[string, Group, string]>([
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
  ])('%s', (_, group, text) => {
    expect(typicalOf(group, 'distance', US).replaceAll('\u00A0', ' ')).toBe(text)
  })

  test('shows a range only with enough lifetimes', () => {
    const range = rangeFrom(1, 3)
    expect(rangeOf(group({ range, has_range: false }), 'distance', US)).toBe('–')
    expect(rangeOf(group({ range, has_range: true }), 'distance', US)).toBe('1–3')
  })

  test('explains each kind of median', () => {
    const lifetimes = [...worn(1, 2, 3), running]
    const rule = (kind: 'median' | 'kaplan_meier' | 'over') =>
      ruleOf(group({ lifetimes, finished: 3, median: medianOf(2, kind) }), 'distance')
    expect(rule('median')).toBe('The median of the 3 worn-out parts. The other part counts as “at least”.')
    expect(rule('kaplan_meier')).toContain('Kaplan-Meier median of all 4')
    expect(rule('over')).toContain('not known yet')
    expect(ruleOf(group({ lifetimes }), 'distance')).toBe('A median needs three worn-out parts.')
  })
})

describe('cost', () => {
  test('is shown per 1,000 miles, per 1,000 kilometers or per hour', () => {
    const part = lifetime()
    expect(rateOf(part, 'distance', US)).toBeCloseTo(20)
    expect(rateOf(part, 'distance', KILOMETERS)).toBeCloseTo(40 / 3.218)
    expect(rateOf(part, 'moving_time', US)).toBe(0.4)
    expect(rateOf(unused, 'distance', US)).toBeNull()
  })

  test('is unknown without a price', () => {
    const free = { ...running, cost: 0, cost_per_km: null, cost_per_hour: null }
    expect(costOf(group({ lifetimes: [free] }), 'distance', US)).toBe('–')
    expect(costSoFar(free, 'distance', US)).toBe('–')
    expect(costSoFar(running, 'moving_time', US)).toBe('≤\u00A0$0.40')
    expect(costSoFar(lifetime(), 'moving_time', US)).toBe('$0.40')
  })

  test('is an upper limit for a single part in use', () => {
    expect(costOf(group({ lifetimes: [running] }), 'moving_time', US)).toBe('≤\u00A0$0.40')
    expect(costOf(group({ lifetimes: [running, running] }), 'moving_time', US)).toBe('–')
    expect(costOf(group({ lifetimes: [unused] }), 'moving_time', US)).toBe('–')
    expect(costOf(group({ lifetimes: worn(2000), cost_per_hour: -0.1 }), 'moving_time', US)).toBe('-$0.10')
  })
})

test('writes a CSV row per lifetime and no NaN', () => {
  const csv = lifetimesToCsv([group({ lifetimes: [lifetime(), running, unused] })], US, () => 'Road')
  const rows = csv.trim().split('\r\n')
  expect(rows).toHaveLength(4)
  expect(rows[1]).toBe(
    'Drivetrain,Chain,Road,2025-01-01,2025-04-01,worn,yes,3218000,2000,360000,,,90,9,40,20,0.4',
  )
  expect(rows[2]).toContain(',,in use,no,')
  expect(rows[3]?.endsWith(',40,,')).toBe(true)
  expect(csv).not.toMatch(/NaN|Infinity/)
})
