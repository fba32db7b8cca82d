import { type ReactNode, useId, useState } from 'react'

import styles from './PopoverButton.module.css'

type Props = {
  label: ReactNode
  side: 'above' | 'below'
  isBusy?: boolean
  isQuiet?: boolean
  children: (close: () => void) => ReactNode
}

/** A button with a popover. The browser closes it on Escape or an outside click. */
export function PopoverButton({ label, side, isBusy, isQuiet = false, children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={isQuiet ? 'opener quiet' : 'opener'}
        popoverTarget={id}
        aria-expanded={isOpen}
        aria-busy={isBusy}
      >
        {label}
      </button>
      <div
        id={id}
        popover="auto"
        className={styles.panel}
        data-side={side}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && children(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  )
}
