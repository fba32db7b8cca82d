import { useAtomValue, useSetAtom } from 'jotai'

import { ConfirmDialog } from '../components/Dialog.tsx'
import { ACTIONS, cancelSignOutAtom, discardAndSignOutAtom, isAskingToSignOutAtom } from './actions.ts'

export function SignOut() {
  const isAsking = useAtomValue(isAskingToSignOutAtom)
  const signOut = useSetAtom(ACTIONS.signOut.action)
  const discardAndSignOut = useSetAtom(discardAndSignOutAtom)
  const cancel = useSetAtom(cancelSignOutAtom)

  return (
    <>
      <button type="button" onClick={signOut}>
        {ACTIONS.signOut.label}
      </button>
      {isAsking && (
        <ConfirmDialog
          question="Sign out and discard unsaved changes?"
          confirmLabel="Discard and sign out"
          onConfirm={() => void discardAndSignOut()}
          onCancel={cancel}
        />
      )}
    </>
  )
}
