import { atom } from 'jotai'

import { notifyDone, notifyFailure } from '../../components/toasts.tsx'
import { backendAtom, type Client } from '../../lib/backend.ts'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { today } from '../../lib/days.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { formatCount } from '../../lib/formats.ts'
import { saveFile } from '../../lib/save-file.ts'
import { readEverything, type Progress } from './everything.ts'
import { readLogCsv } from './log.ts'
import { exportStatusAtom } from './status.ts'

/** Saves the log of all bikes as CSV. */
export const exportLogAtom = atom(null, (get, set) =>
  set(exportAtom, 'Reading the log…', async (client, signal) => {
    const { text, records } = await readLogCsv(client, get(unitsAtom), signal)
    saveFile(`maintenance-log-${today()}.csv`, text, 'text/csv')
    return `The maintenance log was saved: ${formatCount(records)} ${records === 1 ? 'record' : 'records'}.`
  }),
)

/** Saves everything as a backup file. */
export const exportEverythingAtom = atom(null, (_get, set) =>
  set(exportAtom, 'Reading everything…', async (client, signal) => {
    const text = await readEverything(client, (progress) => set(exportStatusAtom, wordsFor(progress)), signal)
    saveFile(`rwgps-maintenance-tracker-${today()}.json`, text, 'application/json')
    return 'Everything was saved.'
  }),
)

type Run = (client: Client, signal: AbortSignal) => Promise<string>

/** Runs one export at a time. A file is saved only once all of it was read, so a failure leaves none. */
const exportAtom = atom(null, async (get, set, status: string, run: Run) => {
  if (get(exportStatusAtom) !== null) return
  set(exportStatusAtom, status)
  try {
    notifyDone(await run(get(backendAtom).client, new AbortController().signal))
  } catch (cause) {
    notifyFailure(`Nothing was saved. ${messageFor(toAppError(cause))}`)
  } finally {
    set(exportStatusAtom, null)
  }
})

const TABLES: Record<Progress['table'], string> = {
  bikes: 'bikes',
  maintenance: 'records',
  rides: 'rides',
  ride_syncs: 'updates',
}

function wordsFor({ table, read, total }: Progress): string {
  return `Reading ${TABLES[table]}: ${formatCount(read)} of ${formatCount(total)}`
}
