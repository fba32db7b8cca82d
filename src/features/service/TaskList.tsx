import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { Failure } from '../../components/ResourceView.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { counted, useFormats } from '../../lib/formats.ts'
import { lineIdOf } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import { isWork, type Item } from '../entries/fields.ts'
import type { Task } from './api.ts'
import { isBikeListOpenAtom, dueAtom, tasksOfPartAtom, tasksOnBikeAtom } from './atoms.ts'
import { heldAtom } from './held-rows.ts'
import { serviceDialogAtom, type TaskOwner } from './open-dialog.ts'
import { ServiceHistory } from './ServiceHistory.tsx'
import { TaskButtons } from './TaskButtons.tsx'
import styles from './TaskList.module.css'
import { Likely, nameId, TaskState } from './TaskState.tsx'
import { formatLimits, isDue } from './task-messages.ts'

export function PartService({ item }: { item: Item }) {
  const tasks = useAtomValue(tasksOfPartAtom(item.part_id))
  // A part that was stored on the day it was installed looks like work, but keeps its tasks.
  if (isWork(item) && tasks.length === 0) return null
  const owner = { part_id: item.part_id, name: item.name, part: item, bikeId: item.bikeId }
  return <Service owner={owner} tasks={tasks} />
}

export function BikeService({ gearId, name }: { gearId: number; name: string }) {
  const tasks = useAtomValue(tasksOnBikeAtom(gearId)).filter((task) => task.part_id === null)
  return <Service owner={{ gear_id: gearId, name, part: null, bikeId: gearId }} tasks={tasks} isBike />
}

const INITIAL_TASKS = 2

type ServiceProps = { owner: TaskOwner; tasks: readonly Task[]; isBike?: boolean }

function Service({ owner, tasks, isBike = false }: ServiceProps) {
  const all = useAtomValue(dueAtom)
  const reload = useSetAtom(dueAtom.reloadAtom)
  const open = useSetAtom(serviceDialogAtom)
  const readOnly = useReadOnly('add_task')
  const headingId = useId()
  const [isBikeListOpen, setBikeListOpen] = useAtom(isBikeListOpenAtom)
  const isListed = isBikeListOpen || !isBike
  const [isAllShown, setAllShown] = useState(isBike)
  const held = useAtomValue(heldAtom)
  const urgent = tasks.filter((task) => isDue(task) || held.has(lineIdOf(task)))
  const shown = isAllShown ? tasks : tasks.slice(0, Math.max(INITIAL_TASKS, urgent.length))
  return (
    // Only the bike's section is a landmark, because landmark names must be unique.
    <section
      role={isBike ? undefined : 'group'}
      aria-labelledby={headingId}
      className={styles.service}
      data-bike={isBike}
      data-listed={isListed && tasks.length > 0}
    >
      <div className={styles.top}>
        <h3 id={headingId} className="heading">
          Service
        </h3>
        {isBike && tasks.length > 0 && (
          <button
            type="button"
            className="quiet opener"
            aria-expanded={isListed}
            onClick={() => setBikeListOpen(!isListed)}
          >
            {counted(tasks.length, 'task')}
          </button>
        )}
        {(isListed || tasks.length === 0) && (
          <button
            type="button"
            className="quiet"
            {...readOnly}
            onClick={() => {
              if (isBike) setBikeListOpen(true)
              setAllShown(true)
              open({ kind: 'add', owner })
            }}
          >
            Add service task
          </button>
        )}
      </div>
      {all.state === 'failed' && (
        <Failure what="The service tasks could not be loaded." error={all.error} retry={reload} />
      )}
      {isListed && tasks.length > 0 && (
        <ul className={styles.tasks}>
          {shown.map((task) => (
            <li key={task.id} data-task={lineIdOf(task)}>
              <TaskLine task={task} />
            </li>
          ))}
        </ul>
      )}
      {isListed && shown.length < tasks.length && (
        <button type="button" className={`link ${styles.all}`} onClick={() => setAllShown(true)}>
          {`Show all ${tasks.length} tasks`}
        </button>
      )}
      {/* A replaced part keeps its history, although its tasks move to the replacement. */}
      {((isListed && tasks.length > 0) || !isBike) && <ServiceHistory owner={owner} tasks={tasks} />}
    </section>
  )
}

function TaskLine({ task }: { task: Task }) {
  const formats = useFormats()
  const isDone = Boolean(useAtomValue(heldAtom).get(lineIdOf(task))?.after)
  const open = useSetAtom(serviceDialogAtom)
  const readOnly = useReadOnly('edit_row')
  return (
    <>
      <span id={nameId(task)} className="truncated">
        {task.name}
      </span>
      <span className={`soft ${styles.limits}`}>{formatLimits(task, formats)}</span>
      <span className={styles.wear} data-state={task.state} aria-hidden>
        <span style={{ inlineSize: `${Math.min(100, task.fraction * 100)}%` }} />
      </span>
      <TaskState task={task} />
      <Likely task={task} />
      <span className={styles.buttons}>
        {/* Here, Done is of this part, whatever its group. */}
        <TaskButtons line={{ task, others: [] }} />
        {!isDone && (
          <button
            type="button"
            className="quiet"
            aria-label={`Edit ${task.name}`}
            {...readOnly}
            onClick={() => open({ kind: 'edit', task })}
          >
            Edit
          </button>
        )}
      </span>
    </>
  )
}
