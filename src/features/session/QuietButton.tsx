import styles from './AuthCard.module.css'

/** The other way out of an AuthCard. */
export function QuietButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.quiet} onClick={onClick}>
      {label}
    </button>
  )
}
