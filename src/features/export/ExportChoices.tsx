import { useSetAtom } from 'jotai'

import { exportEverythingAtom, exportLogAtom } from './atoms.ts'
import styles from './Export.module.css'

type Props = { onChosen: () => void }

/** What can be saved, and what it is good for. */
export default function ExportChoices({ onChosen }: Props) {
  const exportLog = useSetAtom(exportLogAtom)
  const exportEverything = useSetAtom(exportEverythingAtom)
  const choose = (run: () => Promise<void>) => () => {
    onChosen()
    void run()
  }

  return (
    <ul className={styles.choices}>
      <li>
        <button type="button" onClick={choose(exportLog)}>
          Maintenance log (CSV)
        </button>
        <p>All bikes, for a spreadsheet. Import takes it back.</p>
      </li>
      <li>
        <button type="button" onClick={choose(exportEverything)}>
          Everything (JSON)
        </button>
        <p>Bikes, log and rides: a backup, for npm run restore.</p>
      </li>
    </ul>
  )
}
