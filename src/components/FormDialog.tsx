import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'

import { ConfirmDialog, Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'
import type { WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { useReadOnly } from './read-only.ts'
import type { Form } from './use-form.ts'

type Props = {
  title: string
  lead?: ReactNode
  label: string
  form: Form
  /** The command that saves the form, if it may wait for the network. */
  command?: WriteName
  isBlocked?: boolean
  isPage?: boolean
  remove?: { label: string; run: () => void }
  /** Before the buttons. */
  tools?: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * A dialog with a form. Closes after saving. If saving fails, shows the error and keeps the input. Asks before it closes
 * with unsaved changes.
 */
export function FormDialog(props: Props) {
  const { title, lead, label, form, command, isBlocked, isPage, remove, onClose, tools, children } = props
  const formId = useId()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const readOnly = useReadOnly(command)
  const removal = useReadOnly()
  const close = () => (form.isChanged ? setAsking(true) : onClose())
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || isBlocked || readOnly.disabled) return
    setBusy(true)
    setProblem('')
    const wrong = await form.submit()
    setBusy(false)
    if (wrong === null) onClose()
    else setProblem(wrong)
    if (wrong === '') element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }
  return (
    <Dialog
      title={title}
      lead={lead}
      closeLabel="Cancel"
      isPage={isPage}
      onClose={close}
      tools={
        remove ? (
          <button
            type="button"
            className={styles.remove}
            {...removal}
            onClick={() => {
              onClose()
              remove.run()
            }}
          >
            {remove.label}
          </button>
        ) : (
          tools
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
        ref={element}
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
