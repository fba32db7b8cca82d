import assert from 'node:assert/strict'
import { errorOf, post, recordLog } from './testing.ts'
import { createHandler } from './rpc-endpoint.ts'

const answer = { bikes: [], total: { rides: 0 } }

/** A handler for a caller with this token: `owner`, `guest` or an invalid one. */
const handle = createHandler({
  auth: {
    isSignedIn: (token) => Promise.resolve(token === 'owner' || token === 'guest'),
    isOwner: (token) => Promise.resolve(token === 'owner'),
  },
  read(token) {
    if (token === 'invalid') return Promise.reject(new Error('permission denied'))
    return Promise.resolve(token === 'owner' ? answer : null)
  },
  log: recordLog().log,
})
const as = (token: string) => ({ Authorization: `Bearer ${token}` })

Deno.test('the owner gets the answer, with an empty body or {}', async () => {
  for (const body of [undefined, '{}']) {
    const response = await handle(post(body, as('owner')))
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), answer)
  }
})

Deno.test('other callers are refused, before their body', async () => {
  for (const body of ['{}', '[]']) {
    assert.deepEqual(await errorOf(await handle(post(body, as('guest')))), [403, 'forbidden'])
    assert.deepEqual(await errorOf(await handle(post(body, as('invalid')))), [401, 'unauthorized'])
    assert.deepEqual(await errorOf(await handle(post(body))), [401, 'unauthorized'])
  }
})

Deno.test('a body with parameters is invalid', async () => {
  assert.deepEqual(await errorOf(await handle(post('{"gear_id": 7}', as('owner')))), [400, 'invalid_input'])
})
