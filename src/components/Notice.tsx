import type { ReactNode } from 'react'

type Props = { children: ReactNode; action?: { label: string; run: () => void } }

/** A message shown instead of missing content, with an optional action. */
export function Notice({ children, action }: Props) {
  return (
    <div className="notice soft">
      <p>{children}</p>
      {action && (
        <button type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  )
}
