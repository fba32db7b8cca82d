import * as v from 'valibot'
import { RideDays, Task as TaskRow } from '../contracts/service-tasks.ts'
import type { ForecastTask } from '../contracts/service-tasks.ts'
import { HISTORY_DAYS } from '../forecast.ts'
import { MAX_DAYS, MAX_DISTANCE, MAX_LENGTH, TASK_KINDS } from '../limits.ts'
import { forecastInOrder } from '../task-forecasts.ts'
import { command, type RunSql, type Units } from './command.ts'
import {
  Amount,
  AnyRowId,
  changeAnswer,
  Day,
  dayOf,
  described,
  distanceOf,
  Flag,
  hoursOf,
  Id,
  ifKnown,
  metersOf,
  OrNull,
  sayChange,
  sayList,
  Text,
  unitsAnswer,
  unitsInput,
  unitsOf,
  Written,
} from './fields.ts'

/** The result of the SQL command `due`. */
export const DueRows = v.strictObject({
  tasks: v.array(TaskRow),
  /** Names by gear_id. */
  bikes: v.record(v.string(), v.string()),
  last_sync: v.nullable(v.string()),
})

const STATES = ['overdue', 'due', 'soon', 'ok', 'snoozed', 'paused'] as const
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const Task = v.strictObject({
  id: described(Id, 'The task’s id, which never changes.'),
  name: described(Text, 'What is to be done, such as "Wax chain".'),
  kind: described(
    v.picklist(TASK_KINDS),
    'service: the part stays. replace: done by replacing the part. check: an inspection.',
  ),
  state: described(
    v.picklist(STATES),
    'overdue, due, soon (from 90 %, or likely within 14 days), ok, snoozed, or paused (the part is not on a bike).',
  ),
  bike_id: described(Id, 'The id of the bike.'),
  bike: described(Text, 'The bike’s name.'),
  part_id: described(OrNull(Id), 'The id of the part. Null for a task of a whole bike.'),
  part: described(OrNull(Text), 'The part’s name. Null for a task of a whole bike.'),
  every_distance: described(OrNull(Amount), 'The limit in `units`. Null: no such limit.'),
  every_hours: described(OrNull(Amount), 'The limit in hours of riding. Null: no such limit.'),
  every_days: described(OrNull(count), 'The limit in days. Null: no such limit.'),
  used_distance: described(Amount, 'Ridden since the task was last done, in `units`.'),
  used_hours: described(Amount, 'Hours ridden since the task was last done.'),
  used_days: described(count, 'Days since the task was last done.'),
  left_distance: described(
    OrNull(Amount),
    'What is left of the limit in `units`; negative when overdue. Null: no such limit.',
  ),
  left_hours: described(
    OrNull(Amount),
    'What is left of the limit in hours; negative when overdue. Null: no such limit.',
  ),
  left_days: described(
    OrNull(v.number()),
    'What is left of the limit in days; negative when overdue. Null: no such limit.',
  ),
  used_percent: described(
    Amount,
    'The used share of the limit that is reached first, in percent. Due at 100.',
  ),
  outdoor_only: described(Flag, 'Whether indoor rides don’t count.'),
  likely_on: described(
    OrNull(Day),
    'The day on which the task will likely be due. Null: already due, or unknown.',
  ),
  snoozed_until: described(OrNull(Day), 'The day on which the snooze ends. Null: not snoozed until a day.'),
  last_done_on: described(OrNull(Day), 'The day on which the task was last done. Null: never.'),
})

function taskOf(task: ForecastTask, bikes: Record<string, string>, units: Units): v.InferOutput<typeof Task> {
  const { every, used } = task
  const distance = (meters: number) => distanceOf(meters, units)
  return {
    id: task.id,
    name: task.name,
    kind: task.kind,
    state: task.state,
    bike_id: task.gear_id,
    bike: bikes[task.gear_id] ?? '',
    part_id: task.part_id,
    part: task.item_name,
    every_distance: ifKnown(every.distance, distance),
    every_hours: ifKnown(every.moving_time, hoursOf),
    every_days: every.days,
    used_distance: distance(used.distance),
    used_hours: hoursOf(used.moving_time),
    used_days: used.days,
    left_distance: ifKnown(every.distance, (limit) => distance(limit - used.distance)),
    left_hours: ifKnown(every.moving_time, (limit) => hoursOf(limit - used.moving_time)),
    left_days: ifKnown(every.days, (limit) => limit - used.days),
    used_percent: Math.floor(task.fraction * 100),
    outdoor_only: task.outdoor_only,
    likely_on: task.forecast?.likely ?? null,
    snoozed_until: task.snoozed_until,
    last_done_on: dayOf(task.last_done),
  }
}

async function readTasks(runSql: RunSql) {
  const [{ answer, units }, rides] = await Promise.all([
    runSql('due', DueRows),
    runSql('rides', RideDays, { days: HISTORY_DAYS }),
  ])
  const tasks = forecastInOrder(answer.tasks, rides.answer).map((task) => taskOf(task, answer.bikes, units))
  return { tasks, last_sync: answer.last_sync, units: unitsOf(units) }
}

type Task = v.InferOutput<typeof Task>
const isDue = ({ state }: Task) => state === 'due' || state === 'overdue'
const isDueOrSoon = (task: Task) => isDue(task) || task.state === 'soon'

const sayTask = ({ name, part, bike, state }: Task) =>
  `${name} (${part === null ? bike : `${part}, ${bike}`}): ${state}`

const summary = command({
  name: 'summary',
  isWrite: false,
  path: '/v1/summary',
  description:
    'Counts what is due, and names the next task: made for a sensor or a dashboard tile. Without nested fields.',
  Input: v.strictObject(unitsInput),
  Answer: v.strictObject({
    due: described(count, 'The number of tasks that are due, including overdue ones.'),
    overdue: described(count, 'The number of tasks that are overdue.'),
    soon: described(count, 'The number of tasks that will be due soon.'),
    next_task: described(OrNull(Text), 'The name of the most urgent task. Null without tasks.'),
    next_task_id: described(OrNull(Id), 'Its id, for `mark_done`.'),
    next_task_state: described(OrNull(v.picklist(STATES)), 'Its state.'),
    next_task_bike: described(OrNull(Text), 'The name of its bike.'),
    next_task_part: described(OrNull(Text), 'The name of its part. Null for a task of a whole bike.'),
    next_task_on: described(
      OrNull(Day),
      'The day on which it will likely be due. Null: already due, or unknown.',
    ),
    next_task_left_distance: described(
      OrNull(Amount),
      'What is left of its limit in `units`. Null: no such limit.',
    ),
    next_task_left_hours: described(
      OrNull(Amount),
      'What is left of its limit in hours. Null: no such limit.',
    ),
    next_task_left_days: described(
      OrNull(v.number()),
      'What is left of its limit in days. Null: no such limit.',
    ),
    last_sync: described(
      OrNull(v.pipe(Text, v.isoTimestamp())),
      'When the rides were last found up to date. Null: never.',
    ),
    ...unitsAnswer,
  }),
  async run(_input, runSql) {
    const { tasks, last_sync, units } = await readTasks(runSql)
    const next = tasks.find(({ state }) => state !== 'snoozed' && state !== 'paused')
    return {
      due: tasks.filter(isDue).length,
      overdue: tasks.filter(({ state }) => state === 'overdue').length,
      soon: tasks.filter(({ state }) => state === 'soon').length,
      next_task: next?.name ?? null,
      next_task_id: next?.id ?? null,
      next_task_state: next?.state ?? null,
      next_task_bike: next?.bike ?? null,
      next_task_part: next?.part ?? null,
      next_task_on: next?.likely_on ?? null,
      next_task_left_distance: next?.left_distance ?? null,
      next_task_left_hours: next?.left_hours ?? null,
      next_task_left_days: next?.left_days ?? null,
      last_sync,
      ...units,
    }
  },
})

const ofBike = { bike: v.optional(described(Id, 'Only tasks of the bike with this id.')) }
const tasksAnswer = v.strictObject({
  tasks: described(v.array(Task), 'The most urgent task first; snoozed and paused ones last.'),
  ...unitsAnswer,
})

const listDue = command({
  name: 'list_due',
  isWrite: false,
  path: '/v1/due',
  description: 'Lists the service tasks that are overdue, due or due soon.',
  Input: v.strictObject({ ...ofBike, ...unitsInput }),
  Answer: tasksAnswer,
  async run({ bike }, runSql) {
    const { tasks, units } = await readTasks(runSql)
    return {
      tasks: tasks.filter((task) => isDueOrSoon(task) && (bike ?? task.bike_id) === task.bike_id),
      ...units,
    }
  },
  say: ({ tasks }) => sayList(tasks.map(sayTask), 'Nothing is due soon.'),
})

const listTasks = command({
  name: 'list_tasks',
  isWrite: false,
  path: '/v1/tasks',
  description: 'Lists all service tasks.',
  Input: v.strictObject({ ...ofBike, ...unitsInput }),
  Answer: tasksAnswer,
  async run({ bike }, runSql) {
    const { tasks, units } = await readTasks(runSql)
    return { tasks: tasks.filter(({ bike_id }) => (bike ?? bike_id) === bike_id), ...units }
  },
})

const id = described(Id, 'The task’s id.')

const markDone = command({
  name: 'mark_done',
  isWrite: true,
  path: '/v1/tasks/{id}/done',
  description:
    'Marks a service task done, by default today. A task that was already done that day is not marked again. Use `replace_part` for a task to replace a part.',
  Input: v.strictObject({
    id,
    day: v.optional(described(Day, 'The day on which it was done. Default: today.')),
    cost: v.optional(
      described(
        v.pipe(v.number(), v.minValue(0), v.maxValue(1e9)),
        'What it cost, in the owner’s currency. Adds an entry to the log.',
      ),
    ),
    note: v.optional(described(v.pipe(Text, v.maxLength(MAX_LENGTH.service_events.note)), 'A note.')),
    ...unitsInput,
  }),
  Answer: v.strictObject({
    event_id: described(Id, 'The id of the service event.'),
    ...changeAnswer,
    ...unitsAnswer,
  }),
  async run({ id: task_id, day: done_on, cost, note }, runSql) {
    const Event = v.looseObject({ ...Written.entries, id: AnyRowId })
    const { answer, units } = await runSql('mark_done', Event, { task_id, done_on, cost, note })
    return { event_id: answer.id, change: answer.change, ...unitsOf(units) }
  },
  say: sayChange,
})

const snooze = command({
  name: 'snooze',
  isWrite: true,
  path: '/v1/tasks/{id}/snooze',
  description:
    'Snoozes a service task: until a day, or for a distance. Send exactly one of `until`, `days` and `distance`.',
  Input: v.pipe(
    v.strictObject({
      id,
      until: v.optional(described(Day, 'The day on which the snooze ends.')),
      days: v.optional(
        described(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_DAYS)),
          'How many days the snooze lasts, from today.',
        ),
      ),
      distance: v.optional(
        described(
          v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_DISTANCE)),
          'The distance to ride until the snooze ends, in `units`.',
        ),
      ),
      ...unitsInput,
    }),
    v.check(
      ({ until, days, distance }) => [until, days, distance].filter((end) => end !== undefined).length === 1,
      'Send exactly one of until, days and distance.',
    ),
  ),
  Answer: v.strictObject({ ...changeAnswer, ...unitsAnswer }),
  async run({ id: task_id, until, days, distance }, runSql) {
    // The distance may be in the unit of the owner's settings.
    const meters =
      distance === undefined ? undefined : metersOf(distance, (await runSql('token', v.null())).units)
    const { answer, units } = await runSql('snooze', Written, { task_id, until, days, distance: meters })
    return { change: answer.change, ...unitsOf(units) }
  },
  say: sayChange,
})

export const taskCommands = [summary, listDue, listTasks, markDone, snooze]
