import assert from 'node:assert/strict'
import type { Change, Used } from '../_shared/lifetimes.ts'
import { chainItem, errorOf, post, recordLog } from '../_shared/testing.ts'
import type { PartWear } from '../_shared/wear.ts'
import { createHandler } from './handler.ts'

const USED: Used = {
  items: [
    chainItem({ id: 1, since: '2024-01-05T01:00:00', upto: '2024-07-31T01:00:00' }),
    chainItem({ id: 2, since: '2024-07-31T01:00:00', upto: '2024-08-31T01:00:00', ended_as: 'moved' }),
    chainItem({ id: 3, part_id: 2, gear_id: 2, since: '2024-08-31T01:00:00', upto: null }),
  ],
  services: [],
}
const KM = 1000
const WEAR: PartWear = {
  gear_id: 1,
  is_installed: true,
  distance: 2400 * KM,
  measurements: [1000, 2000].map((km) => ({
    id: km,
    measured_on: '2026-01-01',
    value: km / 5000,
    reading: null,
    unit: 'chain %',
    tool: 'Park CC-4',
    limit: null,
    note: null,
    distance: km * KM,
  })),
}
let saved: Change[] | undefined

/** A handler for a caller with this token: `owner`, `guest` or an invalid one. */
const handle = createHandler({
  auth: {
    isSignedIn: (token) => Promise.resolve(token === 'owner' || token === 'guest'),
    isOwner: (token) => Promise.resolve(token === 'owner'),
  },
  readItems(token, changes) {
    if (token === 'invalid') return Promise.reject(new Error('permission denied'))
    saved = changes
    return Promise.resolve(token === 'owner' ? USED : null)
  },
  readWear: (token, partId) => Promise.resolve(token === 'owner' && partId === 7 ? WEAR : null),
  readRideDays: () => Promise.resolve({ today: '2026-11-21', bikes: [] }),
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

Deno.test('a what-if asks for the usage with the changed dates of the item and its neighbor', async () => {
  const whatIf = { id: 1, dateStarted: '2024-01-05', dateEnded: '2024-08-10', cost: 20 }
  const response = await handle(post(JSON.stringify({ what_if: whatIf }), as('owner')))
  const answer = (await response.json()) as { what_if: { item_id: number }[] }
  assert.deepEqual(
    answer.what_if.map(({ item_id }) => item_id),
    [1, 2],
  )
  assert.deepEqual(saved, [
    { id: 1, cost: 20, dateStarted: '2024-01-05T01:00:00', dateEnded: '2024-08-10T01:00:00' },
    { id: 2, cost: 30, dateStarted: '2024-08-10T01:00:00', dateEnded: '2024-08-31T01:00:00' },
  ])
})

Deno.test('wear has an estimate, and no date where nobody rides', async () => {
  const response = await handle(post('{"wear": 7}', as('owner')))
  const { wear } = (await response.json()) as {
    wear: { distance: number; series: { estimate: unknown; likely: unknown }[] }
  }
  assert.equal(wear.distance, WEAR.distance)
  const [series, ...others] = wear.series
  assert.deepEqual(others, [])
  assert.deepEqual(
    [series?.estimate, series?.likely],
    [{ kind: 'line', from: 2500 * KM, to: 2500 * KM }, null],
  )
})

Deno.test('what is not in the log is unknown', async () => {
  for (const body of [
    '{"wear": 8}',
    '{"what_if": {"id": 9, "dateStarted": "2024-01-05", "dateEnded": null, "cost": 1}}',
  ]) {
    assert.deepEqual(await errorOf(await handle(post(body, as('owner')))), [404, 'unknown_item'])
  }
})

Deno.test('other callers are refused, before their body', async () => {
  for (const body of ['{}', '[]', '{"wear": 7}']) {
    assert.deepEqual(await errorOf(await handle(post(body, as('guest')))), [403, 'forbidden'])
    assert.deepEqual(await errorOf(await handle(post(body))), [401, 'unauthorized'])
  }
  for (const body of ['{}', '[]']) {
    assert.deepEqual(await errorOf(await handle(post(body, as('invalid')))), [401, 'unauthorized'])
  }
})

for (const body of [
  '[]',
  '{"gear_id": "7"}',
  '{"from": "2024-02-30"}',
  '{"to": "1"}',
  '{"from": null}',
  '{"x": 1}',
  '{"wear": "7"}',
  '{"what_if": {"id": 1}}',
  '{"what_if": {"id": 1, "dateStarted": "2024-01-05", "dateEnded": "2024-01-04", "cost": 1}}',
  '{"what_if": {"id": 1, "dateStarted": null, "dateEnded": null, "cost": 1}}',
  '{"what_if": {"id": 1, "dateStarted": "2024-01-05", "dateEnded": null, "cost": "1"}}',
]) {
  Deno.test(`the body ${body} is invalid`, async () => {
    assert.deepEqual(await errorOf(await handle(post(body, as('owner')))), [400, 'invalid_input'])
  })
}
