import { useAtomValue } from 'jotai'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'

import { Dialog } from '../../components/Dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { backendAtom, type Client } from '../../lib/backend.ts'
import { today } from '../../lib/days.ts'
import { type Formats, useFormats } from '../../lib/formats.ts'
import { fieldText } from './AuthCard.tsx'
import { readCode } from './rules.ts'
import {
  enroll,
  type Factor,
  type NewFactor,
  readFactor,
  removeFactor,
  turnOff,
  verify,
} from './second-factor.ts'
import styles from './SecondFactorDialog.module.css'

type Step =
  | { name: 'loading' }
  | { name: 'off' }
  | { name: 'setup'; factor: NewFactor }
  | { name: 'on'; factor: Factor }

export default function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const { client } = useAtomValue(backendAtom)
  const formats = useFormats()
  const [step, setStep] = useState<Step>({ name: 'loading' })
  const { run, fail, problem, isBusy } = useAction()

  useEffect(() => {
    readStep(client).then(setStep, fail)
  }, [client, fail])

  const setUp = async () => setStep({ name: 'setup', factor: await enroll(client) })
  const submit = (id: string) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = fieldText(new FormData(event.currentTarget), 'code')
    run(async () => {
      await verify(client, id, readCode(code))
      setStep(await readStep(client))
    })
  }
  const remove = async (id: string) => {
    await turnOff(client, id)
    setStep(await readStep(client))
  }
  const cancel = async (id: string) => {
    onClose()
    // If this fails, the next setup removes the factor.
    await removeFactor(client, id).catch(() => undefined)
  }

  const close = step.name === 'setup' ? () => void cancel(step.factor.id) : onClose
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
            <button type="button" aria-disabled={isBusy} onClick={() => run(() => remove(step.factor.id))}>
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

async function readStep(client: Client): Promise<Step> {
  const factor = await readFactor(client)
  return factor ? { name: 'on', factor } : { name: 'off' }
}

type Submit = (id: string) => (event: FormEvent<HTMLFormElement>) => void

function contentOf(step: Step, submit: Submit, formats: Formats): ReactNode {
  if (step.name === 'loading') return <p>Loading…</p>
  if (step.name === 'setup') return <Setup factor={step.factor} onSubmit={submit(step.factor.id)} />
  if (step.name === 'off') {
    return <p>Protect your account with a code from an authenticator app each time you sign in.</p>
  }
  const since = formats.longDay(today(new Date(step.factor.createdAt)))
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

type SetupProps = { factor: NewFactor; onSubmit: (event: FormEvent<HTMLFormElement>) => void }

function Setup({ factor, onSubmit }: SetupProps) {
  return (
    <form id="second-factor" className="stack" onSubmit={onSubmit} noValidate>
      <p>Scan this with your authenticator app, or enter the key. Then enter the code that the app shows.</p>
      <img src={factor.image} alt="QR code with the key" width="176" height="176" className={styles.image} />
      <p>
        Key: <code className={styles.key}>{factor.secret}</code>
      </p>
      <label className={styles.code}>
        Code
        <input name="code" inputMode="numeric" autoComplete="one-time-code" />
      </label>
    </form>
  )
}
