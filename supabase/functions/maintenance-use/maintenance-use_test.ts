import assert from 'node:assert/strict'
import { is } from 'valibot'
import { callFunction, type SqlAnswers } from '../_shared/testing.ts'
import * as contract from './contract.ts'
import { respond } from './maintenance-use.ts'

const sums = { rides: 1, distance: 1000, moving_time: 60 }
const usage = { gear_id: 7, total: sums, items: [], parts: [] }
const timeline = { months: [{ month: '2024-03', ...sums }], services: [] }

function usageFor(input: { gear_id: number }, calls: unknown[] = []) {
  const answers: SqlAnswers = {
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

Deno.test('rejects an unknown bike', async () => {
  for (const input of [{ gear_id: 8 }, { gear_id: 8, timeline: true }]) {
    await assert.rejects(usageFor(input), { code: 'unknown_bike' })
  }
})

for (const input of [
  undefined,
  {},
  [],
  { gear_id: '7' },
  { gear_id: 7.5 },
  { gear_id: 1e300 },
  { gear_id: null },
  { gear_id: 7, day: '2023-02-29' },
  { gear_id: 7, day: 'yesterday' },
  { gear_id: 7, timeline: 'yes' },
  { gear_id: 7, dya: '2024-02-29' },
  7,
]) {
  Deno.test(`rejects the input ${JSON.stringify(input)}`, () => {
    assert.equal(is(contract.Input, input), false)
  })
}
