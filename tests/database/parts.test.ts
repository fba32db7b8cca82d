import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PartHistory, Usage } from '../../supabase/functions/maintenance-use/contract.ts'
import { openMigratedDatabase, SIGN_IN_OWNER, type TestDatabase } from './databases.ts'
import {
  type Earlier,
  earlierUsage,
  plainLifetime,
  plainUsage,
  type UsageItem,
  type UsageRide,
} from './usage.ts'

const BIKES = [1, 2, 3]

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
    insert into public.bikes (gear_id, name) values (1, 'Road'), (2, 'Gravel'), (3, 'Trail')`)
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

type PartUsage = Omit<ReturnType<typeof expectedPart>, 'item_ids'>

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
          const { item_ids: _, ...totals } = expectedPart(periods, rides)
          return last.ended_as === 'stored' ? [{ ...totals, item_id: last.id }] : []
        })
        expect(
          stored.map((part) => inMillimeters(part)).toSorted((a, b) => a.part_id - b.part_id),
        ).toMatchObject(expected)
      }),
      { numRuns: 30 },
    )
  })
})
