import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure } from '../../components/toasts.tsx'
import { runCommand } from '../../lib/commands.ts'
import { type Formats, formatsAtom, quote } from '../../lib/formats.ts'
import { failureMessage, newUuid } from '../../lib/writes.ts'
import { type Draft, draftAtom, draftKey } from './drafts.ts'
import {
  CLEAN,
  type Field,
  FIELDS,
  type FieldState,
  type Item,
  knownAs,
  neutralText,
  stateOf,
  type Value,
} from './fields.ts'
import { logAtom } from './log.ts'

/** `done` resolves to the value that the next save replaces. */
type Saving = { text: string; value: Value; done: Promise<Value> }

export const savingAtom = atomFamily((_key: string) => atom<Saving | null>(null))

export function cellKey(item: Item, field: Field): string {
  return draftKey(item.bikeId, knownAs(item), field)
}

type Cell = {
  text: string
  isSaving: boolean
  state: FieldState
  /** The stored value, if it changed after typing began. */
  changedTo: string | null
}

export function cellOf(
  item: Item,
  field: Field,
  draft: Draft | null,
  saving: Saving | null,
  formats: Formats,
): Cell {
  const stored = FIELDS[field].format(item[field], formats)
  const text = draft?.text ?? stored
  const state = draftState(
    field,
    draft ?? { text },
    saving ? { ...item, [field]: saving.value } : item,
    formats,
  )
  const isEdited = draft !== null && saving === null && state.status === 'dirty'
  const isConflict = isEdited && draft.base !== neutralText(field, item[field])
  return { text, state, isSaving: saving !== null, changedTo: isConflict ? stored : null }
}

/** Validates a draft. `isCleared` covers fields that can't be emptied by typing. */
function draftState(
  field: Field,
  { text, isCleared }: Pick<Draft, 'text' | 'isCleared'>,
  item: Item,
  formats: Formats,
): FieldState {
  const before = item[field]
  if (!isCleared) return stateOf(field, text, item, { formats, before })
  return before === null ? CLEAN : { status: 'dirty', value: null, hint: null }
}

/** Updates a cell's draft. Typing the stored value back removes the draft, unless another value is being saved. */
export const typeAtom = atom(null, (get, set, item: Item, field: Field, text: string) => {
  const key = cellKey(item, field)
  const isDraft =
    text !== FIELDS[field].format(item[field], get(formatsAtom)) || get(savingAtom(key)) !== null
  const { base = neutralText(field, item[field]), itemName = item.name } = get(draftAtom(key)) ?? {}
  set(draftAtom(key), isDraft ? { text, base, itemName } : null)
})

export const clearAtom = atom(null, (_get, set, item: Item, field: Field) => {
  const base = neutralText(field, item[field])
  set(draftAtom(cellKey(item, field)), { text: '', base, itemName: item.name, isCleared: true })
})

export const restoreAtom = atom(null, (_get, set, item: Item, field: Field) =>
  set(draftAtom(cellKey(item, field)), null),
)

/** Drops a draft that means the stored value, for example because of trailing spaces. Never saves. */
export const leaveAtom = atom(null, (get, set, item: Item, field: Field) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  if (draft === null || get(savingAtom(key)) !== null) return
  if (draftState(field, draft, item, get(formatsAtom)).status === 'clean') set(draftAtom(key), null)
})

/** Saves a cell. During a save, ignores another press with the same text, and saves different text afterward. */
export const saveCellAtom = atom(null, async (get, set, item: Item, field: Field) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  const saving = get(savingAtom(key))
  const { state } = cellOf(item, field, draft, saving, get(formatsAtom))
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

/** Resolves to the field's last known stored value. Reports failures and keeps the draft. */
const writeCellAtom = atom(null, async (get, set, item: Item, field: Field, text: string, change: Change) => {
  const { id, bikeId, name } = item
  const subject = `${FIELDS[field].label} of ${quote(name)}`
  let order: number
  try {
    const [shown, wanted] = [{ [field]: change.from }, { [field]: change.to }]
    const edit = { relation: 'maintenance', row_id: id, shown, wanted } as const
    const saved = await runCommand(get, set, 'edit_row', edit, newUuid(), subject)
    order = saved.order
    if (saved.isWaiting) {
      set(announceAtom, `${subject} waits for the network.`)
      set(settleDraftAtom, item, field, text, change.to)
      return change.to
    }
  } catch (cause) {
    notifyFailure(failureMessage(subject, 'saved', cause))
    await set(logAtom(bikeId).settleAtom)
    return change.from
  }
  set(announceAtom, `${subject} was saved.`)
  await set(logAtom(bikeId).settleAtom)
  const log = get(logAtom(bikeId))
  if (log.state === 'ready' && log.order > order) set(settleDraftAtom, item, field, text, change.to)
  return change.to
})

/** Drops the draft after its value is read back. If the owner has typed other text, rebases that draft on the value. */
const settleDraftAtom = atom(null, (get, set, item: Item, field: Field, text: string, value: Value) => {
  const key = cellKey(item, field)
  const draft = get(draftAtom(key))
  if (draft === null) return
  set(draftAtom(key), draft.text === text ? null : { ...draft, base: neutralText(field, value) })
})
