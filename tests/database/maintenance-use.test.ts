import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMigratedDatabase, type TestDatabase } from './databases.ts'
import { plainUsage, type Usage, type UsageItem, type UsageRide } from './usage.ts'

const BIKE = 1
const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland', 'Asia/Kathmandu']
const seconds = (from: string, to: string) =>
  fc
    .integer({ min: Date.parse(from) / 1000, max: Date.parse(to) / 1000 })
    .map((second) => new Date(second * 1000).toISOString())

// Only a few days and full hours, so some rides start exactly at a date. Some rides are in the future.
const instants = fc.oneof(
  seconds('2024-03-08T00:00:00Z', '2024-03-12T00:00:00Z'),
  fc
    .integer({ min: 0, max: 96 })
    .map((hour) => new Date(Date.parse('2024-03-08T00:00:00Z') + hour * 3_600_000).toISOString()),
  fc.constant('2199-01-01T00:00:00.000Z'),
)
const days = fc.integer({ min: 8, max: 12 }).map((day) => `2024-03-${String(day).padStart(2, '0')}T01:00:00`)

const rides: fc.Arbitrary<UsageRide[]> = fc
  .array(
    fc.record({
      gear_id: fc.constantFrom(BIKE, BIKE, BIKE, 2, null),
      departed_at: fc.option(instants),
      created_at: fc.option(instants, { freq: 9 }),
      time_zone: fc.constantFrom(...zones),
      distance: fc.option(fc.integer({ min: 0, max: 200_000_000 }).map((millimeters) => millimeters / 1000)),
      duration: fc.option(fc.integer({ min: 0, max: 90_000 })),
      moving_time: fc.option(fc.integer({ min: 0, max: 90_000 })),
    }),
    { maxLength: 40 },
  )
  .map((list) => list.map((ride, index) => ({ ...ride, id: index + 1 })))

const items: fc.Arbitrary<UsageItem[]> = fc
  .array(fc.tuple(days, fc.option(fc.oneof(days, fc.constant('2100-12-31T01:00:00')))), { maxLength: 15 })
  .map((list) =>
    list.map(([one, other], index) => {
      const [dateStarted, dateEnded] = other !== null && other < one ? [other, one] : [one, other]
      return { id: index + 1, bikeId: BIKE, dateStarted, dateEnded }
    }),
  )

const literal = (rows: unknown[]) => `'${JSON.stringify(rows)}'`
const inMillimeters = <T extends Usage>(usage: T): T => ({
  ...usage,
  distance: Math.round(usage.distance * 1000),
})

describe('maintenance_use', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openMigratedDatabase()
    await database.run(`insert into public.bikes values (${BIKE}, 'Road')`)
  })
  afterAll(() => database.close())

  async function usageOf(rides: UsageRide[], items: UsageItem[]) {
    const results = await database.run(`
      truncate public.rides, public.maintenance cascade;
      insert into public.rides (id, gear_id, departed_at, created_at, time_zone, distance, duration, moving_time)
      select id, gear_id, departed_at, created_at, time_zone, distance, duration, moving_time
      from jsonb_populate_recordset(null::public.rides, ${literal(rides)});
      insert into public.maintenance (id, "bikeId", name, "dateStarted", "dateEnded")
      select id, "bikeId", 'Item', "dateStarted", "dateEnded"
      from jsonb_populate_recordset(null::public.maintenance, ${literal(items)});
      select public.maintenance_use(${BIKE}) as usage`)
    return results.at(-1)![0]!.usage as { total: Usage; items: (Usage & { id: number })[] }
  }

  test('matches a plain loop over all rides, for any rides and items', async () => {
    await fc.assert(
      fc.asyncProperty(rides, items, async (rides, items) => {
        const usage = await usageOf(rides, items)
        const now = Date.now()
        expect(usage.items.map(inMillimeters)).toEqual(
          items.map((item) => ({ id: item.id, ...plainUsage(item, rides, now) })),
        )
        const ofBike = rides.filter((ride) => ride.gear_id === BIKE)
        expect(inMillimeters(usage.total)).toEqual({
          rides: ofBike.length,
          distance: ofBike.reduce((sum, ride) => sum + Math.round((ride.distance ?? 0) * 1000), 0),
          moving_time: ofBike.reduce((sum, ride) => sum + (ride.moving_time ?? ride.duration ?? 0), 0),
        })
      }),
      { numRuns: 60 },
    )
  })
})
