import { useAtomValue, useSetAtom } from 'jotai'

import { useReadOnly } from '../../components/read-only.ts'
import { doneAtom, doneCommandOf, endSnoozeAtom } from './actions.ts'
import type { Task } from './api.ts'
import { type AfterDone, heldAtom } from './held-rows.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import styles from './TaskList.module.css'
import { nameId } from './TaskState.tsx'

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
