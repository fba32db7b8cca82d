import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startFunctions } from '../../embedded/functions.ts'
import { type Fault, temporary } from './faults.ts'
import { type Call, PLANTED, SIGN_IN } from './ride-with-gps.ts'
import { connect, functionEnvironment, openTracker, type Tracker } from './tracker.ts'
import { idsTo, trip, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(() => tracker.reset())
afterAll(() => tracker.close())

/** Stores rides and a bike, and forgets the requests. */
async function storeRides(count: number): Promise<void> {
  Object.assign(tracker.rwgps.behavior, { trips: trips(count), gear: [{ id: 1, nickname: 'Road' }] })
  await tracker.update()
  tracker.rwgps.reset()
}

/** Returns every ride and bike, with the version that each write changes. */
const everything = () =>
  tracker.project.query(
    `select to_jsonb(ride) || jsonb_build_object('v', ride.xmin::text) as row from public.rides as ride
    union all select to_jsonb(bike) || jsonb_build_object('v', bike.xmin::text) from public.bikes as bike order by 1`,
  )

const moveBack = (interval: string) =>
  tracker.project.query(`update public.ride_syncs set started_at = started_at - interval '${interval}'
    where outcome = 'running'`)

async function waitForStoredRides(count: number): Promise<void> {
  await expect.poll(() => tracker.rideIds(), { interval: 20 }).toHaveLength(count)
}

describe('a sync', () => {
  test('requests pages of a thousand rows, each starting with the last row of the one before', async () => {
    tracker.rwgps.behavior.trips = trips(2300)
    expect(await tracker.update()).toMatchObject({ body: { fetched: 2300, added: 2300, removed: 0 } })
    const requests = () => tracker.rwgps.requests.map(({ call, offset, limit }) => [call, offset, limit])
    const first = requests()
    expect(first).toEqual([
      ['user', 0, 0],
      ['trips', 0, 1000],
      ['trips', 999, 1000],
      ['trips', 1998, 1000],
      // The first row again.
      ['trips', 0, 1],
    ])
    expect(await tracker.rideIds()).toEqual(idsTo(2300))

    tracker.rwgps.requests.length = 0
    expect(await tracker.update()).toMatchObject({ body: { fetched: 2300, added: 0 } })
    expect(requests()).toEqual(first)
  })

  test('finishes if the list shifts at every request, and removes no ride that still exists', async () => {
    await storeRides(8)
    const { behavior } = tracker.rwgps
    Object.assign(behavior, { trips: trips(8), cap: 2 })
    behavior.before = ({ number }) => {
      behavior.trips = number % 2 ? [trip(100 + number), ...behavior.trips] : behavior.trips.slice(1)
    }
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0 } })
    expect(await tracker.rideIds()).toEqual(expect.arrayContaining(idsTo(8)))
  })

  test('removes nothing if the list disagrees with its count, and says so', async () => {
    await storeRides(60)
    tracker.rwgps.behavior.page = ({ offset }) => ({
      results: trips(60).slice(offset, 40),
      results_count: 60,
    })
    const mismatch = { pending_removals: 20, mismatch: 'wrong_count' }
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0, ...mismatch } })
    expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'ok', ...mismatch })
    expect(await tracker.rideIds()).toHaveLength(60)
  })

  test('skips unreadable rows, keeps their stored rides and names them', async () => {
    await storeRides(3)
    tracker.rwgps.behavior.trips = [
      trip(5),
      trip(4, { departed_at: 'yesterday' }),
      { id: '7' },
      trip(3, { distance: 'far' }),
      trip(1, { moving_time: '1:99' }),
    ]
    const counts = { fetched: 5, added: 1, changed: 0, removed: 0, skipped: 4 }
    expect(await tracker.update()).toMatchObject({ status: 200, body: counts })
    expect((await tracker.history()).at(-1)).toMatchObject({
      outcome: 'ok',
      skipped_rows: '4 departed_at\n#3 id\n3 distance\n1 moving_time',
      // The row without an id could be ride 2.
      pending_removals: 1,
      mismatch: 'rows_without_id',
    })
    expect(await tracker.rideIds()).toEqual([1, 2, 3, 5])
    const log = () => tracker.functions.output()
    await expect.poll(log).toContain('"event":"rows_skipped","rows":4,"ids":"4,3,1"')
  })
})

describe('a failure', () => {
  test.each<[call: Call, what: string, fault: Fault, requests: number, status: number, code: string]>([
    ['user', 'a refused password', { status: 401 }, 1, 502, 'rwgps_unauthorized'],
    ['user', 'too many requests', temporary(429), 4, 503, 'rwgps_rate_limited'],
    ['trips', 'truncated JSON', { truncatedTo: 0.5 }, 1, 502, 'rwgps_bad_answer'],
    ['trips', 'a server that is down', temporary(503), 4, 502, 'rwgps_unreachable'],
  ])(
    'of the %s call, %s, changes nothing and is recorded',
    async (call, _what, fault, requests, status, code) => {
      await storeRides(3)
      const before = await everything()
      tracker.rwgps.behavior.always[call] = fault
      expect(await tracker.update()).toEqual({ status, body: { code, message: expect.any(String) } })
      expect(tracker.rwgps.requests.filter((request) => request.call === call)).toHaveLength(requests)
      expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', code })
      expect(await everything()).toEqual(before)
    },
  )

  test('keeps the pages stored before it, and removes nothing', async () => {
    await storeRides(3)
    const { behavior } = tracker.rwgps
    Object.assign(behavior, { trips: trips(13, 4), cap: 4 })
    behavior.faults.trips = [null, null, { status: 403 }]
    expect(await tracker.update()).toMatchObject({ status: 502, body: { code: 'rwgps_unauthorized' } })
    expect(await tracker.rideIds()).toEqual([...idsTo(3), ...idsTo(13).slice(6)])
    expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', added: 7, removed: 0 })
  })
})

describe('time limits', () => {
  const timedOut = { status: 504, body: { code: 'rwgps_timeout' } }

  test('a response that trickles in times out after 15 seconds and does not block the next sync', async () => {
    tracker.rwgps.behavior.trips = trips(50)
    tracker.rwgps.behavior.faults.trips = ['trickle']
    expect(await tracker.update()).toMatchObject(timedOut)
    expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', code: 'rwgps_timeout' })
    expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 50 } })
  })

  test('a sync that takes longer than SYNC_SECONDS is closed, and does not block the next one', async () => {
    const limited = await connect(tracker.project, tracker.rwgps, { ...SIGN_IN, SYNC_SECONDS: '1' })
    tracker.rwgps.behavior.faults.user = ['hang']
    expect(await limited.update().finally(() => limited.functions.stop())).toMatchObject(timedOut)
    expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', code: 'rwgps_timeout' })
    expect(await tracker.update()).toMatchObject({ status: 200 })
  })
})

describe('the history', () => {
  test('has who started each sync, how it ended and what it changed', async () => {
    tracker.rwgps.behavior.trips = trips(3)
    const first = await tracker.update('owner')
    tracker.rwgps.behavior.trips = trips(4, 3)
    await tracker.update('schedule')
    tracker.rwgps.behavior.always.user = { status: 401 }
    await tracker.update('schedule')
    const nothing = {
      fetched: 0,
      added: 0,
      changed: 0,
      removed: 0,
      skipped: 0,
      skipped_rows: '',
      pending_removals: 0,
      mismatch: null,
    }
    expect(await tracker.history()).toEqual([
      { ...nothing, triggered_by: 'owner', outcome: 'ok', code: null, fetched: 3, added: 3 },
      { ...nothing, triggered_by: 'schedule', outcome: 'ok', code: null, fetched: 2, added: 1, removed: 2 },
      { ...nothing, triggered_by: 'schedule', outcome: 'failed', code: 'rwgps_unauthorized' },
    ])
    const [row] = await tracker.project.query(
      'select id, finished_at from public.ride_syncs order by id limit 1',
    )
    expect(first.body).toEqual(
      Object.assign({ ...nothing, status: 'ok', bikes: 0, fetched: 3, added: 3 }, row),
    )
  })

  test('shows the progress of a running sync', async () => {
    Object.assign(tracker.rwgps.behavior, { trips: trips(9), cap: 3 })
    const seen: [count: number, of: number | null][] = []
    const fetched = async () => (await tracker.history())[0]!.fetched
    const listed = async () => {
      const [sync] = await tracker.project.query<{ count: number | null }>(
        'select list_count::integer as count from public.ride_syncs',
      )
      return sync!.count
    }
    // The sync requests a page before it counts the previous page, so wait for the count.
    tracker.rwgps.behavior.hold = async ({ call, limit, offset }) => {
      if (call === 'user' || limit === 1) return
      const count = offset === 0 ? 0 : offset + 1
      await expect.poll(fetched, { interval: 20 }).toBe(count)
      seen.push([count, await listed()])
    }
    await tracker.update()
    expect(seen).toEqual([
      [0, null],
      [3, 9],
      [5, 9],
      [7, 9],
      [9, 9],
    ])
  })
})

test('of eight calls that arrive together, one syncs and the others are rejected immediately', async () => {
  const rejected = Promise.withResolvers<void>()
  Object.assign(tracker.rwgps.behavior, { trips: trips(5), hold: () => rejected.promise })
  let rejections = 0
  const update = async (_: unknown, number: number) => {
    const { status } = await tracker.update(number % 2 ? 'owner' : 'schedule')
    if (status === 409 && ++rejections === 7) rejected.resolve()
    return status
  }
  const statuses = await Promise.all(Array.from({ length: 8 }, update))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  expect(tracker.rwgps.requests.map(({ call }) => call)).toEqual(['user', 'trips', 'trips'])
  expect(await tracker.history()).toHaveLength(1)
})

describe('a sync that died', () => {
  test('keeps its rides, blocks other syncs for five minutes, and is closed by the next one', async () => {
    const other = await connect(tracker.project, tracker.rwgps, SIGN_IN)
    Object.assign(tracker.rwgps.behavior, { trips: trips(9), cap: 3 })
    tracker.rwgps.behavior.faults.trips = [null, null, 'hang']
    const died = other.update('schedule').catch((error: Error) => error.message)
    await waitForStoredRides(5)
    process.kill(other.functions.denoPid, 'SIGKILL')
    expect(await died).toBe('fetch failed')
    tracker.rwgps.reset()
    tracker.rwgps.behavior.trips = trips(9)

    await moveBack('4 minutes 50 seconds')
    expect(await tracker.update()).toMatchObject({ status: 409, body: { code: 'already_running' } })
    expect(await tracker.rideIds()).toEqual([5, 6, 7, 8, 9])
    await moveBack('11 seconds')
    expect(await tracker.update()).toMatchObject({ status: 200, body: { fetched: 9, added: 4, removed: 0 } })

    expect(await tracker.rideIds()).toEqual(idsTo(9))
    expect(await tracker.history()).toMatchObject([
      { triggered_by: 'schedule', outcome: 'interrupted', code: null, added: 5 },
      { triggered_by: 'owner', outcome: 'ok', added: 4 },
    ])
  })

  test('changes nothing if it resumes after another sync took over', async () => {
    const takenOver = Promise.withResolvers<void>()
    Object.assign(tracker.rwgps.behavior, { trips: trips(4), cap: 2 })
    tracker.rwgps.behavior.hold = ({ call, number }) =>
      call === 'trips' && number === 2 ? takenOver.promise : undefined
    const first = tracker.update()
    await waitForStoredRides(2)
    await moveBack('6 minutes')
    expect(await tracker.update()).toMatchObject({ status: 200 })
    takenOver.resolve()
    expect(await first).toMatchObject({ status: 409, body: { code: 'already_running' } })
    expect((await tracker.history()).map(({ outcome }) => outcome)).toEqual(['interrupted', 'ok'])
    expect(await tracker.rideIds()).toEqual(idsTo(4))
  })
})

const switchAccount = () =>
  Object.assign(tracker.rwgps.behavior, {
    rider: 99,
    trips: trips(1030, 1001),
    gear: [{ id: 9, nickname: 'Foreign' }],
  })

describe('another Ride with GPS account', () => {
  test('is rejected before anything is written, and the first one is still accepted', async () => {
    await storeRides(40)
    const before = await everything()
    switchAccount()
    expect(await tracker.update('schedule')).toEqual({
      status: 409,
      body: {
        code: 'rwgps_other_account',
        message: expect.stringMatching(/TRACKER_DATA_DIR.*switch-account/),
      },
    })
    expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', code: 'rwgps_other_account' })
    expect(await everything()).toEqual(before)
    tracker.rwgps.reset()
    tracker.rwgps.behavior.trips = trips(41)
    expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 1, removed: 0 } })
  })

  test('is accepted after switching, which keeps the log', async () => {
    await storeRides(40)
    await tracker.project.query(`insert into public.maintenance ("bikeId", name) values (1, 'Chain')`)
    switchAccount()
    const { secretKey } = tracker.project.secrets
    const response = await fetch(`${tracker.project.url}/rest/v1/rpc/switch_rwgps_account`, {
      method: 'POST',
      headers: { apikey: secretKey, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await response.json()).toEqual([{ rides: 40, bikes: 0 }])
    expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 30, removed: 0 } })
    expect(await tracker.rideIds()).toEqual(idsTo(1030).slice(1000))
    const names = 'select name from public.bikes union all select name from public.maintenance order by 1'
    expect(await tracker.project.query(names)).toEqual([
      { name: 'Chain' },
      { name: 'Foreign' },
      { name: 'Road' },
    ])
  })
})

test('functions that restart after an idle stop sign in with the token from before', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const functions = await startFunctions(functionEnvironment(tracker.project, tracker.rwgps, SIGN_IN), {
    idleMs: 0,
  })
  const update = () =>
    functions.use(async (url) => {
      const headers = { 'x-schedule-key': tracker.project.secrets.scheduleKey }
      const { status } = await fetch(`${url}/functions/v1/update-rides`, { method: 'POST', headers })
      return { url, status }
    })
  const first = await update()
  await expect.poll(() => update().then(({ url }) => url)).not.toBe(first.url)
  const signIns = tracker.rwgps.requests.filter(({ call }) => call === 'user').map(({ by }) => by)
  expect([signIns[0], new Set(signIns.slice(1))]).toEqual(['password', new Set(['token'])])
  expect(first.status).toBe(200)
  expect(log.mock.calls.flat().join()).toContain('rides_updated')
  expect(log.mock.calls.flat().join()).not.toContain(PLANTED.token)
  await functions.stop()
  log.mockRestore()
})
