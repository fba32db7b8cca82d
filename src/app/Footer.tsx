import { Export } from '../features/export'
import { Import } from '../features/import'
import styles from './Footer.module.css'
import { Shortcuts } from './Shortcuts.tsx'
import { UnitsChoice } from './UnitsChoice.tsx'

/** What is about the whole tracker rather than one bike. */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <Import />
      <Export />
      <Shortcuts />
      <div className={styles.units}>
        <UnitsChoice />
      </div>
    </footer>
  )
}
