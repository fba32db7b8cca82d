import { useAtomValue } from 'jotai'

import { Notice } from '../../components/Notice.tsx'
import { Section } from '../../components/Section.tsx'
import { messageFor } from '../../lib/errors.ts'
import { MISSING } from '../../lib/formats.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { detailsHref, logHref } from '../items/links.ts'
import type { Task } from './api.ts'
import { activeTasksAtom, tasksAtom } from './atoms.ts'
import styles from './TaskList.module.css'
import { Likely, nameId, TaskButtons, TaskState } from './TaskList.tsx'
import { isDue } from './task-messages.ts'

/** What is due or soon on all bikes, the most urgent first. Snoozed tasks come last, since they can be woken here. */
export function Due() {
  const tasks = useAtomValue(tasksAtom)
  const active = useAtomValue(activeTasksAtom)
  if (tasks.state === 'loading') return null
  if (tasks.state === 'failed') {
    return (
      <Section heading="Due">
        <Notice>{`What is due could not be calculated. ${messageFor(tasks.error)}`}</Notice>
      </Section>
    )
  }
  const due = active.filter(isDue)
  const soon = active.filter(({ state }) => state === 'soon')
  const snoozed = active.filter(({ state, fraction }) => state === 'snoozed' && fraction >= 0.9)
  const shown = [...due.toSorted(byUrgency), ...soon, ...snoozed]
  return (
    <Section heading="Due" aside={shown.length > 0 && <Summary due={due.length} soon={soon.length} />}>
      {shown.length === 0 ? (
        <p className="notice soft">
          {tasks.data.length === 0
            ? 'Nothing is due. Add service tasks in the details of a log entry to see here what comes next.'
            : 'Nothing is due.'}
        </p>
      ) : (
        <ul className={styles.due} aria-busy={tasks.updating}>
          <li aria-hidden className={`tiny ${styles.heads}`}>
            {HEADS.map((head) => (
              <span key={head}>{head}</span>
            ))}
          </li>
          {shown.map((task) => (
            <li key={task.id}>
              <DueTask task={task} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const HEADS = ['Part', 'Task', 'Used', 'Status', 'Likely', 'Bike']

const URGENCY = ['overdue', 'due']

const byUrgency = (a: Task, b: Task) =>
  URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state) || b.fraction - a.fraction

function Summary({ due, soon }: { due: number; soon: number }) {
  return (
    <span className="note">
      {[due > 0 && `${due} due`, soon > 0 && `${soon} soon`].filter(Boolean).join(', ')}
    </span>
  )
}

function DueTask({ task }: { task: Task }) {
  const bikes = useAtomValue(bikesAtom)
  const bike =
    bikes.state === 'ready' ? bikes.data.find(({ gear_id }) => gear_id === task.gear_id) : undefined
  return (
    <>
      <a
        className={styles.part}
        href={task.item_id === null ? logHref(task.gear_id) : detailsHref(task.gear_id, task.item_id)}
      >
        {task.item_name ?? bike?.name ?? MISSING}
      </a>
      <span id={nameId(task)} className={`truncated ${styles.name}`}>
        {task.name}
      </span>
      <TaskState task={task} />
      <Likely task={task} />
      <span className={`truncated soft ${styles.bike}`}>{task.item_id === null ? '' : bike?.name}</span>
      <span className={styles.buttons}>
        <TaskButtons task={task} />
      </span>
    </>
  )
}
