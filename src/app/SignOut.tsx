import { useSetAtom } from 'jotai'

import { notifyFailure } from '../components/toasts.tsx'
import { signOutAtom } from '../features/session'
import { sentenceFor, toAppError } from '../lib/errors.ts'

export function SignOut() {
  const signOut = useSetAtom(signOutAtom)

  const leave = async () => {
    try {
      await signOut()
    } catch (cause) {
      notifyFailure(`You are still signed in. ${sentenceFor(toAppError(cause))}`)
    }
  }

  return (
    <button type="button" onClick={() => void leave()}>
      Sign Out
    </button>
  )
}
