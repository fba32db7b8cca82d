import { useAtomValue, useSetAtom } from 'jotai'

import { AXES, earlierByAxis } from '../../../supabase/functions/_shared/axes.ts'
import { Waits } from '../../components/Waits.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { useFormats } from '../../lib/formats.ts'
import { InclEarlier } from '../entries/InclEarlier.tsx'
import type { Task } from './api.ts'
import { formatLikely, isExact } from './likely-dates.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import styles from './TaskList.module.css'
import { stateMessage } from './task-messages.ts'

export const nameId = ({ id }: Task) => `service-task-${id}`

export function TaskState({ task }: { task: Task }) {
  const formats = useFormats()
  return (
    <span className={styles.state} data-state={task.state}>
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
