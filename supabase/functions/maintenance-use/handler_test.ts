import assert from 'node:assert/strict'
import { errorOf, post, recordLog } from '../_shared/testing.ts'
import { createHandler } from './handler.ts'

const usage = { gear_id: 7, total: { rides: 0, distance: 0, moving_time: 0 }, items: [], parts: [] }
const timeline = { months: [{ month: '2024-03', rides: 1, distance: 1000, moving_time: 60 }], services: [] }
let asked: unknown

/** Handles a request; `checks` lists the questions that went to Auth. */
async function handle(request: Request, readUsageFails = false) {
  const checks: string[] = []
  const handler = createHandler({
    auth: {
      isSignedIn(token) {
        checks.push('isSignedIn')
        return Promise.resolve(token === 'owner' || token === 'guest')
      },
      isOwner(token) {
        checks.push('isOwner')
        return Promise.resolve(token === 'owner')
      },
    },
    readUsage(token, query) {
      asked = query
      if (readUsageFails || token === 'invalid') return Promise.reject(new Error('permission denied'))
      return Promise.resolve(token === 'owner' && query.gear_id === 7 ? usage : null)
    },
    readTimeline: (token, gearId) => Promise.resolve(token === 'owner' && gearId === 7 ? timeline : null),
    log: recordLog().log,
  })
  return { response: await handler(request), checks }
}

const errorFor = async (request: Request) => errorOf((await handle(request)).response)
const as = (token: string) => ({ Authorization: `Bearer ${token}` })

Deno.test('the owner gets the usage of a bike with a single query', async () => {
  const { response, checks } = await handle(post('{"gear_id": 7}', as('owner')))
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), usage)
  assert.deepEqual(checks, [])
})

Deno.test('the usage may be that of a day, and come with the timeline', async () => {
  const { response } = await handle(
    post('{"gear_id": 7, "day": "2024-02-29", "timeline": true}', as('owner')),
  )
  assert.deepEqual(await response.json(), { ...usage, ...timeline })
  assert.deepEqual(asked, { gear_id: 7, day: '2024-02-29' })
})

Deno.test('a bike that does not exist is unknown', async () => {
  for (const body of ['{"gear_id": 8}', '{"gear_id": 8, "timeline": true}'])
    assert.deepEqual(await errorFor(post(body, as('owner'))), [404, 'unknown_bike'])
})

Deno.test('another user is forbidden, whether the bike exists or not', async () => {
  for (const id of [7, 8]) {
    assert.deepEqual(await errorFor(post(`{"gear_id": ${id}}`, as('guest'))), [403, 'forbidden'])
  }
})

Deno.test('an invalid token is unauthorized', async () => {
  assert.deepEqual(await errorFor(post('{"gear_id": 7}', as('invalid'))), [401, 'unauthorized'])
})

Deno.test('a failed query is internal for the owner', async () => {
  const { response } = await handle(post('{"gear_id": 7}', as('owner')), true)
  assert.deepEqual(await errorOf(response), [500, 'internal'])
})

for (const body of [
  '{}',
  '{"gear_id": "7"}',
  '{"gear_id": 7.5}',
  '{"gear_id": 1e300}',
  '{"gear_id": null}',
  '{"gear_id": 7, "day": "2023-02-29"}',
  '{"gear_id": 7, "day": "yesterday"}',
  '{"gear_id": 7, "timeline": "yes"}',
  '7',
]) {
  Deno.test(`the body ${body} is invalid`, async () => {
    assert.deepEqual(await errorFor(post(body, as('owner'))), [400, 'invalid_input'])
  })
}

Deno.test('caller errors come before body errors', async () => {
  const huge = ' '.repeat(100_000)
  assert.deepEqual(await errorFor(post(huge)), [401, 'unauthorized'])
  assert.deepEqual(await errorFor(post(huge, as('guest'))), [403, 'forbidden'])
  assert.deepEqual(await errorFor(post(huge, as('owner'))), [413, 'too_large'])
})

Deno.test('the schedule key is not accepted', async () => {
  const request = post('{"gear_id": 7}', { 'x-schedule-key': 'the key' })
  assert.deepEqual(await errorFor(request), [401, 'unauthorized'])
})
