import assert from 'node:assert/strict'
import { chainItem, errorOf, post, recordLog } from '../_shared/testing.ts'
import { createHandler } from './handler.ts'
import type { Spending } from './spending.ts'

const SPENDING: Spending = {
  today: '2026-11-21',
  months: [{ month: '2026-10', gear_id: 1, type: null, cost: 40 }],
  this_year: 40,
  last_year_to_date: 0,
  bikes: [
    { gear_id: 1, cost: 40, distance: 2_000_000, moving_time: 360_000, distance_of_year: 1_000_000 },
    { gear_id: 2, cost: 0, distance: 0, moving_time: 0, distance_of_year: 0 },
  ],
  types: [{ type: null, cost: 40 }],
  total: { cost: 40, distance: 2_000_000, moving_time: 360_000 },
}
let asked: unknown[] = []

/** A handler for a caller with this token: `owner`, `guest` or an invalid one. */
const handle = createHandler({
  auth: {
    isSignedIn: (token) => Promise.resolve(token === 'owner' || token === 'guest'),
    isOwner: (token) => Promise.resolve(token === 'owner'),
  },
  readSpending(token, ...period) {
    if (token === 'invalid') return Promise.reject(new Error('permission denied'))
    asked = period
    return Promise.resolve(token === 'owner' ? SPENDING : null)
  },
  readItems: (token) => Promise.resolve(token === 'owner' ? { items: [chainItem()], services: [] } : null),
  log: recordLog().log,
})
const as = (token: string) => ({ Authorization: `Bearer ${token}` })

Deno.test('the owner gets months, a forecast and the costs of a period', async () => {
  const response = await handle(post('{"from": "2026-01-01", "to": "2026-11-21"}', as('owner')))
  assert.equal(response.status, 200)
  assert.deepEqual(asked, ['2026-01-01', '2026-11-21'])
  const rates = { cost_per_km: 0.02, cost_per_hour: 0.4 }
  assert.deepEqual(await response.json(), {
    months: SPENDING.months,
    next_twelve_months: null,
    next_twelve_months_parts: { known: 0, unknown: 0 },
    today: '2026-11-21',
    this_year: 40,
    last_year_to_date: 0,
    period: {
      bikes: [
        { gear_id: 1, cost: 40, distance: 2_000_000, moving_time: 360_000, ...rates },
        { gear_id: 2, cost: 0, distance: 0, moving_time: 0, cost_per_km: null, cost_per_hour: null },
      ],
      types: [{ type: null, cost: 40, ...rates }],
      total: { ...SPENDING.total, ...rates },
    },
  })
})

Deno.test('without a period, everything counts', async () => {
  for (const body of [undefined, '{}']) {
    assert.equal((await handle(post(body, as('owner')))).status, 200)
    assert.deepEqual(asked, [undefined, undefined])
  }
})

Deno.test('other callers are refused, before their body', async () => {
  for (const body of ['{}', '[]']) {
    assert.deepEqual(await errorOf(await handle(post(body, as('guest')))), [403, 'forbidden'])
    assert.deepEqual(await errorOf(await handle(post(body, as('invalid')))), [401, 'unauthorized'])
    assert.deepEqual(await errorOf(await handle(post(body))), [401, 'unauthorized'])
  }
})

for (const body of ['[]', '{"from": "2026-13-01"}', '{"to": 7}', '{"year": 2026}']) {
  Deno.test(`the body ${body} is invalid`, async () => {
    assert.deepEqual(await errorOf(await handle(post(body, as('owner')))), [400, 'invalid_input'])
  })
}
