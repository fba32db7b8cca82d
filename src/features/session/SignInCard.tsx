import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, startTransition, useState } from 'react'

import { backendAtom } from '../../lib/backend.ts'
import { AuthCard, AuthField, EmailField, fieldText, LinkButton } from './AuthCard.tsx'
import { linkProblemAtom, signInAtom } from './atoms.ts'
import { missingCredential } from './rules.ts'

const ForgotPasswordCard = lazy(() => import('./ForgotPasswordCard.tsx'))

export function SignInCard() {
  const { demoAccount } = useAtomValue(backendAtom).config
  const signIn = useSetAtom(signInAtom)
  const linkProblem = useAtomValue(linkProblemAtom)
  const [isForgotten, setForgotten] = useState(false)

  const submit = async (form: FormData) => {
    const [email, password] = [fieldText(form, 'email').trim(), fieldText(form, 'password')]
    const missing = missingCredential(email, password)
    if (missing === null) await signIn(email, password)
    return missing
  }

  // A transition keeps this card until the other one has loaded.
  const forget = () => startTransition(() => setForgotten(true))

  if (isForgotten) return <ForgotPasswordCard onBack={() => setForgotten(false)} />
  return (
    <AuthCard
      key={linkProblem}
      {...(demoAccount && { purpose: 'Demo account: owner@example.com / password' })}
      initialError={linkProblem}
      submitLabel="Sign in"
      onSubmit={submit}
      footer={<LinkButton label="Forgot password?" onClick={forget} />}
    >
      <EmailField />
      <AuthField label="Password" name="password" type="password" autoComplete="current-password" />
    </AuthCard>
  )
}
