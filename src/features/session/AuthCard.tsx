import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'

import { messageFor, toAppError } from '../../lib/errors.ts'
import styles from './AuthCard.module.css'

type Props = {
  /** What the form is for, where its fields do not say so. */
  purpose?: string
  /** What was wrong before anything was sent. */
  before?: string | null
  submitLabel: string
  /** Sends what was entered; resolves to a sentence where something is missing, and rejects when it failed. */
  onSubmit: (form: FormData) => Promise<string | null>
  children: ReactNode
  /** Stands below the button. */
  footer?: ReactNode
}

/** A form of its own on the screen, with a box for errors. Its first field has the focus. A failed attempt keeps what was typed. */
export function AuthCard(props: Props) {
  const { purpose, before = null, submitLabel, onSubmit, children, footer } = props
  const card = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string | null>(before)
  const [isBusy, setBusy] = useState(false)

  useEffect(() => card.current?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus(), [])

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(await attempt(() => onSubmit(form)))
    setBusy(false)
  }

  return (
    <main className={styles.page}>
      <form
        ref={card}
        className={styles.card}
        onSubmit={(event) => void submit(event)}
        noValidate
        aria-busy={isBusy}
      >
        <img className={styles.mark} src="/icon.svg" alt="" width="44" height="44" />
        <h1 className={styles.title}>RWGPS Maintenance Tracker</h1>
        {purpose !== undefined && <p className={styles.purpose}>{purpose}</p>}
        {children}
        <div role="alert" className={styles.problem}>
          {problem}
        </div>
        <button type="submit" className="primary" aria-disabled={isBusy}>
          {submitLabel}
        </button>
        {footer}
      </form>
    </main>
  )
}

async function attempt(send: () => Promise<string | null>): Promise<string | null> {
  try {
    return await send()
  } catch (cause) {
    return messageFor(toAppError(cause))
  }
}

/** What was entered into a field; empty where nothing was. */
export function entered(form: FormData, name: string): string {
  const entry = form.get(name)
  return typeof entry === 'string' ? entry : ''
}
