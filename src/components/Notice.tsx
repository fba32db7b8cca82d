import type { ReactNode } from 'react'

import styles from './Notice.module.css'

type Props = { children: ReactNode; action?: { label: string; run: () => void } }

/** A message shown instead of missing content, with an optional action. */
export function Notice({ children, action }: Props) {
  return (
    <div className={styles.notice}>
      <p>{children}</p>
      {action && (
        <button type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  )
}
