import { useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import styles from './Export.module.css'
import { exportStatusAtom } from './status.ts'

// What reads and writes the files is loaded by who wants one.
const ExportChoices = lazy(() => import('./ExportChoices.tsx'))

/** Saves the log or everything as a file. */
export function Export() {
  const status = useAtomValue(exportStatusAtom)

  return (
    <>
      <PopoverButton label="Export" side="above" isBusy={status !== null}>
        {(close) => (
          <Suspense fallback={null}>
            <ExportChoices onChosen={close} />
          </Suspense>
        )}
      </PopoverButton>
      <p role="status" className={styles.status}>
        {status}
      </p>
    </>
  )
}
