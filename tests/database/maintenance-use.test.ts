import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Timeline, Usage } from '../../supabase/functions/maintenance-use/contract.ts'
import { onlyWorld } from '../world.ts'
import { insert, useDatabase } from './databases.ts'
import { anyRides, inMillimeters, NO_EARLIER, plainUsage, type UsageItem, type UsageRide } from './usage.ts'

const BIKE = 1
const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland', 'Asia/Kathmandu']
const seconds = (from: string, to: string) =>
  fc
    .integer({ min: Date.parse(from) / 1000, max: Date.parse(to) / 1000 })
    .map((second) => new Date(second * 1000).toISOString())

// Limited to a few days and to the hour, so some rides start exactly when an item does.
const instants = fc.oneof(
  seconds('2024-03-08T00:00:00Z', '2024-03-12T00:00:00Z'),
  fc
    .integer({ min: 0, max: 96 })
    .map((hour) => new Date(Date.parse('2024-03-08T00:00:00Z') + hour * 3_600_000).toISOString()),
)
// An hour ago, or in an hour.
const recent = fc
  .constantFrom(-3600, 3600)
  .map((seconds) => new Date((Math.floor(Date.now() / 1000) + seconds) * 1000).toISOString())
const days = fc.integer({ min: 8, max: 12 }).map((day) => `2024-03-${String(day).padStart(2, '0')}T01:00:00`)

const ridesAt = (instants: fc.Arbitrary<string>) =>
  anyRides({ bikes: [BIKE, BIKE, BIKE, 2, null], instants, zones })
const rides = ridesAt(instants)

const items: fc.Arbitrary<UsageItem[]> = fc
  .array(fc.tuple(days, fc.option(fc.oneof(days, fc.constant('2100-12-31T01:00:00')))), { maxLength: 15 })
  .map((list) =>
    list.map(([one, other], index) => {
      const [dateStarted, dateEnded] = other !== null && other < one ? [other, one] : [one, other]
      return { id: index + 1, bikeId: BIKE, dateStarted, dateEnded }
    }),
  )

const database = await useDatabase(`insert into public.bikes values (${BIKE}, 'Road')`)

async function usageOf(rides: UsageRide[], items: UsageItem[], day = '') {
  await database.run(`
    truncate public.rides, public.maintenance cascade;
    ${insert('rides', rides)}
    ${insert(
      'maintenance',
      items.map((item) => ({ ...item, name: 'Item' })),
    )}`)
  const usage = await database.read(Usage, `public.maintenance_use(${BIKE}, nullif('${day}', '')::date)`)
  const { months } = await database.read(Timeline, `public.bike_timeline(${BIKE})`)
  return { ...usage, months }
}

test('maintenance_use matches a plain loop over all rides, for any rides and items', async () => {
  await fc.assert(
    fc.asyncProperty(ridesAt(fc.oneof(instants, recent)), items, async (rides, items) => {
      const usage = await usageOf(rides, items)
      const now = Date.now()
      expect(usage.items.map(inMillimeters)).toMatchObject(
        items.map((item) => ({ id: item.id, ...plainUsage(item, rides, now) })),
      )
      const isFuture = ({ departed_at, created_at }: UsageRide) =>
        Date.parse(departed_at ?? created_at ?? '1970-01-01') > now
      const ofBike = rides.filter((ride) => ride.gear_id === BIKE && !isFuture(ride))
      expect(inMillimeters(usage.total)).toEqual({
        rides: ofBike.length,
        distance: ofBike.reduce((sum, ride) => sum + Math.round((ride.distance ?? 0) * 1000), 0),
        moving_time: ofBike.reduce((sum, ride) => sum + (ride.moving_time ?? ride.duration ?? 0), 0),
      })
    }),
    { numRuns: 30 },
  )
})

const marchDays = fc.integer({ min: 7, max: 13 })

test('maintenance_use matches a plain loop for the items on the bike on a day and the rides of each month', async () => {
  await fc.assert(
    fc.asyncProperty(rides, items, marchDays, async (rides, items, day) => {
      const usage = await usageOf(rides, items, `2024-03-${day}`)
      const now = Date.now()
      const midnight = `2024-03-${String(day + 1).padStart(2, '0')}T00:00:00`
      const on = items.filter(
        (item) => item.dateStarted < midnight && (item.dateEnded === null || item.dateEnded >= midnight),
      )
      expect(usage.items.map(inMillimeters)).toEqual(
        on.map((item) =>
          Object.assign(
            { id: item.id, days: day - Number(item.dateStarted.slice(8, 10)) },
            plainUsage({ ...item, dateEnded: midnight }, rides, now),
          ),
        ),
      )
      const all = { id: 0, bikeId: BIKE, dateStarted: '', dateEnded: midnight }
      const { first_ride: _, last_ride: __, ...total } = plainUsage(all, rides, now)
      expect(inMillimeters(usage.total)).toEqual(total)
      const march = plainUsage({ ...all, dateEnded: null }, rides, now)
      expect(usage.months.map(inMillimeters)).toEqual(
        march.rides === 0
          ? []
          : [
              {
                month: '2024-03',
                rides: march.rides,
                distance: march.distance,
                moving_time: march.moving_time,
              },
            ],
      )
    }),
    { numRuns: 30 },
  )
})

test("maintenance_use includes a part's usage on another bike before a day, and the services of the bike's parts", async () => {
  await database.run(
    onlyWorld({
      bikes: ['Road', 'Gravel'],
      parts: [{ id: 500, kind: 'wheel' }],
      entries: [
        { bike: 2, part: 500, name: 'Wheels', position: 'both', to: '2024-02-01', cost: 80 },
        { bike: BIKE, part: 500, name: 'Wheels', position: 'both', from: '2024-02-01', to: '2024-03-01' },
        { bike: 2, part: 500, name: 'Wheels', position: 'both', from: '2024-03-01', cost: 5 },
      ],
      rides: [
        { bike: 2, at: '2024-01-05T10:00Z', distance: 1000, moving_time: 60 },
        { bike: BIKE, at: '2024-02-10T23:59Z', distance: 200, moving_time: 60 },
        { bike: BIKE, at: '2024-02-11T00:00Z', distance: 30, moving_time: 60 },
        { bike: 2, at: '2024-03-02T10:00Z', distance: 4, moving_time: 60 },
      ],
      tasks: [
        { part: 500, name: 'True', days: 90 },
        { bike: BIKE, name: 'Wash', days: 90 },
      ],
      events: [
        { task: 1, at: '2023-12-31' },
        { task: 1, at: '2024-02-15' },
        { task: 1, at: '2024-03-01' },
        { task: 2, at: '2024-02-20' },
      ],
    }),
  )
  const sums = { rides: 1, distance: 200, moving_time: 60 }
  const ofBoth = { rides: 2, distance: 1200, moving_time: 120 }
  expect({
    usage: await database.read(Usage, `public.maintenance_use(${BIKE}, '2024-02-10')`),
    timeline: await database.read(Timeline, `public.bike_timeline(${BIKE})`),
    unknown: [
      await database.value('public.maintenance_use(99)'),
      await database.value('public.bike_timeline(99)'),
    ],
  }).toEqual({
    usage: {
      gear_id: BIKE,
      first_ride: '2024-02-10',
      total: sums,
      items: [
        { id: 2, ...sums, days: 9, first_ride: '2024-02-10T23:59:00', last_ride: '2024-02-10T23:59:00' },
      ],
      parts: [
        {
          part_id: 500,
          item_ids: [1, 2],
          ...ofBoth,
          ...NO_EARLIER,
          cost: 80,
          kind: 'wheel',
          by_position: { both: ofBoth },
        },
      ],
    },
    timeline: {
      months: [{ month: '2024-02', rides: 2, distance: 230, moving_time: 120 }],
      services: [
        { id: 2, name: 'True', day: '2024-02-15', item_id: 2, paid_item_id: null },
        { id: 4, name: 'Wash', day: '2024-02-20', item_id: null, paid_item_id: null },
      ],
    },
    unknown: [null, null],
  })
})
