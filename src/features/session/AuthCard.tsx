import {
  type InputHTMLAttributes,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from 'react'

import { messageFor, toAppError } from '../../lib/errors.ts'
import styles from './AuthCard.module.css'

type Props = {
  /** A button above the fields that submits a form of its own. */
  shortcut?: { label: string; form: () => FormData }
  purpose?: string
  initialError?: string | null
  submitLabel: string
  /** Resolves to a message if the input is invalid, else null. Rejects if the request fails. */
  onSubmit: (form: FormData) => Promise<string | null>
  children: ReactNode
  link: { label: string; onClick: () => void }
}

/** A full-screen form with an error box. Focuses its first field and keeps its input after an error. */
export function AuthCard(props: Props) {
  const { shortcut, purpose, initialError = null, submitLabel, onSubmit, children, link } = props
  const card = useRef<HTMLFormElement>(null)
  const [error, setError] = useState(initialError)
  const [isBusy, setBusy] = useState(false)

  useEffect(() => card.current?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus(), [])

  const submit = async (form: FormData) => {
    if (isBusy) return
    setBusy(true)
    setError(await onSubmit(form).catch((cause: unknown) => messageFor(toAppError(cause))))
    setBusy(false)
  }

  return (
    <main className={styles.page}>
      <form
        ref={card}
        className={styles.card}
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
        noValidate
        aria-busy={isBusy}
      >
        <img src="/icon.svg" alt="" width="44" height="44" />
        <h1 className="heading">RWGPS Maintenance Tracker</h1>
        {shortcut && (
          // Not a submit button, because Enter in a field presses the form's first one.
          <button
            type="button"
            className="primary"
            aria-disabled={isBusy}
            onClick={() => void submit(shortcut.form())}
          >
            {shortcut.label}
          </button>
        )}
        {purpose !== undefined && <p className="note">{purpose}</p>}
        {children}
        <div role="alert" className="failure">
          {error}
        </div>
        <button type="submit" className={shortcut ? undefined : 'primary'} aria-disabled={isBusy}>
          {submitLabel}
        </button>
        <button type="button" className="link" onClick={link.onClick}>
          {link.label}
        </button>
      </form>
    </main>
  )
}

export function fieldText(form: FormData, name: string): string {
  const entry = form.get(name)
  return typeof entry === 'string' ? entry : ''
}

type FieldProps = InputHTMLAttributes<HTMLInputElement> & { label: string; name: string }

export function AuthField({ label, ...input }: FieldProps) {
  return (
    <label className="field">
      {label}
      <input {...input} />
    </label>
  )
}

export function EmailField() {
  return (
    <AuthField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
