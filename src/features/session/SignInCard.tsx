import { useSetAtom } from 'jotai'
import { type SubmitEvent, useState } from 'react'

import { sentenceFor, toAppError } from '../../lib/errors.ts'
import { signInAtom } from './atoms.ts'
import { missingCredential } from './rules.ts'
import styles from './SignInCard.module.css'

export function SignInCard() {
  const signIn = useSetAtom(signInAtom)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  // The fields are left alone, so that a failed attempt keeps what was typed.
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget)
    const [email, password] = [textOf(form.get('email')).trim(), textOf(form.get('password'))]
    const missing = missingCredential(email, password)
    setProblem(missing)
    if (missing) return
    setBusy(true)
    try {
      await signIn(email, password)
    } catch (cause) {
      setProblem(sentenceFor(toAppError(cause)))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
        <img className={styles.mark} src="/icon.svg" alt="" width="44" height="44" />
        <h1 className={styles.title}>RWGPS Maintenance Tracker</h1>
        <label className={styles.field}>
          Email
          <input name="email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </label>
        <label className={styles.field}>
          Password
          <input name="password" type="password" autoComplete="current-password" />
        </label>
        <div role="alert" className={styles.problem}>
          {problem}
        </div>
        <button type="submit" className="primary" aria-disabled={isBusy}>
          Sign in
        </button>
      </form>
    </main>
  )
}

function textOf(entry: FormDataEntryValue | null): string {
  return typeof entry === 'string' ? entry : ''
}
