import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SIGN_IN } from './ride-with-gps.ts'
import { connect, openTracker, type Tracker } from './tracker.ts'
import { idsTo, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(() => tracker.reset())
afterAll(() => tracker.close())

/** Resolves once the running sync has stored this many rides. */
async function storedRides(count: number): Promise<void> {
  await expect.poll(() => tracker.rideIds(), { timeout: 10_000, interval: 20 }).toHaveLength(count)
}

const runningSync = () =>
  tracker.project.query<{ minutes: number }>(
    `select extract(epoch from now() - started_at) / 60 as minutes from public.ride_syncs where outcome = 'running'`,
  )

const moveBack = (interval: string) =>
  tracker.project.query(`update public.ride_syncs set started_at = started_at - interval '${interval}'
    where outcome = 'running'`)

test('records who started each sync, how it ended and what it changed', async () => {
  tracker.rwgps.play.trips = trips(3)
  await tracker.update('owner')
  tracker.rwgps.play.trips = trips(4, 3)
  await tracker.update('schedule')
  tracker.rwgps.play.always.user = { status: 401 }
  await tracker.update('schedule')
  const nothing = {
    fetched: 0,
    added: 0,
    changed: 0,
    removed: 0,
    set_aside: 0,
    skipped_rows: '',
    waiting: 0,
    doubt: null,
  }
  expect(await tracker.history()).toEqual([
    { ...nothing, triggered_by: 'owner', outcome: 'ok', code: null, fetched: 3, added: 3 },
    { ...nothing, triggered_by: 'schedule', outcome: 'ok', code: null, fetched: 2, added: 1, removed: 2 },
    { ...nothing, triggered_by: 'schedule', outcome: 'failed', code: 'rwgps_unauthorized' },
  ])
})

test('a running sync shows its progress', async () => {
  tracker.rwgps.play.latency = 150
  Object.assign(tracker.rwgps.play, { trips: trips(9), cap: 2 })
  const seen = new Set<number>()
  const looking = setInterval(async () => seen.add((await tracker.history())[0]?.fetched ?? 0), 20)
  await tracker.update()
  clearInterval(looking)
  expect([...seen]).toEqual(expect.arrayContaining([0, 2, 4, 6, 8]))
})

describe('simultaneous syncs', () => {
  test.each([
    ['two tabs', 'owner', 'owner'],
    ['a tab and the schedule', 'owner', 'schedule'],
  ] as const)('%s: one syncs, the other is rejected immediately', async (_, first, second) => {
    Object.assign(tracker.rwgps.play, { trips: trips(5), latency: 500 })
    const responses: Awaited<ReturnType<typeof tracker.update>>[] = []
    await Promise.all([first, second].map(async (by) => responses.push(await tracker.update(by))))
    // In the order in which they arrived: the rejection doesn't wait for the sync.
    expect(responses).toMatchObject([
      { status: 409, body: { code: 'already_running' } },
      { status: 200, body: { added: 5 } },
    ])
    expect(await tracker.history()).toHaveLength(1)
  })

  test('exactly one of eight calls syncs', async () => {
    Object.assign(tracker.rwgps.play, { trips: trips(5), latency: 300 })
    const responses = await Promise.all(Array.from({ length: 8 }, () => tracker.update()))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(7)
    expect(tracker.rwgps.asked.map(({ call }) => call)).toEqual(['user', 'trips'])
  })
})

describe('a sync that died', () => {
  test('keeps its rides, blocks other syncs for five minutes, and is closed by the next one', async () => {
    const other = await connect(tracker.project, tracker.rwgps, SIGN_IN)
    try {
      Object.assign(tracker.rwgps.play, { trips: trips(9), cap: 2 })
      tracker.rwgps.play.faults.trips = [null, null, 'hang']
      const died = tracker.update('schedule').catch((error: Error) => error.message)
      await storedRides(4)
      process.kill(tracker.functions.denoPid, 'SIGKILL')
      expect(await died).toBe('fetch failed')
      tracker.rwgps.reset()
      tracker.rwgps.play.trips = trips(9)

      await moveBack('4 minutes 50 seconds')
      expect(await other.update()).toMatchObject({ status: 409, body: { code: 'already_running' } })
      expect(await tracker.rideIds()).toEqual([6, 7, 8, 9])
      await moveBack('11 seconds')
      expect(await other.update()).toMatchObject({ status: 200, body: { fetched: 9, added: 5, removed: 0 } })

      expect(await tracker.rideIds()).toEqual(idsTo(9))
      expect(await tracker.history()).toEqual([
        expect.objectContaining({ triggered_by: 'schedule', outcome: 'interrupted', code: null, added: 4 }),
        expect.objectContaining({ triggered_by: 'owner', outcome: 'ok', added: 5 }),
      ])
      expect(await runningSync()).toEqual([])
    } finally {
      await other.functions.stop()
      await tracker.close()
      tracker = await openTracker()
    }
  })

  test('changes nothing if it resumes after another sync took over', async () => {
    Object.assign(tracker.rwgps.play, { trips: trips(4), cap: 2, latency: 700 })
    const first = tracker.update()
    await storedRides(2)
    await moveBack('6 minutes')
    const second = tracker.update()
    expect(await first).toMatchObject({ status: 409, body: { code: 'already_running' } })
    expect(await second).toMatchObject({ status: 200 })
    expect((await tracker.history()).map(({ outcome }) => outcome)).toEqual(['interrupted', 'ok'])
    expect(await tracker.rideIds()).toEqual(idsTo(4))
  })
})
