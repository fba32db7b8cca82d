import assert from 'node:assert/strict'
import { is } from 'valibot'
import { callFunction, chainItem, usedColumns } from '../_shared/testing.ts'
import * as contract from './contract.ts'
import { respond } from './part-lifetimes.ts'

const ITEMS = [
  chainItem({ id: 1, since: '2024-01-05T01:00:00', until: '2024-07-31T01:00:00' }),
  chainItem({ id: 2, since: '2024-07-31T01:00:00', until: '2024-08-31T01:00:00', ended_as: 'moved' }),
  chainItem({ id: 3, part_id: 2, gear_id: 2, since: '2024-08-31T01:00:00', until: null }),
]

const answerTo = (input: unknown, calls: unknown[] = []) =>
  callFunction(contract, respond, input, {
    part_lifetimes(args) {
      calls.push(args)
      return usedColumns(ITEMS)
    },
  })

async function partsFor(input?: object): Promise<number[]> {
  const answer = await answerTo(input)
  assert.ok(answer && 'groups' in answer)
  return answer.groups.flatMap(({ lifetimes }) => lifetimes.map(({ part_id }) => part_id))
}

Deno.test('returns the lifetimes of all parts', async () => {
  for (const input of [undefined, {}]) assert.deepEqual(await partsFor(input), [1, 2])
})

Deno.test('filters by bike and by days in use', async () => {
  assert.deepEqual(await partsFor({ gear_id: 2 }), [2])
  assert.deepEqual(await partsFor({ from: '2024-07-31' }), [1, 2])
  assert.deepEqual(await partsFor({ from: '2024-08-01' }), [2])
  assert.deepEqual(await partsFor({ to: '2024-07-30' }), [1])
  assert.deepEqual(await partsFor({ from: '2020-01-01', to: '2024-01-04' }), [])
})

Deno.test('a what-if queries the usage with the changed dates of the item and its neighbor', async () => {
  const calls: unknown[] = []
  const whatIf = { id: 1, dateStarted: '2024-01-05', dateEnded: '2024-08-10', cost: 20 }
  const answer = await answerTo({ what_if: whatIf }, calls)
  assert.ok(answer && 'what_if' in answer)
  assert.deepEqual(
    answer.what_if.map(({ item_id }) => item_id),
    [1, 2],
  )
  assert.deepEqual(calls.at(-1), {
    what_if: [
      { id: 1, cost: 20, dateStarted: '2024-01-05T01:00:00', dateEnded: '2024-08-10T01:00:00' },
      { id: 2, cost: 30, dateStarted: '2024-08-10T01:00:00', dateEnded: '2024-08-31T01:00:00' },
    ],
  })
})

Deno.test('rejects unknown items', async () => {
  const what_if = { id: 9, dateStarted: '2024-01-05', dateEnded: null, cost: 1 }
  await assert.rejects(answerTo({ what_if }), { code: 'unknown_item' })
})

Deno.test('returns nothing if row-level security hides the log', async () => {
  assert.equal(await callFunction(contract, respond, {}, { part_lifetimes: () => null }), null)
})

const item = { id: 1, dateStarted: '2024-01-05', dateEnded: null, cost: 1 }
const OTHER = [
  [],
  { gear_id: '7' },
  { from: '2024-02-30' },
  { to: '1' },
  { from: null },
  { x: 1 },
  { wear: 7 },
]
for (const input of [
  ...OTHER,
  ...[{ dateEnded: '2024-01-04' }, { dateStarted: null }, { cost: '1' }].map((broken) => ({
    what_if: { ...item, ...broken },
  })),
  { what_if: { id: 1 } },
  { what_if: item, gear_id: 7 },
]) {
  Deno.test(`rejects the input ${JSON.stringify(input)}`, () => {
    assert.equal(is(contract.Input, input), false)
  })
}
