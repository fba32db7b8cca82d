import { atom } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { sentenceFor, toAppError } from '../../lib/errors.ts'
import { quote } from '../../lib/quote.ts'
import { type Change, type Item, updateItem } from './api.ts'
import { cellKey, cellOf, savingAtom } from './cell.ts'
import { draftAtom } from './drafts.ts'
import { type Field, LABELS, textOf, type Value } from './fields.ts'
import { logAtom, reloadLogAtom } from './log.ts'

/**
 * Saves a cell: its one column goes to the database, then the log is read again. A second press while the same text
 * is on its way does nothing; another text waits for its turn, so that the last one typed is the one that stays.
 */
export const saveCellAtom = atom(null, async (get, set, item: Item, field: Field) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  const running = get(savingAtom(key))
  const { verdict } = cellOf(item, field, draft, running)
  if (draft === null || verdict.status !== 'dirty') return
  const { text } = draft
  const { value } = verdict

  const write = async () => {
    await running?.done
    await set(writeCellAtom, item, field, text, value)
  }
  const done = write()
  set(savingAtom(key), { text, value, done })
  await done
  // A save that came after this one has its own end.
  if (get(savingAtom(key))?.done === done) set(savingAtom(key), null)
})

/** Never rejects: a failure is told, and the draft stays. */
const writeCellAtom = atom(null, async (get, set, item: Item, field: Field, text: string, value: Value) => {
  try {
    await updateItem(get(backendAtom).client, item.id, changeOf(field, value))
  } catch (cause) {
    notifyFailure(`${LABELS[field]} of ${quote(item.name)} was not saved. ${sentenceFor(toAppError(cause))}`)
    return
  }
  const savedAt = Date.now()
  set(announceAtom, `${LABELS[field]} of ${quote(item.name)} was saved.`)
  await set(reloadLogAtom, item.bikeId, field === 'dateStarted' || field === 'dateEnded')
  const log = get(logAtom(item.bikeId))
  if (log.state === 'ready' && log.readAt >= savedAt) set(settleDraftAtom, item, field, text, value)
})

/** Once the saved value is read back: the draft is done, or what was typed since then goes on from the saved value. */
const settleDraftAtom = atom(null, (get, set, item: Item, field: Field, text: string, value: Value) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  if (draft === null) return
  const base = textOf(field, { ...item, [field]: value })
  set(draftAtom(key), draft.text === text ? null : { text: draft.text, base })
})

function changeOf(field: Field, value: Value): Change {
  return { [field]: value } as Change
}
