import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startFunctions } from '../../embedded/functions.ts'
import { PLANTED, SIGN_IN } from './ride-with-gps.ts'
import { functionEnvironment, openTracker, type Tracker } from './tracker.ts'
import { trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
beforeEach(() => tracker.reset())
afterAll(() => tracker.close())

const signIns = () => tracker.rwgps.requests.filter(({ call }) => call === 'user').map(({ by }) => by)

test('a refused token closes the sync, and the next one sends the password again', async () => {
  tracker.rwgps.behavior.trips = trips(3)
  await tracker.update()
  tracker.rwgps.requests.length = 0
  tracker.rwgps.behavior.faults.user = [null, { status: 401 }]
  expect(await tracker.update()).toMatchObject({ status: 200 })
  expect(await tracker.update()).toMatchObject({ status: 502, body: { code: 'rwgps_unauthorized' } })
  expect(await tracker.update()).toMatchObject({ status: 200 })
  expect(signIns()).toEqual(['token', 'token', 'password'])
  expect((await tracker.history()).map(({ code }) => code)).toEqual([null, null, 'rwgps_unauthorized', null])
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
  await expect.poll(() => update().then(({ url }) => url), { timeout: 30_000 }).not.toBe(first.url)
  expect(new Set(signIns().slice(1))).toEqual(new Set(['token']))
  expect(signIns()[0]).toBe('password')
  expect(first.status).toBe(200)
  expect(log.mock.calls.flat().join()).toContain('rides_updated')
  expect(log.mock.calls.flat().join()).not.toContain(PLANTED.token)
  await functions.stop()
  log.mockRestore()
})
