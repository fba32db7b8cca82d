import { useAtomValue, useSetAtom } from 'jotai'
import { type MouseEvent, type PointerEvent, useId, useLayoutEffect, useRef, useState } from 'react'

import { useReadOnly } from '../../components/read-only.ts'
import { placePanel } from '../../components/place-panel.ts'
import { todayAtom } from '../../lib/clock.ts'
import { addDays } from '../../lib/days.ts'
import { useFormats } from '../../lib/formats.ts'
import { doneAtom, doneCommandOf, doneOnAtom, endSnoozeAtom, isReplaced } from './actions.ts'
import type { Line } from './api.ts'
import styles from './DoneButton.module.css'
import { serviceDialogAtom } from './open-dialog.ts'

/** How long a press opens the choices instead of marking done, in milliseconds. */
const LONG_PRESS_MS = 500

type Props = {
  line: Line
  /** The id of the element that names the task. */
  describedBy: string
  /** `arrow`: quiet, and only the arrow where it is narrow. */
  look?: 'plain' | 'quiet' | 'arrow'
  /** Whether it was just done. The button stays in its place, so a second press hits nothing else. */
  isDone?: boolean
}

/** Marks a line done today. Its arrow, or a long press, opens the other choices and marks nothing done. */
export function DoneButton({ line, describedBy, look = 'plain', isDone = false }: Props) {
  const { task } = line
  const id = useId()
  const done = useSetAtom(doneAtom)
  const readOnly = useReadOnly(doneCommandOf(task))
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (isOpen ? placePanel(panel.current!, button.current!) : undefined), [isOpen])
  const { press, wasLong } = useLongPress(() => {
    if (!panel.current!.matches(':popover-open')) panel.current!.showPopover()
  })
  const described = [describedBy, readOnly['aria-describedby']].filter(Boolean).join(' ')
  const props = { type: 'button', ...readOnly, 'aria-describedby': described } as const
  const kind = look === 'plain' ? '' : 'quiet'
  return (
    <span
      ref={button}
      className={styles.done}
      data-look={look}
      data-replaces={isReplaced(task)}
      data-done={isDone}
    >
      <button
        {...props}
        {...(isReplaced(task) || isDone ? {} : press)}
        className={isDone ? 'quiet' : kind}
        aria-disabled={isDone}
        onClick={() => {
          if (!wasLong() && !isDone) void done(line)
        }}
      >
        Done
      </button>
      <button
        {...props}
        className={`${kind} opener ${styles.more}`}
        popoverTarget={id}
        aria-label="Choices"
        aria-expanded={isOpen}
      />
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={styles.panel}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && <DoneChoices line={line} onChosen={() => panel.current?.hidePopover()} />}
      </div>
    </span>
  )
}

function DoneChoices({ line, onChosen }: { line: Line; onChosen: () => void }) {
  const { task } = line
  const today = useAtomValue(todayAtom)
  const { shortDay } = useFormats()
  const doneOn = useSetAtom(doneOnAtom)
  const endSnooze = useSetAtom(endSnoozeAtom)
  const open = useSetAtom(serviceDialogAtom)
  const snoozed = useReadOnly('snooze')
  const yesterday = addDays(today, -1)
  const choose = (act: () => void) => ({
    type: 'button' as const,
    className: 'quiet',
    onClick() {
      onChosen()
      act()
    },
  })
  return (
    <div role="group" aria-label={`Mark ${task.name} done`} className={styles.choices}>
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
    </div>
  )
}

/** Runs when a button is held. `wasLong` returns whether its click ends a long press. */
function useLongPress(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isLong = useRef(false)
  const release = () => {
    clearTimeout(timer.current)
    // Releasing outside of a popover closes it.
    if (isLong.current) setTimeout(run)
  }
  const press = {
    onPointerDown({ button }: PointerEvent) {
      isLong.current = false
      clearTimeout(timer.current)
      if (button !== 0) return
      timer.current = setTimeout(() => {
        isLong.current = true
        run()
      }, LONG_PRESS_MS)
    },
    onPointerUp: release,
    onPointerCancel: release,
    onPointerLeave: () => clearTimeout(timer.current),
    // A phone's own menu of a long press.
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
  }
  return {
    press,
    wasLong: () => {
      const was = isLong.current
      isLong.current = false
      return was
    },
  }
}
