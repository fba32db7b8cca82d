import assert from 'node:assert/strict'
import { METERS_PER_MILE } from '../_shared/units.ts'
import type { Measurement } from './contract.ts'
import { wearSeriesOf } from './wear.ts'

const chainAt = (miles: number, facts: Partial<Measurement>): Measurement => ({
  id: miles,
  measured_on: '2026-01-01',
  value: null,
  reading: null,
  unit: 'chain %',
  tool: 'Gauge',
  limit: null,
  note: null,
  distance: miles * METERS_PER_MILE,
  ...facts,
})
const exact = (miles: number, value: number, facts: Partial<Measurement> = {}) =>
  chainAt(miles, { value, ...facts })
const gauge = (miles: number, reading: Measurement['reading'], facts: Partial<Measurement> = {}) =>
  chainAt(miles, { reading, ...facts })

/** The estimate of a single series, in miles: `line 2500`, `bracket 2100-2900` or null. */
function estimate(...measurements: Measurement[]): string | null {
  const [series, ...others] = wearSeriesOf(measurements)
  assert.deepEqual(others, [])
  const found = series?.estimate
  if (!found) return null
  const [from, to] = [found.from, found.to].map((meters) => Math.round(meters / METERS_PER_MILE))
  return found.kind === 'line' ? `line ${from}` : `bracket ${from}-${to}`
}

Deno.test('a straight line through exact values reaches the limit', () => {
  const cases: [Measurement[], string | null][] = [
    [[exact(1000, 0.2), exact(2000, 0.4)], 'line 2500'],
    [[exact(1000, 0.2, { limit: 0.75 }), exact(2000, 0.4)], 'line 3750'],
    [[exact(0, 0), exact(1000, 0.19), exact(2000, 0.41), exact(3000, 0.6)], 'line 2490'],
    [[exact(500, 0.1), gauge(1500, 'at', { value: 0.25 })], 'line 3167'],
    // Thickness shrinks.
    ...['pad mm', 'rotor mm', 'tread mm'].map((unit): [Measurement[], string] => [
      [exact(0, 3, { unit, limit: 1 }), exact(1000, 2, { unit })],
      'line 2000',
    ]),
    // In the owner's own unit, the first value says in which direction it goes.
    [[exact(0, 8, { unit: 'play', limit: 4 }), exact(1000, 7, { unit: 'play' })], 'line 4000'],
    [[exact(0, 1, { unit: 'play', limit: 4 }), exact(1000, 2, { unit: 'play' })], 'line 3000'],
    // Already reached.
    [[exact(1000, 0.3), exact(2000, 0.7)], 'line 1500'],
  ]
  for (const [measurements, expected] of cases) assert.equal(estimate(...measurements), expected)
})

Deno.test('gauges enclose the miles at which the limit is reached', () => {
  assert.equal(estimate(gauge(2100, 'under'), gauge(2900, 'over')), 'bracket 2100-2900')
  assert.equal(estimate(gauge(900, 'under'), gauge(2100, 'under'), gauge(2900, 'over')), 'bracket 2100-2900')
  assert.equal(estimate(gauge(2100, 'under'), gauge(2900, 'at')), 'bracket 2100-2900')
  const pad = { unit: 'pad mm', limit: 1 }
  assert.equal(estimate(gauge(2100, 'over', pad), gauge(2900, 'under', pad)), 'bracket 2100-2900')
  // A mark beyond the limit still says when it wasn't reached, if the reading is on the good side of the limit.
  assert.equal(
    estimate(gauge(2100, 'under', { value: 0.25 }), gauge(2900, 'over', { value: 0.75 })),
    'bracket 2100-2900',
  )
})

Deno.test('too little, or contradictions, give no estimate', () => {
  const cases: Measurement[][] = [
    [exact(1000, 0.2)],
    [gauge(1000, 'under'), gauge(2000, 'under')],
    [gauge(1000, 'over')],
    [gauge(1000, 'over'), gauge(2000, 'under')],
    // 0.75 is not passed, which says nothing about 0.5.
    [gauge(1000, 'under', { value: 0.75 }), gauge(2000, 'over')],
    // Less than 300 miles or 0.1 % apart, or getting better.
    [exact(1000, 0.2), exact(1299, 0.4)],
    [exact(1000, 0.2), exact(1000, 0.4)],
    [exact(1000, 0.2), exact(2000, 0.29)],
    [exact(1000, 0.4), exact(2000, 0.2)],
    // No limit.
    [exact(1000, 2.5, { unit: 'pad mm' }), exact(2000, 2, { unit: 'pad mm' })],
    // The gauge says that the line is wrong.
    [exact(500, 0.2), exact(1000, 0.4), gauge(2000, 'under')],
  ]
  for (const measurements of cases) assert.equal(estimate(...measurements), null)
})

Deno.test('tools and units are never mixed, but their spelling may differ', () => {
  const measurements = [exact(1000, 0.2, { tool: 'Park' }), exact(2000, 0.4, { tool: 'Caliper' })]
  assert.deepEqual(
    wearSeriesOf(measurements).map(({ estimate }) => estimate),
    [null, null],
  )
  assert.equal(wearSeriesOf([exact(1000, 0.2), exact(2000, 2, { unit: 'tread mm' })]).length, 2)
  assert.equal(
    estimate(
      exact(1000, 0.2, { tool: ' park CC-4' }),
      exact(2000, 0.4, { tool: 'Park  cc-4', unit: 'Chain %' }),
    ),
    'line 2500',
  )
})
