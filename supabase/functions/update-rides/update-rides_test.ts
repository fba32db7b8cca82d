import assert from 'node:assert/strict'
import { CodedError } from '../_shared/errors.ts'
import { recordLog } from '../_shared/testing.ts'
import type { RideStore } from './ride-store.ts'
import { createRwgps } from './rwgps/client.ts'
import { CREDENTIALS, trip, user } from './rwgps/testing.ts'
import { createUpdateRides } from './update-rides.ts'

/** A store that remembers what a run did to it. */
function recordStore(over: Partial<RideStore> = {}) {
  const steps: unknown[][] = []
  const note = <T>(step: unknown[], value: T) => {
    steps.push(step)
    return Promise.resolve(value)
  }
  const store: RideStore = {
    start: () => Promise.resolve(1),
    claimAccount: () => Promise.resolve('accepted'),
    storeBikes: (_run, bikes) => note(['bikes', bikes.length], undefined),
    storeRides: (_run, rides) => note(['rides', rides.length], { added: rides.length, changed: 0 }),
    countRides: () => Promise.resolve(0),
    removeRidesExcept: (_run, { ids, doubt }) => note(['remove', ids.length, doubt], 0),
    finish: (_run, outcome, code) => note(['finish', outcome, code], true),
    ...over,
  }
  return { store, steps }
}

/** Runs against answers that come in turn; a number is a wait in milliseconds, then an empty list. */
async function run(answers: (object | number)[], over: Partial<RideStore> = {}, runTimeout = 10_000) {
  const { store, steps } = recordStore(over)
  const { log, lines } = recordLog()
  let asked = 0
  const rwgps = createRwgps('https://example.com', CREDENTIALS, {
    async fetch(_url, init) {
      const answer = answers[asked++] ?? []
      init?.signal?.throwIfAborted()
      if (typeof answer === 'number') await wait(answer, init?.signal)
      return Response.json(typeof answer === 'number' ? [] : answer)
    },
    sleep: () => Promise.resolve(),
    random: () => 0,
    now: Date.now,
    requestTimeout: 5000,
    log,
  })
  const updateRides = createUpdateRides({ store, rwgps, runTimeout, log })
  const outcome = await updateRides('owner').catch((error: unknown) =>
    error instanceof CodedError ? error.code : error,
  )
  return { outcome, steps, lines }
}

const storeSlowly = () => wait(20).then(() => ({ added: 1, changed: 0 }))

function wait(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('aborted', 'AbortError'))
    })
  })
}

Deno.test('a run stores the bikes, then each page, and ends', async () => {
  const { outcome, steps } = await run([user(), { results: [trip()], results_count: 1 }])
  assert.deepEqual(outcome, {
    status: 'ok',
    bikes: 0,
    fetched: 1,
    added: 1,
    changed: 0,
    removed: 0,
    set_aside: 0,
  })
  assert.deepEqual(steps, [
    ['bikes', 0],
    ['rides', 1],
    ['finish', 'ok', undefined],
  ])
})

Deno.test('another account is refused before anything is written', async () => {
  const { outcome, steps } = await run([user(), { results: [trip()], results_count: 1 }], {
    claimAccount: (_run, userId) => Promise.resolve(userId === 7 ? 'refused' : 'accepted'),
  })
  assert.equal(outcome, 'rwgps_other_account')
  assert.deepEqual(steps, [['finish', 'failed', 'rwgps_other_account']])
})

for (const verdict of ['accepted', 'refused'] as const) {
  Deno.test(`an unknown account is ${verdict} by its complete list, before anything is written`, async () => {
    const claims: unknown[] = []
    const pages = [[trip({ id: 2 })], [trip({ id: 1, distance: 'far' })], []]
    const { steps } = await run([user(), ...pages, ...pages], {
      claimAccount(_run, _userId, listed) {
        claims.push(listed)
        return Promise.resolve(listed ? verdict : 'unknown')
      },
    })
    assert.deepEqual(claims, [undefined, [2, 1]])
    const stored = [
      ['bikes', 0],
      ['rides', 1],
      ['rides', 0],
      ['finish', 'ok', undefined],
    ]
    assert.deepEqual(steps, verdict === 'accepted' ? stored : [['finish', 'failed', 'rwgps_other_account']])
  })
}

Deno.test('a failure while an unknown account is checked writes nothing', async () => {
  const { outcome, steps } = await run([user(), { error: 'no' }], {
    claimAccount: () => Promise.resolve('unknown'),
  })
  assert.equal(outcome, 'rwgps_bad_answer')
  assert.deepEqual(steps, [['finish', 'failed', 'rwgps_bad_answer']])
})

Deno.test('a run that takes too long in all is closed, though no request of it did', async () => {
  const pages = Array.from({ length: 50 }, (_, index) => [trip({ id: index + 1 })])
  const { outcome, steps } = await run([user(), ...pages], { storeRides: storeSlowly }, 100)
  assert.equal(outcome, 'rwgps_timeout')
  assert.deepEqual(steps.at(-1), ['finish', 'failed', 'rwgps_timeout'])
})

Deno.test('a request still under way when the time is over is given up', async () => {
  const began = performance.now()
  const { outcome } = await run([user(), 4000], {}, 50)
  assert.equal(outcome, 'rwgps_timeout')
  assert.ok(performance.now() - began < 1000)
})

Deno.test('a page that the database refuses ends the run as internal, and the log says why', async () => {
  const { outcome, steps } = await run([user(), [trip()]], {
    storeRides: () => Promise.reject(new Error('disk full')),
  })
  assert.match(String(outcome), /disk full/)
  assert.deepEqual(steps.at(-1), ['finish', 'failed', 'internal'])
})

Deno.test('a run that was closed by another one tells that one is running', async () => {
  const { outcome } = await run([user(), [trip()]], { finish: () => Promise.resolve(false) })
  assert.equal(outcome, 'already_running')
})

Deno.test('a run that cannot even be closed tells why it failed, and leaves the closing to the next', async () => {
  const { outcome, lines } = await run([{ user: null }], { finish: () => Promise.reject(new Error('gone')) })
  assert.equal(outcome, 'rwgps_unauthorized')
  assert.ok(lines.some((line) => line.includes('run_left_open')))
})
