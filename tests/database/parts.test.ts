import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMigratedDatabase, type Row, type TestDatabase } from './databases.ts'
import { plainLifetime, plainUsage, type UsageItem, type UsageRide } from './usage.ts'

const BIKES = [1, 2, 3]
const OWNER = '00000000-0000-0000-0000-00000000000a'

// A few days, so periods of different parts start, end and touch at the same times.
const days = fc.integer({ min: 1, max: 9 }).map((day) => `2024-03-0${day}T01:00:00`)
// Full hours around midnight and 01:00, so many rides start exactly at a date.
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

type Period = UsageItem & { part_id: number; ended_as: string | null; cost: number }

/** Periods of one part: between each two days it is on a bike or on none. The last one may be open. */
const periods = fc
  .record({
    days: fc.uniqueArray(days, { minLength: 1, maxLength: 6 }),
    bikes: fc.array(fc.constantFrom(...BIKES, null), { minLength: 6, maxLength: 6 }),
    ended_as: fc.constantFrom(null, 'worn', 'stored'),
  })
  .map(({ days, bikes, ended_as }) =>
    days.toSorted().flatMap((dateStarted, index, sorted) => {
      const bikeId = bikes[index]
      const dateEnded = sorted[index + 1] ?? null
      if (!bikeId) return []
      return [{ bikeId, dateStarted, dateEnded, ended_as: dateEnded && ended_as, cost: index * 10.25 }]
    }),
  )

const logs: fc.Arbitrary<Period[]> = fc.array(periods, { minLength: 1, maxLength: 6 }).map((parts) =>
  parts
    .flatMap((list, part) => list.map((period) => Object.assign({ part_id: part + 1 }, period)))
    .map((period, index) => ({ ...period, id: index + 1 })),
)

let database: TestDatabase
beforeAll(async () => {
  database = await openMigratedDatabase()
  await database.run(`
    insert into auth.users (id, email) values ('${OWNER}', 'owner@example.com');
    insert into public.bikes (gear_id, name) values (1, 'Road'), (2, 'Gravel'), (3, 'Trail');
    select set_config('request.jwt.claim.sub', '${OWNER}', false)`)
})
afterAll(() => database.close())

const literal = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`
const inMillimeters = <T extends { distance: number }>(usage: T): T => ({
  ...usage,
  distance: Math.round(usage.distance * 1000),
})

const storeLog = (log: Period[]) => `
  truncate public.maintenance, public.parts restart identity;
  insert into public.parts (id) select distinct (period ->> 'part_id')::bigint from jsonb_array_elements(${literal(log)}) as period;
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
  return {
    part_id: periods[0]!.part_id,
    item_ids: sorted.map(({ id }) => id),
    ...plainLifetime(periods, rides, Date.now()),
    cost: periods.reduce((sum, { cost }) => sum + cost, 0),
  }
}

type PartUsage = ReturnType<typeof expectedPart> & { days: number }

describe('lifetimes', () => {
  test('match a plain loop over all rides and periods, for the parts of any bike', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(logs, rides, async (log, rides) => {
        await database.run(`${storeLog(log)}; ${storeRides(rides)}`)
        for (const bike of BIKES) {
          const usage = (await valueOf(`select public.maintenance_use(${bike}) as value`)) as {
            parts: PartUsage[]
            elsewhere: (Period & { id: number; rides: number; distance: number; moving_time: number })[]
          }
          const onBike = new Set(log.filter(({ bikeId }) => bikeId === bike).map(({ part_id }) => part_id))
          const expected = [...onBike]
            .toSorted((a, b) => a - b)
            .map((part) => expectedPart(log.filter(({ part_id }) => part_id === part), rides))
          expect(usage.parts.map(({ days: _, ...part }) => inMillimeters(part))).toEqual(expected)
          expect(usage.elsewhere.map(inMillimeters)).toEqual(
            log
              .filter(({ part_id, bikeId }) => onBike.has(part_id) && bikeId !== bike)
              .toSorted((a, b) => (a.dateStarted < b.dateStarted ? -1 : a.dateStarted > b.dateStarted ? 1 : a.id - b.id))
              .map((period) => {
                const { first_ride: _, last_ride: __, ...used } = plainUsage(period, rides, Date.now())
                return { ...period, name: `Part ${period.part_id}`, ...used }
              }),
          )
          compared += expected.length
        }
      }),
      { numRuns: 150 },
    )
    expect(compared).toBeGreaterThan(0)
  })

  test('of stored parts match the loop', async () => {
    await fc.assert(
      fc.asyncProperty(logs, rides, async (log, rides) => {
        await database.run(`${storeLog(log)}; ${storeRides(rides)}`)
        const stored = (await valueOf('select public.stored_parts() as value')) as (PartUsage & { item_id: number })[]
        const expected = [...new Set(log.map(({ part_id }) => part_id))].flatMap((part) => {
          const periods = log.filter(({ part_id }) => part_id === part)
          const last = periods.toSorted((a, b) => (a.dateStarted < b.dateStarted ? -1 : 1)).at(-1)!
          return last.ended_as === 'stored' ? [{ ...expectedPart(periods, rides), item_id: last.id }] : []
        })
        expect(
          stored
            .map(({ part_id, item_ids, rides, distance, moving_time, cost, item_id }) =>
              inMillimeters({ part_id, item_ids, rides, distance, moving_time, cost, item_id }),
            )
            .toSorted((a, b) => a.part_id - b.part_id),
        ).toEqual(expected)
      }),
      { numRuns: 100 },
    )
  })
})

type PutOn = { request_key: string; bikeId?: number; part_of?: number; replaces?: number; name?: string; cost?: number }
type Change = { day: string; take_off: { id: number; ended_as: string | null }[]; put_on: PutOn[] }

/** Any change of items that are or aren't there, in use, on that bike or before that day. */
const changes: fc.Arbitrary<Change> = fc
  .record({
    day: fc.oneof({ weight: 9, arbitrary: days.map((day) => day.slice(0, 10)) }, { weight: 1, arbitrary: fc.constant('2099-01-01') }),
    moves: fc.array(
      fc.record({
        id: fc.integer({ min: 1, max: 12 }),
        isOff: fc.boolean(),
        kind: fc.constantFrom('move', 'replace', 'none'),
        bikeId: fc.constantFrom(...BIKES, 99),
        ended_as: fc.constantFrom(null, 'worn', 'moved', 'stored'),
        name: fc.constantFrom('New', 'New', 'New', ' '),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ day, moves }) => ({
    day,
    take_off: moves
      .filter(({ isOff, kind }, index) => (isOff || kind === 'replace') && moves.findIndex(({ id }) => id === moves[index]!.id) === index)
      .map(({ id, ended_as }) => ({ id, ended_as })),
    put_on: moves.flatMap(({ id, kind, bikeId, name }): PutOn[] => {
      const request_key = randomUUID()
      if (kind === 'none') return []
      return [kind === 'move' ? { request_key, bikeId, part_of: id } : { request_key, replaces: id, name, cost: 12.5 }]
    }),
  }))

const table = () => valueOf('select coalesce(jsonb_agg(to_jsonb(item) order by id), \'[]\') as value from public.maintenance as item')
const change = (value: Change) => valueOf(`select public.change_parts(${literal(value)}) as value`)
const undo = (value: unknown) => valueOf(`select public.undo_change_parts(${literal(value)}) as value`)
const codeOf = (error: unknown) => (error as { code?: string }).code

const REFUSALS = ['RMT10', 'RMT11', 'RMT12', 'RMT13', 'RMT14', 'RMT15', 'RMT16', '23514']

test('a change happens once, is undone exactly, and changes nothing when refused', async () => {
  const seen = new Map<string | undefined, number>()
  await fc.assert(
    fc.asyncProperty(logs, changes, async (log, wanted) => {
      await database.run(storeLog(log))
      const before = await table()
      let changed
      try {
        changed = await change(wanted)
      } catch (error) {
        const code = codeOf(error)
        seen.set(code, (seen.get(code) ?? 0) + 1)
        expect(REFUSALS).toContain(code)
        expect(await table()).toEqual(before)
        return
      }
      if (wanted.put_on.length === 0 && JSON.stringify(await table()) === JSON.stringify(before)) {
        // The items already ended on that day, for that reason: what a second attempt finds.
        expect(log.filter(({ id }) => wanted.take_off.some((off) => off.id === id)).every(({ dateEnded }) => dateEnded)).toBe(true)
        return
      }
      seen.set('done', (seen.get('done') ?? 0) + 1)
      const after = (await table()) as Row[]
      // The response is lost, and the client tries again.
      expect(await change(wanted)).toEqual(changed)
      expect(await table()).toEqual(after)
      expect(after).toHaveLength((before as Row[]).length + wanted.put_on.length)
      await undo(changed)
      expect(await table()).toEqual(before)
      expect(await undo(changed)).toBe(false)
      expect(await table()).toEqual(before)
    }),
    { numRuns: 400 },
  )
  console.info(Object.fromEntries(seen))
  for (const code of ['done', ...REFUSALS]) expect(seen.get(code), code).toBeGreaterThan(0)
})
