import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { useFormats } from '../../lib/formats.ts'
import type { Item } from '../items/fields.ts'
import { openItemAtom } from '../log-view/open-item.ts'
import type { Task } from './api.ts'
import { nextOfItemAtom, tasksOnBikeAtom } from './atoms.ts'
import styles from './DueLine.module.css'
import { heldAtom } from './held-rows.ts'
import { isDue, lowerFirst, stateMessage, taskMessage } from './task-messages.ts'

/** Many due tasks would hide the log. */
const INITIAL_TASKS = 3

export function DueLine({ gearId }: { gearId: number }) {
  const held = useAtomValue(heldAtom)
  const tasks = useAtomValue(tasksOnBikeAtom(gearId)).filter((task) =>
    isDue({ state: held.get(task.id)?.was ?? task.state }),
  )
  const [showsAll, setShowsAll] = useState(false)
  if (tasks.length === 0) return null
  const shown = showsAll ? tasks : tasks.slice(0, INITIAL_TASKS)
  return (
    <ul className={styles.line} aria-label="Due on this bike">
      {shown.map((task) => (
        <li key={task.id} data-state={task.state}>
          <DueTask task={task} />
        </li>
      ))}
      {shown.length < tasks.length && (
        <li>
          <button type="button" className="link" onClick={() => setShowsAll(true)}>
            {`${tasks.length - shown.length} more`}
          </button>
        </li>
      )}
    </ul>
  )
}

function DueTask({ task }: { task: Task }) {
  const formats = useFormats()
  const open = useSetAtom(openItemAtom)
  const isDone = Boolean(useAtomValue(heldAtom).get(task.id)?.undo)
  const { item_id, item_name } = task
  const state = isDone ? 'done' : stateMessage(task, formats)
  if (item_id === null) return `${task.name} ${state}`
  return (
    <button type="button" className="link on-paper" onClick={() => open(item_id)}>
      {`${item_name}: ${lowerFirst(task.name)} ${state}`}
    </button>
  )
}

export function NextTask({ item }: { item: Item }) {
  const next = useAtomValue(nextOfItemAtom(item.id))
  const formats = useFormats()
  return next ? <span data-state={next.state}>{taskMessage(next, formats)}</span> : null
}
