import assert from 'node:assert/strict'
import { recordLog } from '../../_shared/testing.ts'
import { createGet, retryDelay } from './get.ts'
import { fakeTransport, never } from './testing.ts'

const QUERY = { apikey: 'planted-key', password: 'planted+&pass' }

async function get(responses: Parameters<typeof fakeTransport>[0], signal = never) {
  const { log, lines } = recordLog()
  const fake = fakeTransport(responses, log)
  const result = await createGet('https://example.com/', fake.transport)('users/current.json', QUERY, signal)
  return { result, lines, ...fake }
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })

Deno.test('returns the JSON and encodes every parameter', async () => {
  const { result, requested } = await get([json({ a: 1 })])
  assert.deepEqual(result, { ok: true, value: { found: true, body: { a: 1 } } })
  assert.equal(
    requested[0]?.href,
    'https://example.com/users/current.json?apikey=planted-key&password=planted%2B%26pass',
  )
})

Deno.test('404 is a result, not an error', async () => {
  const { result, requested } = await get([json({ error: 'Not Found' }, 404)])
  assert.deepEqual(result, { ok: true, value: { found: false } })
  assert.equal(requested.length, 1)
})

const permanentFailures: [failure: string, response: Response, code: string][] = [
  ['401', json({ error: 'who?' }, 401), 'rwgps_unauthorized'],
  ['403', json({ error: 'no' }, 403), 'rwgps_unauthorized'],
  ['an HTML page', new Response('<html>Sorry</html>', { status: 200 }), 'rwgps_bad_answer'],
  ['truncated JSON', new Response('{"user": {"id"'), 'rwgps_bad_answer'],
  ['an empty body', new Response(''), 'rwgps_bad_answer'],
  ['no content', new Response(null, { status: 204 }), 'rwgps_bad_answer'],
  ['a redirect', new Response(null, { status: 302, headers: { Location: '/login' } }), 'rwgps_bad_answer'],
  ['400', json({}, 400), 'rwgps_bad_answer'],
  ['422', json({}, 422), 'rwgps_bad_answer'],
]
for (const [failure, response, code] of permanentFailures) {
  Deno.test(`${failure} is ${code} without a retry`, async () => {
    const { result, requested } = await get([response])
    assert.deepEqual(result, { ok: false, code })
    assert.equal(requested.length, 1)
  })
}

const temporaryFailures: [failure: string, response: Response | Error, code: string][] = [
  ...[500, 501, 502, 503, 504].map((status): [string, Response, string] => [
    `${status}`,
    json({}, status),
    'rwgps_unreachable',
  ]),
  ['429', json({}, 429), 'rwgps_rate_limited'],
  [
    'a network error',
    new TypeError('error sending request for url (https://example.com/?password=planted)'),
    'rwgps_unreachable',
  ],
]
for (const [failure, response, code] of temporaryFailures) {
  Deno.test(`${failure} is ${code} after four attempts with exponential backoff`, async () => {
    const { result, requested, waits } = await get([response])
    assert.deepEqual(result, { ok: false, code })
    assert.equal(requested.length, 4)
    assert.deepEqual(waits, [300, 600, 1200])
  })

  Deno.test(`recovers from ${failure}`, async () => {
    const { result, requested } = await get([response, response, json([])])
    assert.deepEqual(result, { ok: true, value: { found: true, body: [] } })
    assert.equal(requested.length, 3)
  })
}

Deno.test('waits for a short Retry-After in seconds or as a date', async () => {
  for (const value of ['7', 'Sun, 01 Mar 2026 12:00:07 GMT']) {
    const { waits } = await get([json({}, 429, { 'Retry-After': value }), json([])])
    assert.deepEqual(waits, [7000])
  }
})

Deno.test('gives up immediately on a long Retry-After', async () => {
  const { result, requested } = await get([json({}, 429, { 'Retry-After': '3600' }), json([])])
  assert.deepEqual(result, { ok: false, code: 'rwgps_rate_limited', retryAfter: 3_600_000 })
  assert.equal(requested.length, 1)
})

Deno.test('without retries, every failure is final and has the server’s Retry-After', async () => {
  for (const [seconds, failure] of [
    ['7', { ok: false, code: 'rwgps_rate_limited', retryAfter: 7000 }],
    ['soon', { ok: false, code: 'rwgps_rate_limited' }],
  ] as const) {
    const { transport, requested } = fakeTransport([json({}, 429, { 'Retry-After': seconds }), json([])])
    const result = await createGet('https://example.com', transport, false)('a.json', {}, never)
    assert.deepEqual([result, requested.length], [failure, 1])
  }
})

Deno.test('stops waiting when the sync is over', async () => {
  const fake = fakeTransport([json({}, 503)])
  const transport = { ...fake.transport, sleep: () => Promise.reject(new Error('aborted')) }
  const result = await createGet('https://example.com', transport)('a.json', {}, never)
  assert.deepEqual(result, { ok: false, code: 'rwgps_timeout' })
})

Deno.test('stops reading an endless response', async () => {
  const chunk = new Uint8Array(4 * 1024 * 1024).fill(0x20)
  let chunks = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          chunks += 1
          controller.enqueue(chunk)
        },
      }),
    )
  const { result } = await get([endless])
  assert.deepEqual(result, { ok: false, code: 'rwgps_bad_answer' })
  assert.ok(chunks < 12, `${chunks} chunks were read`)
})

const failedAttempt = (fields: object) =>
  JSON.stringify({ source: 'test', event: 'rwgps_request_failed', path: 'users/current.json', ...fields })

Deno.test('logs every failed attempt with its path and no secrets', async () => {
  const failure = new TypeError('error sending request for url (https://example.com/?password=planted)')
  const { lines } = await get([failure, json({}, 500), json({ error: 'planted' }, 401)])
  assert.deepEqual(lines, [
    failedAttempt({ status: null, attempt: 1, code: 'rwgps_unreachable' }),
    failedAttempt({ status: 500, attempt: 2, code: 'rwgps_unreachable' }),
    failedAttempt({ status: 401, attempt: 3, code: 'rwgps_unauthorized' }),
  ])
  assert.ok(!lines.join().includes('planted'))
})

const sources = (random: number) => ({ random: () => random, now: () => 0 })

Deno.test('delays double and are shortened at random by up to half', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => retryDelay(attempt, null, sources(0))),
    [300, 600, 1200],
  )
  assert.deepEqual(
    [1, 2, 3].map((attempt) => retryDelay(attempt, null, sources(1))),
    [150, 300, 600],
  )
})

Deno.test('follows a Retry-After of up to 20 seconds, but not after the fourth attempt', () => {
  assert.equal(retryDelay(1, '20', sources(0)), 20_000)
  assert.equal(retryDelay(1, '21', sources(0)), null)
  for (const none of ['0', 'Wed, 31 Dec 1969 23:59:00 GMT']) assert.equal(retryDelay(1, none, sources(0)), 0)
  assert.equal(retryDelay(4, '1', sources(0)), null)
})

Deno.test('ignores an invalid Retry-After', () => {
  for (const header of ['', 'soon', '-5', '1.5', 'NaN', 'half past GMT'])
    assert.equal(retryDelay(1, header, sources(0)), 300)
})
