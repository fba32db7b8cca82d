import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTracker, type Tracker } from './tracker.ts'
import { idsTo, trip, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(() => tracker.reset())
afterAll(() => tracker.close())

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
})

describe('a list that shifts or is wrong', () => {
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
})

describe('a list that disagrees with its count', () => {
  test('is in mismatch, whatever is stored', async () => {
    for (const before of [0, 60]) {
      await tracker.reset()
      if (before > 0) await storeRides(before)
      tracker.rwgps.behavior.page = ({ offset }) => ({
        results: trips(60).slice(offset, 40),
        results_count: 60,
      })
      const mismatch = { pending_removals: Math.max(0, before - 40), mismatch: 'wrong_count' }
      expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0, ...mismatch } })
      expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'ok', ...mismatch })
      expect(await tracker.rideIds()).toHaveLength(before || 40)
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
  test('removes nothing until a sync 50 minutes later', async () => {
    await storeRides(40)
    tracker.rwgps.behavior.page = ({ offset }) => ({
      results: offset === 0 ? trips(40, 21) : [],
      results_count: '40',
    })
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0 } })
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 0 } })
    expect(await tracker.rideIds()).toEqual(idsTo(40))
    expect((await tracker.history()).at(-1)).toMatchObject({
      outcome: 'ok',
      mismatch: 'unreadable_count',
      pending_removals: 20,
    })

    await tracker.pass('50 minutes')
    expect(await tracker.update()).toMatchObject({ status: 200, body: { removed: 20 } })
    expect(await tracker.rideIds()).toEqual(idsTo(40).slice(20))
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
