import { useSetAtom } from 'jotai'
import { useState } from 'react'

import { AuthCard, entered } from './AuthCard.tsx'
import { EmailField } from './AuthField.tsx'
import { requestRecoveryAtom } from './atoms.ts'
import { QuietButton } from './QuietButton.tsx'

/** Has a link sent by which a new password can be chosen. It never tells whether an address has an account. */
export default function ForgotPasswordCard({ onBack }: { onBack: () => void }) {
  const request = useSetAtom(requestRecoveryAtom)
  const [isSent, setSent] = useState(false)

  const submit = async (form: FormData) => {
    const email = entered(form, 'email').trim()
    if (email === '') return 'Enter your e-mail.'
    await request(email)
    setSent(true)
    return null
  }

  return (
    <AuthCard
      purpose={
        isSent
          ? 'If this address has an account, a link is on its way. If the tracker runs on your own computer, the link is printed in the terminal where it runs.'
          : 'Enter your email to get a link for choosing a new password.'
      }
      submitLabel={isSent ? 'Send it again' : 'Send the link'}
      onSubmit={submit}
      footer={<QuietButton label="Back" onClick={onBack} />}
    >
      <EmailField />
    </AuthCard>
  )
}
