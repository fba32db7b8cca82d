import { useSetAtom } from 'jotai'
import { useState } from 'react'

import { AuthCard, EmailField, fieldText, LinkButton } from './AuthCard.tsx'
import { requestRecoveryAtom } from './atoms.ts'

/** Sends a password reset link. Never reveals whether an email has an account. */
export default function ForgotPasswordCard({ onBack }: { onBack: () => void }) {
  const request = useSetAtom(requestRecoveryAtom)
  const [isSent, setSent] = useState(false)

  const submit = async (form: FormData) => {
    const email = fieldText(form, 'email').trim()
    if (email === '') return 'Enter your email.'
    await request(email)
    setSent(true)
    return null
  }

  return (
    <AuthCard
      purpose={
        isSent
          ? 'If this email has an account, a reset link is on its way. If the tracker runs on your own computer, the link is printed in its terminal.'
          : 'Enter your email to get a password reset link.'
      }
      submitLabel={isSent ? 'Send again' : 'Send reset link'}
      onSubmit={submit}
      footer={<LinkButton label="Back" onClick={onBack} />}
    >
      <EmailField />
    </AuthCard>
  )
}
