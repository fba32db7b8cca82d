import * as v from 'valibot'
import { AXES, type Axis, columnsByAxis, LIMITS, listLimits, listWith, namedByAxis } from '../axes.ts'
import { CodedError } from '../http/errors.ts'
import { MAX_DAYS, MAX_DISTANCE, MAX_LENGTH, MAX_WEAR, READINGS, TASK_KINDS } from '../limits.ts'
import { type Tools, write } from './command.ts'
import {
  clearInput,
  field,
  Flag,
  GivenDay,
  hasEdit,
  Id,
  inputOf,
  metersOf,
  named,
  nonBlank,
  optional,
  clearsUnsent,
  CLEAR_UNSENT,
  storedOf,
  text,
  withCleared,
  writtenOf,
} from './fields.ts'

const id = field(Id, 'The task’s id.')
const Ids = v.pipe(v.array(Id), v.maxLength(100))

const markDone = write({
  name: 'mark_done',
  title: 'Mark a task done',
  isIdempotent: true,
  path: '/v1/tasks/{id}/done',
  description:
    'Marks a service task done, by default today. A task that was already done that day is not marked again. Use `replace_part` for a task to replace a part. The id comes from `list_due` or `list_tasks`.',
  Input: inputOf({
    id,
    day: optional(GivenDay, 'The day on which it was done. Default: today.'),
    cost: optional(
      v.pipe(v.number(), v.minValue(0), v.maxValue(1e9)),
      'What it cost, in the owner’s currency. Adds an entry to the log.',
    ),
    note: optional(text(MAX_LENGTH.service_events.note), 'A note.'),
    also_done: optional(
      Ids,
      'The ids of tasks that were done at the same time, such as the others of its `group`. The cost is only booked once. If one can’t be done, nothing is written.',
    ),
    value: optional(
      v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_WEAR)),
      'What a check measured, in the unit of the part’s last measurement.',
    ),
    reading: optional(v.picklist(READINGS), 'What a go/no-go gauge says: under, at or over its mark.'),
    tool: optional(
      text(MAX_LENGTH.wear_measurements.tool),
      'The tool that measured. Default: that of the part’s last measurement.',
    ),
  }),
  Answer: writtenOf({
    event_id: field(Id, 'The id of the service event.'),
  }),
  async run({ id: task_id, day: done_on, units: _units, ...done }, { runSql }) {
    const { answer } = await runSql('mark_done', { task_id, done_on, ...done })
    return { event_id: answer.id, change: answer.change }
  },
})

const snooze = write({
  name: 'snooze',
  title: 'Snooze a task',
  isIdempotent: true,
  path: '/v1/tasks/{id}/snooze',
  description:
    'Snoozes a service task: until a day, or for a distance. Send exactly one of `until`, `days` and `distance`. The id comes from `list_due` or `list_tasks`.',
  Input: v.pipe(
    inputOf({
      id,
      until: optional(GivenDay, 'The day on which the snooze ends.'),
      days: optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_DAYS)),
        'How many days the snooze lasts, from today.',
      ),
      distance: optional(
        v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_DISTANCE)),
        'The distance to ride until the snooze ends, in `units`.',
      ),
    }),
    v.check(
      ({ until, days, distance }) => [until, days, distance].filter((end) => end !== undefined).length === 1,
      'Send exactly one of until, days and distance.',
    ),
  ),
  Answer: writtenOf({}),
  async run({ id: task_id, until, days, distance }, { runSql }) {
    // The distance may be in the unit of the owner's settings.
    const meters = distance === undefined ? undefined : metersOf(distance, (await runSql('token')).units)
    return (await runSql('snooze', { task_id, until, days, distance: meters })).answer
  },
})

const limitOf = ({ max, isWhole }: (typeof AXES)[Axis]) =>
  isWhole
    ? v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max))
    : v.pipe(v.number(), v.minValue(0.01), v.maxValue(max))
const limits = namedByAxis('every', (axis) => optional(limitOf(AXES[axis]), AXES[axis].about.due))
const Name = nonBlank(MAX_LENGTH.service_tasks.name)
const name = 'What is to be done, such as "Wax chain".'
const Kind = v.picklist(TASK_KINDS)
const kind = 'service: the part stays. replace: done by replacing the part. check: an inspection.'
const outdoorOnly = 'Whether indoor rides don’t count.'

const onceFields = {
  due_on: optional(GivenDay, 'The day on which a task that is done once is due.'),
  with_task: optional(
    Id,
    'The id of a task whose next Done offers this one, which is done once. It comes from `list_tasks`.',
  ),
}
const ONCE_LIMITS = ['due_on', 'every_distance', 'every_hours', 'with_task'] as const
const EDITABLE_LIMITS = [...LIMITS, 'due_on', 'with_task'] as const

type GivenLimits = { [Limit in keyof typeof limits]?: number | null | undefined }

/** Returns the limits that were sent, as stored. Their units may be those of the owner's settings. */
async function storedLimits(limits: GivenLimits, { runSql }: Tools) {
  if (!LIMITS.some((name) => limits[name] !== undefined)) return {}
  const { units } = await runSql('token')
  return columnsByAxis((axis) => {
    const limit = limits[`every_${AXES[axis].name}`]
    return typeof limit === 'number' ? storedOf(axis, limit, units) : limit
  })
}

const addTask = write({
  name: 'add_task',
  title: 'Add a task',
  path: '/v1/tasks',
  description:
    'Adds a service task to a part, to each of several parts, or to a whole bike, such as “remind me to wax the chain every 300 miles” or “lengthen the chain once, at the next service”. It is due when the first of its limits is reached. The part’s id comes from `list_parts`, and the bike’s from `list_bikes`.',
  Input: v.pipe(
    inputOf({
      name: field(Name, name),
      kind: optional(Kind, `${kind} Default: service.`),
      part: optional(Id, 'The id of the part. Send one of `part`, `parts` and `bike`.'),
      parts: optional(
        v.pipe(Ids, v.minLength(1)),
        'The ids of several parts, such as all tires. Adds a task to each, which the screens show as one.',
      ),
      bike: optional(Id, 'The id of the bike.'),
      ...limits,
      once: optional(Flag, 'Whether it is done once. Default: false, so it repeats.'),
      ...onceFields,
      outdoor_only: optional(Flag, `${outdoorOnly} Default: false.`),
      last_done_on: optional(
        GivenDay,
        'The day on which it was last done. Default: never, so it counts from `count_from`.',
      ),
      count_from: optional(
        v.union([v.literal('installed'), GivenDay], 'Enter a day as YYYY-MM-DD, or installed.'),
        'Where a task that was never done counts from: a day, or installed, for the part’s first install or the bike’s first ride. Default: today.',
      ),
    }),
    v.check(
      ({ part, parts, bike }) => [part, parts, bike].filter((owner) => owner !== undefined).length === 1,
      'Send one of part, parts and bike.',
    ),
    v.check(
      ({ once, ...input }) => once === true || LIMITS.some((limit) => input[limit] !== undefined),
      `Send at least one of ${listLimits('and')}.`,
    ),
    v.check(
      ({ once, ...input }) => once !== true || ONCE_LIMITS.some((limit) => input[limit] !== undefined),
      `once: Send at least one of ${listWith('and', ONCE_LIMITS)}.`,
    ),
    v.check(
      ({ once, due_on, with_task }) => once === true || (due_on === undefined && with_task === undefined),
      'once: Only a task that is done once has due_on or with_task.',
    ),
    v.check(
      ({ once, every_days, last_done_on }) =>
        once !== true || (every_days === undefined && last_done_on === undefined),
      'once: A task that is done once has no every_days and no last_done_on.',
    ),
  ),
  Answer: writtenOf({
    task_id: field(Id, 'The id of the new task, or of the first one.'),
    task_ids: field(v.array(Id), 'The ids of all new tasks, in the order of `parts`.'),
  }),
  async run({ part, parts, bike, last_done_on, count_from, units: _units, ...input }, tools) {
    const { name, kind, outdoor_only, once, due_on, with_task, ...limits } = input
    const task = {
      part_id: part,
      gear_id: bike,
      name,
      kind,
      outdoor_only,
      once,
      due_on,
      with_task,
      ...(await storedLimits(limits, tools)),
    }
    const adding = tools.runSql('add_task', { task, parts, last_done: last_done_on, count_from })
    const { answer } = await named(
      bike !== undefined ? 'bike' : part === undefined ? 'parts' : 'part',
      adding,
    )
    return {
      task_id: answer.tasks[0].id,
      task_ids: answer.tasks.map((added) => added.id),
      change: answer.change,
    }
  },
})

const editTask = write({
  name: 'edit_task',
  title: 'Edit a task',
  method: 'PATCH',
  path: '/v1/tasks/{id}',
  description:
    'Changes a service task: the fields that are sent, or named in `clear`, and nothing else. The id comes from `list_tasks`.',
  Input: v.pipe(
    inputOf({
      id,
      name: optional(Name, name),
      kind: optional(Kind, kind),
      ...limits,
      ...onceFields,
      outdoor_only: optional(Flag, outdoorOnly),
      ...clearInput(EDITABLE_LIMITS),
    }),
    v.check((input) => hasEdit(input), 'Send at least one field to change.'),
    v.check((input) => clearsUnsent(input), CLEAR_UNSENT),
  ),
  Answer: writtenOf({}),
  async run({ id: row_id, ...input }, tools) {
    const { name, kind, outdoor_only, due_on, with_task, ...limits } = withCleared(input)
    const wanted = { name, kind, outdoor_only, due_on, with_task, ...(await storedLimits(limits, tools)) }
    const { answer } = await tools.runSql('edit_row', { relation: 'service_tasks', row_id, wanted })
    if (answer.row === null) throw new CodedError('unknown_task')
    return { change: answer.change }
  },
})

const removeTask = write({
  name: 'remove_task',
  title: 'Remove a task',
  method: 'DELETE',
  path: '/v1/tasks/{id}',
  description:
    'Removes a service task and its history. `undo` brings both back. The id comes from `list_tasks`.',
  Input: inputOf({ id }),
  Answer: writtenOf({}),
  async run({ id: task_id }, { runSql }) {
    const { change } = (await runSql('remove_task', { task_id })).answer
    if (change === null) throw new CodedError('unknown_task')
    return { change }
  },
})

export const taskActions = [markDone, snooze, addTask, editTask, removeTask]
