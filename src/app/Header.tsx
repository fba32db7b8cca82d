import { useAtomValue, useSetAtom } from 'jotai'

import { useReadOnly } from '../components/read-only.ts'
import { choosingPasswordAtom, emailAtom } from '../features/session'
import { backendAtom } from '../lib/backend.ts'
import styles from './Header.module.css'
import { SignOut } from './SignOut.tsx'

export function Header() {
  const { sample } = useAtomValue(backendAtom).config
  const choosePassword = useSetAtom(choosingPasswordAtom)
  const email = useAtomValue(emailAtom)
  const readOnly = useReadOnly()

  return (
    <header className={styles.header}>
      <img src="/icon.svg" alt="" width="28" height="28" />
      <div className={styles.brand}>
        <h1 className={styles.title}>RWGPS Maintenance Tracker</h1>
        {sample && <span className={styles.sample}>Sample data</span>}
      </div>
      <div className={styles.user}>
        <span className={styles.email}>{email}</span>
        <button type="button" {...readOnly} onClick={() => choosePassword(true)}>
          Change password
        </button>
      </div>
      <SignOut />
    </header>
  )
}
