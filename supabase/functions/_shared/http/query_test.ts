import assert from 'node:assert/strict'
import * as v from 'valibot'
import { connectAs, createQuery } from './query.ts'
import { codeOf } from './errors.ts'

const PROJECT = { url: 'http://localhost', publishableKey: 'key' }

/** Rejects as `run_command` does when the data API answers with an error. */
const refusedWith = (body: object, status: number) => {
  const client = connectAs(PROJECT, 'token', () => Promise.resolve(Response.json(body, { status })))
  return createQuery(client)('time_zone', v.unknown()).then(
    () => assert.fail('The call succeeded'),
    (error: unknown) => error,
  )
}

Deno.test("rejects with PostgREST's error, so its code decides the answer", async () => {
  for (const [code, expected] of [
    ['53100', 'disk_full'],
    ['PT401', 'unauthorized'],
    ['PGRST001', 'database_unavailable'],
    ['42P01', 'internal'],
  ] as const) {
    const error = await refusedWith({ code, message: 'No', details: null, hint: null, stored: 7 }, 400)
    assert.ok(error instanceof Error)
    assert.deepEqual(
      { ...error, message: error.message },
      { code, message: 'No', details: null, hint: null, stored: 7 },
    )
    assert.equal(codeOf(error), expected)
  }
})
