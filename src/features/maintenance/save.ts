import { atom } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { quote } from '../../lib/quote.ts'
import { failureMessage } from '../../lib/writes.ts'
import { type Item, saveField, type Saved } from './api.ts'
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

  const write = async () =>
    set(writeCellAtom, item, field, text, { from: running ? await running.done : item[field], to: value })
  const done = write()
  set(savingAtom(key), { text, value, done })
  await done
  // A save that came after this one has its own end.
  if (get(savingAtom(key))?.done === done) set(savingAtom(key), null)
})

type Change = { from: Value; to: Value }

/** Resolves to what the field now holds, as far as is known. A failure is reported, and the draft stays. */
const writeCellAtom = atom(null, async (get, set, item: Item, field: Field, text: string, change: Change) => {
  const { id, bikeId, name } = item
  const subject = `${LABELS[field]} of ${quote(name)}`
  let saved
  try {
    saved = await saveField(get(backendAtom).client, id, field, change)
  } catch (cause) {
    notifyFailure(failureMessage(subject, 'saved', cause))
    return change.from
  }
  if (saved !== 'saved') {
    notifyFailure(`${subject} was not saved because ${REASONS[saved]}.`)
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

const REASONS: Record<Exclude<Saved, 'saved'>, string> = {
  gone: 'the log entry was deleted elsewhere',
  changed: 'it was changed elsewhere',
}

/** Once the saved value is read back: the draft is done, or what was typed since then goes on from the saved value. */
const settleDraftAtom = atom(null, (get, set, item: Item, field: Field, text: string, value: Value) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  if (draft === null) return
  const base = textOf(field, { ...item, [field]: value })
  set(draftAtom(key), draft.text === text ? null : { ...draft, base })
})
