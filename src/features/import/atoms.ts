import { atom } from 'jotai'

import { notifyDone, notifyFailure } from '../../components/toasts.tsx'
import { backendAtom, type Client } from '../../lib/backend.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { failureMessage, settleWrite } from '../../lib/writes.ts'
import { readBikes } from '../bikes'
import { readWholeLog, reloadLogAtom } from '../maintenance'
import { writeImport } from './api.ts'
import { readText, UnreadableFile } from './csv-file.ts'
import { type Preview, previewOf } from './preview.ts'
import { outcomeOf } from './words.ts'

export type Import = { file: File } & (
  | { step: 'reading' }
  | { step: 'unreadable'; sentence: string }
  | { step: 'preview'; preview: Preview; isWriting: boolean; problem: string | null }
)

const importBase = atom<Import | null>(null)

/** The import that is under way. */
export const importAtom = atom((get) => get(importBase))

/** Lets go of the file and of what was read with it. */
export const forgetImportAtom = atom(null, (_get, set) => set(importBase, null))

/** Reads a file and holds it against the log; nothing is written. `problem` says why that is done once more. */
export const readImportAtom = atom(null, async (get, set, file: File, problem: string | null = null) => {
  const reading = { file, step: 'reading' } as const
  set(importBase, reading)
  const read = await readImport(get(backendAtom).client, file, problem)
  // Another file may have been chosen meanwhile.
  if (get(importBase) === reading) set(importBase, read)
})

async function readImport(client: Client, file: File, problem: string | null): Promise<Import> {
  try {
    return { file, step: 'preview', preview: await previewFile(client, file), isWriting: false, problem }
  } catch (cause) {
    const sentence = cause instanceof UnreadableFile ? cause.message : messageFor(toAppError(cause))
    return { file, step: 'unreadable', sentence }
  }
}

async function previewFile(client: Client, file: File): Promise<Preview> {
  const { signal } = new AbortController()
  const text = await readText(file)
  const [items, bikes] = await Promise.all([readWholeLog(client, signal), readBikes(client, signal)])
  return previewOf(text, items, bikes)
}

/**
 * Writes what the preview shows; resolves to whether the dialog can close. A log that has changed since gets a new preview.
 * If the dialog was closed, only a toast reports the outcome.
 */
export const writeImportAtom = atom(null, async (get, set): Promise<boolean> => {
  const shown = get(importBase)
  if (shown?.step !== 'preview' || shown.isWriting) return false
  const { file, preview } = shown
  const { client } = get(backendAtom)
  const writing = { ...shown, isWriting: true, problem: null }
  const isOpen = () => get(importBase) === writing
  set(importBase, writing)
  try {
    // Afterwards, the same file has nothing left to import.
    const readBack = async () => ((await hasNothingToImport(client, file)) ? true : undefined)
    await settleWrite(() => writeImport(client, preview), readBack)
  } catch (cause) {
    const error = toAppError(cause)
    if (!isOpen()) notifyFailure(failureMessage('The import', 'saved', error))
    else if (error.code === 'RMT04') await set(readImportAtom, file, CHANGED)
    else set(importBase, { ...shown, problem: failureMessage('The import', 'saved', error) })
    return false
  }
  notifyDone(outcomeOf(preview))
  for (const bikeId of bikesOf(preview)) void set(reloadLogAtom, bikeId, true)
  return isOpen()
})

const CHANGED = 'Nothing was saved because the log has changed. This is what the import would do now.'

async function hasNothingToImport(client: Client, file: File): Promise<boolean> {
  const { added, changed, refused } = await previewFile(client, file)
  return added.length + changed.length + refused.length === 0
}

function bikesOf({ added, changed }: Preview): Set<number> {
  return new Set([...added.map(({ bike }) => bike.gear_id), ...changed.map(({ item }) => item.bikeId)])
}
