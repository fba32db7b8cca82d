import assert from 'node:assert/strict'
import { chain, errorOf, post, recordLog } from '../_shared/testing.ts'
import { createHandler } from './handler.ts'

const LIFETIMES = [
  chain({ part_id: 1, started: '2024-01-05T01:00:00', ended: '2024-07-31T01:00:00' }),
  chain({
    part_id: 2,
    started: '2024-07-31T01:00:00',
    ended: null,
    running: true,
    ended_as: null,
    gear_ids: [1, 2],
  }),
]

/** A handler for a caller with this token: `owner`, `guest` or an invalid one. */
const handle = createHandler({
  auth: {
    isSignedIn: (token) => Promise.resolve(token === 'owner' || token === 'guest'),
    isOwner: (token) => Promise.resolve(token === 'owner'),
  },
  readLifetimes(token) {
    if (token === 'invalid') return Promise.reject(new Error('permission denied'))
    return Promise.resolve(token === 'owner' ? LIFETIMES : null)
  },
  log: recordLog().log,
})
const as = (token: string) => ({ Authorization: `Bearer ${token}` })

async function partsFor(body?: string): Promise<number[]> {
  const response = await handle(post(body, as('owner')))
  assert.equal(response.status, 200)
  const { groups } = (await response.json()) as { groups: { lifetimes: { part_id: number }[] }[] }
  return groups.flatMap(({ lifetimes }) => lifetimes.map(({ part_id }) => part_id))
}

Deno.test('the owner gets the lifetimes of all parts', async () => {
  for (const body of [undefined, '{}']) assert.deepEqual(await partsFor(body), [1, 2])
})

Deno.test('filters by bike and by days in use', async () => {
  assert.deepEqual(await partsFor('{"gear_id": 2}'), [2])
  assert.deepEqual(await partsFor('{"from": "2024-07-31"}'), [1, 2])
  assert.deepEqual(await partsFor('{"from": "2024-08-01"}'), [2])
  assert.deepEqual(await partsFor('{"to": "2024-07-30"}'), [1])
  assert.deepEqual(await partsFor('{"from": "2020-01-01", "to": "2024-01-04"}'), [])
})

Deno.test('other callers are refused, before their body', async () => {
  for (const body of ['{}', '[]']) {
    assert.deepEqual(await errorOf(await handle(post(body, as('guest')))), [403, 'forbidden'])
    assert.deepEqual(await errorOf(await handle(post(body, as('invalid')))), [401, 'unauthorized'])
    assert.deepEqual(await errorOf(await handle(post(body))), [401, 'unauthorized'])
  }
})

for (const body of [
  '[]',
  '{"gear_id": "7"}',
  '{"from": "2024-02-30"}',
  '{"to": "1"}',
  '{"from": null}',
  '{"x": 1}',
]) {
  Deno.test(`the body ${body} is invalid`, async () => {
    assert.deepEqual(await errorOf(await handle(post(body, as('owner')))), [400, 'invalid_input'])
  })
}
