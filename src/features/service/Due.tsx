import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { Failure } from '../../components/ResourceView.tsx'
import { Section } from '../../components/Section.tsx'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { detailsHref, logHref } from '../entries/links.ts'
import type { Task } from './api.ts'
import { dueSummaryAtom, shownActiveTasksAtom, tasksAtom } from './atoms.ts'
import { heldAtom } from './held-rows.ts'
import { isExact } from './likely-dates.ts'
import styles from './TaskList.module.css'
import { TaskButtons } from './TaskButtons.tsx'
import { Likely, nameId, TaskState } from './TaskState.tsx'
import { isDue } from './task-messages.ts'

const SHOWN_AT_FIRST = 5

export function Due() {
  const tasks = useAtomValue(tasksAtom)
  const reload = useSetAtom(tasksAtom.reloadAtom)
  const all = useAtomValue(shownActiveTasksAtom).filter(({ state }) => state !== 'paused')
  const held = useAtomValue(heldAtom)
  const [isComplete, setComplete] = useState(false)
  if (tasks.state === 'loading') return null
  if (tasks.state === 'failed') {
    return (
      <Section heading="Due">
        <Failure what="Due tasks could not be loaded." error={tasks.error} retry={reload} />
      </Section>
    )
  }
  const urgent = all.filter((task) => isUrgent(task) || wasListed(held.get(task.id)))
  if (urgent.length === 0 && !isComplete) return null
  const shown = isComplete ? all : urgent.slice(0, SHOWN_AT_FIRST)
  return (
    <Section heading="Due" aside={<Summary />}>
      <div className="card">
        <ul className={`list ${styles.due}`} aria-busy={tasks.updating}>
          {shown.map((task) => (
            <DueTask key={task.id} task={task} />
          ))}
        </ul>
        {(isComplete || shown.length < all.length) && (
          <button type="button" className="link show-all" onClick={() => setComplete(!isComplete)}>
            {isComplete ? 'Show fewer' : `Show all ${all.length} tasks`}
          </button>
        )}
      </div>
    </Section>
  )
}

/** Includes snoozed tasks that are nearly due, because the owner can end the snooze here. */
const isUrgent = (task: Task) =>
  isDue(task) || task.state === 'soon' || (task.state === 'snoozed' && task.fraction >= 0.9)

const wasListed = (held: { was: Task['state'] } | undefined) => held !== undefined && held.was !== 'ok'

function Summary() {
  const { due, soon } = useAtomValue(dueSummaryAtom)
  return (
    <span className="note">
      {[due > 0 && `${due} due`, soon > 0 && `${soon} soon`].filter(Boolean).join(', ')}
    </span>
  )
}

function DueTask({ task }: { task: Task }) {
  const bike = useAtomValue(bikeNameAtom)(task.gear_id)
  const { item_id, item_name } = task
  return (
    <li className="list-row" data-task={task.id}>
      <p className={`row-title soft ${styles.what}`}>
        <b id={nameId(task)}>{task.name}</b>
        {item_id !== null && (
          <>
            {' · '}
            <a href={detailsHref(task.gear_id, item_id)}>{item_name}</a>
          </>
        )}
      </p>
      <p className={`note ${styles.where}`}>
        {item_id === null ? <a href={logHref(task.gear_id)}>{bike}</a> : <span>{bike}</span>}{' '}
        <TaskState task={task} />
        {/* The state already shows how many days are left until an exact date. */}
        {!isExact(task) && <Likely task={task} />}
      </p>
      <span className="row-end">
        <TaskButtons task={task} />
      </span>
    </li>
  )
}
