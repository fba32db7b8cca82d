import { useSetAtom } from 'jotai'

import { AuthCard, entered } from './AuthCard.tsx'
import { AuthField } from './AuthField.tsx'
import { giveCodeAtom, signOutAtom } from './atoms.ts'
import { QuietButton } from './QuietButton.tsx'

/** Asks the owner who has a second factor for its code: until then the database shows nothing. */
export default function SecondFactorCard() {
  const giveCode = useSetAtom(giveCodeAtom)
  const signOut = useSetAtom(signOutAtom)

  const submit = async (form: FormData) => {
    const code = entered(form, 'code').replaceAll(/\s/g, '')
    if (!/^\d{6}$/.test(code)) return 'Enter the six digits that your authenticator app shows.'
    await giveCode(code)
    return null
  }

  return (
    <AuthCard
      purpose="Enter the code that your authenticator app shows."
      submitLabel="Verify"
      onSubmit={submit}
      footer={<QuietButton label="Sign in with another account" onClick={() => void signOut()} />}
    >
      <AuthField label="Code" name="code" inputMode="numeric" autoComplete="one-time-code" />
    </AuthCard>
  )
}
