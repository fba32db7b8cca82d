import assert from 'node:assert/strict'
import { is } from 'valibot'
import { ask, type SqlAnswers } from '../_shared/testing.ts'
import * as contract from './contract.ts'
import { respond } from './maintenance-use.ts'

const sums = { rides: 1, distance: 1000, moving_time: 60 }
const usage = { gear_id: 7, total: sums, items: [], parts: [] }
const timeline = { months: [{ month: '2024-03', ...sums }], services: [] }

/** Asks for the usage of a bike. Bike 7 is the only one. `calls` gets the arguments of the query. */
function usageFor(input: { gear_id: number }, calls: unknown[] = []) {
  const answers: SqlAnswers = {
    maintenance_use(args) {
      calls.push(args)
      return input.gear_id === 7 ? usage : null
    },
    bike_timeline: () => (input.gear_id === 7 ? timeline : null),
  }
  return ask(contract, respond, input, answers)
}

Deno.test('answers with the usage of a bike', async () => {
  assert.deepEqual(await usageFor({ gear_id: 7 }), usage)
})

Deno.test('the usage may be that of a day, and come with the timeline', async () => {
  const calls: unknown[] = []
  const input = { gear_id: 7, day: '2024-02-29', timeline: true }
  assert.deepEqual(await usageFor(input, calls), { ...usage, ...timeline })
  assert.deepEqual(calls, [{ gear_id: 7, day: '2024-02-29' }])
})

Deno.test('a bike that does not exist is unknown', async () => {
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
  Deno.test(`the input ${JSON.stringify(input)} is invalid`, () => {
    assert.equal(is(contract.Input, input), false)
  })
}
