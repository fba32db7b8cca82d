import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

import styles from './Dialog.module.css'
import { useModal } from './use-modal.ts'

type Props = {
  title: string
  /** A sentence under the title. */
  lead?: ReactNode
  /** What scrolls when it is too much. */
  children: ReactNode
  /** The buttons at the foot. */
  actions: ReactNode
  onClose: () => void
}

/** A modal dialog for something to read and decide about. Its title has the focus first; Escape closes it. */
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
        // A file field in it tells of a choice that was cancelled by an event of the same name.
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard */}
      <div className={styles.body} role="region" aria-labelledby={titleId} tabIndex={0}>
        {children}
      </div>
      <div className={styles.actions}>{actions}</div>
    </dialog>
  )
}
