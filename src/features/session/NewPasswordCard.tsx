import { useAtomValue, useSetAtom } from 'jotai'

import { notifyDone } from '../../components/toasts.tsx'
import { AuthCard, entered } from './AuthCard.tsx'
import { AuthField } from './AuthField.tsx'
import { changePasswordAtom, choosingPasswordAtom, emailAtom } from './atoms.ts'
import { QuietButton } from './QuietButton.tsx'
import { wrongNewPassword } from './rules.ts'

/** Asks for a new password: the owner wished to change it, or came by the link for a forgotten one. */
export default function NewPasswordCard() {
  const email = useAtomValue(emailAtom)
  const change = useSetAtom(changePasswordAtom)
  const setChoosing = useSetAtom(choosingPasswordAtom)

  const submit = async (form: FormData) => {
    const password = entered(form, 'password')
    const wrong = wrongNewPassword(password, entered(form, 'repeated'))
    if (wrong !== null) return wrong
    const areOthersOut = await change(password)
    notifyDone(
      areOthersOut
        ? 'The password was changed. Other devices are signed out.'
        : 'The password was changed. Other devices could not be signed out.',
    )
    return null
  }

  return (
    <AuthCard
      purpose="Choose a new password."
      submitLabel="Change password"
      onSubmit={submit}
      footer={<QuietButton label="Not now" onClick={() => setChoosing(false)} />}
    >
      {/* Tells a password manager whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email ?? ''} />
      <AuthField label="New password" name="password" type="password" autoComplete="new-password" />
      <AuthField label="The same again" name="repeated" type="password" autoComplete="new-password" />
    </AuthCard>
  )
}
