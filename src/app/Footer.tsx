import { Export } from '../features/export'
import { Import } from '../features/import'
import styles from './Footer.module.css'
import { UnitsChoice } from './UnitsChoice.tsx'

/** What is about the whole tracker rather than one bike. */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <Import />
      <Export />
      <div className={styles.units}>
        <UnitsChoice />
      </div>
    </footer>
  )
}
