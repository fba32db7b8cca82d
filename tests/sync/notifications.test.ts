import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { decryptPush, newBrowser, readToken } from '../../supabase/functions/_shared/channels/testing.ts'
import { openProject, type Project } from './project.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type RideWithGps, SIGN_IN, startRideWithGps } from './ride-with-gps.ts'
import { connect, type Tracker } from './tracker.ts'
import { trip } from './trips.ts'

let project: Project
let rwgps: RideWithGps
let pushes: Receiver
let tracker: Tracker
beforeAll(async () => {
  ;[project, rwgps, pushes] = await Promise.all([openProject(), startRideWithGps(), startReceiver()])
  tracker = await connect(project, rwgps, {
    ...SIGN_IN,
    VAPID_PUBLIC_KEY: project.secrets.vapid.publicKey,
    VAPID_PRIVATE_KEY: project.secrets.vapid.privateKey,
    VAPID_SUBJECT: 'mailto:owner@example.com',
    PUSH_BASE_URL: pushes.url,
  })
})
beforeEach(async () => {
  pushes.received.length = 0
  await tracker.reset()
  await project.query('truncate private.push_subscriptions, private.announced_tasks')
})
afterAll(async () => {
  await tracker.close()
  await pushes.close()
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
async function becomeDue(by: 'owner' | 'schedule', id = 1) {
  rwgps.behavior.gear = [{ id: 1, nickname: 'Warbird' }]
  await tracker.update(by)
  await project.query(
    `insert into public.service_tasks (gear_id, name, every_distance) values (1, 'Wash', 15000)`,
  )
  rwgps.behavior.trips = [trip(id, { gear_id: 1 })]
  return tracker.update(by)
}

test('a scheduled sync notifies each browser once, encrypted and signed', async () => {
  const [phone, laptop] = [browser('/phone'), browser('/laptop')]
  await subscribe(phone)
  await subscribe(laptop)
  expect((await becomeDue('schedule')).status).toBe(200)
  expect(pushes.received.map(({ path }) => path).toSorted()).toEqual(['/laptop', '/phone'])
  for (const { path, headers, body } of pushes.received) {
    expect(body.includes('Wash')).toBe(false)
    const text = decryptPush(path === '/phone' ? phone : laptop, body)
    expect(JSON.parse(text)).toEqual({ title: '1 task due', body: 'Wash (Warbird): 12.4 of 9.3 mi' })
    const { aud, exp, sub } = readToken(headers.authorization as string, project.secrets.vapid.publicKey)
    expect([aud, sub]).toEqual([origin, 'mailto:owner@example.com'])
    const left = Number(exp) - Date.now() / 1000
    expect(left > 0 && left <= 24 * 3600).toBe(true)
  }
  await tracker.update('schedule')
  expect(pushes.received).toHaveLength(2)
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
  await project.query(`insert into public.service_tasks (gear_id, name, every_days) values (1, 'Wash', 1)`)
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

test('a sync succeeds when push services fail, and removes browsers that are gone', async () => {
  Object.assign(pushes.replies, { '/gone': 410, '/broken': 500 })
  for (const path of ['/gone', '/broken', '/fine']) await subscribe(browser(path))
  const { status, body } = await becomeDue('owner')
  expect([status, body.status, pushes.received.length]).toEqual([200, 'ok', 3])
  expect((await tracker.history()).map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
  const left = await project.query<{ endpoint: string }>('select endpoint from private.push_subscriptions')
  expect(left.map(({ endpoint }) => endpoint.replace(origin, '')).toSorted()).toEqual(['/broken', '/fine'])
  const log = () => tracker.functions.output()
  await expect.poll(log).toContain('"event":"notified","tasks":1,"sent":1,"gone":1,"failed":1')
  expect(log()).not.toMatch(/\/(?:gone|broken|fine)/)
})

async function sendTest() {
  const response = await fetch(`${tracker.functions.url}/functions/v1/channels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${project.ownerToken}` },
    body: '{"test": "web_push"}',
  })
  const { channels } = (await response.json()) as { channels: { channel: string; error: string | null }[] }
  return channels.map(({ channel, error }) => [channel, error])
}

// Hosted projects run each function in its own process. Then only update-rides is served here.
test.skipIf(process.env.TEST_DENO)('a test reaches every browser', async () => {
  expect(await sendTest()).toEqual([['web_push', 'notifications are off in all browsers']])
  const phone = browser('/phone')
  await subscribe(phone)
  expect(await sendTest()).toEqual([['web_push', null]])
  expect(pushes.received.map(({ body }) => JSON.parse(decryptPush(phone, body)).title)).toEqual([
    'Test of the maintenance tracker',
  ])
})
