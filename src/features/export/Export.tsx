import { useAtomValue, useSetAtom } from 'jotai'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import { exportBackupAtom, exportLogAtom, exportStatusAtom } from './atoms.ts'
import styles from './Export.module.css'

/** Saves the log or everything as a file. */
export function Export() {
  const status = useAtomValue(exportStatusAtom)
  const exportLog = useSetAtom(exportLogAtom)
  const exportBackup = useSetAtom(exportBackupAtom)

  return (
    <>
      <PopoverButton label="Export" side="above" isBusy={status !== null}>
        {(close) => {
          const choose = (run: () => Promise<void>) => () => {
            close()
            void run()
          }
          return (
            <ul className={styles.choices}>
              <li>
                <button type="button" onClick={choose(exportLog)}>
                  Maintenance log (CSV)
                </button>
                <p>All bikes, for spreadsheets and Import.</p>
              </li>
              <li>
                <button type="button" onClick={choose(exportBackup)}>
                  Everything (JSON)
                </button>
                <p>A backup of bikes, log and rides, for npm run restore.</p>
              </li>
            </ul>
          )
        }}
      </PopoverButton>
      <p role="status" className={styles.status}>
        {status}
      </p>
    </>
  )
}
