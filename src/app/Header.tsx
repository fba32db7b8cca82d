import { useAtomValue, useSetAtom } from 'jotai'
import { startTransition } from 'react'

import { useReadOnly } from '../components/read-only.ts'
import { SampleBadge } from '../features/sample-guide'
import { choosingPasswordAtom, emailAtom } from '../features/session'
import styles from './Header.module.css'
import { SignOut } from './SignOut.tsx'

export function Header() {
  const choosePassword = useSetAtom(choosingPasswordAtom)
  const email = useAtomValue(emailAtom)
  const readOnly = useReadOnly()

  return (
    <header className={styles.header}>
      <img src="/icon.svg" alt="" width="28" height="28" />
      <div className={styles.brand}>
        <h1 className={styles.title}>RWGPS Maintenance Tracker</h1>
        <SampleBadge />
      </div>
      <div className={styles.user}>
        <span className={styles.email}>{email}</span>
        <button type="button" {...readOnly} onClick={() => startTransition(() => choosePassword(true))}>
          Change password
        </button>
      </div>
      <SignOut />
    </header>
  )
}
