import { useAtom } from 'jotai'
import { type ReactNode, useEffect, useId, useRef } from 'react'

import { addressAtom } from '../lib/address.ts'

type Props = {
  heading: string
  aside?: ReactNode
  children: ReactNode
}

/** A page section under the page's h2. Gets the focus once if the address names its heading. */
export function Section({ heading, aside, children }: Props) {
  const id = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const [{ section }, setAddress] = useAtom(addressAtom)
  useEffect(() => {
    if (section !== heading) return
    title.current?.focus()
    setAddress({ set: { section: null }, by: 'replace' })
  }, [section, heading, setAddress])
  return (
    <section aria-labelledby={id} className="stack">
      <div className="ends">
        <h3 ref={title} id={id} tabIndex={-1} className="heading">
          {heading}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  )
}
