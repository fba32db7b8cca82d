import { useAtomValue } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { today } from '../../lib/days.ts'
import { saveFile } from '../../lib/save-file.ts'
import { chosenGearAtom } from './filter-atoms.ts'
import { csvFileName, ridesToCsv } from './ride-csv.ts'
import type { RideRow } from './rows.ts'

/** Downloads the rides as CSV. Disabled without rides or while some are still loading. */
export function DownloadCsv({ rows, isComplete }: { rows: RideRow[]; isComplete: boolean }) {
  const { label } = useAtomValue(chosenGearAtom)
  const units = useAtomValue(unitsAtom)

  const download = () => {
    saveFile(csvFileName(label, today()), ridesToCsv(rows, units), 'text/csv')
  }

  return (
    <button type="button" disabled={rows.length === 0 || !isComplete} onClick={download}>
      Download CSV
    </button>
  )
}
