import * as v from 'valibot'
import type { Lifetime } from '../contracts/lifetimes.ts'
import { groupLifetimes, lifetimesByEnd, lifetimesOf, usedRows } from '../parts/lifetimes.ts'
import { TYPES } from '../limits.ts'
import { KIND_NAMES, POSITIONS } from '../kinds.ts'
import { read, type RunSql } from './command.ts'
import {
  Amount,
  answerOf,
  costOf,
  Count,
  Day,
  dayOf,
  distanceOf,
  field,
  Flag,
  hoursOf,
  Id,
  ifKnown,
  inputOf,
  optional,
  orNull,
  rateOf,
  requireBike,
  sayList,
  Text,
  type Units,
} from './fields.ts'

const listBikes = read({
  name: 'list_bikes',
  title: 'List the bikes',
  path: '/v1/bikes',
  description:
    'Lists the bikes with their ids, distance, cost and number of due tasks. Use it to find the id of a bike by its name.',
  Input: inputOf({}),
  Answer: answerOf({
    bikes: field(
      v.array(
        v.strictObject({
          id: field(Id, 'The bike’s id at Ride with GPS, which never changes.'),
          name: field(Text, 'The bike’s name.'),
          is_retired: field(Flag, 'Whether the bike is retired at Ride with GPS.'),
          due: field(Count, 'The number of tasks that are due, including overdue ones.'),
          rides: field(Count, 'The number of rides.'),
          distance: field(Amount, 'The distance of all rides, in `units`.'),
          hours: field(Amount, 'The hours of all rides.'),
          distance_this_year: field(Amount, 'The distance of this year’s rides, in `units`.'),
          cost: field(Amount, 'The cost of all log entries, in `currency`.'),
          cost_this_year: field(Amount, 'The cost of the log entries that start this year, in `currency`.'),
          last_ride_on: orNull(Day, 'The day of the last ride. Null without rides.'),
        }),
      ),
      'All bikes; retired ones last.',
    ),
  }),
  async run(_input, { runSql }) {
    const { answer, units } = await runSql('bikes')
    const named = new Map(answer.bikes.map((bike) => [bike.gear_id, bike]))
    const due = [...answer.tasks, ...answer.limits].filter(
      ({ state }) => state === 'due' || state === 'overdue',
    )
    const bikes = answer.garage.bikes.map((bike) => ({
      id: bike.gear_id,
      name: named.get(bike.gear_id)?.name ?? '',
      is_retired: named.get(bike.gear_id)?.is_retired ?? false,
      due: due.filter(({ gear_id }) => gear_id === bike.gear_id).length,
      rides: bike.rides,
      distance: distanceOf(bike.distance, units),
      hours: hoursOf(bike.moving_time),
      distance_this_year: distanceOf(bike.distance_this_year, units),
      cost: costOf(bike.cost),
      cost_this_year: costOf(bike.cost_this_year),
      last_ride_on: dayOf(bike.last_ride),
    }))
    return { bikes }
  },
  say: ({ bikes, units }) =>
    sayList(
      bikes.map(({ name, distance, due }) => `${name}: ${distance} ${units}, ${due} due`),
      'No bikes yet.',
    ),
})

async function readParts(runSql: RunSql) {
  const { answer, units } = await runSql('parts')
  return { used: usedRows(answer.used), bikes: answer.bikes, units }
}

const totals = {
  rides: field(Count, 'The number of rides since the part was first installed.'),
  distance: field(Amount, 'The distance of these rides, and from before the log, in `units`.'),
  hours: field(Amount, 'The hours of these rides, and from before the log.'),
  days: field(Count, 'The number of days on a bike.'),
  cost: field(Amount, 'The price and the paid services, in `currency`.'),
}

const totalsOf = (part: Lifetime, units: Units) => ({
  rides: part.rides,
  distance: distanceOf(part.distance, units),
  hours: hoursOf(part.moving_time),
  days: part.days,
  cost: costOf(part.cost),
})

const endTotals = (where: string) =>
  v.exactOptional(
    field(
      v.strictObject({
        rides: field(Count, 'The number of rides there.'),
        distance: field(Amount, 'The distance of these rides, in `units`.'),
        hours: field(Amount, 'The hours of these rides.'),
      }),
      `What it was ridden ${where}.`,
    ),
  )

const endsOf = (ends: NonNullable<Lifetime['by_position']>, units: Units) =>
  Object.fromEntries(
    Object.entries(ends).map(([position, { rides, distance, moving_time }]) => [
      position,
      { rides, distance: distanceOf(distance, units), hours: hoursOf(moving_time) },
    ]),
  )

const partOf = (part: Lifetime, bikes: Record<string, string>, units: Units) => ({
  id: part.part_id,
  name: part.name,
  type: part.type as (typeof TYPES)[number] | null,
  kind: part.kind,
  position: part.position,
  by_position: ifKnown(part.by_position, (ends) => endsOf(ends, units)),
  bike_id: part.running ? part.gear_id : null,
  bike: part.running ? (bikes[part.gear_id] ?? '') : null,
  first_installed_on: part.started.slice(0, 10),
  ...totalsOf(part, units),
})

const listParts = read({
  name: 'list_parts',
  title: 'List the parts',
  path: '/v1/parts',
  description:
    'Lists the parts in use, and those in storage, with their ids and their usage over all bikes. Use it to find the id of a part. `list_entries` has past parts, too.',
  Input: inputOf({
    bike: optional(Id, 'Only parts that are on the bike with this id.'),
  }),
  Answer: answerOf({
    parts: field(
      v.array(
        v.strictObject({
          id: field(Id, 'The part’s id, which stays the same when it moves to another bike.'),
          name: field(Text, 'The part’s name.'),
          type: orNull(v.picklist(TYPES), 'The type of its log entry. Null: none.'),
          kind: orNull(v.picklist(KIND_NAMES), 'What it is. Null: unknown, or none of these.'),
          position: orNull(
            v.picklist(POSITIONS),
            'Where it is or was last. Null: unknown, or its kind has no front and rear.',
          ),
          by_position: orNull(
            v.strictObject({
              front: endTotals('at the front'),
              rear: endTotals('at the rear'),
              both: endTotals('as a pair'),
            }),
            'What it was ridden where it has been, without usage from before the log. Null: its kind has no front and rear.',
          ),
          bike_id: orNull(Id, 'The id of the bike that it is on. Null: in storage.'),
          bike: orNull(Text, 'The name of the bike that it is on. Null: in storage.'),
          first_installed_on: field(Day, 'The day on which it was first installed, or put into storage.'),
          ...totals,
        }),
      ),
      'The part that was installed first comes first.',
    ),
  }),
  async run({ bike }, { runSql }) {
    const { used, bikes, units } = await readParts(runSql)
    requireBike(bikes, bike)
    const parts = lifetimesOf(used, true)
      .filter((part) =>
        bike === undefined
          ? part.running || part.ended_as === 'stored'
          : part.running && part.gear_id === bike,
      )
      .map((part) => partOf(part, bikes, units))
    return { parts }
  },
  say: ({ parts, units }) =>
    sayList(
      parts.map(({ name, bike, distance }) => `${name} (${bike ?? 'in storage'}): ${distance} ${units}`),
      'No parts yet.',
    ),
})

const partLifetimes = read({
  name: 'part_lifetimes',
  title: 'Compare how long parts last',
  path: null,
  description:
    'Compares how long parts lasted, and what they cost, by type and name. Includes parts in use and ended ones. Use it for “which chain lasts longest?”.',
  Input: inputOf({
    kind: optional(v.picklist(KIND_NAMES), 'Only parts of this kind.'),
  }),
  Answer: answerOf({
    groups: field(
      v.array(
        v.strictObject({
          name: field(Text, 'The parts’ name.'),
          type: orNull(Text, 'The type of their log entries. Null: none.'),
          kind: orNull(v.picklist(KIND_NAMES), 'What they are. Null: unknown.'),
          position: orNull(
            v.picklist(POSITIONS),
            'Where they were: a part that was at both ends is in a group of each, with the usage there. Null: unknown, or neither.',
          ),
          finished: field(Count, 'How many wore out. The others ended for another reason, or are in use.'),
          typical_distance: orNull(
            Amount,
            'How far such a part typically lasts, in `units`. Null with fewer than three finished parts.',
          ),
          typical_hours: orNull(
            Amount,
            'How many hours such a part typically lasts. Null with fewer than three finished parts.',
          ),
          cost_per_distance: orNull(Amount, 'The cost of one `units` in `currency`. Null without a price.'),
          cost_per_hour: orNull(Amount, 'The cost of an hour in `currency`. Null without a price.'),
          parts: field(
            v.array(
              v.strictObject({
                id: field(Id, 'The part’s id.'),
                bike: field(Text, 'The name of the bike that it is or was last on.'),
                in_use: field(Flag, 'Whether it is on a bike.'),
                ended_as: orNull(Text, 'Why it was removed. Null: in use, or unknown.'),
                started_on: field(Day, 'The day on which it was first installed.'),
                ended_on: orNull(Day, 'The day on which it was removed. Null: in use.'),
                ...totals,
              }),
            ),
            'The parts of this name.',
          ),
        }),
      ),
      'Parts of the same type, name and position.',
    ),
  }),
  async run({ kind }, { runSql }) {
    const { used, bikes, units } = await readParts(runSql)
    const groups = groupLifetimes(
      lifetimesByEnd(used).filter((part) => (kind ?? part.kind) === part.kind),
    ).map((group) => ({
      name: group.name,
      type: group.type,
      kind: group.kind,
      position: group.position,
      finished: group.finished,
      typical_distance: ifKnown(group.median, (median) => distanceOf(median.distance, units)),
      typical_hours: ifKnown(group.median, (median) => hoursOf(median.moving_time)),
      cost_per_distance: ifKnown(group.cost_per_km, (rate) => rateOf(rate, units)),
      cost_per_hour: ifKnown(group.cost_per_hour, costOf),
      parts: group.lifetimes.map((part) => ({
        id: part.part_id,
        bike: bikes[part.gear_id] ?? '',
        in_use: part.running,
        ended_as: part.ended_as,
        started_on: part.started.slice(0, 10),
        ended_on: dayOf(part.ended),
        ...totalsOf(part, units),
      })),
    }))
    return { groups }
  },
  say: ({ groups, units }) =>
    sayList(
      groups.map(({ name, finished, typical_distance }) =>
        typical_distance === null
          ? `${name}: ${finished} worn out`
          : `${name}: typically lasts ${typical_distance} ${units}`,
      ),
      'No such parts yet.',
    ),
})

export const partCommands = [listBikes, listParts, partLifetimes]
