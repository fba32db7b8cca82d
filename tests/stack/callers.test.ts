import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FUNCTIONS } from '../../scripts/doctor/hosted-project.ts'
import { checked } from '../contract.ts'
import { PLANTED } from '../sync/ride-with-gps.ts'
import { trips } from '../sync/trips.ts'
import { invalidTokens } from '../tokens.ts'
import { ANOTHER, OWNER, startSharedTracker, type SharedTracker } from './shared-tracker.ts'

type Headers = Record<string, string>

// These have tokens of their own instead, and files.test.ts tests files, which are no JSON.
const WITH_SESSION = FUNCTIONS.filter((name) => !['calendar', 'api', 'mcp', 'files'].includes(name))
// Functions check callers with the same code, which supabase/functions/_shared/http/auth_test.ts and caller_test.ts test. So one case
// per rule is enough for most.
const WITH_EVERY_TOKEN = new Set(['update-rides', 'maintenance-use'])
const EXAMPLES = new Set([
  'a request without credentials',
  'a token with the algorithm "none"',
  'the secret key as an apikey',
])

const BIKE = 1
const bearing = (token: string): Headers => ({ authorization: `Bearer ${token}` })

let tracker: SharedTracker
/** Every token that was sent. No token may appear in the log. */
const sent = new Set<string>()

beforeAll(async () => {
  tracker = await startSharedTracker()
  tracker.rwgps.behavior.gear = [{ id: BIKE, nickname: 'Road' }]
  tracker.rwgps.behavior.trips = trips(3)
  await call('update-rides', asOwner())
})
afterAll(() => tracker.stop())

let before: string
beforeEach(async () => {
  tracker.rwgps.requests.length = 0
  before = await storedRows()
})

const asOwner = () => bearing(tracker.tokens.owner)
const validBody = JSON.stringify({ gear_id: BIKE })

async function call(name: string, headers: Headers, init: RequestInit = {}) {
  for (const value of Object.values(headers)) sent.add(value.replace('Bearer ', ''))
  const body = name === 'maintenance-use' ? validBody : '{}'
  const response = await fetch(`${tracker.stack.url}/functions/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    ...init,
  })
  const result = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined
  return { status: response.status, result, code: result?.code, headers: response.headers }
}

async function storedRows(): Promise<string> {
  const rows = await tracker.sql`
    select
      (select json_agg(bike order by gear_id) from public.bikes as bike) as bikes,
      (select json_agg(ride order by id) from public.rides as ride) as rides,
      (select json_agg(sync order by id) from public.ride_syncs as sync) as syncs`
  return JSON.stringify(rows)
}

async function expectNoEffect() {
  expect(tracker.rwgps.requests).toEqual([])
  expect(await storedRows()).toBe(before)
}

describe.each(WITH_SESSION)('%s', (name) => {
  test('serves the owner', async () => {
    const { status, result } = await call(name, asOwner())
    expect(status).toBe(200)
    const { Answer } = await import(`../../supabase/functions/${name}/contract.ts`)
    checked(Answer, result)
  })

  const strangers: [who: string, headers: () => Headers][] = [
    ['a request without credentials', () => ({})],
    ...invalidTokens.map(({ what, make }): [string, () => Headers] => [
      `a token ${what}`,
      () => bearing(make(tracker.tokens.owner, tracker.secrets)),
    ]),
    ['the publishable key as a bearer', () => bearing(tracker.secrets.publishableKey)],
    ['the secret key as a bearer', () => bearing(tracker.secrets.secretKey)],
    ['the secret key as an apikey', () => ({ apikey: tracker.secrets.secretKey })],
    ['the schedule key as a bearer', () => bearing(tracker.secrets.scheduleKey)],
    ['a wrong schedule key', () => ({ 'x-schedule-key': `${tracker.secrets.scheduleKey.slice(0, -1)}!` })],
    ['an empty schedule key', () => ({ 'x-schedule-key': '' })],
    ['a wrong secret key', () => ({ 'x-secret-key': `${tracker.secrets.secretKey.slice(0, -1)}!` })],
    ['an empty secret key', () => ({ 'x-secret-key': '' })],
    ['the token with another scheme', () => ({ authorization: `Basic ${tracker.tokens.owner}` })],
  ]

  const tried = strangers.filter(([who]) => WITH_EVERY_TOKEN.has(name) || EXAMPLES.has(who))
  test.each(tried)('rejects %s', async (_, headers) => {
    expect(await call(name, headers())).toMatchObject({ status: 401, code: 'unauthorized' })
    await expectNoEffect()
  })

  test('rejects another user', async () => {
    expect(await call(name, bearing(tracker.tokens.another))).toMatchObject({
      status: 403,
      code: 'forbidden',
    })
    await expectNoEffect()
  })
})

test('the schedule key only works for update-rides', async () => {
  const asSchedule = { 'x-schedule-key': tracker.secrets.scheduleKey }
  expect(await call('maintenance-use', asSchedule)).toMatchObject({ status: 401, code: 'unauthorized' })
  await expectNoEffect()
  expect((await call('update-rides', asSchedule)).status).toBe(200)
  expect(tracker.rwgps.requests).not.toEqual([])
  expect(await storedRows()).toContain('"triggered_by":"schedule"')
})

test('logs no tokens, keys or credentials', async () => {
  const { secrets, stack } = tracker
  await call(`update-rides?apikey=${secrets.secretKey}&email=${encodeURIComponent(OWNER.email)}`, {})
  const { jwtSecret, publishableKey, secretKey, scheduleKey } = secrets
  const planted = [
    jwtSecret,
    publishableKey,
    secretKey,
    scheduleKey,
    OWNER.password,
    ...Object.values(PLANTED),
    ...sent,
  ]
  const log = stack.output().replace(/^E-mail: .*$/m, '')
  expect(log.match(/"refused"/g)!.length).toBeGreaterThan(50)
  expect(sent.size).toBeGreaterThan(15)
  expect(planted.filter((secret) => secret.length > 3 && log.includes(secret))).toEqual([])
  expect(log).not.toMatch(/@|\?|eyJ/)
  expect(log).not.toContain(ANOTHER.email)
})
