import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { backendAtom } from '../../lib/backend.ts'
import type { Bike } from '../bikes/api.ts'
import { exportBackupAtom, exportLogAtom, exportStatusAtom } from './atoms.ts'
import styles from './Export.module.css'

type Props = { bike: Bike | null; onChoose: () => void }

export function Export({ bike, onChoose }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { isHosted } = useAtomValue(backendAtom).config
  const isBusy = useAtomValue(exportStatusAtom) !== null
  const exportLog = useSetAtom(exportLogAtom)
  const exportBackup = useSetAtom(exportBackupAtom)
  const choice = (label: string, purpose: string, run: () => Promise<void>) => (
    <li>
      <button
        type="button"
        onClick={() => {
          onChoose()
          void run()
        }}
      >
        {label}
      </button>
      <p className="note">{purpose}</p>
    </li>
  )

  return (
    <>
      <button
        type="button"
        className="opener"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-busy={isBusy}
        onClick={() => setOpen(!isOpen)}
      >
        Export
      </button>
      {isOpen && (
        <ul id={id} className={styles.choices}>
          {choice('Maintenance log (CSV)', 'All bikes, for spreadsheets and Import.', () => exportLog(null))}
          {bike &&
            choice('Log of this bike (CSV)', `${bike.name}, for spreadsheets and Import.`, () =>
              exportLog(bike),
            )}
          {choice(
            'Everything (JSON)',
            isHosted
              ? 'A backup of bikes, log and rides.'
              : 'A backup of bikes, log and rides, for npm run restore.',
            exportBackup,
          )}
        </ul>
      )}
    </>
  )
}

export function ExportStatus() {
  return (
    <p role="status" className={styles.status}>
      {useAtomValue(exportStatusAtom)}
    </p>
  )
}
