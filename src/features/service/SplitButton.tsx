import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import { placePanel } from '../../components/place-panel.ts'
import type { useReadOnly } from '../../components/read-only.ts'
import styles from './SplitButton.module.css'

/** How long a press opens the choices instead of acting, in milliseconds. */
const LONG_PRESS_MS = 500

/** `arrow`: quiet, and only the arrow where it is narrow. */
export type Look = 'plain' | 'quiet' | 'arrow'

type Props = {
  label: string
  look: Look
  /** The id of the element that names the line. */
  describedBy: string
  readOnly: ReturnType<typeof useReadOnly>
  onPress: () => void
  /** Whether a long press opens the choices. */
  isHeld?: boolean
  /** Whether it was just pressed. The button stays in its place, so a second press hits nothing else. */
  isDone?: boolean
  /** Whether all choices have buttons of their own where there is room. */
  isWhole?: boolean
  /** Names the choices. */
  choices: string
  /** Buttons. Each closes the choices. */
  children: ReactNode
}

/** A button, and an arrow that opens other choices. */
export function SplitButton({ label, look, describedBy, readOnly, onPress, ...props }: Props) {
  const { isHeld = false, isDone = false, isWhole = false, choices, children } = props
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (isOpen ? placePanel(panel.current!, button.current!) : undefined), [isOpen])
  const { press, wasLong } = useLongPress(() => {
    if (!panel.current!.matches(':popover-open')) panel.current!.showPopover()
  })
  const described = [describedBy, readOnly['aria-describedby']].filter(Boolean).join(' ')
  const both = { type: 'button', ...readOnly, 'aria-describedby': described } as const
  const kind = look === 'plain' ? '' : 'quiet'
  return (
    <span ref={button} className={styles.split} data-look={look} data-whole={isWhole} data-done={isDone}>
      <button
        {...both}
        {...(isHeld ? press : {})}
        className={isDone ? 'quiet' : kind}
        aria-disabled={isDone}
        onClick={() => {
          if (!wasLong() && !isDone) onPress()
        }}
      >
        {label}
      </button>
      <button
        {...both}
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
        {isOpen && (
          // Closes before the choice acts.
          <div
            role="group"
            aria-label={choices}
            className={styles.choices}
            onClickCapture={() => panel.current?.hidePopover()}
          >
            {children}
          </div>
        )}
      </div>
    </span>
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
