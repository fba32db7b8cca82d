import * as v from 'valibot'
import { AXES, type Axis, namedByAxis } from '../axes.ts'
import type { ForecastLimit, ForecastTask } from '../contracts/service-tasks.ts'
import { HISTORY_DAYS } from '../service/forecast.ts'
import { TASK_KINDS } from '../limits.ts'
import { withForecasts, withLikelyDays } from '../service/task-forecasts.ts'
import { linesOf } from '../messages/task-lines.ts'
import { limitName } from '../messages/wear-limits.ts'
import { read, type RunSql } from './command.ts'
import {
  Amount,
  amountOf,
  answerOf,
  Count,
  Day,
  dayOf,
  field,
  Flag,
  Id,
  ifKnown,
  inputOf,
  optional,
  orNull,
  percentOf,
  requireBike,
  sayList,
  Text,
  type Units,
} from './fields.ts'

const STATES = ['overdue', 'due', 'soon', 'ok', 'snoozed', 'paused'] as const

const Task = v.strictObject({
  id: field(Id, 'The task’s id, which never changes.'),
  name: field(Text, 'What is to be done, such as "Wax chain".'),
  kind: field(
    v.picklist(TASK_KINDS),
    'service: the part stays. replace: done by replacing the part. check: an inspection.',
  ),
  state: field(
    v.picklist(STATES),
    'overdue, due, soon (from 90 %, or likely within 14 days), ok, snoozed, or paused (the part is not on a bike, or the bike is retired).',
  ),
  bike_id: field(Id, 'The id of the bike.'),
  bike: field(Text, 'The bike’s name.'),
  part_id: orNull(Id, 'The id of the part. Null for a task of a whole bike.'),
  part: orNull(Text, 'The part’s name. Null for a task of a whole bike.'),
  ...namedByAxis('every', (axis) =>
    orNull(Amount, `The limit ${AXES[axis].about.limit}. Null: no such limit.`),
  ),
  ...namedByAxis('used', (axis) => field(Amount, AXES[axis].about.used)),
  ...namedByAxis('left', (axis) =>
    orNull(
      Amount,
      `What is left of the limit ${AXES[axis].about.limit}; negative when overdue. Null: no such limit.`,
    ),
  ),
  used_percent: field(Amount, 'The used share of the limit that is reached first, in percent. Due at 100.'),
  outdoor_only: field(Flag, 'Whether indoor rides don’t count.'),
  once: field(Flag, 'Whether it is done once, and then no longer listed.'),
  due_on: orNull(Day, 'The day on which a task that is done once is due. Null: no day.'),
  with_task: orNull(Id, 'The id of the task that a task is done with, once. Null: none.'),
  group: orNull(
    Id,
    'The same for all tasks that were added together, one per part. If one is done, ask whether the others are, for `also_done`. Null: added alone.',
  ),
  likely_on: orNull(Day, 'The day on which the task will likely be due. Null: already due, or unknown.'),
  snoozed_until: orNull(Day, 'The day on which the snooze ends. Null: not snoozed until a day.'),
  last_done_on: orNull(Day, 'The day on which the task was last done. Null: never.'),
})

function taskOf(task: ForecastTask, bikes: Record<string, string>, units: Units): v.InferOutput<typeof Task> {
  const { every, used } = task
  const amount = (axis: Axis, stored: number) => amountOf(axis, stored, units)
  return {
    id: task.id,
    name: task.name,
    kind: task.kind,
    state: task.state,
    bike_id: task.gear_id,
    bike: bikes[task.gear_id] ?? '',
    part_id: task.part_id,
    part: task.item_name,
    ...namedByAxis('every', (axis) => ifKnown(every[axis], (limit) => amount(axis, limit))),
    ...namedByAxis('used', (axis) => amount(axis, used[axis])),
    ...namedByAxis('left', (axis) => ifKnown(task.left[axis], (left) => amount(axis, left))),
    used_percent: percentOf(task.fraction),
    outdoor_only: task.outdoor_only,
    once: task.once,
    due_on: task.due_on,
    with_task: task.with_task,
    group: task.group,
    likely_on: task.forecast?.likely ?? null,
    snoozed_until: task.snoozed_until,
    last_done_on: dayOf(task.last_done),
  }
}

const Limit = v.strictObject({
  name: field(Text, 'What is measured, and its limit, such as "Chain at 0.5%".'),
  state: field(
    v.picklist(['overdue', 'due', 'soon', 'ok']),
    'due: at the limit. overdue: 10 % farther. soon: from 90 % of the way, or likely within 14 days.',
  ),
  bike_id: field(Id, 'The id of the bike.'),
  bike: field(Text, 'The bike’s name.'),
  part_id: field(Id, 'The id of the part, to measure it or to replace it.'),
  part: field(Text, 'The part’s name.'),
  unit: field(Text, 'The unit of its measurements.'),
  limit: field(Amount, 'The limit in this unit.'),
  left_distance: field(
    Amount,
    'The distance until the limit is likely reached, in `units`; negative afterward.',
  ),
  likely_on: orNull(Day, 'The day on which it is likely reached. Null: already reached, or unknown.'),
  reached_on: orNull(
    Day,
    'The day of a reading that shows that it is reached: the part is worn. Null: estimated, so it should be measured.',
  ),
})

const limitOf = (
  limit: ForecastLimit,
  bikes: Record<string, string>,
  units: Units,
): v.InferOutput<typeof Limit> => ({
  name: limitName(limit),
  state: limit.state,
  bike_id: limit.gear_id,
  bike: bikes[limit.gear_id] ?? '',
  part_id: limit.part_id,
  part: limit.item_name,
  unit: limit.unit,
  limit: limit.limit,
  left_distance: amountOf('distance', limit.limit_distance - limit.distance, units),
  likely_on: limit.forecast?.likely ?? null,
  reached_on: limit.reached_on,
})

async function readDue(runSql: RunSql, bike?: number) {
  const [{ answer, units }, rides] = await Promise.all([
    runSql('due'),
    runSql('rides', { days: HISTORY_DAYS }),
  ])
  requireBike(answer.bikes, bike)
  const tasks = withForecasts(answer.tasks, rides.answer).map((task) => taskOf(task, answer.bikes, units))
  const limits = withLikelyDays(answer.limits, rides.answer).map((limit) =>
    limitOf(limit, answer.bikes, units),
  )
  return { tasks, limits, last_sync: answer.last_sync }
}

type Task = v.InferOutput<typeof Task>
type Line = Task | v.InferOutput<typeof Limit>
const isDue = ({ state }: Line) => state === 'due' || state === 'overdue'
const isDueOrSoon = (line: Line) => isDue(line) || line.state === 'soon'

const sayLine = ({ name, part, bike, state }: Line) =>
  `${name} (${part === null ? bike : `${part}, ${bike}`}): ${state}`

const COUNTED = 'tasks, a group as one, and wear limits'

const summary = read({
  name: 'summary',
  title: 'Count what is due',
  path: '/v1/summary',
  description:
    'Counts what is due, and names the next task: made for a sensor or a dashboard tile. Without nested fields.',
  Input: inputOf({}),
  Answer: answerOf({
    due: field(Count, `The number of ${COUNTED} that are due, including overdue ones.`),
    overdue: field(Count, `The number of ${COUNTED} that are overdue.`),
    soon: field(Count, `The number of ${COUNTED} that will be due soon.`),
    next_task: orNull(Text, 'The name of the most urgent task. Null without tasks.'),
    next_task_id: orNull(Id, 'Its id, for `mark_done`.'),
    next_task_state: orNull(v.picklist(STATES), 'Its state.'),
    next_task_bike: orNull(Text, 'The name of its bike.'),
    next_task_part: orNull(Text, 'The name of its part. Null for a task of a whole bike.'),
    next_task_on: orNull(Day, 'The day on which it will likely be due. Null: already due, or unknown.'),
    ...namedByAxis('next_task_left', (axis) =>
      orNull(Amount, `What is left of its limit ${AXES[axis].about.limit}. Null: no such limit.`),
    ),
    last_sync: orNull(
      v.pipe(Text, v.isoTimestamp()),
      'When the rides were last found up to date. Null: never.',
    ),
  }),
  async run(_input, { runSql }) {
    const { tasks, limits, last_sync } = await readDue(runSql)
    const perLine = linesOf(tasks).map(({ task }) => task)
    const lines = [...perLine, ...limits]
    const next = perLine.find(({ state }) => state !== 'snoozed' && state !== 'paused')
    return {
      due: lines.filter(isDue).length,
      overdue: lines.filter(({ state }) => state === 'overdue').length,
      soon: lines.filter(({ state }) => state === 'soon').length,
      next_task: next?.name ?? null,
      next_task_id: next?.id ?? null,
      next_task_state: next?.state ?? null,
      next_task_bike: next?.bike ?? null,
      next_task_part: next?.part ?? null,
      next_task_on: next?.likely_on ?? null,
      ...namedByAxis('next_task_left', (axis) => next?.[`left_${AXES[axis].name}`] ?? null),
      last_sync,
    }
  },
})

const ofBike = { bike: optional(Id, 'Only tasks of the bike with this id.') }
const listed = field(v.array(Task), 'The most urgent task first; snoozed and paused ones last.')

const listDue = read({
  name: 'list_due',
  title: 'List what is due',
  path: '/v1/due',
  description:
    'Lists the service tasks that are overdue, due or due soon, and the measured parts that are at their wear limit, or will be soon.',
  Input: inputOf(ofBike),
  Answer: answerOf({
    tasks: listed,
    limits: field(
      v.array(Limit),
      'Parts on a bike whose measurements say when they are worn, the most urgent first. Left out while a check of the part is due that asks for the same reading.',
    ),
  }),
  async run({ bike }, { runSql }) {
    const { tasks, limits } = await readDue(runSql, bike)
    const isShown = (line: Line) => isDueOrSoon(line) && (bike ?? line.bike_id) === line.bike_id
    return { tasks: tasks.filter(isShown), limits: limits.filter(isShown) }
  },
  say: ({ tasks, limits }) => sayList([...tasks, ...limits].map(sayLine), 'Nothing is due soon.'),
})

const listTasks = read({
  name: 'list_tasks',
  title: 'List the service tasks',
  path: '/v1/tasks',
  description:
    'Lists all service tasks with their ids, limits and states. Use it to find the id of a task by its name, its part or its bike.',
  Input: inputOf(ofBike),
  Answer: answerOf({ tasks: listed }),
  async run({ bike }, { runSql }) {
    const { tasks } = await readDue(runSql, bike)
    return { tasks: tasks.filter(({ bike_id }) => (bike ?? bike_id) === bike_id) }
  },
  say: ({ tasks }) => sayList(tasks.map(sayLine), 'No tasks yet.'),
})

export const taskCommands = [summary, listDue, listTasks]
