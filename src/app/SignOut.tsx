import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { notifyFailure } from '../components/toasts.tsx'
import { discardDraftsAtom, hasDraftsAtom } from '../features/maintenance'
import { ownerIdAtom, signOutAtom } from '../features/session'
import { clearAddress } from '../lib/address.ts'
import { messageFor, toAppError } from '../lib/errors.ts'

/** Signs out. Asks first if there are unsaved changes, and discards them. */
export function SignOut() {
  const ownerId = useAtomValue(ownerIdAtom)
  const hasDrafts = useSetAtom(hasDraftsAtom)
  const discardDrafts = useSetAtom(discardDraftsAtom)
  const signOut = useSetAtom(signOutAtom)
  const [isAsking, setAsking] = useState(false)

  const leave = async () => {
    setAsking(false)
    try {
      await signOut()
      if (ownerId !== null) discardDrafts(ownerId)
      clearAddress()
    } catch (cause) {
      notifyFailure(`Could not sign out. ${messageFor(toAppError(cause))}`)
    }
  }

  return (
    <>
      <button type="button" onClick={() => (hasDrafts() ? setAsking(true) : void leave())}>
        Sign Out
      </button>
      {isAsking && (
        <ConfirmDialog
          question="Sign out and discard unsaved changes?"
          confirmLabel="Discard and sign out"
          onConfirm={() => void leave()}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  )
}
