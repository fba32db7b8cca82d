import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RideDays } from '../../supabase/functions/_shared/contracts/service-tasks.ts'
import { Answers } from '../../supabase/functions/_shared/contracts/data-api.ts'
import { cases } from '../cases.ts'
import { checked } from '../contract.ts'
import { onlyWorld } from '../world.ts'
import { insert, literal, SIGN_IN_OWNER, useDatabase } from './databases.ts'

const HOUR = 3_600_000
const zones = ['UTC', 'America/New_York', 'Pacific/Auckland']

const database = await useDatabase(SIGN_IN_OWNER)

const now = Date.now()
const rides = fc.array(
  fc.record({
    gear_id: fc.constantFrom(1, 2, null),
    departed_at: fc
      .integer({ min: -24 * 20, max: 30 })
      .map((hours) => new Date(now + hours * HOUR).toISOString()),
    time_zone: fc.constantFrom(...zones),
    is_stationary: fc.boolean(),
    distance: fc.option(fc.constantFrom(100.4, 12_345.678)),
    duration: fc.option(fc.constantFrom(60, 120)),
    moving_time: fc.option(fc.constantFrom(60, 120)),
  }),
  { maxLength: 30 },
)

/** Returns the number of local days since 1970. */
const dayIn = (zone: string, instant: number) =>
  Math.floor(
    Date.parse(`${new Date(instant).toLocaleString('sv', { timeZone: zone }).replace(' ', 'T')}Z`) /
      (24 * HOUR),
  )

test('ride_days matches a plain loop over all rides', async () => {
  await fc.assert(
    fc.asyncProperty(rides, fc.constantFrom(...zones), async (rides, zone) => {
      const results = await database.run(`
        truncate public.rides;
        update private.owner set time_zone = '${zone}';
        ${insert(
          'rides',
          rides.map((ride, index) => ({ ...ride, id: index + 1 })),
        )}
        select public.ride_days(10) as days, public.ride_days(10, 2) as of_bike, extract(epoch from now()) * 1000 as instant`)
      const row = results.at(-1)![0]!
      const [days, of_bike] = [checked(RideDays, row.days), checked(RideDays, row.of_bike)]
      const { instant } = row
      const today = dayIn(zone, Number(instant))
      const kinds = [1, 2].flatMap((gear_id) =>
        [false, true].map((is_stationary) => ({ gear_id, is_stationary })),
      )
      const expected = kinds.flatMap(({ gear_id, is_stationary }) => {
        const list = rides
          .filter((ride) => ride.gear_id === gear_id && ride.is_stationary === is_stationary)
          .filter((ride) => Date.parse(ride.departed_at) <= Number(instant))
          .map((ride) => [
            Math.max(0, today - dayIn(ride.time_zone, Date.parse(ride.departed_at))),
            Math.round(ride.distance ?? 0),
            ride.moving_time ?? ride.duration ?? 0,
          ])
          .filter(([ago]) => ago! < 10)
        return list.length > 0 ? [{ gear_id, is_stationary, list: list.toSorted(order) }] : []
      })
      expect(days.today).toBe(new Date(today * 24 * HOUR).toISOString().slice(0, 10))
      expect(listsOf(days)).toEqual(expected)
      expect(listsOf(of_bike)).toEqual(expected.filter(({ gear_id }) => gear_id === 2))
    }),
    { numRuns: 30 },
  )
})

test('ride_months matches a plain loop over the rides of a period', async () => {
  const day = fc.option(fc.integer({ min: -22, max: 2 }).map((days) => isoDay(now + days * 24 * HOUR)))
  await fc.assert(
    fc.asyncProperty(rides, fc.constantFrom(1, null), day, day, async (rides, gear_id, from, to) => {
      const listed = rides.map((ride, index) => ({ ...ride, id: index + 1 }))
      const results = await database.run(`
        truncate public.rides;
        ${insert('rides', listed)}
        select json_object_agg(month, rides) as months from private.ride_months(${gear_id}, ${literalDay(from)}, ${literalDay(to)});
        select extract(epoch from now()) * 1000 as instant`)
      const [[{ months }], [{ instant }]] = results.slice(-2) as [
        [{ months: object | null }],
        [{ instant: string }],
      ]
      const expected: Record<string, number> = {}
      for (const ride of rides) {
        const [departed, local] = [Date.parse(ride.departed_at), localDay(ride)]
        if (gear_id !== null && ride.gear_id !== gear_id) continue
        if (departed > Number(instant) || (from !== null && local < from) || (to !== null && local > to))
          continue
        expected[local.slice(0, 7)] = (expected[local.slice(0, 7)] ?? 0) + 1
      }
      expect(months ?? {}).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

const daysReached = (readings: object[]) =>
  database.read(Answers.entries.days_reached, `public.days_reached(${literal(readings)})`)

test('days_reached matches a plain loop over the rides of a bike', async () => {
  const distances = fc.array(fc.oneof(fc.nat(150_000), fc.constantFrom(0, 100.4, 200.8, 12_345.678)))
  await fc.assert(
    fc.asyncProperty(rides, distances, distances, async (rides, road, gravel) => {
      await database.run(
        `truncate public.rides; ${insert(
          'rides',
          rides.map((ride, index) => ({ ...ride, id: index + 1 })),
        )}`,
      )
      const expected = [road, gravel].map((distances, index) => {
        const ridden = rides
          .filter(({ gear_id, departed_at }) => gear_id === index + 1 && Date.parse(departed_at) <= now)
          .map((ride) => ({
            at: wallClock(ride),
            day: localDay(ride),
            millimeters: (ride.distance ?? 0) * 1000,
          }))
          .toSorted((a, b) => a.at.localeCompare(b.at))
        let odometer = 0
        const days = distances.map((): string | null => null)
        for (const { day, millimeters } of ridden) {
          odometer += Math.round(millimeters)
          for (const [place, distance] of distances.entries())
            if (odometer >= Math.round(distance * 1000)) days[place] ??= day
        }
        return { gear_id: index + 1, distance: odometer / 1000, days }
      })
      const readings = expected.map(({ gear_id }, index) => ({ gear_id, distances: [road, gravel][index] }))
      expect((await daysReached(readings)).bikes).toEqual(expected)
    }),
    { numRuns: cases(60) },
  )
})

test('days_reached leaves out a ride with a wrong clock, and reads what an attached bike carries', async () => {
  const [long, ago] = ['2006-01-01T12:00:00Z', '2025-11-01T12:00:00Z']
  await database.run(
    onlyWorld({
      bikes: { 7: 'Road', 8: 'Old Road' },
      rides: [
        { bike: 8, at: '2024-05-01T12:00:00Z', distance: 1000 },
        { bike: 7, at: '2024-06-01T12:00:00Z', distance: 1000 },
        { bike: 7, at: long, created_at: ago, distance: 1000 },
      ],
    }),
  )
  await database.run('insert into public.attached_logs (former_gear_id, gear_id) values (8, 7)')
  expect((await daysReached([{ gear_id: 7, distances: [0, 1000, 1001, 2001] }])).bikes).toEqual([
    { gear_id: 7, distance: 2000, days: ['2024-05-01', '2024-05-01', '2024-06-01', null] },
  ])
})

const isoDay = (instant: number) => new Date(instant).toISOString().slice(0, 10)
const literalDay = (day: string | null) => (day === null ? 'null' : `'${day}'`)
const wallClock = ({ departed_at, time_zone }: { departed_at: string; time_zone: string }) =>
  new Date(departed_at).toLocaleString('sv', { timeZone: time_zone })
const localDay = ({ departed_at, time_zone }: { departed_at: string; time_zone: string }) =>
  isoDay(dayIn(time_zone, Date.parse(departed_at)) * 24 * HOUR)

const order = (a: number[], b: number[]) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!

const listsOf = ({ bikes }: RideDays) =>
  bikes.map(({ gear_id, is_stationary, ago, distance, moving_time }) => ({
    gear_id,
    is_stationary,
    list: ago.map((days, index) => [days, distance[index]!, moving_time[index]!]).toSorted(order),
  }))
