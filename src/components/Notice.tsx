import type { ReactNode } from 'react'

import styles from './Notice.module.css'

type Props = { children: ReactNode; action?: { label: string; run: () => void } }

/** A sentence in the place of something that is not there, with what can be done about it. */
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
