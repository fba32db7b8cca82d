// Logs as version 1.0 stored them.
import { utcDay } from '../../sample/calendar.ts'
import { gearOn } from '../../sample/gear.ts'
import { sampleLog } from '../../sample/log.ts'
import { type Random, randomFor } from '../../sample/random.ts'
import { sampleTrips, type Trip } from '../../sample/rider.ts'
import { sampleService } from '../../sample/service.ts'
import { FORMER_KINDS } from './former-kinds.ts'

interface Item {
  id: number
  bikeId: number
  part_id: number
  type: string | null
  name: string
  cost: number
  dateStarted: string
  dateEnded: string | null
  ended_as: string | null
}

/** Rows by table. */
export type FormerLog = Record<string, readonly object[]>

const DAY = 86_400_000
const FIRST_DAY = Date.parse('2021-01-01T01:00:00Z')
const LAST_DAY = 1400
const at = (day: number) => new Date(FIRST_DAY + day * DAY).toISOString().slice(0, 19)

const BIKES = 6
const PLACES = 8
const RIDES_PER_BIKE = 40

/** Returns a log with names of all kinds. On every third bike, a part's periods may have different names. */
export function madeUpLog(seed: string): FormerLog {
  const random = randomFor(seed)
  const bikes = Array.from({ length: BIKES }, (_, index) => ({
    gear_id: index + 1,
    name: `Bike ${index + 1}`,
  }))
  const items: Item[] = []
  for (const { gear_id } of bikes)
    for (let place = 0; place < PLACES; place += 1) items.push(...succession(random, gear_id, items))
  const parts = [...new Set(items.map(({ part_id }) => part_id))].map((id) => ({
    id,
    earlier_distance: random.chance(0.1) ? random.integer(1, 900) * 1000 : null,
  }))
  const tasks = items
    .filter(() => random.chance(0.2))
    .map(({ part_id }, index) => taskOf(random, index + 1, { part_id }))
  for (const { gear_id } of bikes) tasks.push(taskOf(random, tasks.length + 1, { gear_id }))
  const events = tasks
    .filter(() => random.chance(0.6))
    .map(({ id, part_id }, index) => ({
      id: index + 1,
      task_id: id,
      part_id,
      done_at: at(random.integer(LAST_DAY, LAST_DAY + 20)),
    }))
  return {
    bikes,
    parts,
    maintenance: items,
    service_tasks: tasks,
    service_events: events,
    rides: ridesOf(random),
  }
}

/** Returns what was at one place of a bike, one after the other, with gaps, overlaps and work. */
function succession(random: Random, bikeId: number, before: readonly Item[]): Item[] {
  const known = random.pick(FORMER_KINDS as [(typeof FORMER_KINDS)[number]])
  const items: Item[] = []
  let day = random.integer(0, 300)
  for (let count = random.integer(1, 4); count > 0; count -= 1) {
    const last = items.at(-1)
    const isSame =
      last !== undefined && last.dateEnded !== null && last.dateEnded <= at(day) && random.chance(0.3)
    const other = random.pick(FORMER_KINDS as [(typeof FORMER_KINDS)[number]])
    const { name, type } = isSame && bikeId % 3 === 0 && random.chance(0.5) ? other : known
    const end = random.chance(0.15) ? null : day + (random.chance(0.1) ? 0 : random.integer(30, 400))
    items.push({
      id: before.length + items.length + 1,
      bikeId,
      part_id: isSame ? last.part_id : before.length + items.length + 1,
      type,
      name: random.chance(0.2)
        ? name.replace(/front|rear/i, (end) => (/front/i.test(end) ? 'rear' : 'front'))
        : name,
      cost: random.integer(0, 90),
      dateStarted: at(day),
      dateEnded: end === null ? null : at(end),
      ended_as:
        end === null || end === day ? null : random.pick(['worn', 'damaged', 'stored', 'moved', 'sold']),
    })
    day = (end ?? day + 60) + (random.chance(0.5) ? 0 : random.integer(-20, 60))
    if (day >= LAST_DAY) break
    // A part can't be installed twice at once.
    if (end !== null) day = Math.max(day, end)
  }
  return items
}

const taskOf = (random: Random, id: number, of: { part_id?: number; gear_id?: number }) => ({
  id,
  part_id: of.part_id ?? null,
  gear_id: of.gear_id ?? null,
  name: `Task ${id}`,
  kind: random.pick(['service', 'replace', 'check']),
  every_distance: random.integer(100, 3000) * 1000,
  every_days: random.chance(0.5) ? random.integer(10, 900) : null,
  outdoor_only: random.chance(0.3),
})

/** One ride a day, so that none looks recorded twice. */
const ridesOf = (random: Random) =>
  Array.from({ length: BIKES * RIDES_PER_BIKE }, (_, index) => {
    const start = FIRST_DAY + (index * Math.floor((LAST_DAY * 10) / (BIKES * RIDES_PER_BIKE)) * DAY) / 10
    const moving_time = random.integer(1200, 9000)
    return {
      id: index + 1,
      gear_id: random.integer(1, BIKES),
      name: 'Ride',
      departed_at: new Date(start + random.integer(5, 12) * 3_600_000).toISOString(),
      created_at: new Date(start + 20 * 3_600_000).toISOString(),
      time_zone: 'UTC',
      distance: moving_time * random.integer(3, 9) + index / 10,
      duration: moving_time + random.integer(0, 900),
      moving_time,
      is_stationary: random.chance(0.1),
    }
  })

/** Returns the sample rider's log. */
export function sampleRows(now: Date): FormerLog {
  let next = 1000
  const partIds = new Map<number, number>()
  const partOf = (label: number | null | undefined) => {
    const known = label === null || label === undefined ? undefined : partIds.get(label)
    const id = known ?? (next += 1)
    if (label) partIds.set(label, id)
    return id
  }
  const items = sampleLog(now).map((row, index) =>
    Object.assign({}, row, { id: index + 1, part_id: partOf(row.part_id) }),
  )
  const tasks = sampleService(now).map(({ bikeId, item, done, ...task }, index) => {
    const installed = items.find(
      (one) => one.bikeId === bikeId && one.name === item && one.dateEnded === null,
    )
    const columns = { part_id: installed?.part_id ?? null, gear_id: item === null ? bikeId : null }
    return Object.assign(task, columns, { id: index + 1, done })
  })
  return {
    bikes: gearOn(utcDay(now)).map(({ id, name, archived }) => ({
      gear_id: id,
      name,
      is_retired: archived,
    })),
    parts: [...new Set(items.map(({ part_id }) => part_id))].map((id) => ({ id })),
    maintenance: items,
    service_tasks: tasks.map((task) => without(task, ['done'])),
    service_events: tasks.flatMap(({ id, part_id, done }) =>
      done.map((day, index) => ({ id: id * 100 + index, task_id: id, part_id, done_at: `${day}T01:00:00` })),
    ),
    rides: sampleTrips(now).map(rideOf),
  }
}

const rideOf = (trip: Trip) =>
  Object.assign(without(trip, ['utc_offset', 'is_gps', 'first_lat', 'description']), {
    time_zone: trip.time_zone.startsWith('Pacific') ? 'America/Los_Angeles' : trip.time_zone,
    duration: secondsOf(trip.duration),
    moving_time: secondsOf(trip.moving_time),
  })

const without = (row: object, columns: string[]) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)))

const secondsOf = (time: number | string | null) =>
  typeof time === 'string' ? time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) : time
