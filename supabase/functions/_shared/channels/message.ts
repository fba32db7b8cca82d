import type { DueTask } from '../contracts/notifications.ts'
import type { Formats } from '../formats/formats.ts'
import { countParts } from '../messages/task-lines.ts'
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
}

/** Returns, for example, the title `1 task due` and the text `Wax (Chain, Warbird): 301.2 of 300.0 mi`. */
export function messageOf(
  tasks: readonly DueTask[] | null,
  formats: Formats,
  { id, timestamp }: Pick<Message, 'id' | 'timestamp'>,
): Message {
  if (tasks === null) return { id, type: 'sign_in.refused', timestamp, ...REFUSED, tasks: [] }
  const inOrder = tasks.toSorted(byUrgency)
  return { id, type: 'service_task.due', timestamp, ...digestOf(inOrder, formats), tasks: inOrder }
}

export const testMessage = (): Message => ({
  id: crypto.randomUUID(),
  type: 'test',
  timestamp: new Date().toISOString(),
  title: 'Test of the maintenance tracker',
  body: 'Notifications about due tasks will arrive here.',
  tasks: [],
})

// The text names no command, because the right one depends on where the tracker runs.
const REFUSED = {
  title: 'Ride with GPS refused the sign-in',
  body: 'Rides no longer sync. Connect your account again.',
}

const MAX_TASKS = 5
const MAX_NAME = 40

function digestOf(tasks: readonly DueTask[], formats: Formats): Pick<Message, 'title' | 'body'> {
  const named = tasks.slice(0, MAX_TASKS).map((task) => {
    const together = [task, ...task.others]
    const part = task.others.length > 0 ? countParts(together) : task.item_name
    const place = [part, ...new Set(together.map(({ bike }) => bike))]
      .filter((each) => each !== null)
      .map(short)
    const named = `${short(task.name)}${place.length > 0 ? ` (${place.join(', ')})` : ''}`
    return `${named}: ${usageText(task, task.axis, formats)}`
  })
  const more = tasks.length - named.length
  return {
    title: tasks.length === 1 ? '1 task due' : `${tasks.length} tasks due`,
    body: [...named, ...(more > 0 ? [`${more} more`] : [])].join(', '),
  }
}

function short(name: string): string {
  const letters = Array.from(name.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME - 1).join('')}…` : letters.join('')
}
