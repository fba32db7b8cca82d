import { type ReactNode, useId, useState } from 'react'

import styles from './PopoverButton.module.css'

type Props = {
  label: string
  /** On which side of the button it opens, where there is room. */
  side: 'above' | 'below'
  isBusy?: boolean
  /** What it shows, and in the document only while it is open. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a small panel beside it; the platform closes it on Escape and on a click elsewhere. */
export function PopoverButton({ label, side, isBusy, children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" popoverTarget={id} aria-expanded={isOpen} aria-busy={isBusy}>
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
