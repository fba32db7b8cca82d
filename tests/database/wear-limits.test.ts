import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Measurement } from '../../supabase/functions/maintenance-use/contract.ts'
import { ServiceTasks, type WearLimit } from '../../supabase/functions/_shared/contracts/service-tasks.ts'
import { insert, OWNER, useDatabase } from './databases.ts'
import { plainLifetime, type UsageItem, type UsageRide } from './usage.ts'
import { METERS_PER_MILE, nameKey, plainSeries } from './wear.ts'

const database = await useDatabase(`
  insert into public.bikes values (1, 'Road'), (2, 'Gravel');
  insert into public.parts (id, earlier_distance) values (1, null), (2, 1000000.5), (3, null);
  insert into auth.users (id, email) values ('${OWNER}', 'owner@example.com')`)

const EARLIER = [null, 1_000_000.5, null]
const CLOCK = 'T01:00:00'
const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString().slice(0, 10)
const days = fc.integer({ min: 1, max: 100 })

const rides = fc
  .array(fc.tuple(fc.constantFrom(1, 2), days, fc.integer({ min: 0, max: 200_000 })), { maxLength: 40 })
  .map((list) =>
    list.map(([gear_id, number, distance], index): UsageRide => ({
      id: index + 1,
      gear_id,
      departed_at: `${day(number)}T12:00:00.000Z`,
      created_at: null,
      time_zone: 'UTC',
      distance,
      duration: null,
      moving_time: null,
    })),
  )

type Item = UsageItem & { part_id: number }

/** Each part is on a bike, moved to the other one, or was stored. */
const items = fc
  .array(fc.record({ bike: fc.constantFrom(1, 2), moved: fc.option(days), stored: fc.boolean() }), {
    minLength: 3,
    maxLength: 3,
  })
  .map((parts) =>
    parts
      .flatMap(({ bike, moved, stored }, index): Omit<Item, 'id'>[] => {
        const part_id = index + 1
        const end = stored ? day(150) + CLOCK : null
        const first = { bikeId: bike, part_id, dateStarted: day(0) + CLOCK, dateEnded: end }
        if (moved === null) return [first]
        const at = day(moved) + CLOCK
        return [
          { ...first, dateEnded: at },
          { bikeId: 3 - bike, part_id, dateStarted: at, dateEnded: end },
        ]
      })
      .map((item, index) => Object.assign(item, { id: index + 1 })),
  )

const measurements = fc
  .array(
    fc.record({
      part_id: fc.constantFrom(1, 2, 3),
      measured_on: days.map(day),
      value: fc.constantFrom(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
      reading: fc.constantFrom(null, null, null, 'under', 'over'),
      unit: fc.constantFrom('chain %', 'chain %', 'play'),
      tool: fc.constantFrom('Gauge', 'Gauge', 'Caliper'),
      limit: fc.constantFrom(null, 0.5),
    }),
    { maxLength: 20 },
  )
  .map((list) => list.map((one, index) => Object.assign(one, { id: index + 1 })))

interface World {
  rides: UsageRide[]
  items: Item[]
  measurements: { part_id: number; measured_on: string; id: number }[]
  retired: number | null
  checked: number | null
}

async function dueOf({ rides, items, measurements, retired, checked }: World, of = '') {
  await database.run(`
    truncate public.rides, public.maintenance, public.service_tasks, public.wear_measurements cascade;
    update public.bikes set is_retired = gear_id is not distinct from ${retired};
    ${insert('rides', rides)}
    ${insert(
      'maintenance',
      items.map((item) => ({ ...item, name: 'Item' })),
    )}
    ${insert('wear_measurements', measurements)}
    ${checked === null ? '' : `insert into public.service_tasks (part_id, name, kind, every_days, counted_from) values (${checked}, 'Check', 'check', 1, '2026-01-01')`}`)
  return database.read(ServiceTasks, `public.service_due(${of})`)
}

const on = (ride: UsageRide) => ride.departed_at!.slice(0, 10)

/** Returns what a part's limit should be, in whole meters. */
function plainLimits({ rides, items, measurements, retired, checked }: World, part: number) {
  const periods = items.filter(({ part_id }) => part_id === part)
  const { bikeId, dateEnded, id } = periods.at(-1)!
  if (dateEnded !== null || bikeId === retired) return []
  const earlier = { earlier_distance: EARLIER[part - 1]!, earlier_moving_time: null }
  const used = (until: string | null) => {
    const cut = periods.flatMap((item): UsageItem[] => {
      if (until === null) return [item]
      if (item.dateStarted >= until) return []
      const ended = item.dateEnded
      return [{ ...item, dateEnded: ended !== null && ended < until ? ended : until }]
    })
    return plainLifetime(cut, rides, Date.now(), earlier).distance / 1000
  }
  const own = measurements
    .filter(({ part_id }) => part_id === part)
    .toSorted(
      (a, b) => (a.measured_on < b.measured_on ? -1 : Number(a.measured_on > b.measured_on)) || a.id - b.id,
    )
    .map((one) => Object.assign({ distance: used(`${one.measured_on}T24`) }, one) as unknown as Measurement)
  const place = (one: { unit: string; tool: string }) =>
    own.findLastIndex(
      ({ unit, tool }) => nameKey(unit) === nameKey(one.unit) && nameKey(tool) === nameKey(one.tool),
    )
  const series = plainSeries(own)
    .filter(({ estimate, reached_on }) => reached_on !== null || estimate?.kind === 'line')
    .toSorted((a, b) => place(b) - place(a))
  const distance = used(null)
  return [...Map.groupBy(series, ({ unit }) => nameKey(unit)).values()].flatMap(([latest]) => {
    const { unit, tool, limit, reached_on, reached_at, last_open, estimate } = latest!
    const limit_distance = reached_at ?? estimate!.from
    const share = distance / Math.max(limit_distance, 1)
    const fraction = reached_on === null ? share : Math.max(1, share)
    if (reached_on === null && fraction >= 1 && part === checked) return []
    const state = fraction >= 1.1 ? 'overdue' : fraction >= 1 ? 'due' : fraction >= 0.9 ? 'soon' : 'ok'
    const reachedWith = rides
      .map(on)
      .toSorted()
      .find((ridden) => used(`${ridden}T24`) >= limit_distance)
    const due_since = fraction < 1 ? null : (reached_on ?? reachedWith ?? null)
    return [
      {
        part_id: part,
        gear_id: bikeId,
        item_id: id,
        unit,
        tool,
        limit,
        reached_on,
        last_open,
        due_since,
        state,
        distance: Math.round(distance),
        limit_distance: Math.round(limit_distance),
      },
    ]
  })
}

const narrow = ({ item_name: _name, item_type: _type, fraction: _fraction, ...limit }: WearLimit) => ({
  ...limit,
  distance: Math.round(limit.distance),
  limit_distance: Math.round(limit.limit_distance),
})

const inOrder = (a: { part_id: number; unit: string }, b: { part_id: number; unit: string }) =>
  a.part_id - b.part_id || (a.unit < b.unit ? -1 : 1)

const ride = (miles: number): UsageRide => ({
  id: 1,
  gear_id: 1,
  departed_at: '2026-01-05T12:00:00.000Z',
  created_at: null,
  time_zone: 'UTC',
  distance: miles * METERS_PER_MILE,
  duration: null,
  moving_time: null,
})
const later = (miles: number) => ({ ...ride(miles), id: 2, departed_at: '2026-02-05T12:00:00.000Z' })
const item = { id: 1, bikeId: 1, part_id: 1, dateStarted: day(0) + CLOCK, dateEnded: null }
const exact = {
  id: 1,
  part_id: 1,
  measured_on: '2026-01-10',
  value: 0.25,
  reading: null,
  unit: 'chain %',
  tool: '',
  limit: null,
}
const world = { items: [item], measurements: [exact], retired: null, checked: null }

const worn = { ...exact, id: 2, measured_on: '2026-02-10', value: 0.55 }
test('service_due lists the limits of measured parts as a plain loop does, for any rides, periods and measurements', async () => {
  const states = new Set<string>()
  const check = async (world: World) => {
    const { limits } = await dueOf(world)
    const expected = [...new Set(world.items.map(({ part_id }) => part_id))].flatMap((part) =>
      plainLimits(world, part),
    )
    expect(limits.map(narrow).toSorted(inOrder)).toEqual(expected.toSorted(inOrder))
    const fractions = limits.map(({ fraction }) => fraction)
    expect(fractions).toEqual(fractions.toSorted((a, b) => b - a))
    for (const { state, reached_on } of limits) states.add(`${state}${reached_on === null ? '' : ', read'}`)
  }
  for (const miles of [500, 650, 820, 1000]) {
    await check({ ...world, rides: [ride(1000), later(miles)] })
    await check({ ...world, rides: [ride(1000), later(miles)], measurements: [exact, worn] })
  }
  expect([...states].toSorted()).toEqual(['due', 'due, read', 'ok', 'overdue', 'soon'])
  await fc.assert(
    fc.asyncProperty(
      rides,
      items,
      measurements,
      fc.option(fc.constantFrom(1, 2), { freq: 1 }),
      fc.option(fc.constantFrom(1, 2, 3)),
      async (rides, items, measurements, retired, checked) => {
        await check({ rides, items, measurements, retired, checked })
      },
    ),
    { numRuns: 40 },
  )
})

// 0.25 after 1,000 miles: 0.5 is likely reached from 1,805 miles on.
test.each([
  [500, 'ok'],
  [650, 'soon'],
  [820, 'due'],
  [1000, 'overdue'],
])('the estimate after another %d miles is %s', async (miles, state) => {
  const { limits } = await dueOf({ ...world, rides: [ride(1000), later(miles)] })
  expect(limits).toMatchObject([{ state, reached_on: null }])
  const isDue = state === 'due' || state === 'overdue'
  expect(limits[0]!.due_since).toBe(isDue ? '2026-02-05' : null)
})

test('a check that is due stands for an estimate that is reached, but not for a reading', async () => {
  const due = { ...world, rides: [ride(1000), later(900)], checked: 1 }
  expect((await dueOf(due)).limits).toEqual([])
  expect((await dueOf({ ...due, rides: [ride(1000), later(500)] })).limits).toMatchObject([{ state: 'ok' }])
  expect((await dueOf({ ...due, measurements: [exact, worn] })).limits).toMatchObject([
    { state: 'due', reached_on: '2026-02-10', last_open: 1 },
  ])
})

test('lists the limits of one bike', async () => {
  const ridden = { ...world, rides: [ride(1000)] }
  expect((await dueOf(ridden, '1')).limits).toHaveLength(1)
  expect((await dueOf(ridden, '2')).limits).toEqual([])
})
