import { Export } from '../features/export'
import styles from './Footer.module.css'

/** What is about the whole tracker rather than one bike. */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <Export />
    </footer>
  )
}
