import { atom, type Getter, type Setter } from 'jotai'

import type { WriteInput, Written } from '../../../supabase/functions/_shared/contracts/run-command.ts'
import { notifyFailure } from '../../components/toasts.tsx'
import { runCommand } from '../../lib/commands.ts'
import { dayAtAtom } from '../../lib/clock.ts'
import { type Day, timestampOf } from '../../lib/days.ts'
import { SavedEarlier } from '../../lib/errors.ts'
import { formatsAtom, quote } from '../../lib/formats.ts'
import { failureMessage } from '../../lib/writes.ts'
import { clearAtom, typeAtom } from './cell.ts'
import { type FormCell, saveFormAtom, settleFormAtom } from './entry-form.ts'
import { type Field, FIELDS, isSame, type Item, type Value } from './fields.ts'
import { logAtom } from './log.ts'

type NewItem = Partial<Item> & { bikeId: number }

type Insert = {
  /** The items that end when the new one starts. */
  replaces?: WriteInput<'add_item'>['replaces']
  /** Called before the log is read again. */
  onAdded?: (item: Item, change: string | null) => void
}

/** Adds the entry of the form for a new one. */
export const insertAtom = atom(null, (get, set, bikeId: number, { replaces = [], onAdded }: Insert) =>
  set(
    saveFormAtom,
    { bikeId },
    {
      async write(cells, key) {
        const item = itemOf(bikeId, cells, get(dayAtAtom)(Date.now()))
        const input = { item, ...(replaces.length > 0 && { replaces }) }
        const { added, change } = await add(get, set, input, key)
        set(settleFormAtom, { bikeId }, cells)
        set(keepChangesAtom, added, item, cells)
        onAdded?.(added, change)
        await set(logAtom(bikeId).settleAtom)
      },
      onFailure: (cause) => notifyFailure(failureMessage('The log entry', 'added', cause)),
    },
  ),
)

type Input = { item: NewItem } & Pick<WriteInput<'add_item'>, 'replaces'>

/** Resolves to the stored item, which an earlier attempt may have added with other values. */
async function add(get: Getter, set: Setter, input: Input, key: string) {
  try {
    const { answer, change } = await runCommand(
      get,
      set,
      'add_item',
      input,
      key,
      quote(input.item.name ?? ''),
    )
    return { added: answer.item, change }
  } catch (cause) {
    if (!(cause instanceof SavedEarlier)) throw cause
    const { answer, change } = cause.stored as Written<'add_item'>
    return { added: answer.item, change }
  }
}

/** If an earlier attempt already added the item, turns later changes into drafts of the item. */
const keepChangesAtom = atom(null, (get, set, added: Item, sent: NewItem, cells: readonly FormCell[]) => {
  const formats = get(formatsAtom)
  const changed = cells.flatMap(({ field, text }) => {
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

function itemOf(bikeId: number, cells: readonly FormCell[], today: Day): NewItem {
  const given = cells.flatMap(({ field, value }): [Field, Value][] =>
    value === undefined ? [] : [[field, value]],
  )
  const defaults = { dateStarted: timestampOf(today) }
  return { bikeId, ...defaults, ...Object.fromEntries(given) }
}
