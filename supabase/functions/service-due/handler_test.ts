import assert from 'node:assert/strict'
import { errorOf, post, recordLog } from '../_shared/testing.ts'
import { createHandler } from './handler.ts'
import type { Task } from '../_shared/service-tasks.ts'

const wax: Task = {
  id: 1,
  gear_id: 7,
  item_id: 3,
  name: 'Wax',
  kind: 'service',
  every: { distance: 482_700, moving_time: null, days: null },
  used: { distance: 450_000, moving_time: 60_000, days: 12 },
  fraction: 0.93,
  axis: 'distance',
  state: 'soon',
  snoozed_until: null,
  snoozed_distance: null,
  part_id: 2,
  item_name: 'Chain',
  item_type: 'Drivetrain',
  baseline: '2026-05-01T01:00:00',
  last_done: '2026-05-01T01:00:00',
  newest_event: 9,
}

// A bike without rides is resting.
const due = { ...wax, forecast: null, forecast_note: 'resting', is_next_ride: false }

function handle(request: Request) {
  const handler = createHandler({
    auth: {
      isSignedIn: (token) => Promise.resolve(token === 'owner' || token === 'guest'),
      isOwner: (token) => Promise.resolve(token === 'owner'),
    },
    readTasks(token, gearId) {
      if (token === 'invalid') return Promise.reject(new Error('permission denied'))
      if (token !== 'owner') return Promise.resolve(gearId === undefined ? [] : null)
      return Promise.resolve(gearId === undefined || gearId === 7 ? [wax] : null)
    },
    readRideDays: () => Promise.resolve({ today: '2026-05-13', bikes: [] }),
    log: recordLog().log,
  })
  return handler(request)
}

const errorFor = async (request: Request) => errorOf(await handle(request))
const as = (token: string) => ({ Authorization: `Bearer ${token}` })

Deno.test('the owner gets the tasks of all bikes or of one', async () => {
  for (const body of ['{}', '{"gear_id": 7}']) {
    const response = await handle(post(body, as('owner')))
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { tasks: [due] })
  }
})

Deno.test('explains a forecast on request', async () => {
  for (const id of [1, 99]) {
    const response = await handle(post(`{"explain": ${id}}`, as('owner')))
    assert.deepEqual(await response.json(), { tasks: [due], explanation: null })
  }
})

Deno.test('a bike that does not exist is unknown', async () => {
  assert.deepEqual(await errorFor(post('{"gear_id": 8}', as('owner'))), [404, 'unknown_bike'])
})

Deno.test('another user is forbidden', async () => {
  for (const body of ['{}', '{"gear_id": 7}']) {
    assert.deepEqual(await errorFor(post(body, as('guest'))), [403, 'forbidden'])
  }
})

Deno.test('an invalid token is unauthorized', async () => {
  assert.deepEqual(await errorFor(post('{}', as('invalid'))), [401, 'unauthorized'])
})

for (const body of [
  '',
  '[]',
  '{"gear_id": "7"}',
  '{"gear_id": 7.5}',
  '{"gear_id": null}',
  '{"explain": "1"}',
  '7',
]) {
  Deno.test(`the body ${JSON.stringify(body)} is invalid`, async () => {
    assert.deepEqual(await errorFor(post(body, as('owner'))), [400, 'invalid_input'])
  })
}
