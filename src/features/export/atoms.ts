import { atom } from 'jotai'

import { notifyDone, notifyFailure } from '../../components/toasts.tsx'
import { backendAtom, type Client } from '../../lib/backend.ts'
import { dayAtAtom } from '../../lib/clock.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { counted, formatsAtom } from '../../lib/formats.ts'
import { type Answer, callSql } from '../../lib/functions.ts'
import { lazyCode } from '../../lib/lazy-code.ts'
import { saveFile } from '../../lib/save-file.ts'
import type { Bike } from '../bikes/api.ts'

const logCsvCode = lazyCode(() => import('./log-csv.ts'))
const backupCode = lazyCode(() => import('./backup.ts'))

const statusBase = atom<string | null>(null)

export const exportStatusAtom = atom((get) => get(statusBase))

/** Saves a bike's log as CSV, or all logs if `bike` is null. */
export const exportLogAtom = atom(null, (get, set, bike: Bike | null) =>
  set(exportAtom, 'Loading the log…', async (client, signal) => {
    const { readLogCsv } = await logCsvCode()
    const { text, count } = await readLogCsv(client, bike, get(formatsAtom), signal)
    saveFile(
      `maintenance-log-${bike ? `${fileNameOf(bike)}-` : ''}${get(dayAtAtom)(Date.now())}.csv`,
      text,
      'text/csv',
    )
    return `Saved the maintenance log: ${counted(count, 'entry', 'entries')}.`
  }),
)

/** The photos and receipts that a backup would hold. Null: it isn't asked whether they are to be in it. */
export const filesToExportAtom = atom<Answer<'file_sizes'> | null>(null)

/** Saves a backup. If it would hold photos or receipts, says how large they are and asks first. */
export const exportBackupAtom = atom(null, async (get, set) => {
  try {
    const sizes = await callSql(get(backendAtom).client, 'file_sizes', undefined as never)
    if (sizes.files > 0) set(filesToExportAtom, sizes)
    else await set(saveBackupAtom, true)
  } catch (cause) {
    notifyFailure(nothingSaved(cause))
  }
})

export const saveBackupAtom = atom(null, (get, set, withoutFiles: boolean) =>
  set(exportAtom, 'Loading everything…', async (client, signal) => {
    const { readBackup } = await backupCode()
    const parts = await readBackup(client, signal, withoutFiles)
    saveFile(`rwgps-maintenance-tracker-${get(dayAtAtom)(Date.now())}.json`, parts, 'application/json')
    return 'Saved everything.'
  }),
)

const nothingSaved = (cause: unknown) => `Nothing was saved. ${messageFor(toAppError(cause))}`

/** Returns a bike's name in lower case, with hyphens for characters that file systems may not allow. */
function fileNameOf({ name, gear_id }: Bike): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  return words?.join('-').slice(0, 50) ?? `bike-${gear_id}`
}

type Run = (client: Client, signal: AbortSignal) => Promise<string>

/** Runs one export at a time. The file is saved after everything is loaded, so a failed export leaves no file. */
const exportAtom = atom(null, async (get, set, status: string, run: Run) => {
  if (get(statusBase) !== null) return
  set(statusBase, status)
  try {
    notifyDone(await run(get(backendAtom).client, new AbortController().signal))
  } catch (cause) {
    notifyFailure(nothingSaved(cause))
  } finally {
    set(statusBase, null)
  }
})
