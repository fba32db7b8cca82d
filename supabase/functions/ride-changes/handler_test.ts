import assert from 'node:assert/strict'
import { errorOf, post, recordLog } from '../_shared/testing.ts'
import { createHandler } from './handler.ts'

/** A handler for a caller with this token: `owner`, `guest` or an invalid one. It answers the owner with the input. */
const handle = createHandler({
  auth: {
    isSignedIn: (token) => Promise.resolve(token === 'owner' || token === 'guest'),
    isOwner: (token) => Promise.resolve(token === 'owner'),
  },
  readChanges(token, input) {
    if (token === 'invalid') return Promise.reject(new Error('permission denied'))
    return Promise.resolve(token === 'owner' ? { input } : null)
  },
  log: recordLog().log,
})
const as = (token: string) => ({ Authorization: `Bearer ${token}` })

Deno.test('the owner gets the changes of the last or a given sync', async () => {
  for (const [body, input] of [
    [undefined, {}],
    ['{"sync_id": 7, "skip": 50}', { sync_id: 7, skip: 50 }],
  ] as const) {
    const response = await handle(post(body, as('owner')))
    assert.deepEqual([response.status, await response.json()], [200, { input }])
  }
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
  '{"sync_id": "7"}',
  '{"sync_id": 0}',
  '{"skip": -1}',
  '{"skip": 3e9}',
  '{"x": 1}',
]) {
  Deno.test(`the body ${body} is invalid`, async () => {
    assert.deepEqual(await errorOf(await handle(post(body, as('owner')))), [400, 'invalid_input'])
  })
}
