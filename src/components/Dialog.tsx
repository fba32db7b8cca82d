import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

import styles from './Dialog.module.css'
import { useModal } from './use-modal.ts'

type Props = {
  title: string
  lead?: ReactNode
  /** Scrolls if it is too long. */
  children: ReactNode
  actions: ReactNode
  onClose: () => void
}

/** A modal dialog. Its title has the initial focus; Escape closes it. */
export function Dialog({ title, lead, children, actions, onClose }: Props) {
  const dialog = useModal()
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()

  useLayoutEffect(() => heading.current?.focus(), [])

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={styles.dialog}
      onCancel={(event) => {
        // Canceling a file picker inside the dialog also fires `cancel`, which bubbles.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles.head}>
        <h2 ref={heading} id={titleId} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        {lead !== undefined && <div className={styles.lead}>{lead}</div>}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be focusable */}
      <div className={styles.body} role="region" aria-labelledby={titleId} tabIndex={0}>
        {children}
      </div>
      <div className={styles.actions}>{actions}</div>
    </dialog>
  )
}
