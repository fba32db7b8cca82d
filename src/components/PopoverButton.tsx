import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'

import styles from './PopoverButton.module.css'

type Props = {
  label: ReactNode
  isBusy?: boolean
  isQuiet?: boolean
  children: (close: () => void) => ReactNode
}

/** A button with a popover. The browser closes it on Escape or an outside click. */
export function PopoverButton({ label, isBusy, isQuiet = false, children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const move = () => place(panel.current!, button.current!)
    move()
    // The content may change while it is open.
    const observer = new ResizeObserver(move)
    observer.observe(panel.current!)
    const closed = new AbortController()
    window.addEventListener('resize', move, closed)
    window.addEventListener('scroll', move, { capture: true, signal: closed.signal })
    return () => {
      observer.disconnect()
      closed.abort()
    }
  }, [isOpen])

  return (
    <>
      <button
        ref={button}
        type="button"
        className={isQuiet ? 'opener quiet' : 'opener'}
        popoverTarget={id}
        aria-expanded={isOpen}
        aria-busy={isBusy}
      >
        {label}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={styles.panel}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && children(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  )
}

/** Minimum distance from the window's edges, in pixels. */
const EDGE = 12
/** Distance from the button, in pixels. */
const GAP = 4

/** Places a panel below its button, or above it if there is no room below, with their ends aligned if possible. */
function place(panel: HTMLElement, button: HTMLElement) {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = panel
  const { clientWidth, clientHeight } = document.documentElement
  const lastX = clientWidth - offsetWidth - EDGE
  const lastY = clientHeight - offsetHeight - EDGE
  const x =
    right - offsetWidth < EDGE ? Math.max(EDGE, Math.min(left, lastX)) : Math.min(right - offsetWidth, lastX)
  const above = top - GAP - offsetHeight
  const y = bottom + GAP <= lastY || above < EDGE ? Math.max(EDGE, Math.min(bottom + GAP, lastY)) : above
  panel.style.translate = `${x + window.scrollX}px ${y + window.scrollY}px`
}
