import { useAtomValue, useSetAtom } from 'jotai'

import { useReadOnly } from '../../components/read-only.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays } from '../../lib/days.ts'
import { useFormats } from '../../lib/formats.ts'
import { doneAtom, doneCommandOf, doneOnAtom, endSnoozeAtom, isReplaced } from './actions.ts'
import type { Line } from './api.ts'
import { serviceDialogAtom } from './open-dialog.ts'
import { type Look, SplitButton } from './SplitButton.tsx'
import styles from './SplitButton.module.css'

type Props = {
  line: Line
  /** The id of the element that names the task. */
  describedBy: string
  look?: Look
  /** Whether it was just done. */
  isDone?: boolean
}

/** Marks a line done today. Its arrow, or a long press, opens the other choices and marks nothing done. */
export function DoneButton({ line, describedBy, look = 'plain', isDone = false }: Props) {
  const { task } = line
  const done = useSetAtom(doneAtom)
  return (
    <SplitButton
      label="Done"
      look={look}
      describedBy={describedBy}
      readOnly={useReadOnly(doneCommandOf(task))}
      isHeld={!isReplaced(task) && !isDone}
      isDone={isDone}
      isWhole={isReplaced(task)}
      choices={`Mark ${task.name} done`}
      onPress={() => void done(line)}
    >
      <DoneChoices line={line} />
    </SplitButton>
  )
}

const choose = (act: () => void) => ({ type: 'button' as const, className: 'quiet', onClick: act })

function DoneChoices({ line }: { line: Line }) {
  const { task } = line
  const today = useAtomValue(todayAtom)
  const { shortDay } = useFormats()
  const doneOn = useSetAtom(doneOnAtom)
  const endSnooze = useSetAtom(endSnoozeAtom)
  const open = useSetAtom(serviceDialogAtom)
  const snoozed = useReadOnly('snooze')
  const yesterday = addDays(today, -1)
  return (
    <>
      {!isReplaced(task) && (
        <>
          <button {...choose(() => void doneOn(line, null))}>
            Today <span className="note">{shortDay(today, today)}</span>
          </button>
          <button {...choose(() => void doneOn(line, yesterday))}>
            Yesterday <span className="note">{shortDay(yesterday, today)}</span>
          </button>
          <button {...choose(() => open({ kind: 'done', line, focus: 'day' }))}>Day…</button>
          <button {...choose(() => open({ kind: 'done', line, focus: 'note' }))}>Note…</button>
        </>
      )}
      <button
        {...choose(() => (task.state === 'snoozed' ? void endSnooze(line) : open({ kind: 'snooze', line })))}
        {...snoozed}
        className={`quiet ${styles.snooze}`}
      >
        {task.state === 'snoozed' ? 'End snooze' : 'Snooze…'}
      </button>
    </>
  )
}
