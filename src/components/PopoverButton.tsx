import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'

import { placePanel } from './place-panel.ts'
import type { useReadOnly } from './read-only.ts'
import styles from './PopoverButton.module.css'

type Props = {
  label: ReactNode
  /** The button's name for screen readers, if the label doesn't say enough. */
  name?: string
  /** Whether the label is a proposal that isn't saved yet. */
  isProposed?: boolean
  isBusy?: boolean
  isQuiet?: boolean
  /** The props of `useReadOnly`, if the panel changes data. */
  readOnly?: ReturnType<typeof useReadOnly> | undefined
  children: (close: () => void) => ReactNode
}

/** A button with a popover. The browser closes it on Escape or an outside click. */
export function PopoverButton(props: Props) {
  const { label, name, isProposed = false, isBusy, isQuiet = false, readOnly, children } = props
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => (isOpen ? placePanel(panel.current!, button.current!) : undefined), [isOpen])

  return (
    <>
      <button
        ref={button}
        type="button"
        className={isQuiet ? 'opener quiet' : 'opener'}
        popoverTarget={id}
        aria-label={name}
        data-proposed={isProposed || undefined}
        aria-expanded={isOpen}
        aria-busy={isBusy}
        {...readOnly}
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
