import assert from 'node:assert/strict'
import * as v from 'valibot'
import { CodedError } from './errors.ts'
import { createEndpoint, readInput } from './http.ts'
import { post, recordLog, errorOf } from '../testing.ts'

const Input = v.object({ gear_id: v.number() })
const echo = createEndpoint(recordLog().log, (request) => readInput(request, Input))

Deno.test('answers with uncached JSON', async () => {
  const response = await echo(post('{"gear_id": 7, "more": true}'))
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { gear_id: 7 })
  assert.equal(response.headers.get('Cache-Control'), 'no-store')
  assert.equal(response.headers.get('Access-Control-Allow-Origin'), '*')
})

Deno.test('a preflight allows only POST and the headers the client sends', async () => {
  const response = await echo(new Request('http://localhost/', { method: 'OPTIONS' }))
  assert.equal(response.status, 204)
  assert.equal(response.headers.get('Access-Control-Allow-Methods'), 'POST')
  assert.equal(
    response.headers.get('Access-Control-Allow-Headers'),
    'authorization, apikey, content-type, x-client-info',
  )
  assert.equal(response.headers.has('Access-Control-Allow-Credentials'), false)
})

for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
  Deno.test(`rejects ${method} with the allowed methods`, async () => {
    const response = await echo(new Request('http://localhost/', { method }))
    assert.equal(response.headers.get('Allow'), 'POST, OPTIONS')
    assert.deepEqual(await errorOf(response), [405, 'method_not_allowed'])
  })
}

for (const body of ['nonsense', '{"gear_id":', '', '[]', 'null', '7', '{"gear_id": "7"}', '\u0000']) {
  Deno.test(`the body ${JSON.stringify(body)} is invalid input`, async () => {
    assert.deepEqual(await errorOf(await echo(post(body))), [400, 'invalid_input'])
  })
}

Deno.test('accepts a body of 16 kB and rejects one more byte', async () => {
  const body = '{"gear_id": 7}'.padEnd(16 * 1024)
  assert.equal((await echo(post(body))).status, 200)
  assert.deepEqual(await errorOf(await echo(post(`${body} `))), [413, 'too_large'])
})

Deno.test('stops reading an endless body at the limit', async () => {
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      sent += 1024
      controller.enqueue(new Uint8Array(1024).fill(0x20))
    },
  })
  const response = await echo(new Request('http://localhost/', { method: 'POST', body }))
  assert.deepEqual(await errorOf(response), [413, 'too_large'])
  assert.ok(sent < 32 * 1024, `${sent} bytes were read`)
})

Deno.test('responds to a full disk, an ended session and an unreachable database like the data API', async () => {
  for (const [error, expected] of [
    [{ code: '53100' }, [507, 'disk_full']],
    [{ code: 'PT401' }, [401, 'unauthorized']],
    [{ code: 'PGRST001' }, [503, 'database_unavailable']],
    [{ code: 'PGRST003' }, [503, 'database_unavailable']],
    [{ name: 'AuthRetryableFetchError', status: 503 }, [503, 'database_unavailable']],
  ] as const) {
    const failed = Object.assign(new Error('failed'), error)
    const response = await createEndpoint(recordLog().log, () => Promise.reject(failed))(post())
    assert.deepEqual(await errorOf(response), expected)
  }
})

Deno.test('responds with "internal" to an error without a code and logs the details', async () => {
  const { log, lines } = recordLog()
  const broken = createEndpoint(log, () => Promise.reject(new TypeError('the pump is flat')))
  const response = await broken(post())
  assert.ok(!(await response.clone().text()).includes('pump'))
  assert.deepEqual(await errorOf(response), [500, 'internal'])
  assert.equal(lines.length, 1)
  assert.ok(lines[0]?.includes('the pump is flat'))
})

Deno.test("responds with an error's code and logs it", async () => {
  const { log, lines } = recordLog()
  const failing = createEndpoint(log, () => Promise.reject(new CodedError('rwgps_timeout')))
  assert.deepEqual(await errorOf(await failing(post())), [504, 'rwgps_timeout'])
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [{ source: 'test', event: 'failed', code: 'rwgps_timeout' }],
  )
})
