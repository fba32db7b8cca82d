import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fault } from './faults.ts'
import { PLANTED, SIGN_IN } from './ride-with-gps.ts'
import { openTracker, connect, type Tracker } from './tracker.ts'
import { trip, trips } from './trips.ts'

let tracker: Tracker
beforeAll(async () => {
  tracker = await openTracker()
})
afterAll(() => tracker.close())

/** A body that gives back everything that a request carried, as a careless server's error page might. */
const echo = JSON.stringify({ error: Object.values(PLANTED).join(' '), ...PLANTED })

const faults: Fault[] = [
  { status: 401, body: echo },
  { status: 403, headers: { 'www-authenticate': `Basic ${PLANTED.token}` }, body: echo },
  { status: 404, body: echo },
  { status: 429, headers: { 'retry-after': '3600' }, body: echo },
  { status: 500, headers: { 'retry-after': '0' }, body: echo },
  { status: 200, body: echo },
  { status: 200, body: `<html>${echo}` },
  { status: 302, headers: { location: `/login?email=${encodeURIComponent(PLANTED.email)}` }, body: echo },
  { truncatedTo: 0.9 },
  'reset',
  'cut',
]

/** A secret in every spelling that could give it away. */
function spellings(secret: string): string[] {
  const query = new URLSearchParams({ x: secret }).toString().slice(2)
  const base64 = [0, 1, 2].map((shift) =>
    // The characters that hang over at either end depend on the neighbours.
    Buffer.from('\0'.repeat(shift) + secret)
      .toString('base64')
      .replace(/=+$/, '')
      .slice(shift ? 4 : 0, -4),
  )
  const json = JSON.stringify(secret).slice(1, -1)
  return [secret, encodeURIComponent(secret), encodeURI(secret), query, json, ...base64]
}

test('credentials, tokens and keys are in no output, no answer and no row, whatever fails', async () => {
  const { secrets, url, ownerToken } = tracker.project
  const told: string[] = []
  const run = async (which: Tracker) => {
    const { body } = await which.update(told.length % 2 ? 'owner' : 'schedule')
    told.push(JSON.stringify(body))
  }
  for (const call of ['user', 'trips'] as const) {
    for (const fault of faults) {
      tracker.rwgps.reset()
      tracker.rwgps.play.always[call] = fault
      await run(tracker)
    }
  }
  tracker.rwgps.reset()
  tracker.rwgps.play.trips = [trip(4, { distance: PLANTED.token, name: [echo] }), ...trips(3)]
  await run(tracker)
  const unreachable = await connect(tracker.project, tracker.rwgps, {
    ...SIGN_IN,
    RWGPS_BASE_URL: 'http://ridewithgps.invalid',
  })
  await run(unreachable)
  await unreachable.functions.stop()
  // The database fails too: with its own words, which may quote what it was given.
  tracker.rwgps.play.trips = trips(6)
  await tracker.project.query('alter table public.rides add constraint broken check (id < 0) not valid')
  await run(tracker)

  const ledger = await tracker.project.query<{ row: string }>(
    `select to_jsonb(run)::text as row from public.ride_syncs as run
    union all select to_jsonb(ride)::text from public.rides as ride`,
  )
  const output = tracker.functions.output() + unreachable.functions.output()
  const everything = [...told, ...ledger.map(({ row }) => row), output].join('\n')
  expect(told).toHaveLength(faults.length * 2 + 3)
  expect(new Set(told.map((answer) => JSON.parse(answer).code))).toContain('internal')
  expect(output.split('\n').length).toBeGreaterThan(40)

  const { jwtSecret, secretKey, scheduleKey } = secrets
  const planted = [...Object.values(PLANTED), jwtSecret, secretKey, scheduleKey, ownerToken]
  for (const spelling of planted.flatMap(spellings)) {
    expect(spelling.length).toBeGreaterThan(10)
    expect(everything).not.toContain(spelling)
  }
  expect(everything).not.toContain(`${url}/`)
  expect(everything).not.toMatch(/[?&](?:email|password|apikey|auth_token)=/i)
})
