import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTracker, type Tracker } from './tracker.ts'
import { idsTo, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(() => tracker.reset())
afterAll(() => tracker.close())

const everything = () =>
  tracker.project.query(`select to_jsonb(ride) as row from public.rides as ride
    union all select to_jsonb(bike) from public.bikes as bike`)

const forgetAccount = () => tracker.project.query('update public.ride_syncs set rwgps_user_id = null')

function switchAccount(): void {
  tracker.rwgps.reset()
  Object.assign(tracker.rwgps.behavior, {
    rider: 99,
    trips: trips(1030, 1001),
    gear: [{ id: 9, nickname: 'Foreign' }],
  })
}

async function sync() {
  const before = await everything()
  const answer = await tracker.update('schedule')
  const { outcome, code } = (await tracker.history()).at(-1)!
  const hasWritten = JSON.stringify(await everything()) !== JSON.stringify(before)
  return { answer, outcome, code, hasWritten }
}

const REFUSED = {
  answer: {
    status: 409,
    body: { code: 'rwgps_other_account', message: expect.stringMatching(/TRACKER_DATA_DIR.*switch-account/) },
  },
  outcome: 'failed',
  code: 'rwgps_other_account',
  hasWritten: false,
}

test('rejects another account before writing anything, and keeps accepting the first one', async () => {
  tracker.rwgps.behavior.trips = trips(40)
  await tracker.update()
  switchAccount()
  expect(await sync()).toEqual(REFUSED)
  tracker.rwgps.reset()
  tracker.rwgps.behavior.trips = trips(41)
  expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 1, removed: 0 } })
})

test('remembers the account even if its first sync failed halfway', async () => {
  Object.assign(tracker.rwgps.behavior, { trips: trips(4), cap: 2 })
  tracker.rwgps.behavior.faults.trips = [null, { status: 403 }]
  await tracker.update()
  switchAccount()
  expect(await sync()).toEqual(REFUSED)
})

test('assigns rides from before accounts were recorded to the account that lists most of them', async () => {
  tracker.rwgps.behavior.trips = trips(40)
  await tracker.update()
  await forgetAccount()
  switchAccount()
  expect(await sync()).toEqual(REFUSED)
  tracker.rwgps.reset()
  Object.assign(tracker.rwgps.behavior, { trips: trips(42, 3), cap: 7 })
  expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 2, removed: 2 } })
  switchAccount()
  expect(await sync()).toEqual(REFUSED)
})

test('accepts another account after switching, and keeps the log', async () => {
  Object.assign(tracker.rwgps.behavior, {
    trips: trips(40),
    gear: [
      { id: 1, nickname: 'Road' },
      { id: 2, nickname: 'Gravel' },
    ],
  })
  await tracker.update()
  await tracker.project.query(`insert into public.maintenance ("bikeId", name) values (1, 'Chain')`)
  switchAccount()
  const { secretKey } = tracker.project.secrets
  const response = await fetch(`${tracker.project.url}/rest/v1/rpc/switch_rwgps_account`, {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await response.json()).toEqual([{ rides: 40, bikes: 1 }])
  expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 30, removed: 0 } })
  expect(await tracker.rideIds()).toEqual(idsTo(1030).slice(1000))
  expect(await tracker.project.query('select name from public.bikes order by name')).toEqual([
    { name: 'Foreign' },
    { name: 'Road' },
  ])
  expect(await tracker.project.query('select name from public.maintenance')).toEqual([{ name: 'Chain' }])
})
