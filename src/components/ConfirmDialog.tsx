import { useId } from 'react'

import styles from './ConfirmDialog.module.css'
import { useModal } from './use-modal.ts'

type Props = {
  question: string
  detail?: string
  confirmLabel: string
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation. Open while mounted; Cancel has the initial focus. */
export function ConfirmDialog({ question, detail, confirmLabel, onConfirm, onCancel }: Props) {
  const dialog = useModal()
  const questionId = useId()

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
