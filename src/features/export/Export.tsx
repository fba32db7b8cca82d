import { useAtomValue } from 'jotai'
import { lazy, Suspense, useId, useState } from 'react'

import styles from './Export.module.css'
import { exportStatusAtom } from './status.ts'

// What reads and writes the files is loaded by who wants one.
const ExportChoices = lazy(() => import('./ExportChoices.tsx'))

/** Saves the log or everything as a file. */
export function Export() {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const status = useAtomValue(exportStatusAtom)

  return (
    <>
      <button type="button" popoverTarget={id} aria-expanded={isOpen} aria-busy={status !== null}>
        Export
      </button>
      <div
        id={id}
        popover="auto"
        className={styles.menu}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && (
          <Suspense fallback={null}>
            <ExportChoices onChosen={() => document.getElementById(id)?.hidePopover()} />
          </Suspense>
        )}
      </div>
      <p role="status" className={styles.status}>
        {status}
      </p>
    </>
  )
}
