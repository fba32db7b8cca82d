import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { backendAtom } from '../../lib/backend.ts'
import { notifyDone } from '../../components/toasts.tsx'
import { changePasswordAtom, choosingPasswordAtom, emailAtom, signOutAtom } from './atoms.ts'
import { requestRecovery, verifyCode } from './api.ts'
import { AuthCard, AuthField, EmailField, fieldText } from './AuthCard.tsx'
import { newPasswordProblem, readCode } from './rules.ts'

/** Sends a password reset link. Never reveals whether an email has an account. */
export function ForgotPasswordCard({ onBack }: { onBack: () => void }) {
  const { auth, config } = useAtomValue(backendAtom)
  const [isSent, setSent] = useState(false)

  const submit = async (form: FormData) => {
    const email = fieldText(form, 'email').trim()
    if (email === '') return 'Enter your email.'
    await requestRecovery(await auth(), email)
    setSent(true)
    return null
  }

  return (
    <AuthCard
      purpose={
        isSent
          ? `If this email has an account, a reset link is on its way.${config.isHosted ? '' : ' If the tracker runs on your own computer, the link is printed in its terminal.'}`
          : 'Enter your email to get a password reset link.'
      }
      submitLabel={isSent ? 'Send again' : 'Send reset link'}
      onSubmit={submit}
      link={{ label: 'Back', onClick: onBack }}
    >
      <EmailField />
    </AuthCard>
  )
}

/** Changes the password. Opened from the settings or by a reset link. */
export function NewPasswordCard() {
  const email = useAtomValue(emailAtom)
  const change = useSetAtom(changePasswordAtom)
  const setChoosing = useSetAtom(choosingPasswordAtom)

  const submit = async (form: FormData) => {
    const password = fieldText(form, 'password')
    const problem = newPasswordProblem(password, fieldText(form, 'confirmation'))
    if (problem !== null) return problem
    const areOthersOut = await change(password)
    notifyDone(
      areOthersOut
        ? 'Password changed. Other devices were signed out.'
        : 'Password changed, but other devices could not be signed out.',
    )
    return null
  }

  return (
    <AuthCard
      purpose="Choose a new password."
      submitLabel="Change password"
      onSubmit={submit}
      link={{ label: 'Cancel', onClick: () => setChoosing(false) }}
    >
      {/* Helps password managers match the account. */}
      <input type="hidden" name="username" autoComplete="username" value={email ?? ''} />
      <AuthField label="New password" name="password" type="password" autoComplete="new-password" />
      <AuthField label="Confirm password" name="confirmation" type="password" autoComplete="new-password" />
    </AuthCard>
  )
}

export function SecondFactorCard() {
  const { auth } = useAtomValue(backendAtom)
  const signOut = useSetAtom(signOutAtom)

  const submit = async (form: FormData) => {
    await verifyCode(await auth(), readCode(fieldText(form, 'code')))
    return null
  }

  return (
    <AuthCard
      purpose="Enter the code from your authenticator app."
      submitLabel="Verify"
      onSubmit={submit}
      link={{ label: 'Sign in with another account', onClick: () => void signOut() }}
    >
      <AuthField label="Code" name="code" inputMode="numeric" autoComplete="one-time-code" />
    </AuthCard>
  )
}
