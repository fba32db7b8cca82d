import { type ReactNode, useId } from 'react'

import styles from './Section.module.css'

type Props = {
  heading: string
  aside?: ReactNode
  children: ReactNode
}

/** A section of a page that has its own h2. */
export function Section({ heading, aside, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className={styles.top}>
        <h3 id={id}>{heading}</h3>
        {aside}
      </div>
      {children}
    </section>
  )
}
