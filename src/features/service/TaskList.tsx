import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { AXES, earlierByAxis } from '../../../supabase/functions/_shared/axes.ts'
import { Waits } from '../../components/Waits.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { counted, useFormats } from '../../lib/formats.ts'
import { todayAtom } from '../../lib/clock.ts'
import { dayOf } from '../../lib/days.ts'
import { messageFor } from '../../lib/errors.ts'
import { isWork, type Item } from '../entries/fields.ts'
import { InclEarlier } from '../entries/InclEarlier.tsx'
import { doneAtom, doneCommandOf, endSnoozeAtom } from './actions.ts'
import type { Owner, Task } from './api.ts'
import { historyAtom, isBikeListOpenAtom, tasksAtom, tasksOfPartAtom, tasksOnBikeAtom } from './atoms.ts'
import { serviceDialogAtom, type TaskOwner } from './open-dialog.ts'
import { type AfterDone, heldAtom } from './held-rows.ts'
import { formatLikely, isExact, toneOf } from './likely-dates.ts'
import styles from './TaskList.module.css'
import { eventMessage, formatLimits, isDue, stateMessage } from './task-messages.ts'

export function PartService({ item }: { item: Item }) {
  const tasks = useAtomValue(tasksOfPartAtom(item.part_id))
  // A part that was stored on the day it was installed looks like work, but keeps its tasks.
  if (isWork(item) && tasks.length === 0) return null
  const owner = { part_id: item.part_id, name: item.name, type: item.type }
  return <Service owner={owner} tasks={tasks} />
}

export function BikeService({ gearId, name }: { gearId: number; name: string }) {
  const tasks = useAtomValue(tasksOnBikeAtom(gearId)).filter((task) => task.part_id === null)
  return <Service owner={{ gear_id: gearId, name, type: null }} tasks={tasks} isBike />
}

const INITIAL_TASKS = 2

type ServiceProps = { owner: TaskOwner; tasks: readonly Task[]; isBike?: boolean }

function Service({ owner, tasks, isBike = false }: ServiceProps) {
  const all = useAtomValue(tasksAtom)
  const reload = useSetAtom(tasksAtom.reloadAtom)
  const open = useSetAtom(serviceDialogAtom)
  const readOnly = useReadOnly()
  const headingId = useId()
  const [isBikeListOpen, setBikeListOpen] = useAtom(isBikeListOpenAtom)
  const isListed = isBikeListOpen || !isBike
  const [isAllShown, setAllShown] = useState(isBike)
  const held = useAtomValue(heldAtom)
  const urgent = tasks.filter((task) => isDue(task) || held.has(task.id))
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
            <li key={task.id} data-task={task.id}>
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
      {((isListed && tasks.length > 0) || !isBike) && <Past owner={owner} tasks={tasks} />}
    </section>
  )
}

function TaskLine({ task }: { task: Task }) {
  const formats = useFormats()
  const isDone = Boolean(useAtomValue(heldAtom).get(task.id)?.after)
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
        <TaskButtons task={task} />
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

export const nameId = ({ id }: Task) => `service-task-${id}`

export function TaskState({ task }: { task: Task }) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  return (
    <span className={styles.state} data-state={toneOf(task, today)}>
      {stateMessage(task, formats)}
      <InclEarlier part={countedEarlier(task)} />
      <Waits relation="service_tasks" id={task.id} />
    </span>
  )
}

/** Returns the usage from before the log that counts toward the task's limits. */
const countedEarlier = (task: Task) =>
  earlierByAxis((axis) => (task.every[axis] === null ? null : task[AXES[axis].ride.earlier]))

export function Likely({ task }: { task: Task }) {
  const today = useAtomValue(todayAtom)
  const open = useSetAtom(serviceDialogAtom)
  const formats = useFormats()
  const text = formatLikely(task, today, formats)
  return (
    <span className={styles.likely}>
      {text !== '' && !isExact(task) ? (
        <button
          type="button"
          className="link"
          aria-describedby={nameId(task)}
          onClick={() => open({ kind: 'forecast', task })}
        >
          <span className="visually-hidden">Likely </span>
          {text}
        </button>
      ) : (
        text
      )}
    </span>
  )
}

/** Offers Done and Snooze. After Done, which stays in place so a second press can't hit the next task, Undo and Edit replace Snooze. */
export function TaskButtons({ task }: { task: Task }) {
  const done = useSetAtom(doneAtom)
  const endSnooze = useSetAtom(endSnoozeAtom)
  const open = useSetAtom(serviceDialogAtom)
  const after = useAtomValue(heldAtom).get(task.id)?.after
  const readOnly = useReadOnly(doneCommandOf(task))
  const isSnoozed = task.state === 'snoozed'
  const described = [nameId(task), readOnly['aria-describedby']].filter(Boolean).join(' ')
  const props = { type: 'button', ...readOnly, 'aria-describedby': described } as const
  if (after) {
    return (
      <>
        <button {...props} className={`quiet ${styles.done}`} aria-disabled>
          Done
        </button>
        <span className={styles.second}>
          <AfterDoneButtons after={after} describedBy={nameId(task)} />
        </span>
      </>
    )
  }
  return (
    <>
      <button {...props} onClick={() => void done(task)}>
        Done
      </button>
      <button
        {...props}
        className={`quiet ${styles.second}`}
        onClick={() => (isSnoozed ? void endSnooze(task) : open({ kind: 'snooze', task }))}
      >
        {isSnoozed ? 'End snooze' : 'Snooze'}
      </button>
    </>
  )
}

export function AfterDoneButtons({ after, describedBy }: { after: AfterDone; describedBy: string }) {
  const readOnly = useReadOnly('correct_event')
  const props = {
    type: 'button',
    className: 'quiet',
    ...readOnly,
    'aria-describedby': [describedBy, readOnly['aria-describedby']].filter(Boolean).join(' '),
  } as const
  return (
    <>
      <button {...props} onClick={after.undo}>
        Undo
      </button>
      <button {...props} onClick={after.edit}>
        Edit
      </button>
    </>
  )
}

type HistoryProps = { owner: Owner; tasks: readonly Task[] }

function Past(props: HistoryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Service history</summary>
      {isOpen && <History {...props} />}
    </details>
  )
}

function History({ owner, tasks }: HistoryProps) {
  const history = useAtomValue(historyAtom(owner))
  const open = useSetAtom(serviceDialogAtom)
  const formats = useFormats()
  const readOnly = useReadOnly('correct_event')
  const today = useAtomValue(todayAtom)
  if (history.state === 'loading') return <Skeleton width="100%" height="2rem" />
  if (history.state === 'failed') {
    return <Notice>{`The service history could not be loaded. ${messageFor(history.error)}`}</Notice>
  }
  if (history.data.length === 0) return <p className="soft">No service yet.</p>
  return (
    <ul className={styles.history} aria-label="Service history">
      {history.data.map((event) => (
        <li key={event.id}>
          <span className="truncated">
            {event.name}
            <Waits relation="service_events" id={event.id} />
          </span>
          <span>{formats.day(dayOf(event.done_at))}</span>
          <span className="number">
            {formats.distance.format(event.distance)}
            <InclEarlier part={{ ...event, earlier_moving_time: null }} />
          </span>
          <span className={`truncated ${styles.note}`}>{eventMessage(event, today, formats)}</span>
          <button
            type="button"
            className="quiet"
            aria-label={`Edit ${event.name} of ${formats.day(dayOf(event.done_at))}`}
            {...readOnly}
            onClick={() =>
              open({
                kind: 'event',
                event,
                others: tasks.filter(({ id, kind }) => id !== event.task_id && kind !== 'replace'),
              })
            }
          >
            Edit
          </button>
        </li>
      ))}
    </ul>
  )
}
