import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RideWithGpsRequest } from './ride-with-gps.ts'
import { openTracker, type Tracker } from './tracker.ts'
import { idsTo, trip, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(() => tracker.reset())
afterAll(() => tracker.close())

const offsets = () =>
  tracker.rwgps.requests.filter(({ call }) => call === 'trips').map(({ offset }) => offset)

async function storeRides(count: number): Promise<void> {
  tracker.rwgps.behavior.trips = trips(count)
  await tracker.update()
  tracker.rwgps.reset()
}

async function changes() {
  const { body } = await tracker.update()
  return body
}

describe('the pages of a stable list', () => {
  test('requests pages of a thousand rows, each starting with the last row of the one before', async () => {
    tracker.rwgps.behavior.trips = trips(2300)
    expect(await changes()).toMatchObject({
      fetched: 2300,
      added: 2300,
      changed: 0,
      removed: 0,
      skipped: 0,
    })
    const requests = tracker.rwgps.requests.map(({ call, offset, limit }) => [call, offset, limit])
    expect(requests).toEqual([
      ['user', 0, 0],
      ['trips', 0, 1000],
      ['trips', 999, 1000],
      ['trips', 1998, 1000],
      // If there were new rides, the sync checks the end and the start of the list again.
      ['trips', 2299, 1000],
      ['trips', 0, 1],
    ])
    expect(await tracker.rideIds()).toEqual(idsTo(2300))

    tracker.rwgps.requests.length = 0
    expect(await changes()).toMatchObject({ fetched: 2300, added: 0 })
    const again = tracker.rwgps.requests.map(({ call, offset, limit }) => [call, offset, limit])
    expect(again).toEqual(requests.filter(([, offset]) => offset !== 2299))
  })

  test.each([
    [1, 7],
    [3, 7],
    [7, 7],
    [100, 250],
  ])('with %i rows per page, stores all %i rides', async (cap, count) => {
    Object.assign(tracker.rwgps.behavior, { trips: trips(count), cap })
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(idsTo(count))
  })

  test('reads an account without trips in one request', async () => {
    expect(await changes()).toMatchObject({ fetched: 0, added: 0, changed: 0, removed: 0, skipped: 0 })
    expect(offsets()).toEqual([0])
  })

  test('a plain array ends with a page that has no new rides', async () => {
    Object.assign(tracker.rwgps.behavior, {
      trips: trips(5),
      cap: 3,
      page: (_: RideWithGpsRequest, rows: unknown[]) => rows,
    })
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(idsTo(5))
    expect(offsets()).toEqual([0, 2, 4, 0])
  })

  test('stops if the server ignores the offset of a plain array', async () => {
    const all = trips(5)
    tracker.rwgps.behavior.page = () => all
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(idsTo(5))
    expect(offsets()).toEqual([0, 4, 5])
  })

  test('404 past the end ends the list', async () => {
    Object.assign(tracker.rwgps.behavior, {
      trips: trips(4),
      cap: 2,
      page: (_: RideWithGpsRequest, rows: unknown[]) => rows,
    })
    tracker.rwgps.behavior.faults.trips = [null, null, { status: 404 }]
    expect(await tracker.update()).toMatchObject({ status: 200 })
    expect(await tracker.rideIds()).toEqual(idsTo(4))
  })
})

describe('a list that shifts or is wrong', () => {
  test('loses no ride if the server repeats a row on each page', async () => {
    const all = trips(9)
    tracker.rwgps.behavior.page = ({ offset }) => ({
      results: all.slice(Math.max(0, offset - 1), offset + 2),
      results_count: 9,
    })
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(idsTo(9))
  })

  test('stores a ride that is uploaded while paging', async () => {
    const { behavior } = tracker.rwgps
    Object.assign(behavior, { trips: trips(6), cap: 2 })
    behavior.before = ({ number }) => {
      if (number === 2) behavior.trips = trips(7)
    }
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(idsTo(7))
  })

  test('finds a ride that slips through when another one is deleted while paging', async () => {
    const { behavior } = tracker.rwgps
    Object.assign(behavior, { trips: trips(6), cap: 2 })
    behavior.before = ({ number }) => {
      if (number === 2) behavior.trips = behavior.trips.slice(1)
    }
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(expect.arrayContaining(idsTo(5)))
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(idsTo(5))
  })

  test.each([
    ['an old ride', (rides: object[]) => [...rides.slice(1), trip(100)]],
    ['a ride', (rides: object[]) => [trip(100), ...rides.slice(1)]],
  ])('stores every listed ride if one is deleted and %s is uploaded while paging', async (_, edit) => {
    for (const number of [2, 3]) {
      await tracker.reset()
      const { behavior } = tracker.rwgps
      Object.assign(behavior, { trips: trips(7), cap: 3 })
      behavior.before = (request) => {
        if (request.number === number) behavior.trips = edit(behavior.trips as object[])
      }
      expect(await tracker.update()).toMatchObject({ status: 200, body: { mismatch: null } })
      expect(await tracker.rideIds()).toEqual(expect.arrayContaining([...idsTo(6), 100]))
    }
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

  test.each([
    ['grows', (request: RideWithGpsRequest) => 6 + request.number],
    ['shrinks', (request: RideWithGpsRequest) => Math.max(0, 8 - request.number)],
    ['is too small', () => 3],
    ['is far too big', () => 3108],
    ['is not a number', () => 'many'],
    ['is missing', () => undefined],
  ])('stores every ride if the count %s', async (_, count) => {
    const { behavior } = tracker.rwgps
    Object.assign(behavior, { trips: trips(6), cap: 2 })
    behavior.page = (request, results) => ({ results, results_count: count(request) })
    expect(await tracker.update()).toMatchObject({ status: 200 })
    expect(await tracker.rideIds()).toEqual(idsTo(6))
    expect(offsets().length).toBeLessThan(20)
  })

  test.each([
    ['an empty page', { results: [], results_count: 6 }],
    ['the first page again', { results: trips(6, 5), results_count: 6 }],
    ['an empty plain array', []],
  ])('%s in the middle ends the list and removes nothing', async (_, answer) => {
    await storeRides(6)
    const { behavior } = tracker.rwgps
    Object.assign(behavior, { trips: trips(6), cap: 2 })
    behavior.page = ({ offset }, results) => (offset >= 2 ? answer : { results, results_count: 6 })
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0 } })
    expect(await tracker.rideIds()).toEqual(idsTo(6))
    expect(offsets().length).toBeLessThan(12)
  })
})

describe('a list that disagrees with its count', () => {
  const wrong: [what: string, page: (request: RideWithGpsRequest) => unknown, stored: number][] = [
    [
      'ends before its count',
      ({ offset }) => ({ results: trips(60).slice(offset, 40), results_count: 60 }),
      40,
    ],
    ['ignores the offset', () => ({ results: trips(60).slice(0, 40), results_count: 60 }), 40],
    [
      'goes on after its count, which is a page boundary',
      ({ offset, limit }) => ({
        results: trips(60).slice(offset, offset + Math.min(limit, 40)),
        results_count: 40,
      }),
      60,
    ],
    ['has the count 0', () => ({ results: trips(60), results_count: 0 }), 60],
  ]
  test.each(wrong)('is in mismatch if it %s, whatever is stored', async (_, page, stored) => {
    for (const before of [0, 5, 60]) {
      await tracker.reset()
      if (before > 0) await storeRides(before)
      tracker.rwgps.behavior.page = page
      const all = Math.min(60, before + stored)
      const mismatch = { pending_removals: all - stored, mismatch: 'wrong_count' }
      expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0, ...mismatch } })
      expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'ok', ...mismatch })
      expect(await tracker.rideIds()).toHaveLength(all)
    }
  })

  test('is trusted again as soon as it agrees', async () => {
    tracker.rwgps.behavior.page = () => ({ results: trips(60), results_count: 61 })
    expect(await tracker.update()).toMatchObject({ body: { mismatch: 'wrong_count' } })
    tracker.rwgps.reset()
    tracker.rwgps.behavior.trips = trips(60, 2)
    expect(await tracker.update()).toMatchObject({ body: { mismatch: null, removed: 1 } })
  })
})

describe('the result of a sync', () => {
  test('adds, changes and removes rides without touching the others', async () => {
    await storeRides(5)
    const versions = () =>
      tracker.project.query('select id, xmin::text, xmax::text, ctid::text from public.rides order by id')
    const before = await versions()
    tracker.rwgps.behavior.trips = [trip(6), trip(5, { gear_id: 77 }), ...trips(4, 2)]
    expect(await changes()).toMatchObject({ fetched: 5, added: 1, changed: 1, removed: 1, skipped: 0 })
    expect(await tracker.rideIds()).toEqual([2, 3, 4, 5, 6])
    expect((await versions()).slice(0, 3)).toEqual(before.slice(1, 4))
  })

  test('keeps pages stored before a failure, and removes nothing', async () => {
    await storeRides(3)
    const { behavior } = tracker.rwgps
    Object.assign(behavior, { trips: trips(13, 4), cap: 4 })
    behavior.faults.trips = [null, null, { status: 403 }]
    expect(await tracker.update()).toMatchObject({ status: 502, body: { code: 'rwgps_unauthorized' } })
    expect(await tracker.rideIds()).toEqual([...idsTo(3), ...idsTo(13).slice(6)])
    expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', added: 7, removed: 0 })
  })

  test('updates bikes from the gear list, and keeps the bike and log of deleted gear', async () => {
    const { behavior } = tracker.rwgps
    behavior.gear = [
      { id: 1, nickname: null, name: 'Nice Bike' },
      { id: 2, nickname: 'Gravel' },
    ]
    await tracker.update()
    await tracker.project.query(`insert into public.maintenance ("bikeId", name) values (1, 'Chain')`)
    behavior.gear = [{ id: 2, nickname: 'Allroad' }]
    expect(await tracker.update()).toMatchObject({ body: { bikes: 1 } })
    expect(await tracker.project.query('select gear_id, name from public.bikes order by gear_id')).toEqual([
      { gear_id: 1, name: 'Nice Bike' },
      { gear_id: 2, name: 'Allroad' },
    ])
    expect(await tracker.project.query('select name from public.maintenance')).toEqual([{ name: 'Chain' }])
  })
})

describe('a list that lacks many rides', () => {
  const short: [
    what: string,
    page: (request: RideWithGpsRequest) => unknown,
    mismatch: string,
    left: number,
  ][] = [
    ['a list of one trip', () => ({ results: [trip(40)], results_count: 1 }), 'many_missing', 1],
    ['a plain array of the newest rides', () => trips(40, 39), 'many_missing', 2],
    [
      'a list that ends early with its count as text',
      ({ offset }) => ({ results: offset === 0 ? trips(40, 21) : [], results_count: '40' }),
      'unreadable_count',
      20,
    ],
    ['an empty account', () => ({ results: [], results_count: 0 }), 'empty_list', 0],
  ]
  test.each(short)('%s removes nothing until a sync 50 minutes later', async (_, page, mismatch, left) => {
    await storeRides(40)
    tracker.rwgps.behavior.page = page
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0 } })
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0 } })
    expect(await tracker.rideIds()).toEqual(idsTo(40))
    expect((await tracker.history()).at(-1)).toMatchObject({
      outcome: 'ok',
      mismatch,
      pending_removals: 40 - left,
    })

    await tracker.pass('50 minutes')
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 40 - left } })
    expect(await tracker.rideIds()).toEqual(idsTo(40).slice(40 - left))
  })

  test.each([
    ['found rides', () => (tracker.rwgps.behavior.trips = trips(3))],
    [
      'found a count without rides',
      () => (tracker.rwgps.behavior.page = () => ({ results: [], results_count: 3108 })),
    ],
  ])('a sync in between that %s restarts the wait', async (_, between) => {
    await storeRides(3)
    await tracker.update()
    await tracker.pass('50 minutes')
    between()
    await tracker.update()
    tracker.rwgps.reset()
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(idsTo(3))
  })

  test('keeps a deleted ride if the count is always one too high, and records the mismatch', async () => {
    await storeRides(3)
    tracker.rwgps.behavior.page = () => ({ results: trips(3, 2), results_count: 3 })
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0 } })
    await tracker.pass('1 hour')
    await tracker.update()
    expect(await tracker.rideIds()).toEqual(idsTo(3))
    expect((await tracker.history()).at(-1)).toMatchObject({ pending_removals: 1, mismatch: 'wrong_count' })
  })

  test('the owner can remove missing rides through the data API', async () => {
    await storeRides(40)
    tracker.rwgps.behavior.trips = trips(40, 40)
    await tracker.update()
    const [sync] = await tracker.project.query<{ id: number }>('select max(id) as id from public.ride_syncs')
    const response = await fetch(`${tracker.project.url}/rest/v1/rpc/remove_missing_rides`, {
      method: 'POST',
      headers: {
        apikey: tracker.project.secrets.publishableKey,
        authorization: `Bearer ${tracker.project.ownerToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ shown_by: sync!.id }),
    })
    expect(await response.json()).toBe(39)
    expect(await tracker.rideIds()).toEqual([40])
  })
})
