import { useAtom, useAtomValue, useSetAtom } from 'jotai'

import { ConfirmDialog } from '../components/Dialog.tsx'
import { bikesAtom } from '../features/bikes/atoms.ts'
import { BikesRow } from '../features/bikes/BikesRow.tsx'
import { SampleBadge } from '../features/session/SampleGuide.tsx'
import { AfterService } from '../features/service/AfterService.tsx'
import { dueCountsAtom } from '../features/service/atoms.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { ACTIONS, discardAndSignOutAtom, isAskingToSignOutAtom } from './actions.ts'
import { CommandButton } from './CommandButton.tsx'
import styles from './Header.module.css'

export function Header() {
  const bikes = useAtomValue(bikesAtom)
  const dueCounts = useAtomValue(dueCountsAtom)
  return (
    <header className={styles.header}>
      <img src="/icon.svg" alt="" width="28" height="28" className={styles.icon} />
      <div className={styles.brand}>
        <h1 className={styles.title}>RWGPS Maintenance Tracker</h1> <SampleBadge />
      </div>
      <div className={styles.bikes}>
        {bikes.state !== 'failed' && (
          <AfterService placeholder={<BikesRow bikes={undefined} dueCounts={dueCounts} />}>
            <BikesRow bikes={bikes.state === 'ready' ? bikes.data : undefined} dueCounts={dueCounts} />
          </AfterService>
        )}
      </div>
      <div className={styles.actions}>
        <CommandButton />
        <AccountMenu />
        <SignOut />
      </div>
    </header>
  )
}

function SignOut() {
  const [isAsking, setAsking] = useAtom(isAskingToSignOutAtom)
  const signOut = useSetAtom(ACTIONS.signOut.action)
  const discardAndSignOut = useSetAtom(discardAndSignOutAtom)

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
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  )
}
