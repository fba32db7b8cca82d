import type { ReactNode } from 'react'

import styles from './Banner.module.css'

type Props = {
  /** Empty if there is nothing to show. */
  children: ReactNode
  action?: ReactNode
}

/** A line of text above the page. Screen readers announce changes. */
export function Banner({ children, action }: Props) {
  return (
    <div className={children ? styles.line : undefined}>
      <div role="status">{children}</div>
      {action}
    </div>
  )
}
