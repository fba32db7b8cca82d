import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Answer, type Channels } from '../../supabase/functions/channels/contract.ts'
import { checked } from '../contract.ts'
import { openProject, type Project } from './project.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type RideWithGps, SIGN_IN, startRideWithGps } from './ride-with-gps.ts'
import { connect, type Tracker } from './tracker.ts'
import { trip } from './trips.ts'

const TOPIC = '/bikes'
const HOOK = '/hook/planted-id'
const TOKEN = 'tk_planted'
const SECRET = `whsec_${randomBytes(24).toString('base64')}`
const TRACKER = 'https://tracker.example.com'

let project: Project
let rwgps: RideWithGps
let ntfy: Receiver
let webhook: Receiver
let tracker: Tracker
beforeAll(async () => {
  ;[project, rwgps, ntfy, webhook] = await Promise.all([
    openProject(),
    startRideWithGps(),
    startReceiver(),
    startReceiver(),
  ])
  tracker = await connect(project, rwgps, {
    ...SIGN_IN,
    TRACKER_URL: TRACKER,
    NTFY_URL: ntfy.url + TOPIC,
    NTFY_TOKEN: TOKEN,
    WEBHOOK_URL: webhook.url + HOOK,
    WEBHOOK_SECRET: SECRET,
  })
})
beforeEach(async () => {
  for (const receiver of [ntfy, webhook]) {
    receiver.received.length = 0
    delete receiver.replies[TOPIC]
    delete receiver.replies[HOOK]
  }
  await tracker.reset()
  await project.query('truncate private.announced_tasks, private.channel_states')
})
afterAll(async () => {
  await tracker.close()
  await Promise.all([ntfy.close(), webhook.close()])
})

/** Syncs a 20 km ride on a bike whose task is due after 15 km. */
async function becomeDue() {
  rwgps.behavior.gear = [{ id: 1, nickname: 'Warbird' }]
  await tracker.update('schedule')
  await project.query(
    `insert into public.service_tasks (id, gear_id, name, every_distance) values (1, 1, 'Wäsche', 15000)`,
  )
  rwgps.behavior.trips = [trip(1, { gear_id: 1 })]
  expect((await tracker.update('schedule')).body.status).toBe('ok')
}

async function ask(input: object): Promise<{ status: number; body: Channels }> {
  const response = await fetch(`${tracker.functions.url}/functions/v1/channels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${project.ownerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  const body = await response.json()
  return { status: response.status, body: (response.ok ? checked(Answer, body) : body) as Channels }
}
const stateOf = async (channel: string) => {
  const [state] = await project.query<{ sent: boolean; failed: boolean; error: string | null }>(
    `select sent_at is not null as sent, failed_at is not null as failed, error
    from private.channel_states where channel = '${channel}'`,
  )
  return state
}

/** Verifies a request with another implementation. Throws if it isn't signed correctly. */
function verified({ headers, body }: Receiver['received'][number]): Record<string, unknown> {
  return new Webhook(SECRET).verify(body.toString(), headers as Record<string, string>) as Record<
    string,
    unknown
  >
}

test('without a browser, ntfy and the webhook get each task once', async () => {
  await becomeDue()
  await tracker.update('schedule')
  const [message, ...others] = ntfy.received
  expect(others).toEqual([])
  expect([message!.path, message!.body.toString()]).toEqual([TOPIC, 'Wäsche (Warbird): 12.4 of 9.3 mi'])
  expect(message!.headers).toMatchObject({
    title: '1 task due',
    tags: 'wrench',
    click: `${TRACKER}/#garage`,
    authorization: `Bearer ${TOKEN}`,
  })

  expect(webhook.received.map(({ path }) => path)).toEqual([HOOK])
  const [request] = webhook.received
  expect(request!.headers['content-type']).toBe('application/json')
  const { type, timestamp, data } = verified(request!)
  expect(type).toBe('service_task.due')
  expect(Math.abs(Date.parse(String(timestamp)) - Date.now())).toBeLessThan(60_000)
  expect(data).toEqual({
    title: '1 task due',
    text: 'Wäsche (Warbird): 12.4 of 9.3 mi',
    url: `${TRACKER}/#garage`,
    tasks: [
      {
        id: 1,
        name: 'Wäsche',
        state: 'overdue',
        bike_id: 1,
        bike: 'Warbird',
        part_id: null,
        part: null,
        axis: 'distance',
        used: {
          distance: expect.closeTo(20_000, -1),
          moving_time: expect.any(Number),
          days: expect.any(Number),
        },
        every: { distance: 15_000, moving_time: null, days: null },
      },
    ],
  })
  request!.body[0]! ^= 1
  expect(() => verified(request!)).toThrow('No matching signature found')
})

test('a channel that fails is tried again with the same id, until it works', async () => {
  webhook.replies[HOOK] = 401
  await becomeDue()
  expect(await stateOf('webhook')).toEqual({ sent: false, failed: true, error: '401' })
  await tracker.update('schedule')
  // A quick check that finds no changes tries again, too.
  expect((await tracker.check()).body.status).toBe('unchanged')
  webhook.replies[HOOK] = 500
  await tracker.check()
  expect(await stateOf('webhook')).toEqual({ sent: false, failed: true, error: '500' })
  webhook.replies[HOOK] = 204
  await tracker.check()
  await tracker.check()
  await tracker.update('schedule')

  expect(ntfy.received).toHaveLength(1)
  expect(webhook.received).toHaveLength(5)
  expect(new Set(webhook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(webhook.received.map(({ body }) => body.toString())).size).toBe(1)
  for (const request of webhook.received) verified(request)
  expect(await stateOf('webhook')).toEqual({ sent: true, failed: true, error: null })
})

test('follows no redirect, not even to an allowed host', async () => {
  webhook.replies[HOOK] = { location: `${ntfy.url}/elsewhere` }
  await becomeDue()
  expect(ntfy.received.map(({ path }) => path)).toEqual([TOPIC])
  expect(await stateOf('webhook')).toMatchObject({ error: '307, which redirects' })
})

// Hosted projects run each function in its own process. Then only update-rides is served here.
test.skipIf(process.env.TEST_DENO)(
  'a test is sent through one channel, and its result is shown',
  async () => {
    const { status, body } = await ask({ test: 'ntfy' })
    expect(status).toBe(200)
    expect(body.channels.map(({ channel, target, error }) => [channel, target, error])).toEqual([
      ['ntfy', `${new URL(ntfy.url).host}${TOPIC}`, null],
      ['webhook', new URL(webhook.url).host, null],
    ])
    expect(ntfy.received.map(({ headers }) => headers.title)).toEqual(['Test of the maintenance tracker'])
    expect(webhook.received).toEqual([])

    webhook.replies[HOOK] = 404
    const { channels } = (await ask({ test: 'webhook' })).body
    expect(channels[1]).toMatchObject({ channel: 'webhook', sent_at: null, error: '404' })
    expect(verified(webhook.received[0]!).type).toBe('test')
  },
)

test('the log and the answers contain no secret', async () => {
  webhook.replies[HOOK] = 500
  await becomeDue()
  await webhook.close()
  await tracker.update('schedule')
  expect(await stateOf('webhook')).toMatchObject({ error: 'could not be reached' })
  expect(tracker.functions.output()).toContain('"event":"notification_failed","channel":"webhook"')
  expect(tracker.functions.output()).not.toMatch(/planted/)
  expect(tracker.functions.output()).not.toContain(SECRET)
})
