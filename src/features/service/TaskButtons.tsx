import { useAtomValue, useSetAtom } from 'jotai'

import { useReadOnly } from '../../components/read-only.ts'
import { lineIdOf } from '../../../supabase/functions/_shared/messages/task-lines.ts'
import { endSnoozeAtom } from './actions.ts'
import type { Line } from './api.ts'
import { DoneButton } from './DoneButton.tsx'
import { type AfterDone, heldAtom } from './held-rows.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import styles from './TaskList.module.css'
import { nameId } from './TaskState.tsx'

/** Offers Done and Snooze. After Done, which stays in place so a second press can't hit the next task, Undo and Edit replace Snooze. */
export function TaskButtons({ line, look = 'plain' }: { line: Line; look?: 'plain' | 'arrow' }) {
  const { task } = line
  const endSnooze = useSetAtom(endSnoozeAtom)
  const open = useSetAtom(serviceDialogAtom)
  const after = useAtomValue(heldAtom).get(lineIdOf(task))?.after ?? undefined
  const readOnly = useReadOnly('snooze')
  const isSnoozed = task.state === 'snoozed'
  return (
    <>
      <DoneButton line={line} describedBy={nameId(task)} look={look} isDone={after !== undefined} />
      {after && (
        <span className={styles.second}>
          <AfterDoneButtons after={after} describedBy={nameId(task)} />
        </span>
      )}
      {!after && look === 'plain' && (
        <button
          type="button"
          {...readOnly}
          aria-describedby={[nameId(task), readOnly['aria-describedby']].filter(Boolean).join(' ')}
          className={`quiet ${styles.second} ${styles.snooze}`}
          onClick={() => (isSnoozed ? void endSnooze(line) : open({ kind: 'snooze', line }))}
        >
          {isSnoozed ? 'End snooze' : 'Snooze'}
        </button>
      )}
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
