import assert from 'node:assert/strict'
import { CodedError, type ErrorCode } from '../_shared/http/errors.ts'
import { recordLog } from '../_shared/testing.ts'
import type { FinishedSync } from '../_shared/contracts/update-rides.ts'
import type { Claim, RideStore } from './ride-store.ts'
import { createRwgps } from './rwgps/client.ts'
import { CREDENTIALS, fakeTransport, trip, user } from './rwgps/testing.ts'
import { createTokenMemory, type Token } from './rwgps/token-memory.ts'
import { type Field, FIELDS } from './rwgps/trip-page.ts'
import { createUpdateRides } from './update-rides.ts'

const finished: FinishedSync = {
  id: 1,
  finished_at: '2026-02-18T04:09:43.123456+00:00',
  fetched: 1,
  added: 1,
  changed: 0,
  removed: 0,
  skipped: 0,
  skipped_rows: '',
  pending_removals: 0,
  mismatch: null,
}

/** Accepts the account, which has `rides` stored rides. All have every field, except for those that `over` counts. */
const accepted = (rides = 0, over: Partial<Record<Field, number>> = {}) =>
  ({
    claim: 'accepted',
    stored: { ...Object.fromEntries(FIELDS.map((field) => [field, rides])), ...over },
  }) as Claim

function recordStore(over: Partial<RideStore> = {}) {
  const steps: unknown[][] = []
  const record = <T>(step: unknown[], value: T) => {
    steps.push(step)
    return Promise.resolve(value)
  }
  const store: RideStore = {
    start: () => Promise.resolve(1),
    claim: () => Promise.resolve(accepted()),
    storeRows: (_sync, rows) => record(['rows', rows.length], rows.filter(({ ride }) => ride).length),
    finish: (_sync, listed, digest) => record(['finish', listed, digest], finished),
    fail: (_sync, code, retryAfter) => record(['fail', code, ...(retryAfter ? [retryAfter] : [])], true),
    beginQuickCheck: () => Promise.resolve('check'),
    finishQuickCheck: () => record(['checked'], 'unchanged'),
    ...over,
  }
  return { store, steps }
}

/** Returns a status or the code of an error. */
const outcomeOf = (running: ReturnType<ReturnType<typeof createUpdateRides>>) =>
  running.then(
    ({ status }) => status,
    (error: unknown) => (error instanceof CodedError ? error.code : error),
  )

/** Syncs with these responses in order. `never` is a response that only ends when the request is aborted. */
async function sync(responses: (object | 'never')[], over: Partial<RideStore> = {}, syncTimeout = 10_000) {
  const { store, steps } = recordStore(over)
  const notify = () => Promise.resolve(void steps.push(['notify']))
  const { log, lines } = recordLog()
  const { transport, requested } = fakeTransport([], log)
  const rwgps = createRwgps('https://example.com', CREDENTIALS, {
    ...transport,
    async fetch(url, init) {
      const response = responses[requested.push(new URL(new Request(url).url)) - 1] ?? []
      init?.signal?.throwIfAborted()
      return response === 'never' ? rejectOnAbort(init?.signal) : Response.json(response)
    },
    requestTimeout: 2 ** 31 - 1,
  })
  const updateRides = createUpdateRides({ store, rwgps, syncTimeout, notify, log })
  return { outcome: await outcomeOf(updateRides('owner')), steps, lines }
}

const rejectOnAbort = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))

async function check(responses: Response[], over: Partial<RideStore> = {}, token: Token | null = TOKEN) {
  const start: RideStore['start'] = (triggeredBy, followsCheck) => {
    steps.push(['start', triggeredBy, followsCheck])
    return Promise.resolve(1)
  }
  const { store, steps } = recordStore({ start, ...over })
  const notify = () => Promise.resolve(void steps.push(['notify']))
  const { transport, requested, waits } = fakeTransport(responses)
  const memory = createTokenMemory(JSON.stringify(token))
  const rwgps = createRwgps('https://example.com', CREDENTIALS, transport, memory)
  const updateRides = createUpdateRides({ store, rwgps, syncTimeout: 10_000, notify, log: recordLog().log })
  const outcome = await outcomeOf(updateRides('schedule', true))
  const requests = requested.map(({ pathname, searchParams }) => `${pathname} ${searchParams.get('limit')}`)
  return { outcome, steps, requests, waits }
}
const TOKEN: Token = { userId: 7, authToken: 'planted-token' }
const PAGE = () => Response.json({ results: [trip()], results_count: 1 })
const NEWEST_TRIPS = '/users/7/trips.json 20'
const FULL_SYNC = ['/users/current.json null', '/users/7/trips.json 1000']

Deno.test('a check without changes compares a digest, and notifies on the first check of the day', async () => {
  const compared: string[] = []
  for (const outcome of ['unchanged', 'notify'] as const) {
    const result = await check([PAGE()], {
      finishQuickCheck(digest) {
        compared.push(digest)
        return Promise.resolve(outcome)
      },
    })
    assert.deepEqual([result.outcome, result.requests], ['unchanged', [NEWEST_TRIPS]])
    assert.deepEqual(result.steps, outcome === 'notify' ? [['notify']] : [])
  }
  const { outcome, steps, requests } = await check([PAGE(), Response.json(user()), PAGE()], {
    finishQuickCheck: () => Promise.resolve('sync'),
    claim: () => Promise.resolve(accepted(1)),
    storeRows: () => Promise.resolve(0),
  })
  assert.deepEqual([outcome, requests], ['ok', [NEWEST_TRIPS, ...FULL_SYNC]])
  // The sync records the digest that the next check compares.
  assert.deepEqual(steps, [['start', 'schedule', true], ['finish', null, compared[0]], ['notify']])
})

const refusals: [Response, ErrorCode, ...number[]][] = [
  [new Response('', { status: 401 }), 'rwgps_unauthorized'],
  [new Response('', { status: 503 }), 'rwgps_unreachable'],
  [new Response('', { status: 429, headers: { 'Retry-After': '7' } }), 'rwgps_rate_limited', 7000],
]
for (const [response, ...failure] of refusals) {
  Deno.test(`a check that fails with ${failure[0]} closes as one failed sync, without retries`, async () => {
    const { outcome, steps, requests, waits } = await check([response])
    assert.deepEqual([outcome, requests, waits], [failure[0], [NEWEST_TRIPS], []])
    assert.deepEqual(steps, [
      ['start', 'schedule', false],
      ['fail', ...failure],
    ])
  })
}

Deno.test('notifies of a refused password, but not of a refused token that the next sync replaces', async () => {
  const [refused, refusedAgain] = [new Response('', { status: 401 }), new Response('', { status: 401 })]
  const sync = { beginQuickCheck: () => Promise.resolve('sync' as const) }
  const failure = [
    ['start', 'schedule', false],
    ['fail', 'rwgps_unauthorized'],
  ]
  assert.deepEqual((await check([refused], sync, null)).steps, [...failure, ['notify']])
  assert.deepEqual((await check([refusedAgain], sync)).steps, failure)
})

Deno.test('a check that finds changes while another sync is running does nothing', async () => {
  const { outcome, steps, requests } = await check([PAGE()], {
    finishQuickCheck: () => Promise.resolve('sync'),
    start: () => Promise.resolve(null),
  })
  assert.deepEqual([outcome, steps, requests], ['already_running', [], [NEWEST_TRIPS]])
})

const storeSlowly = () => new Promise<number>((resolve) => void setTimeout(resolve, 20, 1))

Deno.test('rejects another account before writing anything', async () => {
  const { outcome, steps } = await sync([user(), { results: [trip()], results_count: 1 }], {
    claim: (_sync, { userId }) => Promise.resolve(userId === 7 ? { claim: 'refused' } : accepted()),
  })
  assert.equal(outcome, 'rwgps_other_account')
  assert.deepEqual(steps, [['fail', 'rwgps_other_account']])
})

for (const claim of ['accepted', 'refused'] as const) {
  Deno.test(`an unknown account is ${claim} after comparing its complete list, before writing anything`, async () => {
    const claims: unknown[] = []
    const pages = [[trip({ id: 2 })], [trip({ id: 1, distance: 'far' })], []]
    const { steps } = await sync([user(), ...pages, [trip({ id: 2 })], ...pages, [trip({ id: 2 })]], {
      claim(_sync, _account, listed) {
        claims.push(listed && [...listed])
        return Promise.resolve(
          listed ? (claim === 'accepted' ? accepted() : { claim }) : { claim: 'unknown' },
        )
      },
    })
    assert.deepEqual(claims, [undefined, [2, 1]])
    assert.deepEqual(
      steps.map(([step]) => step),
      claim === 'accepted' ? ['rows', 'rows', 'finish', 'notify'] : ['fail'],
    )
  })
}

Deno.test('logs the known ids and the fields of skipped rows, once', async () => {
  const rows = [
    trip({ id: 5, distance: 'far' }),
    trip({ id: 6 }),
    { id: 'x' },
    trip({ id: 7, moving_time: 'long' }),
    trip({ id: 8, distance: -1 }),
  ]
  const pages = [rows, rows.slice(4)].map((results) => ({ results, results_count: 5 }))
  const { lines } = await sync([user(), ...pages])
  assert.deepEqual(
    lines.filter((line) => line.includes('rows_skipped')),
    ['{"source":"test","event":"rows_skipped","rows":4,"ids":"5,7,8","fields":"distance,id,moving_time"}'],
  )
})

Deno.test('a list that lost a field fails, and its rows are logged and recorded', async () => {
  const recorded: unknown[] = []
  const { outcome, steps, lines } = await sync([user(), [trip({ id: 1, gear_id: 'blue' })], []], {
    claim: () => Promise.resolve(accepted(1)),
    storeRows(_sync, rows) {
      recorded.push(...rows.map(({ id, ride, unreadable }) => [id, ride, unreadable]))
      return Promise.resolve(0)
    },
  })
  assert.equal(outcome, 'rwgps_bad_answer')
  assert.deepEqual(recorded, [[1, null, 'gear_id']])
  assert.deepEqual(steps, [['fail', 'rwgps_bad_answer']])
  assert.deepEqual(lines, ['{"source":"test","event":"field_lost","field":"gear_id","rows":1}'])
})

Deno.test('times out if the complete sync takes too long, even if no request does', async () => {
  const pages = Array.from({ length: 50 }, (_, index) => [trip({ id: index + 1 })])
  const { outcome, steps } = await sync([user(), ...pages], { storeRows: storeSlowly }, 100)
  assert.equal(outcome, 'rwgps_timeout')
  assert.deepEqual(steps.at(-1), ['fail', 'rwgps_timeout'])
})

Deno.test('aborts a pending request on timeout', async () => {
  const { outcome } = await sync([user(), 'never'], {}, 50)
  assert.equal(outcome, 'rwgps_timeout')
})

Deno.test('fails as internal if the database rejects a page', async () => {
  const { outcome, steps } = await sync([user(), [trip()]], {
    storeRows: () => Promise.reject(new Error('disk full')),
  })
  assert.match(String(outcome), /disk full/)
  assert.deepEqual(steps.at(-1), ['fail', 'internal'])
})

Deno.test('answers already_running if another sync closed this one', async () => {
  const { outcome, steps } = await sync([user(), [trip()]], {
    finish: () => Promise.reject(new Error('This sync was closed.')),
    fail: () => Promise.resolve(false),
  })
  assert.equal(outcome, 'already_running')
  assert.ok(!steps.some(([step]) => step === 'notify'))
})

Deno.test('reports the original error if the failed sync cannot be closed', async () => {
  const { outcome, lines } = await sync([{ user: null }], { fail: () => Promise.reject(new Error('gone')) })
  assert.equal(outcome, 'rwgps_unauthorized')
  assert.ok(lines.some((line) => line.includes('sync_left_open')))
})
