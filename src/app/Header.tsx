import { useAtom, useAtomValue, useSetAtom } from 'jotai'

import { ConfirmDialog } from '../components/Dialog.tsx'
import { useWaited } from '../components/use-waited.ts'
import { bikesAtom } from '../features/bikes/atoms.ts'
import { BikesRow } from '../features/bikes/BikesRow.tsx'
import { SampleBadge } from '../features/session/SampleGuide.tsx'
import { isDueKnownAtom } from '../features/service/AfterService.tsx'
import { dueCountsAtom } from '../features/service/atoms.ts'
import { counted } from '../lib/formats.ts'
import { waitingAtom } from '../lib/waiting.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { ACTIONS, discardAndSignOutAtom, isAskingToSignOutAtom } from './actions.ts'
import { CommandButton } from './CommandButton.tsx'
import styles from './Header.module.css'

const MAX_WAIT_MS = 1000

export function Header() {
  const bikes = useAtomValue(bikesAtom)
  const dueCounts = useAtomValue(dueCountsAtom)
  const isDueKnown = useAtomValue(isDueKnownAtom)
  const hasWaited = useWaited(MAX_WAIT_MS)
  // The counts make the buttons wider, but must not keep the owner from choosing a bike.
  const isShown = bikes.state === 'ready' && (isDueKnown || hasWaited)
  return (
    <header className={styles.header}>
      <img src="/icon.svg" alt="" width="28" height="28" className={styles.icon} />
      <div className={styles.brand}>
        <h1 className={styles.title}>RWGPS Maintenance Tracker</h1> <SampleBadge />
      </div>
      <div className={styles.bikes}>
        {bikes.state !== 'failed' && (
          <BikesRow bikes={isShown ? bikes.data : undefined} dueCounts={dueCounts} />
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
  const waiting = useAtomValue(waitingAtom).length
  const discardAndSignOut = useSetAtom(discardAndSignOutAtom)

  return (
    <>
      <button type="button" onClick={signOut}>
        {ACTIONS.signOut.label}
      </button>
      {isAsking && (
        <ConfirmDialog
          question="Sign out and discard unsaved changes?"
          {...(waiting > 0 && {
            detail: `${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} for the network.`,
          })}
          confirmLabel="Discard and sign out"
          onConfirm={() => void discardAndSignOut()}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  )
}
