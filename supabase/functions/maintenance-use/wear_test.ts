import assert from 'node:assert/strict'
import { fakeQuery } from '../_shared/testing.ts'
import { METERS_PER_MILE } from '../_shared/formats/units.ts'
import type { Measurement } from './contract.ts'
import { readWear, wearSeriesOf } from './wear.ts'

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

/** Returns the estimate of a single series, in miles: `line 2284-2831`, `bracket 2100-2900` or null. */
function estimate(...measurements: Measurement[]): string | null {
  const [series, ...others] = wearSeriesOf(measurements)
  assert.deepEqual(others, [])
  const found = series?.estimate
  if (!found) return null
  const [from, to] = [found.from, found.to].map((meters) => Math.round(meters / METERS_PER_MILE))
  return `${found.kind} ${from}-${to}`
}

Deno.test('fits a straight line to exact values', () => {
  const cases: [Measurement[], string | null][] = [
    [[exact(1000, 0.2), exact(2000, 0.4)], 'line 2284-2831'],
    [[exact(1000, 0.2, { limit: 0.75 }), exact(2000, 0.4)], 'line 3313-4445'],
    [[exact(0, 0), exact(1000, 0.19), exact(2000, 0.41), exact(3000, 0.6)], 'line 2386-2605'],
    [[exact(500, 0.1), gauge(1500, 'at', { value: 0.25 })], 'line 2636-4159'],
    ...['pad mm', 'rotor mm', 'tread mm'].map((unit): [Measurement[], string] => [
      [exact(0, 3, { unit, limit: 1 }), exact(1000, 2, { unit })],
      'line 1930-2077',
    ]),
    // With a custom unit, the first value shows whether values rise or fall with wear.
    [[exact(0, 8, { unit: 'play', limit: 4 }), exact(1000, 7, { unit: 'play' })], 'line 3843-4172'],
    [[exact(0, 1, { unit: 'play', limit: 4 }), exact(1000, 2, { unit: 'play' })], 'line 2887-3124'],
    // The range is wide for readings only 0.1 % apart, or scattered around the line.
    [[exact(1000, 0.2), exact(2000, 0.3)], 'line 3183-6198'],
    [[exact(0, 0), exact(1000, 0.1), exact(2000, 0.35), exact(3000, 0.4)], 'line 3000-4398'],
    // A new chain measures 0, so one reading is enough.
    [[exact(1000, 0.25)], estimate(exact(0, 0), exact(1000, 0.25))],
    // A gauge narrows the range.
    [[exact(1000, 0.2), exact(2000, 0.4), gauge(2400, 'under'), gauge(2700, 'over')], 'line 2400-2700'],
    // The part has already reached its limit.
    [[exact(1000, 0.3), exact(2000, 0.7)], 'line 1441-1559'],
  ]
  for (const [measurements, expected] of cases) assert.equal(estimate(...measurements), expected)
})

Deno.test('the likely day is when the range starts', async () => {
  // 10 miles a day for three years.
  const days = Array.from({ length: 1095 }, (_, ago) => ago)
  const likelyAt = async (miles: number) => {
    const wear = await readWear(
      7,
      fakeQuery({
        part_wear: () => ({
          gear_id: 1,
          is_installed: true,
          distance: miles * METERS_PER_MILE,
          earlier_distance: null,
          measurements: [exact(1000, 0.2), exact(2000, 0.4)],
        }),
        ride_days: () => ({
          today: '2026-11-21',
          bikes: [
            {
              gear_id: 1,
              is_stationary: false,
              ago: days,
              distance: days.map(() => 10 * METERS_PER_MILE),
              moving_time: days.map(() => 3600),
            },
          ],
        }),
      }),
    )
    return wear?.series[0]?.likely
  }
  // The range is from 2,284 to 2,831 miles.
  assert.equal(await likelyAt(2195), '2026-11-30')
  assert.equal(await likelyAt(2400), null)
})

Deno.test('90 % of ranges are right if readings have an error of 0.02 %', () => {
  let state = 1
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
  const error = () => 0.02 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
  // The limit of 0.5 is reached at 2,500 miles; the readings are at 0.1 and 0.4.
  const ranges = Array.from({ length: 3000 }, () => {
    const [series] = wearSeriesOf([500, 2000].map((at) => exact(at, at / 5000 + error())))
    return series?.estimate
  })
  const truth = 2500 * METERS_PER_MILE
  const held =
    ranges.filter((range) => range && range.from <= truth && truth <= range.to).length / ranges.length
  assert.ok(held > 0.88 && held < 0.92, String(held))
})

Deno.test('gauge readings bracket the distance at which the limit is reached', () => {
  assert.equal(estimate(gauge(2100, 'under'), gauge(2900, 'over')), 'bracket 2100-2900')
  assert.equal(estimate(gauge(900, 'under'), gauge(2100, 'under'), gauge(2900, 'over')), 'bracket 2100-2900')
  assert.equal(estimate(gauge(2100, 'under'), gauge(2900, 'at')), 'bracket 2100-2900')
  const pad = { unit: 'pad mm', limit: 1 }
  assert.equal(estimate(gauge(2100, 'over', pad), gauge(2900, 'under', pad)), 'bracket 2100-2900')
  // A mark other than the limit is usable if the reading shows which side of the limit the part is on.
  assert.equal(
    estimate(gauge(2100, 'under', { value: 0.25 }), gauge(2900, 'over', { value: 0.75 })),
    'bracket 2100-2900',
  )
})

Deno.test('gives no estimate for too few or contradictory readings', () => {
  const cases: Measurement[][] = [
    // Within 300 miles of 0, or of an unknown start.
    [exact(299, 0.2)],
    [exact(1000, 2.5, { unit: 'pad mm', limit: 1 })],
    [gauge(1000, 'under'), gauge(2000, 'under')],
    [gauge(1000, 'over')],
    [gauge(1000, 'over'), gauge(2000, 'under')],
    // A reading under 0.75 may still be over the limit of 0.5.
    [gauge(1000, 'under', { value: 0.75 }), gauge(2000, 'over')],
    // The values are less than 300 miles or 0.1 % apart, or improve.
    [exact(1000, 0.2), exact(1299, 0.4)],
    [exact(1000, 0.2), exact(1000, 0.4)],
    [exact(1000, 0.2), exact(2000, 0.29)],
    [exact(1000, 0.4), exact(2000, 0.2)],
    // Pads have no usual limit.
    [exact(1000, 2.5, { unit: 'pad mm' }), exact(2000, 2, { unit: 'pad mm' })],
    // The values scatter more than they grow.
    [exact(0, 0), exact(1000, 0.4), exact(2000, 0), exact(3000, 0.4)],
    // The gauge contradicts the line.
    [exact(500, 0.2), exact(1000, 0.4), gauge(2000, 'under')],
  ]
  for (const measurements of cases) assert.equal(estimate(...measurements), null)
})

const pad = (miles: number, value: number, tool: string) =>
  exact(miles, value, { unit: 'pad mm', limit: 1, tool })

Deno.test('never mixes tools or units, but ignores case and spaces', () => {
  const measurements = [pad(1000, 3, 'Park'), pad(2000, 2, 'Caliper')]
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
    'line 2284-2831',
  )
})
