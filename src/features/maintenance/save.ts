import { atom } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/quote.ts'
import { failureMessage } from '../../lib/writes.ts'
import { saveField, type SaveResult } from './api.ts'
import { cellKey, cellOf, savingAtom } from './cell.ts'
import { draftAtom } from './drafts.ts'
import { type Field, FIELDS, type Item, type Value } from './fields.ts'
import { logAtom, reloadLogAtom } from './log.ts'

/**
 * Saves one column and reloads the log. A second press with the same text does nothing while the first save is in
 * progress. A different text is saved after it, so the last text typed wins.
 */
export const saveCellAtom = atom(null, async (get, set, item: Item, field: Field) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  const saving = get(savingAtom(key))
  const { state } = cellOf(item, field, draft, saving)
  if (draft === null || state.status !== 'dirty') return
  const { text } = draft
  const { value } = state

  const write = async () =>
    set(writeCellAtom, item, field, text, { from: saving ? await saving.done : item[field], to: value })
  const done = write()
  set(savingAtom(key), { text, value, done })
  await done
  // A later save may have replaced this one.
  if (get(savingAtom(key))?.done === done) set(savingAtom(key), null)
})

type Change = { from: Value; to: Value }

/** Resolves to the field's value, as far as it is known. Reports a failure and leaves the draft in place. */
const writeCellAtom = atom(null, async (get, set, item: Item, field: Field, text: string, change: Change) => {
  const { id, bikeId, name } = item
  const subject = `${FIELDS[field].label} of ${quote(name)}`
  let result
  try {
    result = await saveField(get(backendAtom).client, id, field, change)
  } catch (cause) {
    notifyFailure(failureMessage(subject, 'saved', cause))
    return change.from
  }
  if (result !== 'saved') {
    notifyFailure(`${subject} was not saved because ${REASONS[result]}.`)
    await set(reloadLogAtom, bikeId, true)
    return change.from
  }
  const savedAt = Date.now()
  set(announceAtom, `${subject} was saved.`)
  await set(reloadLogAtom, bikeId, field === 'dateStarted' || field === 'dateEnded')
  const log = get(logAtom(bikeId))
  if (log.state === 'ready' && log.readAt >= savedAt) set(settleDraftAtom, item, field, text, change.to)
  return change.to
})

const REASONS: Record<Exclude<SaveResult, 'saved'>, string> = {
  gone: 'the log entry was deleted elsewhere',
  changed: 'it was changed elsewhere',
}

/** After the saved value is read back, drops the draft, or bases text typed since then on the saved value. */
const settleDraftAtom = atom(null, (get, set, item: Item, field: Field, text: string, value: Value) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  if (draft === null) return
  set(draftAtom(key), draft.text === text ? null : { ...draft, base: FIELDS[field].format(value) })
})
