import { type ReactNode, useId } from 'react'

type Props = {
  heading: string
  aside?: ReactNode
  children: ReactNode
}

/** A section of a page that has its own h2. */
export function Section({ heading, aside, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="stack">
      <div className="ends">
        <h3 id={id} className="heading">
          {heading}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  )
}
