import { useAtomValue } from 'jotai'

import { emailAtom } from '../features/session'
import { backendAtom } from '../lib/backend.ts'
import styles from './Header.module.css'
import { SignOut } from './SignOut.tsx'

export function Header() {
  const { sample } = useAtomValue(backendAtom).config
  const email = useAtomValue(emailAtom)

  return (
    <header className={styles.header}>
      <img src="/icon.svg" alt="" width="28" height="28" />
      <div className={styles.brand}>
        <h1 className={styles.title}>RWGPS Maintenance Tracker</h1>
        {sample && <span className={styles.sample}>Sample data</span>}
      </div>
      <span className={styles.user}>{email}</span>
      <SignOut />
    </header>
  )
}
