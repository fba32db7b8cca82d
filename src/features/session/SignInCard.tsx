import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, startTransition, useState } from 'react'

import { backendAtom } from '../../lib/backend.ts'
import { AuthCard, entered } from './AuthCard.tsx'
import { AuthField, EmailField } from './AuthField.tsx'
import { linkProblemAtom, signInAtom } from './atoms.ts'
import { QuietButton } from './QuietButton.tsx'
import { missingCredential } from './rules.ts'

const ForgotPasswordCard = lazy(() => import('./ForgotPasswordCard.tsx'))

export function SignInCard() {
  const { sample } = useAtomValue(backendAtom).config
  const signIn = useSetAtom(signInAtom)
  const linkProblem = useAtomValue(linkProblemAtom)
  const [isForgotten, setForgotten] = useState(false)

  const submit = async (form: FormData) => {
    const [email, password] = [entered(form, 'email').trim(), entered(form, 'password')]
    const missing = missingCredential(email, password)
    if (missing === null) await signIn(email, password)
    return missing
  }

  // In a transition, so that this card stays until the other one is there.
  const forget = () => startTransition(() => setForgotten(true))

  if (isForgotten) return <ForgotPasswordCard onBack={() => setForgotten(false)} />
  return (
    <AuthCard
      key={linkProblem}
      {...(sample && {
        purpose: 'Sample data. The first npm start printed the e-mail and the password.',
      })}
      before={linkProblem}
      submitLabel="Sign in"
      onSubmit={submit}
      footer={<QuietButton label="Forgot password?" onClick={forget} />}
    >
      <EmailField />
      <AuthField label="Password" name="password" type="password" autoComplete="current-password" />
    </AuthCard>
  )
}
