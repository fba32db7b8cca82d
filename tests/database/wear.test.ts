import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Measurement } from '../../supabase/functions/maintenance-use/contract.ts'
import { isShrinking, usualLimit } from '../../supabase/functions/_shared/parts/wear-units.ts'
import { literal, useDatabase } from './databases.ts'
import { METERS_PER_MILE, plainSeries } from './wear.ts'

const database = await useDatabase('select 1')

type Series = ReturnType<typeof plainSeries>[number] & { part_id: number }

/** Returns the series of parts, each with these measurements, in the order of the parts. */
async function seriesOf(...parts: Measurement[][]): Promise<Series[]> {
  const rows = parts.flatMap((measurements, index) =>
    measurements.map((one) => ({ ...one, part_id: index + 1 })),
  )
  const [series = []] = await database.run(`
    select part_id::integer, unit, tool, "limit"::float8, not_before::float8, reached_on::text, reached_at::float8, last_open::integer,
      case when kind is not null then json_build_object('kind', kind, 'from', "from", 'to', "to") end as estimate
    from private.wear_series(array(
      select row from jsonb_populate_recordset(null::private.measurement, ${literal(rows)}) as row
    )) order by part_id, first`)
  return series as unknown as Series[]
}

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
async function estimate(...measurements: Measurement[]): Promise<string | null> {
  const [series, ...others] = await seriesOf(measurements)
  expect(others).toEqual([])
  const found = series?.estimate
  if (!found) return null
  const [from, to] = [found.from, found.to].map((meters) => Math.round(meters / METERS_PER_MILE))
  return `${found.kind} ${from}-${to}`
}

test('fits a straight line to exact values', async () => {
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
    [[exact(1000, 0.25)], await estimate(exact(0, 0), exact(1000, 0.25))],
    // A gauge narrows the range.
    [[exact(1000, 0.2), exact(2000, 0.4), gauge(2400, 'under'), gauge(2700, 'over')], 'line 2400-2700'],
    // The part has already reached its limit.
    [[exact(1000, 0.3), exact(2000, 0.7)], 'line 1441-1559'],
  ]
  for (const [measurements, expected] of cases) expect(await estimate(...measurements)).toBe(expected)
})

test('90 % of ranges are right if readings have an error of 0.02 %', async () => {
  let state = 1
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
  const error = () => 0.02 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
  // The limit of 0.5 is reached at 2,500 miles; the readings are at 0.1 and 0.4.
  const parts = Array.from({ length: 3000 }, () => [500, 2000].map((at) => exact(at, at / 5000 + error())))
  const ranges = (await seriesOf(...parts)).map((series) => series.estimate)
  const truth = 2500 * METERS_PER_MILE
  const held =
    ranges.filter((range) => range && range.from <= truth && truth <= range.to).length / ranges.length
  expect(held).toBeGreaterThan(0.88)
  expect(held).toBeLessThan(0.92)
})

test('gauge readings bracket the distance at which the limit is reached', async () => {
  expect(await estimate(gauge(2100, 'under'), gauge(2900, 'over'))).toBe('bracket 2100-2900')
  expect(await estimate(gauge(900, 'under'), gauge(2100, 'under'), gauge(2900, 'over'))).toBe(
    'bracket 2100-2900',
  )
  expect(await estimate(gauge(2100, 'under'), gauge(2900, 'at'))).toBe('bracket 2100-2900')
  const pad = { unit: 'pad mm', limit: 1 }
  expect(await estimate(gauge(2100, 'over', pad), gauge(2900, 'under', pad))).toBe('bracket 2100-2900')
  // A mark other than the limit is usable if the reading shows which side of the limit the part is on.
  expect(await estimate(gauge(2100, 'under', { value: 0.25 }), gauge(2900, 'over', { value: 0.75 }))).toBe(
    'bracket 2100-2900',
  )
})

test('gives no estimate for too few or contradictory readings', async () => {
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
  for (const measurements of cases) expect(await estimate(...measurements)).toBeNull()
})

const pad = (miles: number, value: number, tool: string) =>
  exact(miles, value, { unit: 'pad mm', limit: 1, tool })

test('a chain that measures more than its limit at first is worn', async () => {
  const [series] = await seriesOf([exact(1000, 0.55)])
  expect(series).toMatchObject({ reached_on: '2026-01-01', not_before: null })
})

test('never mixes tools or units, but ignores case and spaces', async () => {
  const measurements = [pad(1000, 3, 'Park'), pad(2000, 2, 'Caliper')]
  expect((await seriesOf(measurements)).map((series) => series.estimate)).toEqual([null, null])
  expect(await seriesOf([exact(1000, 0.2), exact(2000, 2, { unit: 'tread mm' })])).toHaveLength(2)
  expect(
    await estimate(
      exact(1000, 0.2, { tool: ' park CC-4' }),
      exact(2000, 0.4, { tool: 'Park  cc-4', unit: 'Chain %' }),
    ),
  ).toBe('line 2284-2831')
})

const anyMeasurement = fc.record({
  measured_on: fc.integer({ min: 1, max: 28 }).map((day) => `2026-01-${String(day).padStart(2, '0')}`),
  miles: fc.integer({ min: 0, max: 40 }).map((hundreds) => hundreds * 100),
  value: fc.option(fc.constantFrom(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1, 2, 3)),
  reading: fc.constantFrom(null, null, null, 'under', 'at', 'over'),
  unit: fc.constantFrom('chain %', 'Chain %', 'pad mm', 'play'),
  tool: fc.constantFrom('Gauge', 'Caliper'),
  limit: fc.option(fc.constantFrom(0.5, 0.75, 1), { freq: 1 }),
})

test('a series matches a plain computation, for any measurements', async () => {
  const kinds = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyMeasurement, { maxLength: 6 }), { minLength: 20, maxLength: 20 }),
      async (parts) => {
        const measured = parts.map((list) =>
          list
            .map(({ miles, value, reading, ...facts }) =>
              chainAt(miles, {
                ...facts,
                reading,
                value: reading === null ? (value ?? 0.2) : value,
              } as object),
            )
            .toSorted((a, b) => (a.measured_on < b.measured_on ? -1 : Number(a.measured_on > b.measured_on)))
            .map((one, index) => Object.assign(one, { id: index + 1 })),
        )
        const expected = measured.flatMap((list, index) =>
          plainSeries(list).map((series) => Object.assign(series, { part_id: index + 1 })),
        )
        expect((await seriesOf(...measured)).map(rounded)).toEqual(expected.map(rounded))
        for (const { estimate, reached_on } of expected)
          kinds.add(`${estimate?.kind}${reached_on === null ? '' : ' reached'}`)
      },
    ),
    { numRuns: 30 },
  )
  expect([...kinds].toSorted()).toEqual([
    'bracket',
    'bracket reached',
    'line',
    'line reached',
    'undefined',
    'undefined reached',
  ])
})

/** Rounds an estimate to meters, because sums in another order differ in the last bits. */
const rounded = ({ estimate, ...series }: Series) => ({
  ...series,
  estimate: estimate && { ...estimate, from: Math.round(estimate.from), to: Math.round(estimate.to) },
})

test('SQL knows the same units as the forms', async () => {
  const units = await database.value<{ key: string; is_shrinking: boolean; usual_limit: number | null }[]>(
    '(select json_agg(unit) from private.wear_units as unit)',
  )
  for (const { key, is_shrinking, usual_limit } of units)
    expect([key, isShrinking(key), usualLimit(key)]).toEqual([key, is_shrinking, usual_limit])
  for (const unit of ['chain %', 'cassette mm', 'pad mm', 'rotor mm', 'tread mm', 'play']) {
    const known = units.find(({ key }) => key === unit.replace(' ', ''))
    expect([unit, known?.is_shrinking ?? false, known?.usual_limit ?? null]).toEqual([
      unit,
      isShrinking(unit),
      usualLimit(unit),
    ])
  }
})
