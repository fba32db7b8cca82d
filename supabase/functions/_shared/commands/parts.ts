import * as v from 'valibot'
import { Totals } from '../contracts/garage.ts'
import { type Lifetime, UsedColumns } from '../contracts/lifetimes.ts'
import { Task } from '../contracts/service-tasks.ts'
import { CodedError } from '../errors.ts'
import { groupLifetimes, lifetimesOf, usedRows } from '../lifetimes.ts'
import { END_REASONS, MAX_LENGTH, MAX_WEAR, READINGS, TYPES } from '../limits.ts'
import { command, type RunSql, type Units } from './command.ts'
import {
  Amount,
  AnyRowId,
  changeAnswer,
  costOf,
  Day,
  dayOf,
  described,
  distanceOf,
  Flag,
  hoursOf,
  Id,
  ifKnown,
  OrNull,
  rateOf,
  sayChange,
  sayList,
  Text,
  unitsAnswer,
  unitsInput,
  unitsOf,
  Written,
} from './fields.ts'

/** The result of the SQL command `bikes`. */
export const BikeRows = v.strictObject({
  garage: Totals,
  tasks: v.array(Task),
  bikes: v.array(v.strictObject({ gear_id: AnyRowId, name: v.string(), is_retired: v.boolean() })),
})

/** The result of the SQL command `parts`. */
export const PartRows = v.strictObject({
  used: UsedColumns,
  /** Names by gear_id. */
  bikes: v.record(v.string(), v.string()),
})

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const listBikes = command({
  name: 'list_bikes',
  isWrite: false,
  path: '/v1/bikes',
  description: 'Lists the bikes with their distance, cost and number of due tasks.',
  Input: v.strictObject(unitsInput),
  Answer: v.strictObject({
    bikes: described(
      v.array(
        v.strictObject({
          id: described(Id, 'The bike’s id at Ride with GPS, which never changes.'),
          name: described(Text, 'The bike’s name.'),
          is_retired: described(Flag, 'Whether the bike is retired at Ride with GPS.'),
          due: described(count, 'The number of tasks that are due, including overdue ones.'),
          rides: described(count, 'The number of rides.'),
          distance: described(Amount, 'The distance of all rides, in `units`.'),
          hours: described(Amount, 'The hours of all rides.'),
          distance_this_year: described(Amount, 'The distance of this year’s rides, in `units`.'),
          cost: described(Amount, 'The cost of all log entries, in `currency`.'),
          cost_this_year: described(
            Amount,
            'The cost of the log entries that start this year, in `currency`.',
          ),
          last_ride_on: described(OrNull(Day), 'The day of the last ride. Null without rides.'),
        }),
      ),
      'All bikes; retired ones last.',
    ),
    ...unitsAnswer,
  }),
  async run(_input, runSql) {
    const { answer, units } = await runSql('bikes', BikeRows)
    const named = new Map(answer.bikes.map((bike) => [bike.gear_id, bike]))
    const due = answer.tasks.filter(({ state }) => state === 'due' || state === 'overdue')
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
    return { bikes, ...unitsOf(units) }
  },
  say: ({ bikes, units }) =>
    sayList(
      bikes.map(({ name, distance, due }) => `${name}: ${distance} ${units}, ${due} due`),
      'No bikes yet.',
    ),
})

async function readLifetimes(runSql: RunSql) {
  const { answer, units } = await runSql('parts', PartRows)
  const { used, bikes } = answer
  return { lifetimes: lifetimesOf(usedRows(used)), bikes, units }
}

const totals = {
  rides: described(count, 'The number of rides since the part was first installed.'),
  distance: described(Amount, 'The distance of these rides, and from before the log, in `units`.'),
  hours: described(Amount, 'The hours of these rides, and from before the log.'),
  days: described(count, 'The number of days on a bike.'),
  cost: described(Amount, 'The price and the paid services, in `currency`.'),
}

const totalsOf = (part: Lifetime, units: Units) => ({
  rides: part.rides,
  distance: distanceOf(part.distance, units),
  hours: hoursOf(part.moving_time),
  days: part.days,
  cost: costOf(part.cost),
})

const partOf = (part: Lifetime, bikes: Record<string, string>, units: Units) => ({
  id: part.part_id,
  name: part.name,
  type: part.type as (typeof TYPES)[number] | null,
  kind: part.kind,
  bike_id: part.running ? part.gear_id : null,
  bike: part.running ? (bikes[part.gear_id] ?? '') : null,
  first_installed_on: part.started.slice(0, 10),
  ...totalsOf(part, units),
})

const listParts = command({
  name: 'list_parts',
  isWrite: false,
  path: '/v1/parts',
  description: 'Lists the parts in use, and those in storage, with their usage over all bikes.',
  Input: v.strictObject({
    bike: v.optional(described(Id, 'Only parts that are on the bike with this id.')),
    ...unitsInput,
  }),
  Answer: v.strictObject({
    parts: described(
      v.array(
        v.strictObject({
          id: described(Id, 'The part’s id, which stays the same when it moves to another bike.'),
          name: described(Text, 'The part’s name.'),
          type: described(OrNull(v.picklist(TYPES)), 'The type of its log entry. Null: none.'),
          kind: described(
            OrNull(Text),
            'What it is, such as "chain" or "front tire", derived from its name. Null: unknown.',
          ),
          bike_id: described(OrNull(Id), 'The id of the bike that it is on. Null: in storage.'),
          bike: described(OrNull(Text), 'The name of the bike that it is on. Null: in storage.'),
          first_installed_on: described(Day, 'The day on which it was first installed.'),
          ...totals,
        }),
      ),
      'The part that was installed first comes first.',
    ),
    ...unitsAnswer,
  }),
  async run({ bike }, runSql) {
    const { lifetimes, bikes, units } = await readLifetimes(runSql)
    const parts = lifetimes
      .filter((part) =>
        bike === undefined
          ? part.running || part.ended_as === 'stored'
          : part.running && part.gear_id === bike,
      )
      .map((part) => partOf(part, bikes, units))
    return { parts, ...unitsOf(units) }
  },
  say: ({ parts, units }) =>
    sayList(
      parts.map(({ name, bike, distance }) => `${name} (${bike ?? 'in storage'}): ${distance} ${units}`),
      'No parts yet.',
    ),
})

const partLifetimes = command({
  name: 'part_lifetimes',
  isWrite: false,
  path: null,
  description:
    'Compares how long parts lasted, and what they cost, by type and name. Includes parts in use and ended ones.',
  Input: v.strictObject({
    kind: v.optional(described(Text, 'Only parts of this kind, such as "chain" or "front tire".')),
    ...unitsInput,
  }),
  Answer: v.strictObject({
    groups: described(
      v.array(
        v.strictObject({
          name: described(Text, 'The parts’ name.'),
          type: described(OrNull(Text), 'The type of their log entries. Null: none.'),
          kind: described(OrNull(Text), 'What they are, such as "chain". Null: unknown.'),
          finished: described(
            count,
            'How many wore out. The others ended for another reason, or are in use.',
          ),
          typical_distance: described(
            OrNull(Amount),
            'How far such a part typically lasts, in `units`. Null with fewer than three finished parts.',
          ),
          typical_hours: described(
            OrNull(Amount),
            'How many hours such a part typically lasts. Null with fewer than three finished parts.',
          ),
          cost_per_distance: described(
            OrNull(Amount),
            'The cost of one `units` in `currency`. Null without a price.',
          ),
          cost_per_hour: described(
            OrNull(Amount),
            'The cost of an hour in `currency`. Null without a price.',
          ),
          parts: described(
            v.array(
              v.strictObject({
                id: described(Id, 'The part’s id.'),
                bike: described(Text, 'The name of the bike that it is or was last on.'),
                in_use: described(Flag, 'Whether it is on a bike.'),
                ended_as: described(OrNull(Text), 'Why it was removed. Null: in use, or unknown.'),
                started_on: described(Day, 'The day on which it was first installed.'),
                ended_on: described(OrNull(Day), 'The day on which it was removed. Null: in use.'),
                ...totals,
              }),
            ),
            'The parts of this name.',
          ),
        }),
      ),
      'Parts of the same type and name.',
    ),
    ...unitsAnswer,
  }),
  async run({ kind }, runSql) {
    const { lifetimes, bikes, units } = await readLifetimes(runSql)
    const groups = groupLifetimes(lifetimes.filter((part) => (kind ?? part.kind) === part.kind)).map(
      (group) => ({
        name: group.name,
        type: group.type,
        kind: group.kind,
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
      }),
    )
    return { groups, ...unitsOf(units) }
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

const id = described(Id, 'The part’s id.')
const today = (what: string) => v.optional(described(Day, `The day of the ${what}. Default: today.`))
const Changed = v.looseObject({
  ...Written.entries,
  added: v.array(v.looseObject({ id: AnyRowId, part_id: AnyRowId })),
})

function firstAdded({ added }: v.InferOutput<typeof Changed>) {
  const [item] = added
  if (!item) throw new CodedError('changed_since')
  return item
}

const replacePart = command({
  name: 'replace_part',
  isWrite: true,
  path: '/v1/parts/{id}/replace',
  description:
    'Replaces a part by a new one, which takes over its service tasks. What isn’t sent is copied from the old part, except the cost.',
  Input: v.strictObject({
    id,
    name: v.optional(
      described(
        v.pipe(Text, v.regex(/\S/, 'Enter a name.'), v.maxLength(MAX_LENGTH.maintenance.name)),
        'The new part’s name. Default: the old part’s.',
      ),
    ),
    type: v.optional(described(OrNull(v.picklist(TYPES)), 'The new part’s type. Default: the old part’s.')),
    description: v.optional(
      described(
        v.pipe(Text, v.maxLength(MAX_LENGTH.maintenance.description)),
        'A description of the new part.',
      ),
    ),
    cost: v.optional(
      described(
        v.pipe(v.number(), v.minValue(-1e9), v.maxValue(1e9)),
        'The new part’s price, in the owner’s currency. Default: 0.',
      ),
    ),
    ended_as: v.optional(described(v.picklist(END_REASONS), 'Why the old part was removed.'), 'worn'),
    day: today('replacement'),
    ...unitsInput,
  }),
  Answer: v.strictObject({
    part_id: described(Id, 'The new part’s id.'),
    ...changeAnswer,
    ...unitsAnswer,
  }),
  async run({ id: part_id, ended_as, day, units: _units, ...successor }, runSql) {
    const { answer, units } = await runSql('replace_part', Changed, { part_id, ended_as, day, successor })
    return { part_id: firstAdded(answer).part_id, change: answer.change, ...unitsOf(units) }
  },
  say: sayChange,
})

const movePart = command({
  name: 'move_part',
  isWrite: true,
  path: '/v1/parts/{id}/move',
  description: 'Moves a part to another bike, or installs one from storage.',
  Input: v.strictObject({
    id,
    bike: described(Id, 'The id of the bike to move it to.'),
    day: today('move'),
    ...unitsInput,
  }),
  Answer: v.strictObject({
    part_id: described(Id, 'The part’s id.'),
    ...changeAnswer,
    ...unitsAnswer,
  }),
  async run({ id: part_id, bike: gear_id, day }, runSql) {
    const { answer, units } = await runSql('move_part', Changed, { part_id, gear_id, day })
    return { part_id: firstAdded(answer).part_id, change: answer.change, ...unitsOf(units) }
  },
  say: sayChange,
})

const wear = v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_WEAR))

const addMeasurement = command({
  name: 'add_measurement',
  isWrite: true,
  path: '/v1/parts/{id}/measure',
  description: 'Records a part’s wear. Send a value, the reading of a go/no-go gauge, or both.',
  Input: v.pipe(
    v.strictObject({
      id,
      value: v.optional(described(wear, 'The measured value; with a reading, the gauge’s mark.')),
      reading: v.optional(
        described(v.picklist(READINGS), 'What a go/no-go gauge says: under, at or over its mark.'),
      ),
      unit: described(
        v.pipe(Text, v.regex(/\S/, 'Enter a unit.'), v.maxLength(MAX_LENGTH.wear_measurements.unit)),
        'What is measured: "chain %", "pad mm", "rotor mm", "tread mm", or the owner’s own words.',
      ),
      tool: v.optional(
        described(
          v.pipe(Text, v.maxLength(MAX_LENGTH.wear_measurements.tool)),
          'The tool. Values are only compared with those of the same tool.',
        ),
      ),
      limit: v.optional(
        described(wear, 'The value at which the part is worn out. Default: the unit’s usual limit.'),
      ),
      note: v.optional(described(v.pipe(Text, v.maxLength(MAX_LENGTH.wear_measurements.note)), 'A note.')),
      day: today('measurement'),
      ...unitsInput,
    }),
    v.check(
      ({ value, reading }) => value !== undefined || reading !== undefined,
      'Send a value or a reading.',
    ),
  ),
  Answer: v.strictObject({
    measurement_id: described(Id, 'The measurement’s id.'),
    ...changeAnswer,
    ...unitsAnswer,
  }),
  async run({ id: part_id, day: measured_on, units: _units, ...measurement }, runSql) {
    const Row = v.looseObject({ ...Written.entries, id: AnyRowId })
    const { answer, units } = await runSql('add_measurement', Row, {
      part_id,
      measurement: { ...measurement, measured_on },
    })
    return { measurement_id: answer.id, change: answer.change, ...unitsOf(units) }
  },
  say: sayChange,
})

export const partCommands = [listBikes, listParts, partLifetimes, replacePart, movePart, addMeasurement]
