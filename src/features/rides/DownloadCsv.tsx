import { useAtomValue } from 'jotai'

import { today } from '../../lib/days.ts'
import { rideFiltersAtom } from './filter-atoms.ts'
import { gearChoicesAtom } from './gears.ts'
import { csvFileName, ridesToCsv } from './ride-csv.ts'
import type { RideRow } from './rows.ts'

/** Saves the given rides as a file. Without rides, or while some are still on their way, there is nothing to save. */
export function DownloadCsv({ rows, isComplete }: { rows: RideRow[]; isComplete: boolean }) {
  const { gear } = useAtomValue(rideFiltersAtom)
  const choices = useAtomValue(gearChoicesAtom)

  const download = () => {
    const file = new Blob([ridesToCsv(rows)], { type: 'text/csv' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = csvFileName(choices.find(({ value }) => value === gear)?.label ?? '', today())
    link.click()
    URL.revokeObjectURL(link.href)
  }

  return (
    <button type="button" disabled={rows.length === 0 || !isComplete} onClick={download}>
      Download CSV
    </button>
  )
}
