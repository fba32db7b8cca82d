import { useAtomValue, useSetAtom } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import type { Item } from '../items/fields.ts'
import { openItemAtom } from '../items/open-item.ts'
import type { Task } from './api.ts'
import { tasksOfPartAtom, tasksOnBikeAtom } from './atoms.ts'
import styles from './DueLine.module.css'
import { isDue, stateWords, taskWords } from './task-messages.ts'

/** What is due on a bike. Absent if nothing is. */
export function DueLine({ gearId }: { gearId: number }) {
  const tasks = useAtomValue(tasksOnBikeAtom(gearId)).filter(isDue)
  if (tasks.length === 0) return null
  return (
    <ul className={styles.line} aria-label="Due on this bike">
      {tasks.map((task) => (
        <li key={task.id} data-state={task.state}>
          <DueTask task={task} />
        </li>
      ))}
    </ul>
  )
}

/** Names the part, and opens its details. */
function DueTask({ task }: { task: Task }) {
  const units = useAtomValue(unitsAtom)
  const open = useSetAtom(openItemAtom)
  const { item_id, item_name } = task
  if (item_id === null) return `${task.name} ${stateWords(task, units)}`
  return (
    <button type="button" className="link" onClick={() => open(item_id)}>
      {`${item_name}: ${taskWords(task, units)}`}
    </button>
  )
}

/** The next task of an item's part, for the line below Use Miles. */
export function NextTask({ item }: { item: Item }) {
  const tasks = useAtomValue(tasksOfPartAtom(item.part_id))
  const units = useAtomValue(unitsAtom)
  const next = tasks.find(
    ({ item_id, state }) => item_id === item.id && state !== 'paused' && state !== 'snoozed',
  )
  if (!next) return null
  return <span data-state={next.state}>{taskWords(next, units)}</span>
}
