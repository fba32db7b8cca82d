import { useAtomValue } from 'jotai'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'

import { Dialog } from '../../components/Dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { backendAtom, type Auth } from '../../lib/backend.ts'
import { localDay } from '../../lib/days.ts'
import { unwrap } from '../../lib/errors.ts'
import { type Formats, useFormats } from '../../lib/formats.ts'
import { fieldText } from './AuthCard.tsx'
import { readCode } from './rules.ts'
import styles from './SecondFactorDialog.module.css'

/** `id` is the factor's. */
type Setup = { name: 'setup'; id: string; image: string; secret: string }

type Step = { name: 'loading' } | { name: 'off' } | Setup | { name: 'on'; id: string; createdAt: string }

export default function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const { auth: loadAuth } = useAtomValue(backendAtom)
  const formats = useFormats()
  const [step, setStep] = useState<Step>({ name: 'loading' })
  const { run, fail, problem, isBusy } = useAction()

  useEffect(() => {
    loadAuth().then(readStep).then(setStep, fail)
  }, [loadAuth, fail])

  const setUp = async () => setStep(await enroll(await loadAuth()))
  const submit = (id: string) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = fieldText(new FormData(event.currentTarget), 'code')
    run(async () => {
      const auth = await loadAuth()
      unwrap(await auth.mfa.challengeAndVerify({ factorId: id, code: readCode(code) }))
      setStep(await readStep(auth))
    })
  }
  const remove = async (id: string) => {
    const auth = await loadAuth()
    await removeFactor(auth, id)
    // The session's token still includes the factor.
    await auth.refreshSession()
    setStep(await readStep(auth))
  }
  const cancel = async (id: string) => {
    onClose()
    // If this fails, the next setup removes the factor.
    await loadAuth()
      .then((auth) => removeFactor(auth, id))
      .catch(() => undefined)
  }

  const close = step.name === 'setup' ? () => void cancel(step.id) : onClose
  return (
    <Dialog
      title="Two-factor authentication"
      closeLabel={step.name === 'setup' ? 'Cancel' : 'Close'}
      onClose={close}
      actions={
        <>
          {step.name === 'off' && (
            <button type="button" className="primary" aria-disabled={isBusy} onClick={() => run(setUp)}>
              Set up
            </button>
          )}
          {step.name === 'setup' && (
            <button type="submit" form="second-factor" className="primary" aria-disabled={isBusy}>
              Turn on
            </button>
          )}
          {step.name === 'on' && (
            <button type="button" aria-disabled={isBusy} onClick={() => run(() => remove(step.id))}>
              Remove
            </button>
          )}
        </>
      }
    >
      <div className="stack" aria-busy={isBusy}>
        {contentOf(step, submit, formats)}
        <p role="alert" className="problem">
          {problem}
        </p>
      </div>
    </Dialog>
  )
}

/** Reads whether the account has a verified authenticator app. */
async function readStep(auth: Auth): Promise<Step> {
  const [factor] = unwrap(await auth.mfa.listFactors()).totp
  return factor ? { name: 'on', id: factor.id, createdAt: factor.created_at } : { name: 'off' }
}

/** Starts adding an authenticator app. Removes unfinished attempts. */
async function enroll(auth: Auth): Promise<Setup> {
  const { all } = unwrap(await auth.mfa.listFactors())
  for (const { id, status } of all) if (status === 'unverified') await removeFactor(auth, id)
  const { id, totp } = unwrap(await auth.mfa.enroll({ factorType: 'totp' }))
  return { name: 'setup', id, image: totp.qr_code, secret: totp.secret }
}

async function removeFactor(auth: Auth, id: string): Promise<void> {
  unwrap(await auth.mfa.unenroll({ factorId: id }))
}

type Submit = (id: string) => (event: FormEvent<HTMLFormElement>) => void

function contentOf(step: Step, submit: Submit, formats: Formats): ReactNode {
  if (step.name === 'loading') return <p>Loading…</p>
  if (step.name === 'setup') return <SetupForm setup={step} onSubmit={submit(step.id)} />
  if (step.name === 'off') {
    return <p>Protect your account with a code from an authenticator app each time you sign in.</p>
  }
  const since = formats.longDay(localDay(new Date(step.createdAt)))
  return (
    <>
      <p>On since {since}. Signing in requires a code from your authenticator app.</p>
      <p>
        Back up your app or its key. If you lose both, remove the factor in your Supabase project, under
        Authentication.
      </p>
    </>
  )
}

type SetupProps = { setup: Setup; onSubmit: (event: FormEvent<HTMLFormElement>) => void }

function SetupForm({ setup, onSubmit }: SetupProps) {
  return (
    <form id="second-factor" className="stack" onSubmit={onSubmit} noValidate>
      <p>Scan this with your authenticator app, or enter the key. Then enter the code that the app shows.</p>
      <img src={setup.image} alt="QR code with the key" width="176" height="176" className={styles.image} />
      <p>
        Key: <code>{setup.secret}</code>
      </p>
      <label className={styles.code}>
        Code
        <input name="code" inputMode="numeric" autoComplete="one-time-code" />
      </label>
    </form>
  )
}
