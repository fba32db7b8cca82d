import assert from 'node:assert/strict'
import { fakeQuery } from '../_shared/testing.ts'
import { METERS_PER_MILE } from '../_shared/formats/units.ts'
import { readWear } from './wear.ts'

Deno.test('the likely day is when the range starts', async () => {
  const estimate = { kind: 'line', from: 2284.2 * METERS_PER_MILE, to: 2831 * METERS_PER_MILE }
  const series = {
    unit: 'chain %',
    tool: '',
    limit: 0.5,
    not_before: null,
    reached_on: null,
    estimate,
    measurements: [],
  }
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
          least_distance: 300 * METERS_PER_MILE,
          measurements: [],
          series: [series],
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
  assert.equal(await likelyAt(2195), '2026-11-30')
  assert.equal(await likelyAt(2400), null)
})
