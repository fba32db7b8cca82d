import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { lazyDialog } from '../../components/lazy-screen.tsx'
import { backendAtom } from '../../lib/backend.ts'
import type { Bike } from '../bikes/api.ts'
import { exportBackupAtom, exportLogAtom, exportStatusAtom, filesToExportAtom } from './atoms.ts'
import styles from './Export.module.css'

type Props = { bike: Bike | null; onChoose: () => void }

export function useExports(bike: Bike | null) {
  const { isHosted, isPackage } = useAtomValue(backendAtom).config
  const restore = isPackage ? 'the tracker’s restore command' : 'npm run restore'
  const exportLog = useSetAtom(exportLogAtom)
  const exportBackup = useSetAtom(exportBackupAtom)
  const logOf = (bike: Bike | null) => ({
    label: bike ? 'Log of this bike (CSV)' : 'Maintenance log (CSV)',
    purpose: `${bike?.name ?? 'All bikes'}, for spreadsheets and Import.`,
    run: () => exportLog(bike),
  })
  return [
    logOf(null),
    ...(bike ? [logOf(bike)] : []),
    {
      label: 'Everything (JSON)',
      purpose: `A backup of bikes, log and rides${isHosted ? '' : `, for ${restore}`}.`,
      run: exportBackup,
    },
  ]
}

export function Export({ bike, onChoose }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isBusy = useAtomValue(exportStatusAtom) !== null
  const choices = useExports(bike)

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
          {choices.map(({ label, purpose, run }) => (
            <li key={label}>
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
          ))}
        </ul>
      )}
    </>
  )
}

const BackupDialog = lazyDialog(() => import('./BackupDialog.tsx'))

export function ExportStatus() {
  const [files, setFiles] = useAtom(filesToExportAtom)
  return (
    <>
      <p role="status" className={styles.status}>
        {useAtomValue(exportStatusAtom)}
      </p>
      {files && <BackupDialog files={files} onClose={() => setFiles(null)} />}
    </>
  )
}
