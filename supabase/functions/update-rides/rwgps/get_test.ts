import assert from 'node:assert/strict'
import { recordLog } from '../../_shared/testing.ts'
import { createGet } from './get.ts'
import { never, play } from './testing.ts'

const QUERY = { apikey: 'planted-key', password: 'planted+&pass' }

async function get(answers: Parameters<typeof play>[0], signal = never) {
  const { log, lines } = recordLog()
  const played = play(answers, log)
  const result = await createGet('https://example.com/', played.transport)(
    'users/current.json',
    QUERY,
    signal,
  )
  return { result, lines, ...played }
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })

Deno.test('an answer is its JSON, asked for with every parameter encoded', async () => {
  const { result, asked } = await get([json({ a: 1 })])
  assert.deepEqual(result, { ok: true, value: { found: true, body: { a: 1 } } })
  assert.equal(
    asked[0]?.href,
    'https://example.com/users/current.json?apikey=planted-key&password=planted%2B%26pass',
  )
})

Deno.test('nothing at an address is an answer too', async () => {
  const { result, asked } = await get([json({ error: 'Not Found' }, 404)])
  assert.deepEqual(result, { ok: true, value: { found: false } })
  assert.equal(asked.length, 1)
})

const finalFailures: [what: string, answer: Response, code: string][] = [
  ['401', json({ error: 'who?' }, 401), 'rwgps_unauthorized'],
  ['403', json({ error: 'no' }, 403), 'rwgps_unauthorized'],
  ['a page of HTML', new Response('<html>Sorry</html>', { status: 200 }), 'rwgps_bad_answer'],
  ['half a JSON text', new Response('{"user": {"id"'), 'rwgps_bad_answer'],
  ['an empty body', new Response(''), 'rwgps_bad_answer'],
  ['no content', new Response(null, { status: 204 }), 'rwgps_bad_answer'],
  ['a redirect', new Response(null, { status: 302, headers: { Location: '/login' } }), 'rwgps_bad_answer'],
  ['400', json({}, 400), 'rwgps_bad_answer'],
  ['422', json({}, 422), 'rwgps_bad_answer'],
]
for (const [what, answer, code] of finalFailures) {
  Deno.test(`${what} is ${code} and not asked for again`, async () => {
    const { result, asked } = await get([answer])
    assert.deepEqual(result, { ok: false, code })
    assert.equal(asked.length, 1)
  })
}

const passingFailures: [what: string, answer: Response | Error, code: string][] = [
  ...[500, 502, 503, 504].map((status): [string, Response, string] => [
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
for (const [what, answer, code] of passingFailures) {
  Deno.test(`${what} is tried four times, with longer and longer pauses, and then ${code}`, async () => {
    const { result, asked, slept } = await get([answer])
    assert.deepEqual(result, { ok: false, code })
    assert.equal(asked.length, 4)
    assert.deepEqual(slept, [300, 600, 1200])
  })

  Deno.test(`${what} that passes does no harm`, async () => {
    const { result, asked } = await get([answer, answer, json([])])
    assert.deepEqual(result, { ok: true, value: { found: true, body: [] } })
    assert.equal(asked.length, 3)
  })
}

Deno.test('a short Retry-After is waited for, in seconds or until a date', async () => {
  for (const value of ['7', 'Sun, 01 Mar 2026 12:00:07 GMT']) {
    const { slept } = await get([json({}, 429, { 'Retry-After': value }), json([])])
    assert.deepEqual(slept, [7000])
  }
})

Deno.test('a long Retry-After ends the run at once', async () => {
  const { result, asked } = await get([json({}, 429, { 'Retry-After': '3600' }), json([])])
  assert.deepEqual(result, { ok: false, code: 'rwgps_rate_limited' })
  assert.equal(asked.length, 1)
})

Deno.test('a run that is over waits no longer', async () => {
  const played = play([json({}, 503)])
  const transport = { ...played.transport, sleep: () => Promise.reject(new Error('aborted')) }
  const result = await createGet('https://example.com', transport)('a.json', {}, never)
  assert.deepEqual(result, { ok: false, code: 'rwgps_timeout' })
})

Deno.test('an answer that grows beyond all bounds is cut off', async () => {
  const piece = new Uint8Array(4 * 1024 * 1024).fill(0x20)
  let pieces = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          pieces += 1
          controller.enqueue(piece)
        },
      }),
    )
  const { result } = await get([endless])
  assert.deepEqual(result, { ok: false, code: 'rwgps_bad_answer' })
  assert.ok(pieces < 12, `${pieces} pieces were read`)
})

const failedAttempt = (fields: object) =>
  JSON.stringify({ source: 'test', event: 'rwgps_request_failed', path: 'users/current.json', ...fields })

Deno.test('every failed attempt is logged with its path, and nothing that is secret', async () => {
  const failure = new TypeError('error sending request for url (https://example.com/?password=planted)')
  const { lines } = await get([failure, json({}, 500), json({ error: 'planted' }, 401)])
  assert.deepEqual(lines, [
    failedAttempt({ status: null, attempt: 1, code: 'rwgps_unreachable' }),
    failedAttempt({ status: 500, attempt: 2, code: 'rwgps_unreachable' }),
    failedAttempt({ status: 401, attempt: 3, code: 'rwgps_unauthorized' }),
  ])
  assert.ok(!lines.join().includes('planted'))
})
