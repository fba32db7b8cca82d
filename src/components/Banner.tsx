import type { ReactNode } from 'react'

import styles from './Banner.module.css'

type Props = {
  /** Empty while there is nothing to say. */
  children: ReactNode
  action?: ReactNode
}

/** A quiet line above the page. Screen readers announce it when it changes. */
export function Banner({ children, action }: Props) {
  return (
    <div className={children ? styles.line : undefined}>
      <div role="status">{children}</div>
      {action}
    </div>
  )
}
