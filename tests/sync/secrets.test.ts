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

/** A body that repeats every secret, like a careless error page. */
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

function revealingEncodings(secret: string): string[] {
  const query = new URLSearchParams({ x: secret }).toString().slice(2)
  const base64 = [0, 1, 2].map((shift) =>
    // Drop the first and last characters, which depend on the neighboring bytes.
    Buffer.from('\0'.repeat(shift) + secret)
      .toString('base64')
      .replace(/=+$/, '')
      .slice(shift ? 4 : 0, -4),
  )
  const json = JSON.stringify(secret).slice(1, -1)
  return [secret, encodeURIComponent(secret), encodeURI(secret), query, json, ...base64]
}

test('no output, response or row contains credentials, tokens or keys, whatever fails', async () => {
  const { secrets, url, ownerToken } = tracker.project
  const responses: string[] = []
  const update = async (which: Tracker) => {
    const { body } = await which.update(responses.length % 2 ? 'owner' : 'schedule')
    responses.push(JSON.stringify(body))
  }
  for (const call of ['user', 'trips'] as const) {
    for (const fault of faults) {
      tracker.rwgps.reset()
      tracker.rwgps.behavior.always[call] = fault
      await update(tracker)
    }
  }
  tracker.rwgps.reset()
  tracker.rwgps.behavior.trips = [trip(4, { distance: PLANTED.token, name: [echo] }), ...trips(3)]
  await update(tracker)
  const unreachable = await connect(tracker.project, tracker.rwgps, {
    ...SIGN_IN,
    RWGPS_BASE_URL: 'http://ridewithgps.invalid',
  })
  await update(unreachable)
  await unreachable.functions.stop()
  // A database error message may quote the row's values.
  tracker.rwgps.behavior.trips = trips(6)
  await tracker.project.query('alter table public.rides add constraint broken check (id < 0) not valid')
  await update(tracker)

  const rows = await tracker.project.query<{ row: string }>(
    `select to_jsonb(sync)::text as row from public.ride_syncs as sync
    union all select to_jsonb(ride)::text from public.rides as ride`,
  )
  const output = tracker.functions.output() + unreachable.functions.output()
  const everything = [...responses, ...rows.map(({ row }) => row), output].join('\n')
  expect(responses).toHaveLength(faults.length * 2 + 3)
  expect(new Set(responses.map((response) => JSON.parse(response).code))).toContain('internal')
  expect(output.split('\n').length).toBeGreaterThan(40)

  const { jwtSecret, secretKey, scheduleKey } = secrets
  const planted = [...Object.values(PLANTED), jwtSecret, secretKey, scheduleKey, ownerToken]
  for (const encoded of planted.flatMap(revealingEncodings)) {
    expect(encoded.length).toBeGreaterThan(10)
    expect(everything).not.toContain(encoded)
  }
  expect(everything).not.toContain(`${url}/`)
  expect(everything).not.toMatch(/[?&](?:email|password|apikey|auth_token)=/i)
})
