import { type ReactNode, useId } from 'react'

type Props = {
  heading: string
  aside?: ReactNode
  children: ReactNode
}

/** A page section under the page's h2. */
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
