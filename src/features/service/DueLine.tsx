import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { Waits } from '../../components/Waits.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { useFormats } from '../../lib/formats.ts'
import type { Item } from '../entries/fields.ts'
import { openItemAtom } from '../entries/open-item.ts'
import { doneAtom, doneCommandOf } from './actions.ts'
import type { Task } from './api.ts'
import { nextOfItemAtom, tasksOnBikeAtom } from './atoms.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import styles from './DueLine.module.css'
import { heldAtom } from './held-rows.ts'
import { AfterDoneButtons } from './TaskButtons.tsx'
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
      {tasks.length > INITIAL_TASKS && (
        <li>
          <button type="button" className="link" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer' : `${tasks.length - shown.length} more`}
          </button>
        </li>
      )}
    </ul>
  )
}

function DueTask({ task }: { task: Task }) {
  const formats = useFormats()
  const openItem = useSetAtom(openItemAtom)
  const openDialog = useSetAtom(serviceDialogAtom)
  const done = useSetAtom(doneAtom)
  const readOnly = useReadOnly(doneCommandOf(task))
  const textId = useId()
  const after = useAtomValue(heldAtom).get(task.id)?.after
  const now = stateMessage(task, formats)
  // After Done, the text stays, so a second press doesn't hit Undo.
  const [state, setState] = useState(now)
  if (!after && state !== now) setState(now)
  const { item_id, item_name } = task
  return (
    <>
      <span id={textId} data-done={Boolean(after)}>
        <button
          type="button"
          className="link on-paper"
          onClick={() => (item_id === null ? openDialog({ kind: 'edit', task }) : openItem(item_id))}
        >
          {item_id === null ? task.name : `${item_name}: ${lowerFirst(task.name)} ${state}`}
        </button>
        {item_id === null && ` ${state}`}
        {after && <span className="visually-hidden">, done</span>}
        <Waits relation="service_tasks" id={task.id} />
      </span>
      <button
        type="button"
        className="quiet"
        {...readOnly}
        aria-describedby={[textId, readOnly['aria-describedby']].filter(Boolean).join(' ')}
        aria-disabled={Boolean(after)}
        onClick={() => after || void done(task)}
      >
        Done
      </button>
      {/* A phone has no room for them, but the same buttons in a toast. */}
      {after && (
        <span className="wide-only">
          <AfterDoneButtons after={after} describedBy={textId} />
        </span>
      )}
    </>
  )
}

export function NextTask({ item }: { item: Item }) {
  const next = useAtomValue(nextOfItemAtom(item.id))
  const formats = useFormats()
  return next ? <span data-state={next.state}>{taskMessage(next, formats)}</span> : null
}
