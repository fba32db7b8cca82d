import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { decryptPush, newBrowser, readToken } from '../../supabase/functions/_shared/channels/testing.ts'
import { Answer } from '../../supabase/functions/channels/contract.ts'
import { checked } from '../contract.ts'
import { world } from '../world.ts'
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
let receivers: Receiver[]
let pushes: Receiver
let ntfy: Receiver
let webhook: Receiver
let tracker: Tracker
beforeAll(async () => {
  ;[project, rwgps, ...receivers] = await Promise.all([
    openProject(),
    startRideWithGps(),
    startReceiver(),
    startReceiver(),
    startReceiver(),
  ])
  ;[pushes, ntfy, webhook] = receivers as [Receiver, Receiver, Receiver]
  tracker = await connect(project, rwgps, {
    ...SIGN_IN,
    TRACKER_URL: TRACKER,
    VAPID_PUBLIC_KEY: project.secrets.vapid.publicKey,
    VAPID_PRIVATE_KEY: project.secrets.vapid.privateKey,
    VAPID_SUBJECT: 'mailto:owner@example.com',
    PUSH_BASE_URL: pushes.url,
    NTFY_URL: ntfy.url + TOPIC,
    NTFY_TOKEN: TOKEN,
    WEBHOOK_URL: webhook.url + HOOK,
    WEBHOOK_SECRET: SECRET,
  })
})
beforeEach(async () => {
  for (const receiver of receivers) receiver.reset()
  await tracker.reset()
  await project.query('truncate private.push_subscriptions, private.announced_tasks, private.channel_states')
})
afterAll(async () => {
  await tracker.close()
  await Promise.all(receivers.map((receiver) => receiver.close()))
})

const origin = 'https://updates.push.services.mozilla.com'
const browser = (path: string) => newBrowser(`${origin}${path}`)

async function subscribe({ subscription }: ReturnType<typeof browser>) {
  const response = await fetch(`${project.url}/rest/v1/rpc/run_command`, {
    method: 'POST',
    headers: {
      apikey: project.secrets.publishableKey,
      authorization: `Bearer ${project.ownerToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ command: 'add_push_subscription', arguments: subscription }),
  })
  expect(response.status).toBe(200)
}

/** Syncs a 20 km ride on a bike whose task is due after 15 km. */
async function becomeDue() {
  rwgps.behavior.gear = [{ id: 1, nickname: 'Warbird' }]
  await tracker.update('schedule')
  await project.query(world({ tasks: [{ bike: 1, name: 'Wäsche', every_distance: 15_000 }] }))
  rwgps.behavior.trips = [trip(1, { gear_id: 1 })]
  expect((await tracker.update('schedule')).body.status).toBe('ok')
}

test('a scheduled sync notifies each browser once, encrypted and signed, and forgets those that are gone', async () => {
  const [phone, laptop] = [browser('/phone'), browser('/laptop')]
  for (const each of [phone, laptop, browser('/gone')]) await subscribe(each)
  pushes.replies['/gone'] = 410
  await becomeDue()
  expect(pushes.received.map(({ path }) => path).toSorted()).toEqual(['/gone', '/laptop', '/phone'])
  for (const { path, headers, body } of pushes.received.filter((request) => request.path !== '/gone')) {
    expect(body.includes('Wäsche')).toBe(false)
    const text = decryptPush(path === '/phone' ? phone : laptop, body)
    expect(JSON.parse(text)).toEqual({ title: '1 task due', body: 'Wäsche (Warbird): 12.4 of 9.3 mi' })
    const { aud, exp, sub } = readToken(headers.authorization as string, project.secrets.vapid.publicKey)
    expect([aud, sub]).toEqual([origin, 'mailto:owner@example.com'])
    const left = Number(exp) - Date.now() / 1000
    expect(left > 0 && left <= 24 * 3600).toBe(true)
  }
  await tracker.update('schedule')
  expect(pushes.received).toHaveLength(3)
  const left = await project.query<{ endpoint: string }>('select endpoint from private.push_subscriptions')
  expect(left.map(({ endpoint }) => endpoint.replace(origin, '')).toSorted()).toEqual(['/laptop', '/phone'])
})

test('a refused sign-in is announced once until a sync succeeds', async () => {
  const phone = browser('/phone')
  await subscribe(phone)
  const statuses = []
  // After the token is refused, the next sync sends the password.
  for (const status of [null, 401, 401, 401, 503, null, 401, 401, 401]) {
    rwgps.behavior.always = status ? { user: { status } } : {}
    statuses.push((await tracker.update('schedule')).status)
  }
  expect(statuses).toEqual([200, 502, 502, 502, 502, 200, 502, 502, 502])
  expect(pushes.received.map(({ body }) => JSON.parse(decryptPush(phone, body)).title)).toEqual([
    'Ride with GPS refused the sign-in',
    'Ride with GPS refused the sign-in',
  ])
})

async function pushedByCheck(): Promise<number> {
  const before = pushes.received.length
  expect(await tracker.check()).toMatchObject({ status: 200, body: { status: 'unchanged' } })
  return pushes.received.length - before
}

test('the first check of the owner’s day announces what became due by date', async () => {
  await subscribe(browser('/phone'))
  rwgps.behavior.gear = [{ id: 1, nickname: 'Warbird' }]
  rwgps.behavior.trips = [trip(1, { gear_id: 1 })]
  await tracker.update('schedule')
  await project.query(world({ tasks: [{ bike: 1, name: 'Wash', days: 1 }] }))
  // In this time zone, it is noon, so midnight is hours away.
  const hours = 12 - new Date().getUTCHours()
  const zone = `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`
  await project.query(`update private.owner set time_zone = '${zone}'`)
  const setLastCheck = (minutes: number) =>
    project.query(`update public.ride_syncs set checked_at =
      date_trunc('day', now(), '${zone}') + interval '${minutes} minutes', finished_at = now() - interval '1 day'`)

  // The check runs ten minutes later.
  await setLastCheck(10)
  expect(await pushedByCheck()).toBe(0)
  await setLastCheck(9)
  expect(await pushedByCheck()).toBe(1)
  expect(await pushedByCheck()).toBe(0)
  await project.query('truncate private.announced_tasks')
  await setLastCheck(9)
  rwgps.behavior.trips = [trip(2, { gear_id: 1 }), ...rwgps.behavior.trips]
  const sent = pushes.received.length
  expect((await tracker.check()).body).toMatchObject({ status: 'ok' })
  expect(pushes.received).toHaveLength(sent + 1)
})

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
    'x-sequence-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
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
    limits: [],
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
        fraction: expect.closeTo(4 / 3, 2),
        due_on: null,
        item_type: null,
        group: null,
        others: [],
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
    webhook.replies[HOOK] = 404
    const response = await fetch(`${tracker.functions.url}/functions/v1/channels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project.ownerToken}`, 'content-type': 'application/json' },
      body: '{"test": "webhook"}',
    })
    const { channels } = checked(Answer, await response.json())
    expect(channels.map(({ channel, target, error }) => [channel, target, error])).toEqual([
      ['web_push', null, null],
      ['ntfy', `${new URL(ntfy.url).host}${TOPIC}`, null],
      ['webhook', new URL(webhook.url).host, '404'],
    ])
    expect([verified(webhook.received[0]!).type, ntfy.received]).toEqual(['test', []])
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
