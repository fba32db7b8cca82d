import type { ReactNode } from 'react'

import { useReadOnly } from './read-only.ts'

type Action = {
  label: string
  run: () => void
  /** Disables the button while cached data is shown. */
  changesData?: boolean
}

type Props = { children: ReactNode; action?: Action }

export function Notice({ children, action }: Props) {
  const readOnly = useReadOnly()
  return (
    <div className="notice soft">
      <p>{children}</p>
      {action && (
        <button type="button" {...(action.changesData ? readOnly : undefined)} onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  )
}
