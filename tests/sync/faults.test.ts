import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fault, temporary } from './faults.ts'
import type { Call } from './ride-with-gps.ts'
import { openTracker, type Tracker } from './tracker.ts'
import { idsTo, trip, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(async () => {
  await tracker.reset()
  Object.assign(tracker.rwgps.behavior, { trips: trips(3), gear: [{ id: 1, nickname: 'Road' }] })
  await tracker.update()
  tracker.rwgps.reset()
})
afterAll(() => tracker.close())

const everything = () =>
  tracker.project.query(
    `select to_jsonb(ride) || jsonb_build_object('v', ride.xmin::text) as row from public.rides as ride
    union all select to_jsonb(bike) || jsonb_build_object('v', bike.xmin::text) from public.bikes as bike`,
  )

const calls: Call[] = ['user', 'trips']
const requests = (call: Call) => tracker.rwgps.requests.filter((request) => request.call === call)
const html = '<!doctype html><title>Sorry</title>'

/** Expects this error in the response and the history, and no changes. */
async function expectFailure(call: Call, fault: Fault, status: number, code: string): Promise<void> {
  const before = await everything()
  tracker.rwgps.behavior.always[call] = fault
  expect(await tracker.update()).toEqual({ status, body: { code, message: expect.any(String) } })
  expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', code })
  expect(await everything()).toEqual(before)
}

const permanent: [what: string, fault: Fault, code: string][] = [
  ['401', { status: 401, body: '{"error":"Unable to authenticate"}' }, 'rwgps_unauthorized'],
  ['404', { status: 404 }, 'rwgps_bad_answer'],
  [
    'HTML instead of JSON',
    { status: 200, headers: { 'content-type': 'text/html' }, body: html },
    'rwgps_bad_answer',
  ],
  ['truncated JSON', { truncatedTo: 0.5 }, 'rwgps_bad_answer'],
  ['unexpected JSON', { status: 200, body: '{"results":7,"user":{}}' }, 'rwgps_bad_answer'],
  ['a redirect to a login page', { status: 302, headers: { location: '/login' } }, 'rwgps_bad_answer'],
]
describe.each(calls)('the %s call', (call) => {
  test.each(permanent)('%s fails with its code without a retry', async (_, fault, code) => {
    await expectFailure(call, fault, 502, code)
    expect(requests(call)).toHaveLength(1)
  })

  test('503 fails as unreachable after four attempts', async () => {
    await expectFailure(call, temporary(503), 502, 'rwgps_unreachable')
    expect(requests(call)).toHaveLength(4)
  })

  test('429 fails as rate limited after four attempts', async () => {
    await expectFailure(call, temporary(429), 503, 'rwgps_rate_limited')
    expect(requests(call)).toHaveLength(4)
  })

  test.each<Fault>(['reset', 'cut'])('%s connections get four attempts', async (fault) => {
    const before = tracker.functions.output().length
    await expectFailure(call, fault, 502, 'rwgps_unreachable')
    // Count logged attempts instead of requests, because Deno itself retries when a connection is reset.
    const attempts = tracker.functions
      .output()
      .slice(before)
      .matchAll(/"attempt":(\d)/g)
    expect([...attempts].map(([, number]) => Number(number))).toEqual([1, 2, 3, 4])
  })

  test('recovers from temporary faults', async () => {
    tracker.rwgps.behavior.trips = trips(4)
    tracker.rwgps.behavior.faults[call] = [temporary(503), 'reset', temporary(429)]
    expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 1, removed: 0 } })
    expect(await tracker.rideIds()).toEqual(idsTo(4))
  })
})

describe('unreadable rows among readable ones', () => {
  test('are skipped, keep their stored rides and are listed in the history', async () => {
    const before = await everything()
    tracker.rwgps.behavior.trips = [
      trip(5),
      trip(4, { departed_at: 'yesterday' }),
      trip(3, { distance: 'far' }),
      trip(2, { distance: -1 }),
      trip(1, { moving_time: '1:99' }),
    ]
    expect(await tracker.update()).toMatchObject({
      status: 200,
      body: { fetched: 5, added: 1, changed: 0, removed: 0, skipped: 4 },
    })
    expect((await tracker.history()).at(-1)).toMatchObject({
      outcome: 'ok',
      skipped: 4,
      skipped_rows: '4 departed_at\n3 distance\n2 distance\n1 moving_time',
    })
    expect(await tracker.rideIds()).toEqual([1, 2, 3, 5])
    expect(await everything()).toEqual(expect.arrayContaining(before))
    const log = () => tracker.functions.output()
    await expect.poll(log).toContain('"event":"rows_skipped","rows":4,"ids":"4,3,2,1"')
  })

  test('are stored without the fields that usage does not need', async () => {
    const odd = {
      avg_cad: '80',
      avg_hr: [1],
      max_speed: 'fast',
      duration: -1,
      elevation_gain: '1,200',
      highlighted_photo_id: 'none',
      name: 7,
      gear_id: 'Road',
    }
    tracker.rwgps.behavior.trips = [trip(4, odd), ...trips(3)]
    expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 1, skipped: 0 } })
    const columns = Object.keys(odd)
    expect(
      await tracker.project.query(`select distance::text, ${columns.join()} from public.rides where id = 4`),
    ).toEqual([{ distance: '20004.4', ...Object.fromEntries(columns.map((column) => [column, null])) }])
  })

  test.each([[null], [{ id: '7' }]])(
    'a row %j without an id is skipped, and nothing is removed',
    async (row) => {
      tracker.rwgps.behavior.page = () => ({ results: [trip(4), row], results_count: 2 })
      expect(await tracker.update()).toMatchObject({
        status: 200,
        body: { added: 1, removed: 0, skipped: 1 },
      })
      expect(await tracker.rideIds()).toEqual(idsTo(4))
      expect((await tracker.history()).at(-1)).toMatchObject({
        skipped_rows: expect.stringMatching(/^#2 (id|row)$/),
        pending_removals: 3,
        mismatch: 'rows_without_id',
      })
    },
  )

  test('skips unreadable gear and stores the other bikes', async () => {
    tracker.rwgps.behavior.gear = [{ id: 'x' }, null, { id: 9, nickname: 'Nine' }]
    expect(await tracker.update()).toMatchObject({ status: 200, body: { bikes: 1 } })
    const bikes = await tracker.project.query('select gear_id, name from public.bikes order by gear_id')
    expect(bikes).toEqual([
      { gear_id: 1, name: 'Road' },
      { gear_id: 9, name: 'Nine' },
    ])
  })
})
