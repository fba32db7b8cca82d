import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { Tables } from '../../supabase/database.types.ts'
import {
  type PartTotals,
  UsedColumns,
  type UsedItem,
} from '../../supabase/functions/_shared/contracts/lifetimes.ts'
import { PartHistory, PartWear, Usage } from '../../supabase/functions/maintenance-use/contract.ts'
import { Costs } from '../../supabase/functions/_shared/contracts/spending.ts'
import { onlyWorld } from '../world.ts'
import { insert, literal, SIGN_IN_OWNER, useDatabase } from './databases.ts'
import {
  anyRides,
  type Earlier,
  earlierUsage,
  inMillimeters,
  plainLifetime,
  plainUsage,
  type UsageRide,
  wallClock,
} from './usage.ts'

type Item = Pick<
  Tables<'maintenance'>,
  'id' | 'bikeId' | 'part_id' | 'type' | 'name' | 'cost' | 'dateStarted' | 'dateEnded' | 'ended_as'
>
/** Paid work: a service event of the part, with its item. */
interface Service {
  part: number
  cost: number
  /** A replacement is an item that starts when the part ends, not a service. */
  isReplacement: boolean
  day: string
}

const ZONE = 'Pacific/Auckland'
const BIKES = [1, 2, 3]
const HOUR = 3_600_000
const TODAY = wallClock(new Date().toISOString(), ZONE).slice(0, 10)
const THIS_YEAR = Number(TODAY.slice(0, 4))
const sameDayIn = (year: number) => `${year}${TODAY.slice(4)}`

const SPRING = Date.parse('2024-03-08T00:00:00Z')
const recently = Math.floor(Date.now() / HOUR) * HOUR - 400 * 24 * HOUR
const hours = fc.oneof(
  fc.integer({ min: 0, max: 96 }).map((hour) => SPRING + hour * HOUR),
  fc.integer({ min: 0, max: 9700 }).map((hour) => recently + hour * HOUR),
)
const instants = hours.map((hour) => new Date(hour).toISOString())
const days = fc
  .oneof(
    instants.map((instant) => instant.slice(0, 10)),
    fc.constantFrom(
      TODAY,
      sameDayIn(THIS_YEAR - 1),
      `${THIS_YEAR}-01-01`,
      `${THIS_YEAR - 1}-12-31`,
      '2100-06-01',
    ),
  )
  // February 29 only exists in leap years.
  .filter((day) => !Number.isNaN(Date.parse(day)))
  .map((day) => `${day}T01:00:00`)

const rides = anyRides({
  bikes: [...BIKES, 4, null],
  instants,
  zones: ['UTC', 'America/New_York', 'Asia/Kathmandu'],
})

const cents = fc.integer({ min: -5000, max: 50_000 }).map((amount) => amount / 100)
const facts = fc.record({
  bikeId: fc.constantFrom(...BIKES),
  type: fc.constantFrom('Drivetrain', 'Tires', null),
  name: fc.constantFrom('Chain', ' chain', 'Tire'),
  cost: cents,
  ended_as: fc.constantFrom('worn', 'damaged', 'stored', 'moved', 'sold', null),
})

/** Generates a part's install periods, which don't overlap, and work on it. The last period may be open. */
const itemsOf = (part_id: number): fc.Arbitrary<Omit<Item, 'id'>[]> =>
  fc
    .tuple(
      fc.uniqueArray(days, { maxLength: 6 }),
      fc.array(facts, { minLength: 7, maxLength: 7 }),
      fc.option(days),
    )
    .map(([times, facts, work]) => {
      const periods = times.toSorted().flatMap((dateStarted, index, all) => {
        const dateEnded = all[index + 1] ?? null
        const { ended_as, ...rest } = facts[index]!
        // Skip every third period, in which the part is stored.
        if (index % 3 === 1) return []
        const reason = dateEnded === null ? null : ended_as
        return [Object.assign({ part_id, dateStarted, dateEnded, ended_as: reason }, rest)]
      })
      if (work === null) return periods
      return periods.concat(Object.assign({ part_id, dateStarted: work, dateEnded: work }, facts[6]!))
    })
const items: fc.Arbitrary<Item[]> = fc
  .tuple(...[1, 2, 3, 4].map(itemsOf))
  .map((lists) => lists.flat().map((item, index) => Object.assign({ id: index + 1 }, item)))
const services = fc.array(
  fc.record({
    part: fc.constantFrom(1, 2, 3, 4),
    cost: cents,
    isReplacement: fc.boolean(),
    day: fc.constantFrom('2024-03-09', TODAY, '2100-06-01'),
  }),
  { maxLength: 5 },
)

/** Of these parts and items. */
const kindOf = (part: number) => ([null, 'tire', 'chain'] as const)[part % 3]!
const positionOf = ({ id, part_id }: Item) =>
  kindOf(part_id) === 'tire' ? ([null, 'front', 'rear', 'both'] as const)[id % 4]! : null

function plainItems(items: Item[], now: number) {
  const clock = wallClock(new Date(now).toISOString(), ZONE)
  return items.map((item) => {
    const { id, bikeId: gear_id, part_id, type, name, cost, dateStarted, dateEnded } = item
    const hasEnded = dateEnded !== null && dateEnded <= clock
    return {
      id,
      part_id,
      gear_id,
      type,
      name,
      position: positionOf(item),
      cost,
      since: dateStarted,
      was_installed: dateStarted !== dateEnded && dateStarted.slice(0, 10) <= clock.slice(0, 10),
      until: hasEnded || dateEnded === dateStarted ? dateEnded : null,
      ended_as: hasEnded || dateEnded === dateStarted ? item.ended_as : null,
    }
  })
}

interface Log {
  rides: UsageRide[]
  items: Item[]
  services: Service[]
  earlier: Earlier[]
}

const dayNumber = (time: string) => Date.parse(time.slice(0, 10)) / (24 * HOUR)

/** A part's totals until a moment, or over all its items. Distances are in millimeters, and amounts in cents. */
function plainTotals(
  part_id: number,
  { rides, items, services, earlier }: Log,
  now: number,
  until: string | null = null,
) {
  const clock = wallClock(new Date(now).toISOString(), ZONE)
  const clipped = itemsUntil(until, items, part_id).map((item) => {
    const isLater = until !== null && (item.dateEnded === null || until < item.dateEnded)
    return isLater ? Object.assign({}, item, { dateEnded: until }) : item
  })
  const paid = services.filter(
    ({ part, isReplacement, day }) =>
      part === part_id && !isReplacement && day <= TODAY && (until === null || day < until),
  )
  const price = inCents(clipped.reduce((sum, { cost }) => sum + cost, 0))
  return {
    part_id,
    ...plainLifetime(clipped, rides, now, earlier[part_id - 1]),
    days: clipped
      .map(({ dateStarted, dateEnded }) => {
        const end = dateEnded !== null && dateEnded <= clock ? dateEnded : clock
        return Math.max(0, dayNumber(end) - dayNumber(dateStarted))
      })
      .reduce((sum, count) => sum + count, 0),
    price,
    cost: price + inCents(paid.reduce((sum, { cost }) => sum + cost, 0)),
    ...earlier[part_id - 1]!,
  }
}

const itemsUntil = (until: string | null, items: Item[], part: number) =>
  items.filter(({ part_id, dateStarted }) => part_id === part && (until === null || dateStarted < until))

const PARTS = [1, 2, 3, 4]

/** Whether a part's last item ended as stored. */
function isStored(items: Item[], today: string): boolean {
  const endOf = ({ dateStarted, dateEnded, id }: Item) => [dateEnded ?? '9999', dateStarted, 100 + id].join()
  const last = items.toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : 1)).at(-1)
  return last?.ended_as === 'stored' && last.dateEnded!.slice(0, 10) <= today
}

interface Sums {
  distance: number
}

type Narrowed = Sums & { price: number; cost: number; by_position: Record<string, Sums> | null }

const narrow = <T extends Narrowed>(totals: T): T => ({
  ...inMillimeters(totals),
  price: inCents(totals.price),
  cost: inCents(totals.cost),
  by_position:
    totals.by_position &&
    Object.fromEntries(
      Object.entries(totals.by_position).map(([position, sums]) => [position, inMillimeters(sums)]),
    ),
})

const literalKind = (part: number) => (kindOf(part) === null ? 'null' : `'${kindOf(part)}'`)

const database = await useDatabase(`
    ${SIGN_IN_OWNER};
    update private.owner set time_zone = '${ZONE}';
    insert into public.bikes (gear_id, name) select n, 'Bike ' || n from generate_series(1, 3) as n;
    ${PARTS.map((part) => `select private.add_part(kind => ${literalKind(part)});`).join('')}
    insert into public.service_tasks (id, part_id, name, every_days) select n, n, 'Wax', 30 from generate_series(1, 4) as n`)

/** Floating-point sums can end just below 0, which would round to -0. */
const inCents = (dollars: number) => Math.round(dollars * 100) || 0
const dayLiteral = (day: string | null) => (day === null ? 'null' : `'${day}'`)
const earlierUsages = fc.array(earlierUsage, { minLength: 4, maxLength: 4 })

async function write(rides: UsageRide[], items: Item[], services: Service[], earlier: Earlier[] = []) {
  const paid = services.map((service, index) => ({ ...service, id: 100 + index }))
  const parts = earlier.map((usage, index) => ({ ...usage, id: index + 1 }))
  await database.run(`
    truncate public.rides, public.maintenance, public.service_events;
    update public.parts set earlier_distance = null, earlier_moving_time = null;
    update public.parts as part
    set earlier_distance = known.earlier_distance, earlier_moving_time = known.earlier_moving_time
    from jsonb_populate_recordset(null::public.parts, ${literal(parts)}) as known where known.id = part.id;
    ${insert('rides', rides)}
    ${insert(
      'maintenance',
      items.map((item) => Object.assign({}, item, { position: positionOf(item) })),
    )}
    insert into public.maintenance (id, "bikeId", name, cost, "dateStarted", "dateEnded")
    select id, 1, 'Paid', cost, day, case when not "isReplacement" then day end
    from jsonb_to_recordset(${literal(paid)}) as paid (id bigint, cost numeric, "isReplacement" boolean, day timestamp);
    insert into public.service_events (task_id, part_id, done_at, maintenance_id)
    select part, part, day, id from jsonb_to_recordset(${literal(paid)}) as paid (id bigint, part bigint, day timestamp)`)
}

const changes = fc
  .tuple(fc.nat(), cents, days, fc.option(days))
  .map(([choice, cost, day, other]) =>
    other !== null && other < day
      ? { choice, cost, dateStarted: other, dateEnded: day }
      : { choice, cost, dateStarted: day, dateEnded: other },
  )

const rowsOf = (columns: Record<string, unknown[]>) =>
  columns['part_id']!.map((_, row) =>
    Object.fromEntries(Object.entries(columns).map(([column, list]) => [column, list[row]])),
  )

async function readUsed(whatIf: unknown[]) {
  const { items, parts } = await database.read(UsedColumns, `public.part_lifetimes(${literal(whatIf)})`)
  const found = (rowsOf(items) as UsedItem[]).filter(({ name }) => name !== 'Paid')
  const totals = (rowsOf(parts) as PartTotals[]).filter(({ part_id }) => PARTS.includes(part_id))
  return {
    items: found.toSorted((a, b) => a.id - b.id),
    parts: totals.map((part) => narrow(part)).toSorted((a, b) => a.part_id - b.part_id),
  }
}

const Totals = v.looseObject({
  distance: v.number(),
  price: v.number(),
  cost: v.number(),
  by_position: v.nullable(v.record(v.string(), v.looseObject({ distance: v.number() }))),
  items: v.array(v.object({ id: v.number() })),
})
const logs: fc.Arbitrary<Log> = fc.record({ rides, items, services, earlier: earlierUsages })

const plainUsed = (log: Log, now = Date.now()) => ({
  items: plainItems(log.items, now),
  parts: PARTS.filter((part) => log.items.some(({ part_id }) => part_id === part)).map((part) =>
    plainPart(part, log, now),
  ),
})

const plainPart = (part: number, log: Log, now: number, until: string | null = null) =>
  Object.assign(plainTotals(part, log, now, until), {
    kind: kindOf(part),
    by_position: plainEnds(part, log, now, until),
  })

/** Sums without usage from before the log. */
function plainEnds(part: number, log: Log, now: number, until: string | null) {
  if (kindOf(part) !== 'tire') return null
  const ends = Map.groupBy(itemsUntil(until, log.items, part), positionOf)
  ends.delete(null)
  const earlier = PARTS.map(() => ({ earlier_distance: null, earlier_moving_time: null }))
  return Object.fromEntries(
    [...ends].map(([position, items]) => {
      const { rides, distance, moving_time, days } = plainTotals(part, { ...log, items, earlier }, now, until)
      return [position, { rides, distance, moving_time, days }]
    }),
  )
}

test('part_lifetimes matches a plain loop over all rides, even for hypothetical dates, and saves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.option(changes), async (log, hypothesis) => {
      await write(log.rides, log.items, log.services, log.earlier)
      const { choice = 0, ...values } = hypothesis ?? {}
      const chosen = hypothesis && log.items[choice % log.items.length]
      const items = log.items.map((item) => (item === chosen ? Object.assign({}, item, values) : item))
      const change = chosen ? [Object.assign({ id: chosen.id }, values)] : []
      expect(await readUsed(change)).toEqual(plainUsed({ ...log, items }))
      expect(await readUsed([])).toEqual(plainUsed(log))
    }),
    { numRuns: 30 },
  )
})

test('part_totals matches a plain loop until any moment, and lists the items', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.option(days), async (log, until) => {
      await write(log.rides, log.items, log.services, log.earlier)
      const totals = await database.read(
        v.array(Totals),
        `(select coalesce(json_agg(totals order by part_id), '[]')
          from private.part_totals('{${PARTS.join()}}', ${dayLiteral(until)}) as totals)`,
      )
      const now = Date.now()
      const expected = PARTS.flatMap((part) => {
        const items = itemsUntil(until, log.items, part).map(({ id }) => ({ id }))
        return items.length === 0 ? [] : [Object.assign(plainPart(part, log, now, until), { items })]
      })
      for (const { items } of totals) items.sort((a, b) => a.id - b.id)
      expect(totals.map((part) => narrow(part))).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

test('the parts of a bike, stored parts and part histories match a plain loop', async () => {
  await fc.assert(
    fc.asyncProperty(logs, async (log) => {
      await write(log.rides, log.items, log.services, log.earlier)
      const now = Date.now()
      const ofPart = (part: number) => log.items.filter(({ part_id }) => part_id === part)
      const expectTotals = (found: { part_id: number; distance: number; cost: number }[]) => {
        for (const part of found) {
          const { days: _, price: __, ...totals } = plainTotals(part.part_id, log, now)
          expect({ ...inMillimeters(part), cost: inCents(part.cost) }).toMatchObject(totals)
        }
      }
      for (const bike of BIKES) {
        const { parts } = await database.read(Usage, `public.maintenance_use(${bike})`)
        const found = parts.filter(({ part_id }) => PARTS.includes(part_id))
        const onBike = PARTS.filter((part) => ofPart(part).some(({ bikeId }) => bikeId === bike))
        expect(found.map(({ part_id }) => part_id)).toEqual(onBike)
        expectTotals(found)
      }
      const stored = await database.value<{ parts: PartTotals[] }>('public.stored_parts()')
      expectTotals(stored.parts)
      const today = wallClock(new Date(now).toISOString(), ZONE).slice(0, 10)
      expect(new Set(stored.parts.map(({ part_id }) => part_id))).toEqual(
        new Set(PARTS.filter((part) => isStored(ofPart(part), today))),
      )
      for (const part of PARTS.filter((part) => ofPart(part).length > 0)) {
        const { periods, lifetime } = await database.read(PartHistory, `public.part_history(${part})`)
        expectTotals([{ ...lifetime, part_id: part }])
        const expected = ofPart(part).map((item) => {
          const { rides, distance, moving_time } = plainUsage(item, log.rides, now)
          return { id: item.id, gear_id: item.bikeId, rides, distance, moving_time }
        })
        expect(periods.map(inMillimeters).toSorted((a, b) => a.id - b.id)).toMatchObject(expected)
      }
    }),
    { numRuns: 30 },
  )
})

test('part_wear counts the rides of the part until the end of the day', async () => {
  await fc.assert(
    fc.asyncProperty(rides, items, days, earlierUsage, async (rides, items, day, earlier) => {
      const periods = items.filter(({ part_id }) => part_id === 1)
      fc.pre(periods.length > 0)
      await write(rides, items, [], [earlier])
      const measured = day.slice(0, 10)
      await database.run(`
          truncate public.wear_measurements;
          insert into public.wear_measurements (part_id, measured_on, value, unit) values (1, '${measured}', 0.3, 'chain %')`)
      const { distance, earlier_distance, measurements, series } = await database.read(
        PartWear,
        'public.part_wear(1)',
      )
      const midnight = `${measured}T24`
      const until = periods
        .filter(({ dateStarted }) => dateStarted < midnight)
        .map((period) => {
          const isLater = period.dateEnded === null || period.dateEnded > midnight
          return Object.assign({}, period, isLater && { dateEnded: midnight })
        })
      const now = Date.now()
      expect(Math.round(measurements[0]!.distance * 1000)).toBe(
        plainLifetime(until, rides, now, earlier).distance,
      )
      expect(Math.round(distance * 1000)).toBe(plainLifetime(periods, rides, now, earlier).distance)
      expect(earlier_distance).toBe(earlier.earlier_distance)
      expect(series.map((one) => one.measurements)).toEqual([[measurements[0]!.id]])
    }),
    { numRuns: 30 },
  )
})

const sumOfRides = (rides: UsageRide[]) => ({
  distance: rides.reduce((sum, { distance }) => sum + Math.round((distance ?? 0) * 1000), 0),
  moving_time: rides.reduce((sum, { moving_time, duration }) => sum + (moving_time ?? duration ?? 0), 0),
})

const sumOf = (items: Item[], isCounted: (item: Item, day: string) => boolean) =>
  inCents(
    items
      .filter((item) => isCounted(item, item.dateStarted.slice(0, 10)))
      .reduce((sum, { cost }) => sum + cost, 0),
  )

const spendingPeriods = fc.tuple(fc.option(days), fc.option(days)).map(([one, other]) => {
  const [from, to] = [one?.slice(0, 10) ?? null, other?.slice(0, 10) ?? null]
  return { from, to }
})

test('spending matches plain sums over the items and rides', async () => {
  await fc.assert(
    fc.asyncProperty(rides, items, spendingPeriods, async (rides, items, { from, to }) => {
      await write(rides, items, [])
      const answer = await database.read(Costs, `public.spending(${dayLiteral(from)}, ${dayLiteral(to)})`)
      const isIn = (value: string) => (from === null || value >= from) && (to === null || value <= to)

      expect(answer.today).toBe(TODAY)
      expect(inCents(answer.this_year)).toBe(
        sumOf(items, (_, day) => day >= `${THIS_YEAR}-01-01` && day <= TODAY),
      )
      expect(inCents(answer.last_year_to_date)).toBe(
        sumOf(items, (_, day) => day >= `${THIS_YEAR - 1}-01-01` && day <= sameDayIn(THIS_YEAR - 1)),
      )
      const months = Object.groupBy(
        items.filter(({ cost }) => cost !== 0),
        ({ bikeId, type, dateStarted }) => `${dateStarted.slice(0, 7)} ${bikeId} ${type}`,
      )
      const ofMonths = answer.months.map(
        ({ month, gear_id, type, cost }) => [`${month} ${gear_id} ${type}`, inCents(cost)] as const,
      )
      expect(new Map(ofMonths)).toEqual(
        new Map(Object.entries(months).map(([key, list]) => [key, sumOf(list!, () => true)])),
      )

      for (const bike of answer.bikes) {
        const everything = { bikeId: bike.gear_id, dateStarted: '', dateEnded: null, id: 0 }
        const ofPeriod = { ...everything, dateStarted: from ?? '', dateEnded: to && `${to}T24` }
        const dated = plainLifetime([ofPeriod], rides, Date.now())
        // Rides without a date are in no period.
        const isUndated = (ride: UsageRide) =>
          ride.gear_id === bike.gear_id && (ride.departed_at ?? ride.created_at) === null
        const undated = sumOfRides(from === null && to === null ? rides.filter(isUndated) : [])
        // 365 days, today included.
        const yearAgo = new Date(Date.parse(TODAY) - 364 * 24 * HOUR).toISOString().slice(0, 10)
        const ofYear = plainLifetime([{ ...everything, dateStarted: yearAgo }], rides, Date.now())
        expect({
          cost: inCents(bike.cost),
          distance: Math.round(bike.distance * 1000),
          moving_time: bike.moving_time,
          distance_of_year: Math.round(bike.distance_of_year * 1000),
        }).toEqual({
          cost: sumOf(items, ({ bikeId }, day) => bikeId === bike.gear_id && isIn(day)),
          distance: dated.distance + undated.distance,
          moving_time: dated.moving_time + undated.moving_time,
          distance_of_year: ofYear.distance,
        })
      }
      for (const { type, cost } of answer.types) {
        expect(inCents(cost)).toBe(sumOf(items, (item, day) => item.type === type && isIn(day)))
      }
      expect(inCents(answer.total.cost)).toBe(sumOf(items, (_, day) => isIn(day)))
    }),
    { numRuns: 30 },
  )
})

test('merges spellings without touching later edits, and does nothing when repeated', async () => {
  const spellings = ['kmc x11', 'KMC X-11', 'KMC X11']
  await database.run(onlyWorld({ bikes: ['Road'], entries: spellings.map((name) => ({ name })) }))
  await database.run(`update public.maintenance set name = 'SRAM' where id = 1`)
  const wanted = spellings.map((was, index) => ({ id: index + 1, name: 'KMC X11', was }))
  const rename = () =>
    database.value(`private.command_rename_items(${literal({ names: wanted })}) ->> 'renamed'`)
  const names = () => database.value('(select array_agg(name order by id) from public.maintenance)')
  expect([await rename(), await names()]).toEqual(['1', ['SRAM', 'KMC X11', 'KMC X11']])
  expect(await rename()).toBe('0')
})
