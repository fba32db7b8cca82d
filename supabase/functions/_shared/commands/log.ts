import * as v from 'valibot'
import type { Interval } from '../contracts/data-api.ts'
import { CodedError } from '../http/errors.ts'
import { END_REASONS, TYPES } from '../limits.ts'
import { KIND_NAMES, type KindAndPosition, POSITIONS } from '../kinds.ts'
import { proposeKind } from '../parts/propose.ts'
import {
  answeredValues,
  CLEARABLE,
  entryAnswer,
  entryInput,
  newEntryInput,
  storedValues,
} from './entry-values.ts'
import { type LogEntry, read, type RunSql, type Service, type Tools, write } from './command.ts'
import {
  Amount,
  answerOf,
  clearInput,
  costOf,
  Count,
  Day,
  distanceOf,
  field,
  hasEdit,
  hoursOf,
  Id,
  ifKnown,
  inputOf,
  named,
  nextOf,
  nonBlank,
  optional,
  orNull,
  pageAnswer,
  pageInput,
  period,
  requireBike,
  sayList,
  clearsUnsent,
  CLEAR_UNSENT,
  Text,
  type Units,
  withCleared,
  writtenOf,
} from './fields.ts'

type BikeNames = Record<string, string>

const nameIn = (bikes: BikeNames, bike: number | null) => ifKnown(bike, (id) => bikes[id] ?? '')

const Entry = v.strictObject({
  id: field(Id, 'The entry’s id.'),
  part_id: orNull(Id, 'The id of the part. Null for work, which ends when it starts.'),
  bike_id: field(Id, 'The id of the bike.'),
  bike: field(Text, 'The bike’s name.'),
  ...entryAnswer,
  kind: orNull(v.picklist(KIND_NAMES), 'What the part is. Null: unknown, or none of these.'),
  position: orNull(v.picklist(POSITIONS), 'Where it was. Null: unknown, or its kind has no front and rear.'),
  ended_as: orNull(v.picklist(END_REASONS), 'Why the part was removed. Null: in use, or unknown.'),
  rides: field(Count, 'The number of rides between these days.'),
  distance: field(Amount, 'The distance of these rides, in `units`.'),
  hours: field(Amount, 'The hours of these rides.'),
})

type Entry = v.InferOutput<typeof Entry>

const entryOf = (item: LogEntry, bikes: BikeNames, units: Units): Entry => ({
  id: item.id,
  part_id: item.part_id,
  bike_id: item.bikeId,
  bike: bikes[item.bikeId] ?? '',
  ...answeredValues(item),
  kind: item.kind,
  position: item.position,
  ended_as: item.ended_as,
  rides: item.rides,
  distance: distanceOf(item.distance, units),
  hours: hoursOf(item.moving_time),
})

const listEntries = read({
  name: 'list_entries',
  title: 'List the log',
  path: '/v1/log',
  description:
    'Lists the entries of the maintenance log with their usage: parts that were installed, and paid work. Use it for “what did I buy for the Domane in 2024?”, and to find the id of an entry. `list_services` has what was done for service tasks.',
  Input: inputOf({
    bike: optional(Id, 'Only entries of the bike with this id.'),
    type: optional(v.picklist(TYPES), 'Only entries of this type.'),
    text: optional(nonBlank(200), 'Only entries whose name or description contains this text.'),
    ...period('the period in which the entries start'),
    ...pageInput,
  }),
  Answer: answerOf({
    entries: field(v.array(Entry), 'A page of the log, newest first.'),
    ...pageAnswer,
  }),
  async run({ bike, type, text: word, from, to, after, limit }, { runSql }) {
    const { answer, units } = await runSql('log', { gear_id: bike, type, word, from, to, after, limit })
    requireBike(answer.bikes, bike)
    return {
      entries: answer.entries.map((entry) => entryOf(entry, answer.bikes, units)),
      next: nextOf(answer.entries, answer.has_more),
    }
  },
  say: ({ entries, units, currency }) =>
    sayList(
      entries.map(
        ({ started_on, name, bike, cost, distance }) =>
          `${started_on}: ${name} (${bike}), ${cost} ${currency}, ${distance} ${units}`,
      ),
      'No such entries.',
    ),
})

const id = field(Id, 'The entry’s id.')
const endedAs = {
  ended_as: optional(v.picklist(END_REASONS), 'Why the part was removed.'),
}

const kindInput = {
  kind: optional(v.picklist(KIND_NAMES), 'What the part is. Default: what its name and earlier entries say.'),
  position: optional(v.picklist(POSITIONS), 'Where the part is, if its kind has a front and a rear.'),
}

type Given = { name: string; type: string | null } & {
  [Key in keyof KindAndPosition]: KindAndPosition[Key] | undefined
}

/** Proposes what the caller left out. */
async function kindOf(
  { kind, position, name, type }: Given,
  runSql: RunSql,
): Promise<Partial<KindAndPosition>> {
  if (kind !== undefined) return { kind, ...(position !== undefined && { position }) }
  const { entries: earlier } = (await runSql('log', { word: name, limit: 100 })).answer
  const proposed = proposeKind({ name, type, earlier })
  return { ...proposed, ...(position !== undefined && { position }) }
}

const addEntry = write({
  name: 'add_entry',
  title: 'Add to the log',
  path: '/v1/log',
  description:
    'Adds an entry to the log of a bike: a new part, such as “add the pedals I bought, 115 dollars”, or work, which ends on the day it starts. Use `replace_part` if it replaces a part, and `mark_done` for the work of a service task. The bike’s id comes from `list_bikes`.',
  Input: inputOf({
    bike: field(Id, 'The id of the bike.'),
    ...newEntryInput,
    ...kindInput,
    ...endedAs,
  }),
  Answer: writtenOf({
    entry_id: field(Id, 'The id of the new entry.'),
    part_id: field(Id, 'The id of the new part.'),
  }),
  async run({ bike, ended_as, kind, position, ...values }, { runSql }) {
    const what = await kindOf({ kind, position, name: values.name ?? '', type: values.type ?? null }, runSql)
    const item = { bikeId: bike, ...storedValues(values), ...what, ended_as }
    const { item: added, change } = (await named('bike', runSql('add_item', { item }))).answer
    return { entry_id: added.id, part_id: added.part_id, change }
  },
})

const editEntry = write({
  name: 'edit_entry',
  title: 'Edit an entry',
  method: 'PATCH',
  path: '/v1/log/{id}',
  description:
    'Changes an entry of the log: the fields that are sent, or named in `clear`, and nothing else. The id comes from `list_entries`.',
  Input: v.pipe(
    inputOf({
      id,
      ...entryInput,
      position: kindInput.position,
      ...endedAs,
      ...clearInput([...CLEARABLE, 'position', 'ended_as']),
    }),
    v.check((input) => hasEdit(input), 'Send at least one field to change.'),
    v.check((input) => clearsUnsent(input), CLEAR_UNSENT),
  ),
  Answer: writtenOf({}),
  async run({ id: row_id, ...input }, { runSql }) {
    const { ended_as, position, ...values } = withCleared(input)
    const wanted = { ...storedValues(values), position, ended_as }
    const { answer } = await runSql('edit_row', { relation: 'maintenance', row_id, wanted })
    if (answer.row === null) throw new CodedError('unknown_item')
    return { change: answer.change }
  },
})

const removeEntry = write({
  name: 'remove_entry',
  title: 'Remove an entry',
  method: 'DELETE',
  path: '/v1/log/{id}',
  description:
    'Removes an entry from the log. `undo` brings it back. To end a part that was in use, set `ended_on` with `edit_entry` instead. The id comes from `list_entries`.',
  Input: inputOf({ id }),
  Answer: writtenOf({}),
  async run({ id: item }, { runSql }) {
    const { change } = (await runSql('delete_item', { id: item })).answer
    if (change === null) throw new CodedError('unknown_item')
    return { change }
  },
})

const IntervalBetween = v.strictObject({
  distance: field(Amount, 'The distance, in `units`.'),
  hours: field(Amount, 'The hours of riding.'),
  days: field(v.pipe(v.number(), v.integer()), 'The days.'),
})

const ServiceDone = v.strictObject({
  id: field(Id, 'The service’s id.'),
  task_id: field(Id, 'The id of the task.'),
  task: field(Text, 'The task’s name.'),
  bike_id: orNull(Id, 'The id of the bike that it was done on. Null: the part is no longer in the log.'),
  bike: orNull(Text, 'The bike’s name.'),
  part_id: orNull(Id, 'The id of the part. Null for a task of a whole bike.'),
  part: orNull(Text, 'The part’s name. Null for a task of a whole bike.'),
  done_on: field(Day, 'The day on which it was done.'),
  note: orNull(Text, 'The note. Null: none.'),
  cost: orNull(Amount, 'The cost, in `currency`. Null: none.'),
  distance: field(Amount, 'The total distance of the part or bike at the time, in `units`.'),
  since_last: orNull(
    IntervalBetween,
    'Since the task was last done on the same part or bike. Null: the first time.',
  ),
  median: orNull(IntervalBetween, 'The median of the task’s intervals there. Null with fewer than two.'),
})

const servicesAnswer = answerOf({
  services: field(v.array(ServiceDone), 'A page of the services, newest first.'),
  ...pageAnswer,
})

interface Wanted {
  id?: number
  bike?: number | undefined
  from?: string | undefined
  to?: string | undefined
  after?: number | undefined
  limit: number
}

async function readServices({ id: task_id, bike, ...rest }: Wanted, { runSql }: Tools) {
  const { answer, units } = await runSql('services', { task_id, gear_id: bike, ...rest })
  requireBike(answer.bikes, bike)
  const intervalOf = ({ distance, moving_time, days }: Interval) => ({
    distance: distanceOf(distance, units),
    hours: hoursOf(moving_time),
    days,
  })
  const serviceOf = ({ gear_id, cost, distance, since_last, median, ...service }: Service) => ({
    ...service,
    since_last: ifKnown(since_last, intervalOf),
    median: ifKnown(median, intervalOf),
    bike_id: gear_id,
    bike: nameIn(answer.bikes, gear_id),
    cost: ifKnown(cost, costOf),
    distance: distanceOf(distance, units),
  })
  return { services: answer.services.map(serviceOf), next: nextOf(answer.services, answer.has_more) }
}

const sayServices = ({ services }: v.InferOutput<typeof servicesAnswer>) =>
  sayList(
    services.map(({ done_on, task, part, bike, note }) =>
      [`${done_on}: ${task} (${[part, bike].filter(Boolean).join(', ')})`, note].filter(Boolean).join(', '),
    ),
    'Nothing was done.',
  )

const listServices = read({
  name: 'list_services',
  title: 'List what was done',
  path: '/v1/services',
  description:
    'Lists when service tasks were done, with notes and costs. Use it with `list_entries` for “what did I do to the Domane in 2024?”.',
  Input: inputOf({
    bike: optional(Id, 'Only what was done on the bike with this id, or on its parts.'),
    ...period('the period'),
    ...pageInput,
  }),
  Answer: servicesAnswer,
  run: ({ bike, from, to, after, limit }, tools) => readServices({ bike, from, to, after, limit }, tools),
  say: sayServices,
})

const taskHistory = read({
  name: 'task_history',
  title: 'List when a task was done',
  path: '/v1/tasks/{id}/history',
  description:
    'Lists when a service task was done, on this part and the parts that it replaced. The id comes from `list_tasks`.',
  Input: inputOf({ id: field(Id, 'The task’s id.'), ...pageInput }),
  Answer: servicesAnswer,
  run: ({ id: task, after, limit }, tools) => readServices({ id: task, after, limit }, tools),
  say: sayServices,
})

export const logCommands = [listEntries, addEntry, editEntry, removeEntry, listServices, taskHistory]
