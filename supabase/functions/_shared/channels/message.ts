import type { DueLimit, DueTask } from '../contracts/notifications.ts'
import { counted, type Formats } from '../formats/formats.ts'
import { countParts } from '../messages/task-lines.ts'
import { limitName, limitSource } from '../messages/wear-limits.ts'
import { usageText } from '../service/task-usage.ts'
import { byUrgency } from '../service/urgency.ts'

/** The message that a channel sends. Receivers that get it twice can tell by the id. */
export interface Message {
  id: string
  type: 'service_task.due' | 'sign_in.refused' | 'test'
  /** The time of the event. */
  timestamp: string
  title: string
  body: string
  tasks: readonly DueTask[]
  limits: readonly DueLimit[]
}

type Due = Pick<Message, 'tasks' | 'limits'>

/** Returns, for example, the title `1 task due` and the text `Wax (Chain, Warbird): 301.2 of 300.0 mi`. */
export function messageOf(
  { tasks, limits }: { tasks: Due['tasks'] | null; limits: Due['limits'] },
  formats: Formats,
  { id, timestamp }: Pick<Message, 'id' | 'timestamp'>,
): Message {
  if (tasks === null) return { id, type: 'sign_in.refused', timestamp, ...REFUSED, tasks: [], limits: [] }
  const due = { tasks: tasks.toSorted(byUrgency), limits: limits.toSorted(byUrgency) }
  return { id, type: 'service_task.due', timestamp, ...digestOf(due, formats), ...due }
}

export const testMessage = (): Message => ({
  id: crypto.randomUUID(),
  type: 'test',
  timestamp: new Date().toISOString(),
  title: 'Test of the maintenance tracker',
  body: 'Notifications about due tasks will arrive here.',
  tasks: [],
  limits: [],
})

// The text names no command, because the right one depends on where the tracker runs.
const REFUSED = {
  title: 'Ride with GPS refused the sign-in',
  body: 'Rides no longer sync. Connect your account again.',
}

const MAX_TASKS = 5
const MAX_NAME = 40

function digestOf({ tasks, limits }: Due, formats: Formats): Pick<Message, 'title' | 'body'> {
  const lines = [...tasks, ...limits].toSorted(byUrgency)
  const named = lines.slice(0, MAX_TASKS).map((line) => lineOf(line, formats))
  const more = lines.length - named.length
  return {
    title: `${countOf(tasks.length, limits.length)} due`,
    body: [...named, ...(more > 0 ? [`${more} more`] : [])].join(', '),
  }
}

/** Returns `1 task`, `2 parts`, or for both `3`. */
const countOf = (tasks: number, limits: number) =>
  limits === 0 ? counted(tasks, 'task') : tasks === 0 ? counted(limits, 'part') : `${tasks + limits}`

function lineOf(line: DueTask | DueLimit, formats: Formats): string {
  const others = 'others' in line ? line.others : []
  const part = 'others' in line && others.length > 0 ? countParts([line, ...others]) : line.item_name
  const place = [part, ...new Set([line, ...others].map(({ bike }) => bike))]
    .filter((each) => each !== null)
    .map(short)
  const [name, facts] =
    'others' in line
      ? [line.name, usageText(line, line.axis, formats)]
      : [limitName(line), limitSource(line, formats)]
  return `${short(name)}${place.length > 0 ? ` (${place.join(', ')})` : ''}: ${facts}`
}

function short(name: string): string {
  const letters = Array.from(name.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME - 1).join('')}…` : letters.join('')
}
