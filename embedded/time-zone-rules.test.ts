import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMigrated } from '../tests/postgres.ts'
import type { Database } from './database.ts'
import { ensureOwner } from './owner.ts'
import { createSecrets } from './secrets.ts'
import { deriveRides, differingRules } from './time-zone-rules.ts'

type Rules = Record<string, [since: string, minutes: number][]>

// From the files "northamerica" and "africa" of tzdata 2025b and 2026c: Alberta stays on summer time, and Morocco went back to
// GMT+0.
const RULES_2025B: Rules = {
  'America/Edmonton': [
    ['2025-11-02T08:00:00Z', -420],
    ['2026-03-08T09:00:00Z', -360],
    ['2026-11-01T08:00:00Z', -420],
    ['2027-03-14T09:00:00Z', -360],
  ],
  'Africa/Casablanca': [
    ['2025-04-06T02:00:00Z', 60],
    ['2026-02-15T02:00:00Z', 0],
    ['2026-03-22T02:00:00Z', 60],
    ['2027-02-07T02:00:00Z', 0],
    ['2027-03-14T02:00:00Z', 60],
  ],
  'America/New_York': [['2025-01-01T00:00:00Z', -300]],
}
const RULES_2026C: Rules = {
  ...RULES_2025B,
  'America/Edmonton': [
    ['2025-11-02T08:00:00Z', -420],
    ['2026-03-08T09:00:00Z', -360],
  ],
  'Africa/Casablanca': [
    ['2025-04-06T02:00:00Z', 60],
    ['2026-02-15T02:00:00Z', 0],
    ['2026-03-22T02:00:00Z', 60],
    ['2026-09-20T01:00:00Z', 0],
  ],
}

let database: Database
beforeAll(async () => {
  database = await openMigrated()
  const account = { ownerEmail: 'owner@example.com', ownerPassword: 'password' }
  await ensureOwner(database, createSecrets(), account)
})
afterAll(() => database.close())
beforeEach(() => database.sql`truncate public.rides`)

/** Lets PostgreSQL compute with these rules. Other zones are UTC. */
async function usePostgresRules(rules: Rules): Promise<void> {
  const rows = Object.entries(rules).flatMap(([zone, spans]) =>
    spans.map(([since, minutes]) => `when $1 = '${zone}' and $2 >= '${since}' then ${minutes}`).toReversed(),
  )
  await database.sql.unsafe(`
    create or replace function pg_catalog.timezone(text, timestamptz) returns timestamp language sql immutable parallel safe
    as $$ select timestamp '2000-01-01' + ($2 - timestamptz '2000-01-01 00:00:00Z')
      + make_interval(mins => case ${rows.join(' ')} else 0 end) $$;
    -- Plans outlive changes of PostgreSQL's own functions.
    discard plans`)
}

const offsetIn =
  (rules: Rules) =>
  (zone: string, instant: Date): number => {
    const spans = rules[zone]
    if (!spans) throw new RangeError(`Invalid time zone: ${zone}`)
    return spans.findLast(([since]) => new Date(since) <= instant)![1]
  }

const store = (id: number, zone: string, departed: string) =>
  database.sql`insert into public.rides (id, time_zone, departed_at, distance) values (${id}, ${zone}, ${departed}, 1000)`

const starts = async () =>
  Object.fromEntries(
    (await database.sql`select id, started_at::text from public.rides order by id`).map((ride) => [
      ride['id'],
      ride['started_at'],
    ]),
  )

describe('after PostgreSQL got new rules', () => {
  test('computes the start of the rides again that are concerned, and announces nothing', async () => {
    const { sql } = database
    await sql`insert into public.ride_syncs (triggered_by, outcome, finished_at, rwgps_user_id) values ('owner', 'ok', now(), 7)`
    await usePostgresRules(RULES_2025B)
    // At 0:20 on November 16 by the new rules.
    await store(1, 'America/Edmonton', '2026-11-16T06:20:00Z')
    await store(2, 'America/Edmonton', '2026-07-01T06:20:00Z')
    await store(3, 'Africa/Casablanca', '2026-10-10T23:30:00Z')
    await store(4, 'America/New_York', '2026-11-16T06:20:00Z')
    const before = await starts()
    expect(before).toMatchObject({ 1: '2026-11-15 23:20:00', 3: '2026-10-11 00:30:00' })
    expect(await deriveRides(sql)).toBe(0)

    await usePostgresRules(RULES_2026C)
    expect(await starts()).toEqual(before)
    expect(await deriveRides(sql)).toBe(2)
    expect(await starts()).toEqual({ ...before, 1: '2026-11-16 00:20:00', 3: '2026-10-10 23:30:00' })
    expect(await deriveRides(sql)).toBe(0)
    expect(await sql`select from public.ride_changes`).toEqual([])
  })
})

describe('names the zones whose rules differ from those of Node.js', () => {
  const now = new Date('2026-11-28T10:00:00Z')
  const find = (rules: Rules) => differingRules(database.sql, { now, offsetAt: offsetIn(rules) })

  beforeEach(async () => {
    await usePostgresRules(RULES_2025B)
    await database.sql`update private.owner set time_zone = 'America/Edmonton'`
    await store(1, 'Africa/Casablanca', '2026-05-10T10:00:00Z')
    await store(2, 'America/New_York', '2026-05-10T10:00:00Z')
  })

  test('with the first day that differs', async () => {
    expect(await find(RULES_2026C)).toEqual([
      { zone: 'Africa/Casablanca', day: '2026-09-20' },
      { zone: 'America/Edmonton', day: '2026-11-01' },
    ])
    expect(await find(RULES_2025B)).toEqual([])
  })

  test('unless only rides of earlier years have them', async () => {
    await database.sql`update public.rides set departed_at = '2025-05-10T10:00:00Z' where id = 1`
    expect(await find(RULES_2026C)).toEqual([{ zone: 'America/Edmonton', day: '2026-11-01' }])
  })

  test('unless Node.js does not know a zone', async () => {
    expect(await find({ 'Africa/Casablanca': RULES_2026C['Africa/Casablanca']! })).toEqual([
      { zone: 'Africa/Casablanca', day: '2026-09-20' },
    ])
  })
})

test('reads the rules of Node.js', async () => {
  await usePostgresRules({
    'Asia/Kolkata': [['2020-01-01T00:00:00Z', 330]],
    UTC: [['2020-01-01T00:00:00Z', 0]],
  })
  await database.sql`update private.owner set time_zone = 'Asia/Kolkata'`
  await store(1, 'America/Caracas', new Date(Date.now() - 86_400_000).toISOString())
  await store(2, 'UTC', new Date(Date.now() - 86_400_000).toISOString())
  expect((await differingRules(database.sql)).map(({ zone }) => zone)).toEqual(['America/Caracas'])
})
