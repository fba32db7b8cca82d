import { atom, type Getter, type Setter } from 'jotai'

import type { Written } from '../../../../supabase/functions/_shared/contracts/run-command.ts'
import { announceAtom } from '../../../components/announcements.tsx'
import { notifyFailure } from '../../../components/toasts.tsx'
import { runCommand } from '../../../lib/commands.ts'
import { dayAtAtom } from '../../../lib/clock.ts'
import { type Day, timestampOf } from '../../../lib/days.ts'
import { SavedEarlier } from '../../../lib/errors.ts'
import { formatsAtom, quote } from '../../../lib/formats.ts'
import { failureMessage } from '../../../lib/writes.ts'
import { clearAtom, typeAtom } from './cell.ts'
import { type FormCell, saveFormAtom, settleFormAtom } from './entry-form.ts'
import { type Field, FIELDS, isSame, type Item, type Value } from './fields.ts'
import { logAtom } from './log.ts'

type NewItem = Partial<Item> & { bikeId: number }

/** Adds the entry of the form for a new one. Calls `onAdded` before the log is read again. */
export const insertAtom = atom(null, (get, set, bikeId: number, onAdded: (id: number) => void) =>
  set(
    saveFormAtom,
    { bikeId },
    {
      async write(cells, key) {
        const item = itemOf(bikeId, cells, get(dayAtAtom)(Date.now()))
        const added = await add(get, set, item, key)
        set(announceAtom, `${quote(added.name)} was added.`)
        set(settleFormAtom, { bikeId }, cells)
        set(keepChangesAtom, added, item, cells)
        onAdded(added.id)
        await set(logAtom(bikeId).settleAtom)
      },
      onFailure: (cause) => notifyFailure(failureMessage('The log entry', 'added', cause)),
    },
  ),
)

/** Resolves to the stored item, which an earlier attempt may have added with other values. */
async function add(get: Getter, set: Setter, item: NewItem, key: string): Promise<Item> {
  try {
    const { answer } = await runCommand(get, set, 'add_item', { item }, key, quote(item.name ?? ''))
    return answer.item
  } catch (cause) {
    if (!(cause instanceof SavedEarlier)) throw cause
    return (cause.stored as Written<'add_item'>).answer.item
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
