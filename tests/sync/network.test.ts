import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../embedded/port.ts'
import { openProject, type Project } from './project.ts'
import { type RideWithGps, SIGN_IN, SIGN_IN_BY_TOKEN, startRideWithGps } from './ride-with-gps.ts'
import { connect, type Tracker } from './tracker.ts'
import { idsTo, trips } from './trips.ts'

// Two projects and two servers, so the tests of both time limits can run in parallel.
let projects: Project[]
let servers: RideWithGps[]
const trackers: Tracker[] = []
beforeAll(async () => {
  projects = await Promise.all([openProject(), openProject()])
  servers = await Promise.all([startRideWithGps(), startRideWithGps()])
})
afterAll(async () => {
  await Promise.all(trackers.map(({ functions }) => functions.stop()))
  await Promise.all([...projects, ...servers].map((part) => part.close()))
})

async function open(which: 0 | 1, credentials: Record<string, string>): Promise<Tracker> {
  const tracker = await connect(projects[which]!, servers[which]!, credentials)
  trackers.push(tracker)
  return tracker
}

describe.concurrent('time limits', () => {
  test.each([
    ['a connection that hangs', 0, 'user', 'hang'],
    ['a response that trickles in', 1, 'trips', 'trickle'],
  ] as const)(
    '%s times out after 15 seconds and does not block the next sync',
    async (_, which, call, fault) => {
      const tracker = await open(which, SIGN_IN)
      const { behavior } = tracker.rwgps
      behavior.trips = trips(50)
      behavior.faults[call] = [fault]
      expect(await tracker.update()).toMatchObject({ status: 504, body: { code: 'rwgps_timeout' } })
      expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', code: 'rwgps_timeout' })
      expect(await tracker.rideIds()).toEqual([])

      expect(await tracker.update()).toMatchObject({ status: 200 })
      expect(await tracker.rideIds()).toEqual(idsTo(50))
    },
  )
})

test('a sync that takes longer than SYNC_SECONDS is closed, and does not block the next one', async () => {
  const limited = await open(0, { ...SIGN_IN, SYNC_SECONDS: '1' })
  await projects[0]!.query('truncate public.rides')
  limited.rwgps.reset()
  limited.rwgps.behavior.trips = trips(9)
  limited.rwgps.behavior.faults.trips = ['hang']
  expect(await limited.update()).toMatchObject({ status: 504, body: { code: 'rwgps_timeout' } })
  expect((await limited.history()).at(-1)).toMatchObject({ outcome: 'failed', code: 'rwgps_timeout' })
  const next = await open(0, SIGN_IN)
  expect(await next.update()).toMatchObject({ status: 200, body: { added: 9 } })
})

test.each([
  ['refuses connections', async () => `http://127.0.0.1:${await freePort()}`],
  ['does not resolve', async () => 'http://ridewithgps.invalid'],
])('a server that %s is unreachable', async (_, address) => {
  const tracker = await open(0, { ...SIGN_IN, RWGPS_BASE_URL: await address() })
  expect(await tracker.update()).toMatchObject({ status: 502, body: { code: 'rwgps_unreachable' } })
  expect((await tracker.history()).at(-1)).toMatchObject({ outcome: 'failed', code: 'rwgps_unreachable' })
})

test('a token and its user id can sign in and read rides', async () => {
  await projects[1]!.query('truncate public.rides')
  const tracker = await open(1, SIGN_IN_BY_TOKEN)
  tracker.rwgps.behavior.trips = trips(3)
  expect(await tracker.update()).toMatchObject({ status: 200, body: { added: 3 } })
})

test.each([
  ['a wrong password', { ...SIGN_IN, RWGPS_PASSWORD: 'wrong' }],
  ['a wrong token', { ...SIGN_IN_BY_TOKEN, RWGPS_AUTH_TOKEN: 'wrong' }],
])('%s is unauthorized', async (_, credentials) => {
  const tracker = await open(1, credentials)
  expect(await tracker.update()).toMatchObject({ status: 502, body: { code: 'rwgps_unauthorized' } })
})
