import assert from 'node:assert/strict'
import { CodedError } from '../_shared/errors.ts'
import { recordLog } from '../_shared/testing.ts'
import type { RideStore } from './ride-store.ts'
import { createRwgps } from './rwgps/client.ts'
import { CREDENTIALS, trip, user } from './rwgps/testing.ts'
import { createUpdateRides } from './update-rides.ts'

/** A store that records its calls. */
function recordStore(over: Partial<RideStore> = {}) {
  const steps: unknown[][] = []
  const record = <T>(step: unknown[], value: T) => {
    steps.push(step)
    return Promise.resolve(value)
  }
  const store: RideStore = {
    start: () => Promise.resolve(1),
    claimAccount: () => Promise.resolve('accepted'),
    storeBikes: (_sync, bikes) => record(['bikes', bikes.length], undefined),
    storeRides: (_sync, rides) => record(['rides', rides.length], { added: rides.length, changed: 0 }),
    countRides: () => Promise.resolve(0),
    removeRidesExcept: (_sync, { ids, doubt }) => record(['remove', ids.length, doubt], 0),
    finish: (_sync, outcome, code) => record(['finish', outcome, code], true),
    ...over,
  }
  return { store, steps }
}

/** Syncs with these responses in order. A number is a delay in milliseconds, followed by an empty list. */
async function sync(responses: (object | number)[], over: Partial<RideStore> = {}, syncTimeout = 10_000) {
  const { store, steps } = recordStore(over)
  const notify = () => Promise.resolve(void steps.push(['notify']))
  const { log, lines } = recordLog()
  let requests = 0
  const rwgps = createRwgps('https://example.com', CREDENTIALS, {
    async fetch(_url, init) {
      const response = responses[requests++] ?? []
      init?.signal?.throwIfAborted()
      if (typeof response === 'number') await wait(response, init?.signal)
      return Response.json(typeof response === 'number' ? [] : response)
    },
    sleep: () => Promise.resolve(),
    random: () => 0,
    now: Date.now,
    requestTimeout: 5000,
    log,
  })
  const updateRides = createUpdateRides({ store, rwgps, syncTimeout, notify, log })
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

Deno.test('stores the bikes, then each page, then finishes and notifies', async () => {
  const { outcome, steps } = await sync([user(), { results: [trip()], results_count: 1 }])
  assert.deepEqual(outcome, {
    status: 'ok',
    bikes: 0,
    fetched: 1,
    added: 1,
    changed: 0,
    removed: 0,
    set_aside: 0,
  })
  assert.deepEqual(steps, [['bikes', 0], ['rides', 1], ['finish', 'ok', undefined], ['notify']])
})

Deno.test('rejects another account before writing anything', async () => {
  const { outcome, steps } = await sync([user(), { results: [trip()], results_count: 1 }], {
    claimAccount: (_sync, userId) => Promise.resolve(userId === 7 ? 'refused' : 'accepted'),
  })
  assert.equal(outcome, 'rwgps_other_account')
  assert.deepEqual(steps, [['finish', 'failed', 'rwgps_other_account']])
})

for (const claim of ['accepted', 'refused'] as const) {
  Deno.test(`an unknown account is ${claim} after comparing its complete list, before writing anything`, async () => {
    const claims: unknown[] = []
    const pages = [[trip({ id: 2 })], [trip({ id: 1, distance: 'far' })], []]
    const { steps } = await sync([user(), ...pages, ...pages], {
      claimAccount(_sync, _userId, listed) {
        claims.push(listed)
        return Promise.resolve(listed ? claim : 'unknown')
      },
    })
    assert.deepEqual(claims, [undefined, [2, 1]])
    const stored = [['bikes', 0], ['rides', 1], ['rides', 0], ['finish', 'ok', undefined], ['notify']]
    assert.deepEqual(steps, claim === 'accepted' ? stored : [['finish', 'failed', 'rwgps_other_account']])
  })
}

Deno.test('writes nothing if checking an unknown account fails', async () => {
  const { outcome, steps } = await sync([user(), { error: 'no' }], {
    claimAccount: () => Promise.resolve('unknown'),
  })
  assert.equal(outcome, 'rwgps_bad_answer')
  assert.deepEqual(steps, [['finish', 'failed', 'rwgps_bad_answer']])
})

Deno.test('times out if the complete sync takes too long, even if no request does', async () => {
  const pages = Array.from({ length: 50 }, (_, index) => [trip({ id: index + 1 })])
  const { outcome, steps } = await sync([user(), ...pages], { storeRides: storeSlowly }, 100)
  assert.equal(outcome, 'rwgps_timeout')
  assert.deepEqual(steps.at(-1), ['finish', 'failed', 'rwgps_timeout'])
})

Deno.test('aborts a pending request on timeout', async () => {
  const began = performance.now()
  const { outcome } = await sync([user(), 4000], {}, 50)
  assert.equal(outcome, 'rwgps_timeout')
  assert.ok(performance.now() - began < 1000)
})

Deno.test('fails as internal if the database rejects a page', async () => {
  const { outcome, steps } = await sync([user(), [trip()]], {
    storeRides: () => Promise.reject(new Error('disk full')),
  })
  assert.match(String(outcome), /disk full/)
  assert.deepEqual(steps.at(-1), ['finish', 'failed', 'internal'])
})

Deno.test('answers already_running if another sync closed this one', async () => {
  const { outcome, steps } = await sync([user(), [trip()]], { finish: () => Promise.resolve(false) })
  assert.equal(outcome, 'already_running')
  assert.ok(!steps.some(([step]) => step === 'notify'))
})

Deno.test('reports the original error if the failed sync cannot be closed', async () => {
  const { outcome, lines } = await sync([{ user: null }], { finish: () => Promise.reject(new Error('gone')) })
  assert.equal(outcome, 'rwgps_unauthorized')
  assert.ok(lines.some((line) => line.includes('sync_left_open')))
})
