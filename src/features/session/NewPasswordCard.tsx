import { useAtomValue, useSetAtom } from 'jotai'

import { notifyDone } from '../../components/toasts.tsx'
import { AuthCard, AuthField, fieldText, LinkButton } from './AuthCard.tsx'
import { changePasswordAtom, choosingPasswordAtom, emailAtom } from './atoms.ts'
import { newPasswordProblem } from './rules.ts'

/** Changes the password, either from the header or after following a reset link. */
export default function NewPasswordCard() {
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
      footer={<LinkButton label="Cancel" onClick={() => setChoosing(false)} />}
    >
      {/* Lets password managers match the account. */}
      <input type="hidden" name="username" autoComplete="username" value={email ?? ''} />
      <AuthField label="New password" name="password" type="password" autoComplete="new-password" />
      <AuthField label="Confirm password" name="confirmation" type="password" autoComplete="new-password" />
    </AuthCard>
  )
}
