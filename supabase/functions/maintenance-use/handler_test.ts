import assert from 'node:assert/strict'
import { post, recordLog, refusalOf } from '../_shared/testing.ts'
import { createHandler } from './handler.ts'

const usage = { gear_id: 7, total: { rides: 0, distance: 0, moving_time: 0 }, items: [] }

function handle(request: Request): Promise<Response> {
  const handler = createHandler({
    auth: {
      isSignedIn: (token) => Promise.resolve(token === 'owner' || token === 'guest'),
      isOwner: (token) => Promise.resolve(token === 'owner'),
    },
    readUsage: (token, gearId) => Promise.resolve(token === 'owner' && gearId === 7 ? usage : null),
    log: recordLog().log,
  })
  return handler(request)
}

const asOwner = { Authorization: 'Bearer owner' }

Deno.test('the owner is told the usage of a bike', async () => {
  const response = await handle(post('{"gear_id": 7}', asOwner))
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), usage)
})

Deno.test('a bike that does not exist is unknown', async () => {
  assert.deepEqual(await refusalOf(await handle(post('{"gear_id": 8}', asOwner))), [404, 'unknown_bike'])
})

for (const body of [
  '{}',
  '{"gear_id": "7"}',
  '{"gear_id": 7.5}',
  '{"gear_id": 1e300}',
  '{"gear_id": null}',
  '7',
]) {
  Deno.test(`${body} names no bike`, async () => {
    assert.deepEqual(await refusalOf(await handle(post(body, asOwner))), [400, 'invalid_input'])
  })
}

Deno.test('strangers are unauthorized and guests forbidden, before anybody looks at what they sent', async () => {
  const huge = ' '.repeat(100_000)
  assert.deepEqual(await refusalOf(await handle(post(huge))), [401, 'unauthorized'])
  assert.deepEqual(await refusalOf(await handle(post(huge, { Authorization: 'Bearer guest' }))), [
    403,
    'forbidden',
  ])
  assert.deepEqual(await refusalOf(await handle(post(huge, asOwner))), [413, 'too_large'])
})

Deno.test('the schedule has no business here', async () => {
  const request = post('{"gear_id": 7}', { 'x-schedule-key': 'the key' })
  assert.deepEqual(await refusalOf(await handle(request)), [401, 'unauthorized'])
})
