import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { PartHistory, Usage } from '../../supabase/functions/maintenance-use/contract.ts'
import { openMigratedDatabase, OWNER, type Row, SIGN_IN_OWNER, type TestDatabase } from './databases.ts'
import {
  type Earlier,
  earlierUsage,
  plainLifetime,
  plainUsage,
  type UsageItem,
  type UsageRide,
} from './usage.ts'

const BIKES = [1, 2, 3]
/** A bike that has been deleted on Ride with GPS. */
const GONE = 4

// Only a few days, so different parts' periods often start, end and touch at the same times.
const days = fc.integer({ min: 1, max: 9 }).map((day) => `2024-03-0${day}T01:00:00`)
// On the hour, around midnight and 01:00, so many rides start exactly when a period starts or ends.
const instants = fc
  .record({ day: fc.integer({ min: 1, max: 9 }), hour: fc.constantFrom('00', '01', '02', '23') })
  .map(({ day, hour }) => `2024-03-0${day}T${hour}:00:00Z`)

const rides: fc.Arbitrary<UsageRide[]> = fc
  .array(
    fc.record({
      gear_id: fc.constantFrom(...BIKES, null),
      departed_at: fc.option(fc.oneof(instants, fc.constant('2199-01-01T00:00:00Z')), { freq: 9 }),
      created_at: fc.option(instants, { freq: 9 }),
      time_zone: fc.constantFrom('UTC', 'UTC', 'America/New_York', 'Pacific/Auckland'),
      distance: fc.option(fc.integer({ min: 0, max: 200_000_000 }).map((millimeters) => millimeters / 1000)),
      duration: fc.option(fc.integer({ min: 0, max: 90_000 })),
      moving_time: fc.option(fc.integer({ min: 0, max: 90_000 })),
    }),
    { maxLength: 40 },
  )
  .map((list) => list.map((ride, index) => ({ ...ride, id: index + 1 })))

type Period = UsageItem & Earlier & { part_id: number; ended_as: string | null; cost: number }

/** Generates a part's periods: between two days, it is either on a bike or stored. The last period may be open. */
const periods = fc
  .record({
    days: fc.uniqueArray(days, { minLength: 1, maxLength: 6 }),
    bikes: fc.array(fc.constantFrom(...BIKES, null), { minLength: 6, maxLength: 6 }),
    ended_as: fc.constantFrom(null, 'worn', 'stored'),
    earlier: earlierUsage,
  })
  .map(({ days, bikes, ended_as, earlier }) =>
    days.toSorted().flatMap((dateStarted, index, sorted) => {
      const bikeId = bikes[index]
      const dateEnded = sorted[index + 1] ?? null
      if (!bikeId) return []
      const reason = dateEnded && ended_as
      return [{ bikeId, dateStarted, dateEnded, ended_as: reason, cost: index * 10.25, ...earlier }]
    }),
  )

const logs: fc.Arbitrary<Period[]> = fc
  .array(periods, { minLength: 1, maxLength: 6 })
  .map((parts) =>
    parts
      .flatMap((list, part) => list.map((period) => Object.assign({ part_id: part + 1 }, period)))
      .map((period, index) => Object.assign({ id: index + 1 }, period)),
  )

let database: TestDatabase
beforeAll(async () => {
  database = await openMigratedDatabase()
  await database.run(`
    ${SIGN_IN_OWNER};
    insert into public.bikes (gear_id, name) values (1, 'Road'), (2, 'Gravel'), (3, 'Trail'), (4, 'Gone');
    update public.bikes set is_listed = false where gear_id = 4`)
})
afterAll(() => database.close())

const literal = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`
const inMillimeters = <T extends { distance: number }>(usage: T): T => ({
  ...usage,
  distance: Math.round(usage.distance * 1000),
})

const storeLog = (log: Period[]) => `
  truncate public.maintenance, public.parts restart identity cascade;
  insert into public.parts (id, earlier_distance, earlier_moving_time)
  select distinct part_id, earlier_distance, earlier_moving_time from jsonb_to_recordset(${literal(log)})
    as period (part_id bigint, earlier_distance numeric, earlier_moving_time integer);
  insert into public.maintenance (id, "bikeId", part_id, name, cost, "dateStarted", "dateEnded", ended_as)
  select id, "bikeId", part_id, 'Part ' || part_id, cost, "dateStarted", "dateEnded", ended_as
  from jsonb_populate_recordset(null::public.maintenance, ${literal(log)});
  select setval('public.maintenance_id_seq', 1000), setval('public.parts_id_seq', 1000)`

const storeRides = (list: UsageRide[]) => `
  truncate public.rides;
  insert into public.rides (id, gear_id, departed_at, created_at, time_zone, distance, duration, moving_time)
  select id, gear_id, departed_at, created_at, time_zone, distance, duration, moving_time
  from jsonb_populate_recordset(null::public.rides, ${literal(list)})`

async function valueOf(sql: string): Promise<unknown> {
  const results = await database.run(sql)
  return results.at(-1)![0]!['value']
}

function expectedPart(periods: Period[], rides: UsageRide[]) {
  const sorted = periods.toSorted((a, b) => (a.dateStarted < b.dateStarted ? -1 : 1))
  const { part_id, earlier_distance, earlier_moving_time } = periods[0]!
  const earlier = { earlier_distance, earlier_moving_time }
  return {
    part_id,
    item_ids: sorted.map(({ id }) => id),
    ...plainLifetime(periods, rides, Date.now(), earlier),
    ...earlier,
    cost: periods.reduce((sum, { cost }) => sum + cost, 0),
  }
}

type PartUsage = ReturnType<typeof expectedPart>

describe('lifetimes', () => {
  test('match a plain loop over all rides and periods, for the parts of any bike', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(logs, rides, async (log, rides) => {
        await database.run(`${storeLog(log)}; ${storeRides(rides)}`)
        for (const bike of BIKES) {
          const { parts } = await database.read(Usage, `public.maintenance_use(${bike})`)
          const onBike = new Set(log.filter(({ bikeId }) => bikeId === bike).map(({ part_id }) => part_id))
          const expected = [...onBike]
            .toSorted((a, b) => a - b)
            .map((part) =>
              expectedPart(
                log.filter(({ part_id }) => part_id === part),
                rides,
              ),
            )
          expect(parts.map(inMillimeters)).toEqual(expected.map((part) => ({ ...part, kind: null })))
          compared += expected.length
        }
      }),
      { numRuns: 30 },
    )
    expect(compared).toBeGreaterThan(0)
  })

  test('consist of the periods in the history of a part', async () => {
    await fc.assert(
      fc.asyncProperty(logs, rides, async (log, rides) => {
        await database.run(`${storeLog(log)}; ${storeRides(rides)}`)
        for (const part of new Set(log.map(({ part_id }) => part_id))) {
          const history = await database.read(PartHistory, `public.part_history(${part})`)
          const periods = log.filter(({ part_id }) => part_id === part)
          const expected = periods.map((period) => {
            const { rides: count, distance, moving_time } = plainUsage(period, rides, Date.now())
            return { id: period.id, gear_id: period.bikeId, rides: count, distance, moving_time }
          })
          expect(history.periods.map(inMillimeters)).toMatchObject(expected)
          const { part_id: _, item_ids: __, ...lifetime } = expectedPart(periods, rides)
          expect(inMillimeters(history.lifetime)).toMatchObject(lifetime)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('of stored parts match the loop', async () => {
    await fc.assert(
      fc.asyncProperty(logs, rides, async (log, rides) => {
        await database.run(`${storeLog(log)}; ${storeRides(rides)}`)
        const stored = (await valueOf(`select public.stored_parts() -> 'parts' as value`)) as PartUsage[]
        const expected = [...new Set(log.map(({ part_id }) => part_id))].flatMap((part) => {
          const periods = log.filter(({ part_id }) => part_id === part)
          const last = periods.toSorted((a, b) => (a.dateStarted < b.dateStarted ? -1 : 1)).at(-1)!
          return last.ended_as === 'stored' ? [{ ...expectedPart(periods, rides), item_id: last.id }] : []
        })
        expect(
          stored.map((part) => inMillimeters(part)).toSorted((a, b) => a.part_id - b.part_id),
        ).toMatchObject(expected)
      }),
      { numRuns: 30 },
    )
  })
})

type PutOn = {
  bikeId?: number
  part_of?: number
  replaces?: number
  name?: string
  cost?: number
}
type Change = {
  request_key: string
  day: string
  take_off: { id: number; ended_as: string | null }[]
  put_on: PutOn[]
  instead_of?: string
}

const MOVES = ['move', 'move', 'replace', 'store'] as const

/** Generates a log change, mostly of items in use, on a later day. Some items are gone, ended or already on that bike. */
const changesOf = (log: Period[]): fc.Arbitrary<Change> => {
  const open = log.filter(({ dateEnded }) => dateEnded === null).map(({ id }) => id)
  return fc
    .record({
      day: fc.oneof(
        { weight: 6, arbitrary: fc.constant('2024-03-10') },
        { weight: 3, arbitrary: days.map((day) => day.slice(0, 10)) },
        { weight: 1, arbitrary: fc.constant('2099-01-01') },
      ),
      moves: fc.uniqueArray(
        fc.record({
          id: fc.constantFrom(...open, ...open, ...open, ...log.map(({ id }) => id), 99),
          isStored: fc.boolean(),
          kind: fc.constantFrom(...MOVES),
          bikeId: fc.constantFrom(...BIKES, ...BIKES, ...BIKES, GONE, 99),
          ended_as: fc.constantFrom(null, 'worn', 'moved', 'stored'),
          name: fc.constantFrom('New', 'New', 'New', 'New', ' '),
        }),
        { minLength: 1, maxLength: 3, selector: ({ id }) => id },
      ),
    })
    .map(({ day, moves }) => ({
      request_key: randomUUID(),
      day,
      take_off: moves
        .filter(({ kind, isStored }) => kind !== 'move' || !isStored)
        .map(({ id, ended_as }) => ({ id, ended_as })),
      put_on: moves.flatMap(({ id, kind, bikeId, name }): PutOn[] => {
        if (kind === 'store') return []
        return [kind === 'move' ? { bikeId, part_of: id } : { replaces: id, name, cost: 12.5 }]
      }),
    }))
}

const table = async () =>
  (await valueOf(
    "select coalesce(jsonb_agg(to_jsonb(item) order by id), '[]') as value from public.maintenance as item",
  )) as Row[]
const changeSql = (value: Change) => `select public.change_parts(${literal(value)}) as value`
const change = (value: Change) => valueOf(changeSql(value))
const undo = (value: unknown) => valueOf(`select public.undo_change_parts(${literal(value)}) as value`)

const REFUSALS = ['RMT10', 'RMT11', 'RMT12', 'RMT13', 'RMT14', 'RMT15', 'RMT16', '23514']

/** Applies a change twice, as if a response had been lost, then undoes it twice. Returns the log after each step. */
async function applyAndUndo(wanted: Change) {
  const tables: Row[][] = []
  let changed: unknown = null
  let refusal: string | undefined
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      changed = await change(wanted)
    } catch (error) {
      refusal = (error as { code?: string }).code
    }
    tables.push(await table())
  }
  for (let attempt = 1; attempt <= 2; attempt++) {
    if (changed !== null) await undo(changed)
    tables.push(await table())
  }
  return { refusal, tables }
}

test('applies a change once, undoes it exactly, and changes nothing if it is refused', async () => {
  const anyChange = logs
    .filter((log) => log.length > 0)
    .chain((log) => fc.tuple(fc.constant(log), changesOf(log)))
    // Skip changes that only end items that have already ended: repeating an earlier end looks like a retry.
    .filter(
      ([log, { take_off, put_on }]) =>
        put_on.length > 0 ||
        take_off.some(({ id }) => log.find((item) => item.id === id)?.dateEnded === null),
    )
  let done = 0
  await fc.assert(
    fc.asyncProperty(anyChange, async ([log, wanted]) => {
      await database.run(storeLog(log))
      const before = await table()
      const { refusal, tables } = await applyAndUndo(wanted)
      const after = refusal ? before : tables[0]!
      expect([undefined, ...REFUSALS]).toContain(refusal)
      expect(after).toHaveLength(before.length + (refusal ? 0 : wanted.put_on.length))
      expect(tables).toEqual([after, after, before, before])
      done += refusal ? 0 : 1
    }),
    { numRuns: 30 },
  )
  expect(done).toBeGreaterThan(0)
})

const LOG: Period[] = [
  {
    id: 1,
    part_id: 1,
    bikeId: 1,
    dateStarted: '2024-03-01T01:00:00',
    dateEnded: null,
    ended_as: null,
    cost: 30,
    earlier_distance: null,
    earlier_moving_time: null,
  },
]
const ROUNDS = 8
const replacing = (request_key: string): Change => ({
  request_key,
  day: '2024-03-05',
  take_off: [{ id: 1, ended_as: 'worn' }],
  put_on: [{ replaces: 1, name: 'New', cost: 30 }],
})

const installing = (bikeId: number): Change => ({
  request_key: randomUUID(),
  day: '2024-03-05',
  take_off: [],
  put_on: [{ bikeId, part_of: 1 }],
})

/** Resolves to each statement's SQLSTATE or `ok`, sorted. */
async function inParallel(...statements: [string, string]) {
  const sessions = statements.map(() => connect(database.url, 1))
  await Promise.all(
    sessions.map((session) =>
      session.unsafe(`select set_config('request.jwt.claim.sub', '${OWNER}', false)`),
    ),
  )
  const outcomes = await Promise.all(
    statements.map((statement, index) =>
      sessions[index]!.unsafe(statement).then(
        () => 'ok',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  await Promise.all(sessions.map((session) => session.end()))
  return outcomes.toSorted()
}
describe('two parallel requests', () => {
  test('replace an item once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await database.run(storeLog(LOG))
      const tabs = [replacing(randomUUID()), replacing(randomUUID())].map(changeSql) as [string, string]
      expect(await inParallel(...tabs)).toEqual(['RMT12', 'ok'])
      expect(await table()).toHaveLength(2)
    }
  })

  test('with the same key add one successor', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await database.run(storeLog(LOG))
      const sql = changeSql(replacing(randomUUID()))
      expect(await inParallel(sql, sql)).toEqual(['ok', 'ok'])
      expect(await table()).toHaveLength(2)
    }
  })

  test('save both a replacement and an edit', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await database.run(storeLog(LOG))
      const edit = `update public.maintenance set description = 'Edited' where id = 1`
      expect(await inParallel(changeSql(replacing(randomUUID())), edit)).toEqual(['ok', 'ok'])
      expect(await table()).toMatchObject([
        { id: 1, description: 'Edited', dateEnded: '2024-03-05T01:00:00' },
        { name: 'New' },
      ])
    }
  })

  test('install a part on only one bike', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await database.run(storeLog([{ ...LOG[0]!, dateEnded: '2024-03-02T01:00:00', ended_as: 'stored' }]))
      expect(await inParallel(changeSql(installing(1)), changeSql(installing(2)))).toEqual(['RMT10', 'ok'])
      expect(await table()).toHaveLength(2)
    }
  })
})
