import type { ReactNode } from 'react'

type HeadProps = {
  headers: readonly string[]
  /** The class of a header, such as `number`, which aligns it with its cells. */
  classOf?: (header: string) => string | undefined
  isHidden?: boolean
}

export function TableHead({ headers, classOf, isHidden = false }: HeadProps) {
  return (
    <thead className={isHidden ? 'visually-hidden' : undefined}>
      <tr>
        {headers.map((header) => (
          <th key={header} scope="col" className={classOf?.(header)}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Scrolls a table that is wider than the screen. */
export function Scroller({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be focusable
    <div className="scroller" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
