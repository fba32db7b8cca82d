import assert from 'node:assert/strict'
import * as v from 'valibot'
import { CodedError, type ErrorCode } from '../_shared/http/errors.ts'
import { errorOf, post, recordLog } from '../_shared/testing.ts'
import type { UpdatedRides } from '../_shared/contracts/update-rides.ts'
import { Answer } from './contract.ts'
import { createHandler } from './handler.ts'
import type { Trigger } from './ride-store.ts'
import type { UpdateRides } from './update-rides.ts'

const answer: UpdatedRides = {
  status: 'ok',
  id: 7,
  finished_at: '2026-02-18T04:09:43.123456+00:00',
  bikes: 2,
  fetched: 5,
  added: 1,
  changed: 1,
  removed: 0,
  skipped: 1,
  skipped_rows: '4846394 distance',
  pending_removals: 0,
  mismatch: null,
}

function setUp(
  updateRides: UpdateRides = () => Promise.resolve(answer),
  scheduleKey: string | undefined = 'the key',
) {
  const syncs: [Trigger, boolean?][] = []
  const handle = createHandler({
    auth: {
      isSignedIn: (token) => Promise.resolve(token === 'owner' || token === 'guest'),
      isOwner: (token) => Promise.resolve(token === 'owner'),
    },
    scheduleKey,
    secretKey: 'the secret key',
    updateRides: (triggeredBy, check) => {
      syncs.push(check === undefined ? [triggeredBy] : [triggeredBy, check])
      return updateRides(triggeredBy)
    },
    log: recordLog().log,
  })
  return { handle, syncs }
}

const asOwner = { Authorization: 'Bearer owner' }
const asSchedule = { 'x-schedule-key': 'the key' }

Deno.test('returns the changes to the owner', async () => {
  const { handle, syncs } = setUp()
  const response = await handle(post(undefined, asOwner))
  assert.equal(response.status, 200)
  assert.deepEqual(v.parse(Answer, await response.json()), answer)
  assert.deepEqual(syncs, [['owner']])
})

Deno.test('another function starts a sync for the owner', async () => {
  const { handle, syncs } = setUp()
  assert.equal((await handle(post('{}', { 'x-secret-key': 'the secret key' }))).status, 200)
  assert.deepEqual(syncs, [['owner']])
  assert.equal((await handle(post('{}', { 'x-secret-key': 'the public key' }))).status, 401)
})

Deno.test('the schedule key starts a sync as the schedule', async () => {
  const { handle, syncs } = setUp()
  assert.equal((await handle(post('{}', asSchedule))).status, 200)
  assert.deepEqual(syncs, [['schedule']])
})

Deno.test('runs a quick check on request', async () => {
  const counts = { bikes: 0, fetched: 0, added: 0, changed: 0, removed: 0, skipped: 0 }
  const unchanged = { status: 'unchanged', ...counts }
  const { handle, syncs } = setUp(() => Promise.resolve(unchanged as UpdatedRides))
  const response = await handle(post('{"check": true}', asSchedule))
  assert.deepEqual(v.parse(Answer, await response.json()), unchanged)
  await handle(post('{"check": false}', asSchedule))
  assert.deepEqual(syncs, [
    ['schedule', true],
    ['schedule', false],
  ])
})

Deno.test('no other caller starts a sync', async () => {
  const { handle, syncs } = setUp()
  for (const headers of [{}, { Authorization: 'Bearer x' }, { 'x-schedule-key': 'no' }])
    assert.deepEqual(await errorOf(await handle(post('', headers))), [401, 'unauthorized'])
  const asGuest = { Authorization: 'Bearer guest' }
  assert.deepEqual(await errorOf(await handle(post('', asGuest))), [403, 'forbidden'])
  assert.deepEqual(syncs, [])
})

Deno.test('rejects every schedule key if none is configured', async () => {
  const { handle } = setUp(undefined, '')
  assert.deepEqual(await errorOf(await handle(post('', { 'x-schedule-key': '' }))), [401, 'unauthorized'])
})

const DEEP = '{"a":'.repeat(2000) + '1' + '}'.repeat(2000)
for (const body of ['[]', '{', '{"gear_id": 1}', '{"check": 1}', '{"check": true, "gear_id": 1}', DEEP]) {
  Deno.test(`rejects the body ${body.slice(0, 20)}`, async () => {
    const { handle, syncs } = setUp()
    assert.deepEqual(await errorOf(await handle(post(body, asOwner))), [400, 'invalid_input'])
    assert.deepEqual(syncs, [])
  })
}

const statuses: Partial<Record<ErrorCode, number>> = {
  already_running: 409,
  rwgps_other_account: 409,
  rwgps_unauthorized: 502,
  rwgps_bad_answer: 502,
  rwgps_unreachable: 502,
  rwgps_rate_limited: 503,
  rwgps_timeout: 504,
}
for (const [code, status] of Object.entries(statuses)) {
  Deno.test(`responds to ${code} with ${status}`, async () => {
    const { handle } = setUp(() => Promise.reject(new CodedError(code as ErrorCode)))
    assert.deepEqual(await errorOf(await handle(post(undefined, asOwner))), [status, code])
  })
}

Deno.test('any other error is internal', async () => {
  const { handle } = setUp(() => Promise.reject(new Error('no such table')))
  assert.deepEqual(await errorOf(await handle(post(undefined, asOwner))), [500, 'internal'])
})
