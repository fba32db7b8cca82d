import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SIGN_IN, SIGN_IN_BY_TOKEN } from './ride-with-gps.ts'
import { connect, openTracker, type Tracker } from './tracker.ts'
import { idsTo, trip } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(async () => {
  await tracker.reset()
  tracker.rwgps.behavior.trips = daily(30)
  // The sync also signs in, so the process has a token.
  await tracker.update('schedule')
  tracker.rwgps.requests.length = 0
})
afterAll(() => tracker.close())

const FIRST_DAY = Date.UTC(2026, 0, 1)
const rideOn = (day: number, id = day, fields: object = {}) => {
  const departed_at = new Date(FIRST_DAY + day * 86_400_000).toISOString()
  return trip(id, { departed_at, created_at: departed_at, ...fields })
}
const daily = (days: number) => Array.from({ length: days }, (_, index) => rideOn(days - index))

const nothing = { bikes: 0, fetched: 0, added: 0, changed: 0, removed: 0, skipped: 0 }
const unchanged = { status: 200, body: { status: 'unchanged', ...nothing } }
const synced = (counts: object = {}) => ({
  status: 200,
  body: expect.objectContaining({ status: 'ok', ...counts }),
})

/** Runs checks ten minutes apart. Resolves to their statuses or error codes. */
async function statusesOf(checks: number): Promise<unknown[]> {
  const statuses: unknown[] = []
  for (let number = 0; number < checks; number++) {
    const { body } = await tracker.check()
    statuses.push(body.status ?? body.code)
  }
  return statuses
}
const repeat = (count: number, status: string) => Array.from({ length: count }, () => status)

const versions = () =>
  tracker.project.query(`select 'ride' as kind, id, xmin::text, xmax::text, ctid::text from public.rides
    union all select 'bike', gear_id, xmin::text, xmax::text, ctid::text from public.bikes`)
const checkedAgo = () =>
  tracker.project.query<{ minutes: number }>(
    `select id, extract(epoch from now() - checked_at)::integer / 60 as minutes from public.ride_syncs where checked_at is not null`,
  )
const requests = () => tracker.rwgps.requests.map(({ call, offset, limit }) => [call, offset, limit])
const NEWEST = ['trips', 0, 20]

const list = () => tracker.rwgps.behavior.trips as object[]

async function minutesOfAttempts(checks: number): Promise<number[]> {
  const minutes: number[] = []
  for (let number = 1; number <= checks; number++) {
    const before = tracker.rwgps.requests.length
    await tracker.check()
    if (tracker.rwgps.requests.length > before) minutes.push(number * 10)
  }
  return minutes
}

const withCredentials = async (
  credentials: Record<string, string>,
  run: (other: Tracker) => Promise<void>,
) => {
  const other = await connect(tracker.project, tracker.rwgps, credentials)
  await run(other)
  await other.functions.stop()
}

test('a check without changes sends one request, and writes only the time', async () => {
  const before = await versions()
  expect(await tracker.check()).toEqual(unchanged)
  expect(requests()).toEqual([NEWEST])
  expect(await versions()).toEqual(before)
  expect(await tracker.history()).toHaveLength(1)
  expect(await checkedAgo()).toEqual([{ id: expect.any(Number), minutes: 0 }])
})

test('a sync from the future does not stop the schedule', async () => {
  await tracker.pass('-1 day')
  expect(await statusesOf(2)).toEqual(['ok', 'unchanged'])
})

describe('a check compares the newest rows and the count', () => {
  test.each<[string, (rows: unknown[]) => unknown]>([
    ['of a plain array', (rows) => rows],
    ['of a list without a count', (results) => ({ results })],
    ['of a list with an unreadable count', (results) => ({ results, results_count: '30' })],
  ])('%s', async (_, page) => {
    tracker.rwgps.behavior.page = (_request, rows) => page(rows)
    await tracker.update('schedule')
    expect(await statusesOf(2)).toEqual(repeat(2, 'unchanged'))
    tracker.rwgps.behavior.trips.unshift(rideOn(31))
    expect(await statusesOf(2)).toEqual(['ok', 'unchanged'])
    tracker.rwgps.behavior.trips.splice(25, 1)
    await tracker.pass('5 hours')
    expect(await statusesOf(5)).toEqual([...repeat(4, 'unchanged'), 'ok'])
  })
})

test.each<[string, () => void]>([
  [
    'has another order in each response',
    () => void (tracker.rwgps.behavior.before = () => list().unshift(list().pop()!)),
  ],
  [
    'counts the rows of the response',
    () => void (tracker.rwgps.behavior.page = (_, results) => ({ results, results_count: results.length })),
  ],
])('a list that %s is synced hourly', async (_, behave) => {
  behave()
  expect(await statusesOf(13)).toEqual([
    'ok',
    ...repeat(5, 'unchanged'),
    'ok',
    ...repeat(5, 'unchanged'),
    'ok',
  ])
})

describe('doubted lists', () => {
  beforeEach(async () => {
    tracker.rwgps.behavior.trips = daily(15)
    await tracker.check()
  })

  test('are synced again 50 minutes later, which removes the rides', async () => {
    expect((await tracker.history()).at(-1)).toMatchObject({ pending_removals: 15, mismatch: 'many_missing' })
    expect(await statusesOf(4)).toEqual(repeat(4, 'unchanged'))
    expect(await tracker.rideIds()).toEqual(idsTo(30))
    expect(await tracker.check()).toEqual(synced({ removed: 15 }))
    expect(await statusesOf(1)).toEqual(['unchanged'])
    expect(await tracker.rideIds()).toEqual(idsTo(15))
  })

  test('are not synced again for rides that the owner removed', async () => {
    await tracker.project.query(`delete from public.rides where missing_since_sync is not null;
      update public.ride_syncs set pending_removals = 0, mismatch = null, pending_since = null`)
    expect(await statusesOf(6)).toEqual(repeat(6, 'unchanged'))
  })
})

describe('failures', () => {
  test('are retried after 10, 20, 40 minutes and so on, up to six hours', async () => {
    tracker.rwgps.behavior.always = { user: { status: 401 }, trips: { status: 503 } }
    await tracker.check()
    expect(await minutesOfAttempts(1)).toEqual([10])
    for (const wait of [20, 40, 80, 160, 320, 360, 360]) {
      // The last check before the wait is over, and the first one after it.
      await tracker.pass(`${wait - 20} minutes`)
      expect(await minutesOfAttempts(2)).toEqual([20])
    }
    tracker.rwgps.behavior.always = {}
    await tracker.pass('6 hours')
    expect(await statusesOf(3)).toEqual(['ok', 'unchanged', 'unchanged'])
  })

  test('of full syncs count too, and a check that succeeds ends the wait', async () => {
    tracker.rwgps.behavior.always.trips = { status: 503, headers: { 'retry-after': '0' } }
    await tracker.update('schedule')
    await tracker.update('schedule')
    expect(await minutesOfAttempts(1)).toEqual([])
    tracker.rwgps.behavior.always = {}
    expect(await minutesOfAttempts(3)).toEqual([10, 20, 30])
    const sent = tracker.rwgps.requests.filter(({ call }) => call === 'trips')
    tracker.rwgps.behavior.faults.trips = [...sent.map(() => null), { status: 503 }]
    expect(await minutesOfAttempts(2)).toEqual([10, 20])
  })

  test('delay the schedule by Retry-After, but not the owner', async () => {
    const inTwoHours = { status: 429, headers: { 'retry-after': '7200' } }
    tracker.rwgps.behavior.faults.trips = [inTwoHours]
    await tracker.check()
    await tracker.pass('100 minutes')
    expect(await minutesOfAttempts(3)).toEqual([20, 30])
    tracker.rwgps.behavior.always.trips = { status: 429, headers: { 'retry-after': '99999999999' } }
    await tracker.check()
    tracker.rwgps.behavior.always = {}
    await tracker.pass('6 hours')
    expect(await minutesOfAttempts(2)).toEqual([])
    expect(await tracker.update('owner')).toEqual(synced())
    expect(await minutesOfAttempts(2)).toEqual([10, 20])
  })
})

describe('signing in', () => {
  test('without a token, a full sync signs in, at most hourly', () =>
    withCredentials(SIGN_IN, async (other) => {
      for (let number = 0; number < 5; number++) expect(await other.check()).toEqual(unchanged)
      expect(requests()).toEqual([])
      expect(await other.check()).toEqual(synced())
      expect(await other.check()).toEqual(unchanged)
      expect(requests().at(-1)).toEqual(NEWEST)
    }))

  test('a token of another account never writes anything', () =>
    withCredentials({ ...SIGN_IN_BY_TOKEN, RWGPS_USER_ID: '8' }, async (other) => {
      const before = await versions()
      tracker.rwgps.behavior.rider = 8
      expect(await other.check()).toMatchObject({ status: 409, body: { code: 'rwgps_other_account' } })
      expect(await versions()).toEqual(before)
    }))
})
