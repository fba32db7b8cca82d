import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'

import { ConfirmDialog, Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'
import { useReadOnly } from './read-only.ts'

type Props = {
  title: string
  lead?: ReactNode
  label: string
  /** Resolves to null if saved, or to an error message, which is empty if a field already shows the error. */
  onSave: () => Promise<string | null>
  isBlocked?: boolean
  /** Whether to ask before closing, because changes would be lost. */
  isChanged?: boolean
  remove?: { label: string; run: () => void }
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form. Closes after saving. If saving fails, shows the error and keeps the input. */
export function FormDialog(props: Props) {
  const { title, lead, label, onSave, isBlocked, isChanged = false, remove, onClose, children } = props
  const formId = useId()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const readOnly = useReadOnly()
  const close = () => (isChanged ? setAsking(true) : onClose())
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || isBlocked || readOnly.disabled) return
    setBusy(true)
    setProblem('')
    const wrong = await onSave()
    setBusy(false)
    if (wrong === null) onClose()
    else setProblem(wrong)
    if (wrong === '') form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }
  return (
    <Dialog
      title={title}
      lead={lead}
      closeLabel="Cancel"
      onClose={close}
      tools={
        remove && (
          <button
            type="button"
            className={styles.remove}
            {...readOnly}
            onClick={() => {
              onClose()
              remove.run()
            }}
          >
            {remove.label}
          </button>
        )
      }
      actions={
        <button
          type="submit"
          form={formId}
          className="primary"
          aria-disabled={isBusy || isBlocked}
          {...readOnly}
        >
          {label}
        </button>
      }
    >
      <form
        ref={form}
        id={formId}
        className={styles.form}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {children}
        <p role="alert" className="problem">
          {problem}
        </p>
      </form>
      {isAsking && (
        <ConfirmDialog
          question="Discard unsaved changes?"
          confirmLabel="Discard"
          onConfirm={onClose}
          onCancel={() => setAsking(false)}
        />
      )}
    </Dialog>
  )
}
