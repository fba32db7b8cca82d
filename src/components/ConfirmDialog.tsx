import { useLayoutEffect, useId, useRef } from 'react'

import styles from './ConfirmDialog.module.css'

type Props = {
  question: string
  /** What it is about. */
  detail?: string
  confirmLabel: string
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something that cannot be taken back lightly. Opens at once; Cancel has the focus first. */
export function ConfirmDialog({ question, detail, confirmLabel, onConfirm, onCancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const questionId = useId()

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closing gives the focus back to where it came from; it has to happen before the element is taken away.
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={questionId}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <h2 id={questionId} className={styles.question}>
        {question}
      </h2>
      {detail !== undefined && <p className={styles.detail}>{detail}</p>}
      <div className={styles.buttons}>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className={styles.confirm} onClick={onConfirm}>
          {confirmLabel}
        </button>
      </div>
    </dialog>
  )
}
