import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startFunctions } from '../../embedded/functions.ts'
import { PLANTED, SIGN_IN } from './ride-with-gps.ts'
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

const moveBack = (interval: string) =>
  tracker.project.query(`update public.ride_syncs set started_at = started_at - interval '${interval}'
    where outcome = 'running'`)

async function waitForStoredRides(count: number): Promise<void> {
  await expect.poll(() => tracker.rideIds(), { interval: 20 }).toHaveLength(count)
}

test('a sync skips unreadable rows, keeps their stored rides and names them', async () => {
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

test('each sync stores the name that the account has by then', async () => {
  const names = ['Zoë', 'Zoë Rider', null]
  for (const name of names) {
    tracker.rwgps.behavior.name = name
    expect((await tracker.update()).status).toBe(200)
  }
  const stored = await tracker.project.query(
    'select rwgps_user_name as name from public.ride_syncs order by id',
  )
  expect(stored).toEqual(names.map((name) => ({ name })))
})

test('a sync that takes longer than SYNC_SECONDS is closed, and does not block the next one', async () => {
  const limited = await connect(tracker.project, tracker.rwgps, { ...SIGN_IN, SYNC_SECONDS: '1' })
  tracker.rwgps.behavior.faults.user = ['hang']
  const timedOut = { status: 504, body: { code: 'rwgps_timeout' } }
  expect(await limited.update().finally(() => limited.functions.stop())).toMatchObject(timedOut)
  expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', code: 'rwgps_timeout' })
  expect(await tracker.update()).toMatchObject({ status: 200 })
})

describe('the history', () => {
  test('has who started each sync, how it ended and what it changed', async () => {
    tracker.rwgps.behavior.trips = trips(3)
    const first = await tracker.update('owner')
    tracker.rwgps.behavior.trips = trips(4, 3)
    await tracker.update('schedule')
    tracker.rwgps.behavior.always.user = { status: 401 }
    await tracker.update('schedule')
    expect(await tracker.history()).toMatchObject([
      { triggered_by: 'owner', outcome: 'ok', code: null, fetched: 3, added: 3 },
      { triggered_by: 'schedule', outcome: 'ok', code: null, fetched: 2, added: 1, removed: 2 },
      { triggered_by: 'schedule', outcome: 'failed', code: 'rwgps_unauthorized', fetched: 0 },
    ])
    expect(first.body).toMatchObject({
      status: 'ok',
      bikes: 0,
      fetched: 3,
      added: 3,
      removed: 0,
      mismatch: null,
    })
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

test('a sync that resumes after another sync took over changes nothing', async () => {
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
