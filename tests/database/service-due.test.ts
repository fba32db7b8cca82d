import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ServiceTasks, type Task } from '../../supabase/functions/_shared/contracts/service-tasks.ts'
import { checked } from '../contract.ts'
import { insert, literal, OWNER, useDatabase } from './databases.ts'
import {
  plainIntervals,
  plainService,
  type ServiceEvent,
  type ServiceItem,
  type ServiceRide,
  type ServiceTask,
} from './service.ts'
import { type Earlier, earlierUsage, NO_EARLIER, wallClock } from './usage.ts'

const BIKES = [1, 2]
const PARTS = [1, 2, 3]
const HOUR = 3_600_000
const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland', 'Asia/Kathmandu']

// A weekend on which clocks change, and the last ten days, in which limits of a few days become due.
const SPRING = Date.parse('2024-03-08T00:00:00Z')
const recently = Math.floor(Date.now() / HOUR) * HOUR - 10 * 24 * HOUR
const hours = fc.oneof(
  fc.integer({ min: 0, max: 96 }).map((hour) => SPRING + hour * HOUR),
  fc.integer({ min: 0, max: 240 }).map((hour) => recently + hour * HOUR),
)
const clocks = hours.map((hour) => new Date(hour).toISOString().slice(0, 19))
const dayOf = (hour: number) => new Date(hour).toISOString().slice(0, 10)
const days = hours.map((hour) => `${dayOf(hour)}T01:00:00`)
// Planned parts' start days.
const nextDays = fc.integer({ min: 0, max: 96 }).map((hour) => `${dayOf(Date.now() + hour * HOUR)}T01:00:00`)

const rides: fc.Arbitrary<ServiceRide[]> = fc
  .array(
    fc.record({
      gear_id: fc.constantFrom(...BIKES, ...BIKES, 3, null),
      departed_at: fc.option(
        fc.oneof(
          { weight: 9, arbitrary: hours.map((hour) => new Date(hour).toISOString()) },
          { weight: 1, arbitrary: fc.constant('2199-01-01T00:00:00.000Z') },
        ),
        { freq: 9 },
      ),
      created_at: fc.option(
        hours.map((hour) => new Date(hour).toISOString()),
        { freq: 9 },
      ),
      time_zone: fc.constantFrom(...zones),
      distance: fc.option(fc.constantFrom(100, 200, 300, 1000, 12_345.678)),
      duration: fc.option(fc.constantFrom(60, 120, 600)),
      moving_time: fc.option(fc.constantFrom(60, 120, 600)),
      is_stationary: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((list) =>
    // A ride that was uploaded years after its start may be doubted.
    list.map((ride, index) => ({ ...ride, created_at: ride.departed_at ?? ride.created_at, id: index + 1 })),
  )

/** Generates a part's install periods, which don't overlap, on any bike, and work on it. */
const itemsOf = (part: number): fc.Arbitrary<Omit<ServiceItem, 'id'>[]> =>
  fc
    .record({
      times: fc.uniqueArray(fc.oneof(days, clocks, nextDays), { maxLength: 6 }),
      bikes: fc.array(fc.constantFrom(...BIKES), { minLength: 6, maxLength: 6 }),
      last: fc.constantFrom('open', 'planned', 'none'),
      work: fc.option(days),
    })
    .map(({ times, bikes, last, work }) => {
      const ordered = times.toSorted()
      const periods = ordered.flatMap((dateStarted, index) => {
        const next = ordered[index + 1]
        const dateEnded = next ?? (last === 'planned' ? '2100-12-31T01:00:00' : null)
        // Skip some periods, so the part is stored for a while. The last period is open or left out.
        const isLeftOut =
          next === undefined ? last === 'none' : bikes[index] === bikes[index + 1] && index % 2 === 1
        return isLeftOut ? [] : [{ bikeId: bikes[index]!, part_id: part, dateStarted, dateEnded }]
      })
      const done = work === null ? [] : [{ bikeId: 1, part_id: part, dateStarted: work, dateEnded: work }]
      return periods.concat(done)
    })

const items: fc.Arbitrary<ServiceItem[]> = fc
  .tuple(...PARTS.map(itemsOf))
  .map((lists) => lists.flat().map((item, index) => Object.assign(item, { id: index + 1 })))

const tasks = fc
  .array(
    fc
      .record({
        owner: fc.constantFrom(
          ...PARTS.map((part_id) => ({ part_id, gear_id: null })),
          ...BIKES.map((gear_id) => ({ part_id: null, gear_id })),
        ),
        every_distance: fc.option(fc.constantFrom(100, 300, 1000, 1100, 2000, 3000.5), { freq: 2 }),
        every_moving_time: fc.option(fc.constantFrom(60, 300, 600, 1200), { freq: 2 }),
        every_days: fc.option(fc.constantFrom(1, 3, 5, 9, 10, 900, 1000, 3650), { freq: 2 }),
        // A task that is done once, from ten days ago to ten days ahead or by its limits.
        once: fc.option(
          fc.record({
            due_on: fc.option(
              fc.integer({ min: 0, max: 20 }).map((day) => dayOf(recently + day * 24 * HOUR)),
              { freq: 3 },
            ),
          }),
          { freq: 1 },
        ),
        outdoor_only: fc.boolean(),
        counted_from: fc.option(fc.oneof(days, clocks), { freq: 1 }),
        snooze: fc.option(
          fc.record({
            // From ten days ago to ten days ahead.
            until: fc.option(
              fc.integer({ min: 0, max: 20 }).map((day) => dayOf(recently + day * 24 * HOUR)),
              { freq: 2 },
            ),
            distance: fc.constantFrom(100, 1000, 5000),
            from: fc.option(clocks, { freq: 2 }),
            part: fc.constantFrom(null, null, ...PARTS),
          }),
        ),
        // Times when the task was done, on its current part or on another part.
        events: fc.array(
          fc.record({
            done_at: fc.oneof(days, clocks),
            onPart: fc.boolean(),
            // The UTC offset in hours when Done was pressed.
            pressedAhead: fc.option(fc.integer({ min: -11, max: 14 })),
          }),
          { maxLength: 4 },
        ),
      })
      .map((task) => Object.assign(task, task.once && { every_days: null }))
      .filter(
        (task) =>
          (task.every_distance ?? task.every_moving_time ?? task.every_days ?? task.once?.due_on ?? null) !==
          null,
      ),
    { maxLength: 8 },
  )
  .map((list) => list.map((task, index) => ({ ...task, id: index + 1 })))

type Generated = (typeof tasks extends fc.Arbitrary<infer T> ? T : never)[number]

const START = '2024-03-08T00:00:00'
const RIDE: ServiceRide = {
  id: 1,
  gear_id: 1,
  departed_at: '2024-03-09T12:00:00.000Z',
  created_at: null,
  time_zone: 'UTC',
  distance: 1000,
  duration: 60,
  moving_time: 60,
  is_stationary: false,
}
const REMOVED = { id: 1, bikeId: 1, part_id: 1, dateStarted: START, dateEnded: '2024-03-10T00:00:00' }

const taskOf = (
  every_distance: Generated['every_distance'],
  more: Partial<Generated> = {},
): Omit<Generated, 'id'> => ({
  owner: { part_id: null, gear_id: 1 },
  every_distance,
  every_moving_time: null,
  every_days: null,
  outdoor_only: false,
  counted_from: null,
  once: null,
  snooze: null,
  events: [{ done_at: START, onPart: true, pressedAhead: null }],
  ...more,
})
const eachState = [
  taskOf(2000),
  taskOf(1100),
  taskOf(1000),
  taskOf(300),
  taskOf(300, { snooze: { until: null, distance: 5000, from: null, part: null } }),
  taskOf(300, { owner: { part_id: 1, gear_id: null } }),
].map((task, index) => Object.assign(task, { id: index + 1 }))

/** Returns a generated task's rows. Half of the snoozes start at the latest event, so they may be in effect. */
function rowsOf({ id, owner, once, snooze, events, ...limits }: Generated) {
  const latest = events.map(({ done_at }) => done_at).toSorted()
  const task: ServiceTask = {
    id,
    ...owner,
    every_distance: limits.every_distance,
    every_moving_time: limits.every_moving_time,
    every_days: limits.every_days,
    outdoor_only: limits.outdoor_only,
    once: once !== null,
    due_on: once?.due_on ?? null,
    with_task: null,
    group: null,
    counted_from: limits.counted_from,
    snoozed_until: snooze?.until ?? null,
    snoozed_distance: snooze && snooze.until === null ? snooze.distance : null,
    snoozed_from: snooze ? (snooze.from ?? latest.at(-1) ?? null) : null,
    snoozed_part: owner.part_id === null ? null : (snooze?.part ?? null),
  }
  // An event on another part dates from before the task moved to its current part.
  const done = events.map(({ done_at, onPart, pressedAhead }) => {
    const part_id = owner.part_id === null ? null : onPart ? owner.part_id : (owner.part_id % 3) + 1
    const pressed_at =
      pressedAhead === null ? null : new Date(Date.parse(`${done_at}Z`) - pressedAhead * HOUR).toISOString()
    return { task_id: id, part_id, done_at, pressed_at }
  })
  return { task, events: done }
}

const database = await useDatabase(`
      insert into public.bikes values (1, 'Road'), (2, 'Gravel');
      insert into public.parts values ${PARTS.map((part) => `(${part})`).join()};
      insert into auth.users (id, email) values ('${OWNER}', 'owner@example.com')`)

async function dueOf(
  zone: string,
  log: {
    rides: ServiceRide[]
    items: ServiceItem[]
    events: ServiceEvent[]
    tasks: ServiceTask[]
    parts: (Earlier & { id: number })[]
    retired: number | null
  },
) {
  const results = await database.run(`
    truncate public.rides, public.maintenance, public.service_tasks cascade;
    update private.owner set time_zone = '${zone}';
    update public.bikes set is_retired = gear_id is not distinct from ${log.retired};
    update public.parts as part
    set earlier_distance = known.earlier_distance, earlier_moving_time = known.earlier_moving_time
    from jsonb_populate_recordset(null::public.parts, ${literal(log.parts)}) as known where known.id = part.id;
    ${insert('rides', log.rides)}
    ${insert(
      'maintenance',
      log.items.map((item) => ({ ...item, name: 'Item' })),
    )}
    ${insert(
      'service_tasks',
      log.tasks.map((task) => ({ ...task, name: 'Task' })),
    )}
    ${insert('service_events', log.events)}
    select public.service_due() as due, public.service_due(1) as of_bike,
      (select json_agg(row order by event_id) from private.service_intervals(array(select id from public.service_tasks)) as row) as intervals,
      extract(epoch from now()) * 1000 as instant, to_char(private.wall_clock(), 'YYYY-MM-DD"T"HH24:MI:SS') as clock`)
  const { due, of_bike, intervals, instant, clock } = results.at(-1)![0]!
  return {
    due: checked(ServiceTasks, due).tasks,
    ofBike: checked(ServiceTasks, of_bike).tasks,
    intervals: (intervals ?? []) as object[],
    now: { instant: Number(instant), clock: String(clock) },
  }
}

test('service_due matches a plain loop over all rides, for any rides, periods, tasks and events', async () => {
  const states = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...zones),
      rides,
      items,
      tasks,
      fc.array(earlierUsage, { minLength: PARTS.length, maxLength: PARTS.length }),
      fc.option(fc.constantFrom(...BIKES), { freq: 1 }),
      async (zone, rides, items, generated, earlier, retired) => {
        const rows = generated.map(rowsOf)
        const events = rows
          .flatMap((row) => row.events)
          .map((event, index) => Object.assign(event, { id: index + 1 }))
        const parts = PARTS.map((id, index) => Object.assign({ id }, earlier[index]!))
        const log = { rides, items, events, tasks: rows.map(({ task }) => task), parts, retired }
        const { due, ofBike, intervals, now } = await dueOf(zone, log)
        const expected = log.tasks.flatMap((task) => plainService(task, log, now) ?? [])
        expect(due.map(narrow).toSorted((a, b) => a.id - b.id)).toEqual(expected)
        const known = log.tasks.flatMap((task) => plainIntervals(task, log, now))
        expect(intervals).toEqual(known.toSorted((a, b) => a.event_id - b.event_id))
        expect(ofBike).toEqual(due.filter((task) => task.gear_id === 1))
        expect(due.map((task) => task.fraction)).toEqual(
          due.map((task) => task.fraction).toSorted((a, b) => b - a),
        )
        for (const { state } of due) states.set(state, (states.get(state) ?? 0) + 1)
      },
    ),
    { numRuns: 30, examples: [['UTC', [RIDE], [REMOVED], eachState, PARTS.map(() => NO_EARLIER), null]] },
  )
  expect([...states.keys()].toSorted()).toEqual(['due', 'ok', 'overdue', 'paused', 'snoozed', 'soon'])
})

test('after a journey west, where the service was done tomorrow, the limit in days is as far as its date', async () => {
  const pressed_at = new Date().toISOString()
  const task = { ...rowsOf({ ...taskOf(2000, { events: [] }), id: 1 }).task, every_days: 30 }
  // Hawaii is always 24 hours behind.
  const done_at = wallClock(pressed_at, 'Pacific/Kiritimati')
  const events = [{ id: 1, task_id: 1, part_id: null, done_at, pressed_at }]
  const log = { rides: [], items: [], events, tasks: [task], parts: [], retired: null }
  const [due] = (await dueOf('Pacific/Honolulu', log)).due
  expect(due).toMatchObject({ used: { days: 0 }, left: { days: 31 }, fraction: 0, state: 'ok' })
})

/** Converts distances to millimeters, which are exact. */
function narrow({ id, gear_id, item_id, is_retired, used, fraction, axis, state, ...task }: Task) {
  return {
    id,
    gear_id,
    item_id,
    is_retired,
    used: { ...used, distance: Math.round(used.distance * 1000) },
    earlier_distance: task.earlier_distance,
    earlier_moving_time: task.earlier_moving_time,
    fraction,
    axis,
    state,
    daysLeft: task.left.days,
  }
}
