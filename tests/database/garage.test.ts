import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Totals } from '../../supabase/functions/_shared/contracts/garage.ts'
import { Answer as RideYears } from '../../supabase/functions/ride-years/contract.ts'
import { Usage } from '../../supabase/functions/maintenance-use/contract.ts'
import { insert, SIGN_IN_OWNER, useDatabase } from './databases.ts'
import { anyRides, type UsageRide, wallClock } from './usage.ts'

// UTC+14, so the owner's day and year often differ from the server's.
const ZONE = 'Pacific/Kiritimati'
const THIS_YEAR = Number(wallClock(new Date().toISOString(), ZONE).slice(0, 4))
const THIS_MONTH = Number(wallClock(new Date().toISOString(), ZONE).slice(5, 7)) - 1

interface Bike {
  gear_id: number
  name: string
  is_retired: boolean
}
interface Item {
  id: number
  bikeId: number
  name: string
  cost: number
  dateStarted: string
}

const bikes: fc.Arbitrary<Bike[]> = fc
  .array(fc.record({ name: fc.constantFrom('Road', 'Gravel', 'Trail'), is_retired: fc.boolean() }), {
    maxLength: 4,
  })
  .map((list) => list.map((bike, index) => ({ ...bike, gear_id: index + 1 })))

const moments = fc.oneof(
  fc.integer({ min: Date.UTC(THIS_YEAR - 3), max: Date.UTC(THIS_YEAR + 1) }),
  // Around New Year, when time zones matter.
  fc.integer({ min: -15, max: 15 }).map((hour) => Date.UTC(THIS_YEAR) + hour * 3_600_000),
)
const rides = anyRides({
  bikes: [1, 1, 2, 3, 4, 99, null],
  instants: moments.map((time) => new Date(Math.floor(time / 1000) * 1000).toISOString()),
  zones: ['UTC', 'America/New_York', 'Pacific/Auckland'],
})

const items = (count: number): fc.Arbitrary<Item[]> =>
  fc
    .array(
      fc.record({
        bikeId: fc.integer({ min: 1, max: Math.max(1, count) }),
        name: fc.constantFrom('Chain', 'Tire'),
        cost: fc.integer({ min: -10_000, max: 100_000 }).map((cents) => cents / 100),
        dateStarted: fc.oneof(
          fc.constantFrom(`${THIS_YEAR - 1}-12-31`, `${THIS_YEAR}-01-01`, `${THIS_YEAR}-12-31`),
          fc.constantFrom('2024-05-01', '2024-05-02', '2024-05-03'),
        ),
      }),
      { maxLength: count === 0 ? 0 : 12 },
    )
    .map((list) =>
      list.map((item, index) => ({ ...item, id: index + 1, dateStarted: `${item.dateStarted}T01:00:00` })),
    )

const SUMS = ['rides', 'distance', 'moving_time', 'distance_this_year', 'cost', 'cost_this_year'] as const
type Sums = Record<(typeof SUMS)[number], number>
const noSums = () => Object.fromEntries(SUMS.map((key) => [key, 0])) as Sums

function plainGarage(bikes: Bike[], rides: UsageRide[], items: Item[], now: number) {
  const cards = bikes.map(({ gear_id }) =>
    Object.assign(noSums(), {
      gear_id,
      last_ride: null as string | null,
      newest_item: null as { name: string; dateStarted: string } | null,
      months: Array.from({ length: 24 }, () => 0),
    }),
  )
  const cardOf = (id: number | null) => cards.find(({ gear_id }) => gear_id === id)
  let rides_without_bike = 0
  const all = { rides: 0, distance: 0, moving_time: 0, distance_this_year: 0, distance_last_year_to_date: 0 }
  const today = wallClock(new Date(now).toISOString(), ZONE).slice(0, 10)
  for (const ride of rides) {
    const instant = ride.departed_at ?? ride.created_at
    if (instant !== null && Date.parse(instant) > now) continue
    const card = cardOf(ride.gear_id)
    const meters = ride.distance ?? 0
    all.rides += 1
    all.distance += meters
    all.moving_time += ride.moving_time ?? ride.duration ?? 0
    const day = instant === null ? '' : wallClock(instant, ride.time_zone).slice(0, 10)
    if (day.startsWith(`${THIS_YEAR}-`)) all.distance_this_year += meters
    if (day.startsWith(`${THIS_YEAR - 1}-`) && day.slice(5) <= today.slice(5))
      all.distance_last_year_to_date += meters
    if (!card) {
      rides_without_bike += 1
      continue
    }
    card.rides += 1
    card.distance += meters
    card.moving_time += ride.moving_time ?? ride.duration ?? 0
    if (instant === null) continue
    const start = wallClock(instant, ride.time_zone)
    if (card.last_ride === null || start > card.last_ride) card.last_ride = start
    const [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7)) - 1]
    if (year === THIS_YEAR) card.distance_this_year += meters
    const index = 23 - ((THIS_YEAR - year) * 12 + THIS_MONTH - month)
    if (card.months[index] !== undefined) card.months[index] += meters
  }
  for (const { bikeId, name, cost, dateStarted } of items) {
    const card = cardOf(bikeId)!
    card.cost += cost
    // This year and the newest item include items from their start day, the cost includes all of them.
    if (dateStarted.slice(0, 10) > today) continue
    if (dateStarted.startsWith(`${THIS_YEAR}-`)) card.cost_this_year += cost
    if (card.newest_item === null || dateStarted >= card.newest_item.dateStarted)
      card.newest_item = { name, dateStarted }
  }
  const total = noSums()
  for (const card of cards) for (const key of SUMS) total[key] += card[key]
  const bikeOf = ({ gear_id }: { gear_id: number }) => bikes.find((bike) => bike.gear_id === gear_id)!
  const inOrder = cards.toSorted(
    (a, b) =>
      Number(bikeOf(a).is_retired) - Number(bikeOf(b).is_retired) ||
      -compare(a.last_ride ?? '', b.last_ride ?? '') ||
      compare(bikeOf(a).name, bikeOf(b).name),
  )
  return { bikes: inOrder, total, all, rides_without_bike }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
/** Rounds numbers, because the loop's floating-point sums differ from the server's in the last digits. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === 'number' ? Math.round(part * 1000) + 0 : part,
  )

const database = await useDatabase(`
    ${SIGN_IN_OWNER};
    update private.owner set time_zone = '${ZONE}'`)

async function garageOf(bikes: Bike[], rides: UsageRide[], items: Item[]): Promise<Totals> {
  await database.run(`
    truncate public.rides, public.bikes cascade;
    ${insert('bikes', bikes)}
    ${insert('rides', rides)}
    ${insert('maintenance', items)}`)
  return database.read(Totals, 'public.garage()')
}

test('garage matches a plain loop over all rides and items', async () => {
  const cases = bikes.chain((list) => fc.tuple(fc.constant(list), rides, items(list.length)))
  await fc.assert(
    fc.asyncProperty(cases, async ([bikes, rides, items]) => {
      const garage = await garageOf(bikes, rides, items)
      expect(rounded(garage)).toEqual(rounded(plainGarage(bikes, rides, items, Date.now())))
    }),
    { numRuns: 30 },
  )
})

const readYears = (args: string) => database.read(RideYears, `public.ride_years(${args})`)

test('the years of all rides match a plain loop, and the Garage', async () => {
  await fc.assert(
    fc.asyncProperty(rides, async (rides) => {
      const { all } = await garageOf([{ gear_id: 1, name: 'Road', is_retired: false }], rides, [])
      const { today, months, years, total } = await readYears('')
      const now = Date.now()
      const counted = rides.flatMap((ride) => {
        const instant = ride.departed_at ?? ride.created_at
        return instant === null || Date.parse(instant) > now ? [] : [wallClock(instant, ride.time_zone)]
      })
      const count = (isIn: (start: string) => boolean) => counted.filter(isIn).length
      expect(total).toMatchObject({ rides: all.rides, distance: all.distance, moving_time: all.moving_time })
      expect(months.map(({ month, rides }) => [month, rides])).toEqual(
        [...new Set(counted.map((start) => start.slice(0, 7)))]
          .toSorted()
          .map((month) => [month, count((start) => start.startsWith(month))]),
      )
      expect(years.map(({ year, rides, to_date }) => [year, rides, to_date.rides])).toEqual(
        [...new Set(counted.map((start) => start.slice(0, 4)))]
          .toSorted()
          .toReversed()
          .map((year) => {
            const inYear = (start: string) => start.startsWith(year)
            const isPast = (start: string) =>
              inYear(start) && (Number(year) === THIS_YEAR || start.slice(5, 10) <= today.slice(5))
            return [year, count(inYear), count(isPast)]
          }),
      )
      const yearOf = (year: number) => years.find((one) => one.year === String(year))
      expect(yearOf(THIS_YEAR)?.to_date.distance ?? 0).toBe(all.distance_this_year)
      expect(yearOf(THIS_YEAR - 1)?.to_date.distance ?? 0).toBe(all.distance_last_year_to_date)
      const [ofBike, ofNone] = [await readYears('1'), await readYears('without_bike => true')]
      expect(ofBike.total.rides + ofNone.total.rides).toBe(total.rides)
    }),
    { numRuns: 30 },
  )
})

test('adds up climbing, until today’s day too', async () => {
  const ride = { gear_id: null, distance: 10, moving_time: 60, elevation_gain: 100, time_zone: 'UTC' }
  await database.run(
    `truncate public.rides; ${insert('rides', [
      { ...ride, id: 1, departed_at: `${THIS_YEAR - 1}-01-01T10:00:00Z` },
      { ...ride, id: 2, departed_at: `${THIS_YEAR - 1}-01-01T12:00:00Z`, elevation_gain: null },
      { ...ride, id: 3, departed_at: null, created_at: null },
    ])}`,
  )
  const sums = { rides: 2, distance: 20, moving_time: 120, elevation_gain: 100 }
  expect(await readYears('')).toMatchObject({
    months: [{ month: `${THIS_YEAR - 1}-01`, ...sums }],
    years: [{ year: `${THIS_YEAR - 1}`, ...sums, to_date: sums }],
    total: { rides: 3, elevation_gain: 200 },
  })
})

test('a bike’s total matches its usage', async () => {
  await fc.assert(
    fc.asyncProperty(rides, async (rides) => {
      const { bikes } = await garageOf([{ gear_id: 1, name: 'Road', is_retired: false }], rides, [])
      const usage = await database.read(Usage, 'public.maintenance_use(1)')
      const { rides: count, distance, moving_time } = bikes[0]!
      expect(usage.total).toEqual({ rides: count, distance, moving_time })
    }),
    { numRuns: 30 },
  )
})
