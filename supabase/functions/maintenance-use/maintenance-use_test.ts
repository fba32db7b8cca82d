import assert from 'node:assert/strict'
import { is } from 'valibot'
import { callFunction, chainItem, type SqlAnswers, usedColumns } from '../_shared/testing.ts'
import * as contract from './contract.ts'
import { respond } from './maintenance-use.ts'

const sums = { rides: 1, distance: 1000, moving_time: 60 }
const usage = { gear_id: 7, first_ride: '2024-03-02', total: sums, items: [], parts: [] }
const timeline = { months: [{ month: '2024-03', ...sums }], services: [] }
const history = {
  part_id: 5,
  lifetime: { ...sums, earlier_distance: null, earlier_moving_time: null, cost: 30, days: 100 },
  periods: [],
  moved_together: [6],
}
const KM = 1000
const wear = {
  gear_id: 7,
  is_installed: true,
  distance: 2400 * KM,
  earlier_distance: null,
  least_distance: 482_700,
  measurements: [1, 2].map((id) => ({
    id,
    measured_on: '2026-01-01',
    value: id / 5,
    reading: null,
    unit: 'chain %',
    tool: 'Park CC-4',
    limit: null,
    note: null,
    distance: id * 1000 * KM,
  })),
  series: [
    {
      unit: 'chain %',
      tool: 'Park CC-4',
      limit: 0.5,
      not_before: 2000 * KM,
      reached_on: null,
      estimate: { kind: 'line', from: 2284 * KM, to: 2831 * KM },
      measurements: [1, 2],
    },
  ],
}
const items = [
  chainItem({ id: 1, part_id: 5 }),
  chainItem({ id: 2, part_id: 6, name: 'CHAIN' }),
  chainItem({ id: 3, part_id: 7, name: 'Cassette' }),
  chainItem({ id: 4, part_id: 8, since: '2025-01-01T01:00:00', until: '2025-01-01T01:00:00' }),
]

/** Answers for parts 5 to 8. Part 8 is work. */
const ofPart =
  <Answer extends object>(answer: Answer) =>
  (args: unknown) => {
    const { part_id } = args as { part_id: number }
    return part_id < 5 || part_id > 8 ? null : answer
  }

function usageFor(input: { gear_id: number; part?: number }, calls: unknown[] = []) {
  const answers: SqlAnswers = {
    part_history: ofPart(history),
    part_wear: ofPart(wear),
    part_lifetimes: () => usedColumns(items),
    ride_days: () => ({ today: '2026-11-21', bikes: [] }),
    maintenance_use(args) {
      calls.push(args)
      return input.gear_id === 7 ? usage : null
    },
    bike_timeline: () => (input.gear_id === 7 ? timeline : null),
  }
  return callFunction(contract, respond, input, answers)
}

Deno.test('returns the usage of a bike', async () => {
  assert.deepEqual(await usageFor({ gear_id: 7 }), usage)
})

Deno.test('returns the usage on a day together with the timeline', async () => {
  const calls: unknown[] = []
  const input = { gear_id: 7, day: '2024-02-29', timeline: true }
  assert.deepEqual(await usageFor(input, calls), { ...usage, ...timeline })
  assert.deepEqual(calls, [{ gear_id: 7, day: '2024-02-29' }])
})

async function detailsOf(part: number) {
  const { part: details, ...rest } = (await usageFor({ gear_id: 7, part }))!
  assert.deepEqual(rest, usage)
  return details
}

Deno.test('adds the history of a part, its wear, and the parts of the same type and name', async () => {
  const { wear: worn, group, ...rest } = (await detailsOf(5))!
  assert.deepEqual(rest, history)
  assert.deepEqual(
    group?.lifetimes.map(({ part_id }) => part_id),
    [5, 6],
  )
  assert.equal(worn.distance, wear.distance)
  // Without rides, there is no date.
  assert.deepEqual(
    worn.series.map(({ estimate, likely }) => [estimate?.kind, likely]),
    [['line', null]],
  )
})

Deno.test('returns no group for work, and no details of an unknown part', async () => {
  assert.equal((await detailsOf(8))?.group, null)
  assert.equal(await detailsOf(9), null)
})

Deno.test('rejects an unknown bike', async () => {
  for (const input of [{ gear_id: 8 }, { gear_id: 8, timeline: true }, { gear_id: 8, part: 5 }]) {
    await assert.rejects(usageFor(input), { code: 'unknown_bike' })
  }
})

const OTHER = [undefined, {}, [], 7, { part: 5 }]
const of7 = (more: object) => ({ gear_id: 7, ...more })
for (const input of [
  ...OTHER,
  ...['7', 7.5, 1e300, null].map((gear_id) => ({ gear_id })),
  ...[{ day: '2023-02-29' }, { day: 'yesterday' }, { dya: '2024-02-29' }, { timeline: 'yes' }].map(of7),
  ...[{ part: '5' }, { part: 5.5 }].map(of7),
]) {
  Deno.test(`rejects the input ${JSON.stringify(input)}`, () => {
    assert.equal(is(contract.Input, input), false)
  })
}
