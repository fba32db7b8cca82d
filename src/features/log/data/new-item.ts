import { atom, type Getter, type Setter } from 'jotai'
import { atomFamily } from 'jotai-family'

import type { Written } from '../../../../supabase/functions/_shared/contracts/run-command.ts'
import { announceAtom } from '../../../components/announcements.tsx'
import { notifyFailure } from '../../../components/toasts.tsx'
import { runCommand } from '../../../lib/commands.ts'
import { dayAtAtom } from '../../../lib/clock.ts'
import { type Day, timestampOf } from '../../../lib/days.ts'
import { SavedEarlier } from '../../../lib/errors.ts'
import { type Formats, formatsAtom, quote } from '../../../lib/formats.ts'
import { failureMessage, newUuid } from '../../../lib/writes.ts'
import { clearAtom, typeAtom } from './cell.ts'
import { draftAtom, draftKey } from './drafts.ts'
import {
  type Field,
  FIELD_NAMES,
  FIELDS,
  type FieldState,
  isSame,
  type Item,
  parse,
  stateOf,
  type Value,
} from './fields.ts'
import { logAtom } from './log.ts'

const newDraftAtom = (bikeId: number, field: Field) => draftAtom(draftKey(bikeId, 'new', field))

type NewCell = { text: string; state: FieldState }

type Entry = NewCell & { field: Field }

/** A field in the new row. The end is validated against the start that the item will have. */
export const newCellAtom = atomFamily((key: `${number}/${Field}`) => {
  const [bikeId = '', name] = key.split('/')
  const field = name as Field
  return atom((get): NewCell => {
    const text = get(newDraftAtom(Number(bikeId), field))?.text ?? ''
    const start = get(newDraftAtom(Number(bikeId), 'dateStarted'))?.text ?? ''
    const formats = get(formatsAtom)
    const dates = { dateStarted: startOf(start, get(dayAtAtom)(Date.now()), formats), dateEnded: null }
    return { text, state: stateOf(field, text, dates, { formats, isNew: true }) }
  })
})

function startOf(text: string, today: Day, formats: Formats): string {
  const parsed = parse('dateStarted', text, { formats })
  return 'value' in parsed && typeof parsed.value === 'string' ? parsed.value : timestampOf(today)
}

export const hasNewDraftAtom = atomFamily((bikeId: number) =>
  atom((get) => FIELD_NAMES.some((field) => get(newDraftAtom(bikeId, field)) !== null)),
)

export const typeNewAtom = atom(null, (get, set, bikeId: number, field: Field, text: string) => {
  const draft = newDraftAtom(bikeId, field)
  set(draft, text === '' ? null : { ...get(draft), text, base: '' })
})

/** Returns the new row's request key, which stays the same until the item is added or its name is emptied. */
const requestKeyAtom = atom(null, (get, set, bikeId: number): string => {
  const name = newDraftAtom(bikeId, 'name')
  const draft = get(name) ?? { text: '', base: '' }
  const requestKey = draft.requestKey ?? newUuid()
  set(name, { ...draft, requestKey })
  return requestKey
})

const insertingBase = atom(false)

export const insertingAtom = atom((get) => get(insertingBase))

type NewItem = Partial<Item> & { bikeId: number }

type InsertResult = 'inserted' | 'nameless' | 'invalid' | 'busy' | 'failed'

export const insertAtom = atom(
  null,
  async (get, set, bikeId: number, onAdded: (id: number) => void): Promise<InsertResult> => {
    const entries = FIELD_NAMES.map((field) =>
      Object.assign({ field }, get(newCellAtom(`${bikeId}/${field}`))),
    )
    if (entries.some(({ field, text }) => field === 'name' && text.trim() === '')) return 'nameless'
    if (entries.some(({ state }) => state.status === 'invalid')) return 'invalid'
    if (get(insertingBase)) return 'busy'

    set(insertingBase, true)
    try {
      const item = itemOf(bikeId, entries, get(dayAtAtom)(Date.now()))
      const added = await add(get, set, item, set(requestKeyAtom, bikeId))
      set(announceAtom, `${quote(added.name)} was added.`)
      set(settleNewDraftsAtom, bikeId, entries)
      set(keepChangesAtom, added, item, entries)
      onAdded(added.id)
      await set(logAtom(bikeId).settleAtom)
      return 'inserted'
    } catch (cause) {
      notifyFailure(failureMessage('The log entry', 'added', cause))
      return 'failed'
    } finally {
      set(insertingBase, false)
    }
  },
)

/** Resolves to the stored item, which an earlier attempt may have added with other values. */
async function add(get: Getter, set: Setter, item: NewItem, key: string): Promise<Item> {
  try {
    const { answer } = await runCommand(get, set, 'add_item', { item }, key)
    return answer.item
  } catch (cause) {
    if (!(cause instanceof SavedEarlier)) throw cause
    return (cause.stored as Written<'add_item'>).answer.item
  }
}

/** Empties the new row, except for text typed during the request, which belongs to the next item. */
const settleNewDraftsAtom = atom(null, (get, set, bikeId: number, entries: readonly Entry[]) => {
  for (const { field, text } of entries) {
    const draft = get(newDraftAtom(bikeId, field))
    set(newDraftAtom(bikeId, field), draft && draft.text !== text ? { text: draft.text, base: '' } : null)
  }
})

/** If an earlier attempt already added the item, turns later changes into drafts of the item. */
const keepChangesAtom = atom(null, (get, set, added: Item, sent: NewItem, entries: readonly Entry[]) => {
  const formats = get(formatsAtom)
  const changed = entries.flatMap(({ field, text }) => {
    const { format, initial = null } = FIELDS[field]
    const value = sent[field] ?? initial
    return isSame(field, added[field], value)
      ? []
      : [{ field, value, text: text === '' ? format(value, formats) : text }]
  })
  for (const { field, value, text } of changed) {
    if (value === null) set(clearAtom, added, field)
    else set(typeAtom, added, field, text)
  }
  if (changed.length > 0)
    notifyFailure(`${quote(added.name)} had already been added. Your later changes are not saved yet.`)
})

function itemOf(bikeId: number, entries: readonly Entry[], today: Day): NewItem {
  const given = entries.flatMap(({ field, state }): [Field, Value][] =>
    state.status === 'dirty' ? [[field, state.value]] : [],
  )
  const defaults = { dateStarted: timestampOf(today) }
  return { bikeId, ...defaults, ...Object.fromEntries(given) }
}
