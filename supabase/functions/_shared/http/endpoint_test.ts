import assert from 'node:assert/strict'
import * as v from 'valibot'
import { objectInput } from '../contracts/fields.ts'
import { createOwnerEndpoint, endpoint } from './endpoint.ts'
import { CodedError } from './errors.ts'
import { errorOf, fakeQuery, post, recordLog } from '../testing.ts'

const contract = {
  Input: v.optional(objectInput({ gear_id: v.optional(v.number()) }), {}),
  Answer: v.strictObject({ bikes: v.number() }),
}

async function handle(body: string | undefined, headers: Record<string, string>) {
  const checks: string[] = []
  const handler = createOwnerEndpoint(
    contract,
    async ({ gear_id }, query) => {
      if (gear_id === 0) throw new Error('the chain is off')
      const answer = await query('garage', v.nullable(contract.Answer))
      if (gear_id !== undefined && gear_id !== 7) throw new CodedError('unknown_bike')
      return answer
    },
    {
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
      queryAs: (token) =>
        fakeQuery({
          garage: () =>
            token === 'invalid'
              ? Promise.reject(new Error('permission denied'))
              : token === 'owner'
                ? { bikes: 1 }
                : null,
        }),
      log: recordLog().log,
    },
  )
  return { response: await handler(post(body, headers)), checks }
}
const as = (token: string) => ({ Authorization: `Bearer ${token}` })
const errorFor = async (body: string | undefined, headers = {}) =>
  errorOf((await handle(body, headers)).response)

Deno.test('the owner gets the answer with a single query', async () => {
  for (const body of [undefined, '{}', '{"gear_id": 7}']) {
    const { response, checks } = await handle(body, as('owner'))
    assert.deepEqual([response.status, await response.json()], [200, { bikes: 1 }])
    assert.deepEqual(checks, [])
  }
})

Deno.test('an invalid or missing token is unauthorized', async () => {
  assert.deepEqual(await errorFor('{}', as('invalid')), [401, 'unauthorized'])
  assert.deepEqual(await errorFor('{}'), [401, 'unauthorized'])
  assert.deepEqual(await errorFor('{}', { 'x-schedule-key': 'the key' }), [401, 'unauthorized'])
})

Deno.test('another user is forbidden, whether or not the bike exists', async () => {
  for (const body of ['{}', '{"gear_id": 7}', '{"gear_id": 8}']) {
    assert.deepEqual(await errorFor(body, as('guest')), [403, 'forbidden'])
  }
})

Deno.test("the owner gets the function's error", async () => {
  assert.deepEqual(await errorFor('{"gear_id": 8}', as('owner')), [404, 'unknown_bike'])
  assert.deepEqual(await errorFor('{"gear_id": 0}', as('owner')), [500, 'internal'])
})

Deno.test('caller errors come before body errors', async () => {
  const huge = ' '.repeat(100_000)
  for (const [body, error] of [
    [huge, [413, 'too_large']],
    ['[]', [400, 'invalid_input']],
  ] as const) {
    assert.deepEqual(await errorFor(body), [401, 'unauthorized'])
    assert.deepEqual(await errorFor(body, as('invalid')), [401, 'unauthorized'])
    assert.deepEqual(await errorFor(body, as('guest')), [403, 'forbidden'])
    assert.deepEqual(await errorFor(body, as('owner')), error)
  }
})

Deno.test('a missing variable fails at startup', () => {
  assert.throws(
    () =>
      endpoint(
        'garage',
        contract,
        () => Promise.resolve(null),
        () => undefined,
      ),
    /SUPABASE_URL/,
  )
})
