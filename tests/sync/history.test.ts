import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SIGN_IN } from './ride-with-gps.ts'
import { connect, openTracker, type Tracker } from './tracker.ts'
import { idsTo, trip, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(() => tracker.reset())
afterAll(() => tracker.close())

async function waitForStoredRides(count: number): Promise<void> {
  await expect.poll(() => tracker.rideIds(), { interval: 20 }).toHaveLength(count)
}

const runningSync = () =>
  tracker.project.query<{ minutes: number }>(
    `select extract(epoch from now() - started_at) / 60 as minutes from public.ride_syncs where outcome = 'running'`,
  )

const moveBack = (interval: string) =>
  tracker.project.query(`update public.ride_syncs set started_at = started_at - interval '${interval}'
    where outcome = 'running'`)

test('records who started each sync, how it ended and what it changed', async () => {
  tracker.rwgps.behavior.trips = trips(3)
  await tracker.update('owner')
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
})

test('answers with the row of the sync history', async () => {
  tracker.rwgps.behavior.trips = [trip(4, { distance: 'far' }), ...trips(3)]
  const first = await tracker.update()
  tracker.rwgps.behavior.page = () => ({ results: trips(2), results_count: 9 })
  const second = await tracker.update()
  const rows = await tracker.project.query<Record<string, unknown>>(
    `select id, finished_at, fetched, added, changed, removed, skipped, skipped_rows, pending_removals, mismatch
    from public.ride_syncs order by id`,
  )
  const answers = rows.map((row) => Object.assign(row, { status: 'ok', bikes: 0 }))
  expect([first.body, second.body]).toEqual(answers)
  expect(second.body).toMatchObject({ pending_removals: 1, mismatch: 'wrong_count' })
  expect(first.body).toMatchObject({ added: 3, skipped_rows: '4 distance' })
})

test('a running sync shows its progress', async () => {
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

describe('simultaneous syncs', () => {
  test.each([
    ['two tabs', 'owner', 'owner'],
    ['a tab and the schedule', 'owner', 'schedule'],
  ] as const)('%s: one syncs, the other is rejected immediately', async (_, first, second) => {
    const rejected = Promise.withResolvers<void>()
    Object.assign(tracker.rwgps.behavior, { trips: trips(5), hold: () => rejected.promise })
    const updates = [first, second].map((by) => tracker.update(by))
    expect(await Promise.race(updates)).toMatchObject({ status: 409, body: { code: 'already_running' } })
    rejected.resolve()
    const responses = await Promise.all(updates)
    expect(responses.find(({ status }) => status === 200)).toMatchObject({ body: { added: 5 } })
    expect(await tracker.history()).toHaveLength(1)
  })

  test('runs one sync if eight calls arrive together', async () => {
    const rejected = Promise.withResolvers<void>()
    Object.assign(tracker.rwgps.behavior, { trips: trips(5), hold: () => rejected.promise })
    let rejections = 0
    const update = async () => {
      const { status } = await tracker.update()
      if (status === 409 && ++rejections === 7) rejected.resolve()
      return status
    }
    const statuses = await Promise.all(Array.from({ length: 8 }, update))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    expect(tracker.rwgps.requests.map(({ call }) => call)).toEqual(['user', 'trips', 'trips'])
  })
})

describe('a sync that died', () => {
  test('keeps its rides, blocks other syncs for five minutes, and is closed by the next one', async () => {
    const other = await connect(tracker.project, tracker.rwgps, SIGN_IN)
    try {
      Object.assign(tracker.rwgps.behavior, { trips: trips(9), cap: 3 })
      tracker.rwgps.behavior.faults.trips = [null, null, 'hang']
      const died = tracker.update('schedule').catch((error: Error) => error.message)
      await waitForStoredRides(5)
      process.kill(tracker.functions.denoPid, 'SIGKILL')
      expect(await died).toBe('fetch failed')
      tracker.rwgps.reset()
      tracker.rwgps.behavior.trips = trips(9)

      await moveBack('4 minutes 50 seconds')
      expect(await other.update()).toMatchObject({ status: 409, body: { code: 'already_running' } })
      expect(await tracker.rideIds()).toEqual([5, 6, 7, 8, 9])
      await moveBack('11 seconds')
      expect(await other.update()).toMatchObject({ status: 200, body: { fetched: 9, added: 4, removed: 0 } })

      expect(await tracker.rideIds()).toEqual(idsTo(9))
      expect(await tracker.history()).toEqual([
        expect.objectContaining({ triggered_by: 'schedule', outcome: 'interrupted', code: null, added: 5 }),
        expect.objectContaining({ triggered_by: 'owner', outcome: 'ok', added: 4 }),
      ])
      expect(await runningSync()).toEqual([])
    } finally {
      await other.functions.stop()
      await tracker.close()
      tracker = await openTracker()
    }
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
