import { useSetAtom } from 'jotai'

import { AuthCard, AuthField, fieldText, LinkButton } from './AuthCard.tsx'
import { verifyCodeAtom, signOutAtom } from './atoms.ts'

/** Asks for the code of the second factor, which the database requires if the owner has one. */
export default function SecondFactorCard() {
  const verifyCode = useSetAtom(verifyCodeAtom)
  const signOut = useSetAtom(signOutAtom)

  const submit = async (form: FormData) => {
    const code = fieldText(form, 'code').replaceAll(/\s/g, '')
    if (!/^\d{6}$/.test(code)) return 'Enter the six-digit code from your authenticator app.'
    await verifyCode(code)
    return null
  }

  return (
    <AuthCard
      purpose="Enter the code from your authenticator app."
      submitLabel="Verify"
      onSubmit={submit}
      footer={<LinkButton label="Sign in with another account" onClick={() => void signOut()} />}
    >
      <AuthField label="Code" name="code" inputMode="numeric" autoComplete="one-time-code" />
    </AuthCard>
  )
}
