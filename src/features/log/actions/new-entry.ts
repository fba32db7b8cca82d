import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'

import type { Written } from '../../../../supabase/functions/_shared/contracts/run-command.ts'
import type { KindAndPosition } from '../../../../supabase/functions/_shared/kinds.ts'
import { announceAtom } from '../../../components/announcements.tsx'
import { notifyFailure } from '../../../components/toasts.tsx'
import { useForm } from '../../../components/use-form.ts'
import { dayAtAtom, todayAtom } from '../../../lib/clock.ts'
import { runCommand } from '../../../lib/commands.ts'
import { timestampOf } from '../../../lib/days.ts'
import { SavedEarlier } from '../../../lib/errors.ts'
import { formatsAtom, quote, useFormats } from '../../../lib/formats.ts'
import { clearAtom, typeAtom } from '../../entries/cell.ts'
import { checkDates, entryKinds, entryDraftsAtom, type EntryValues } from '../../entries/entry-form.ts'
import { FIELD_NAMES, FIELDS, isSame, type Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { offerUndo } from '../../journal/mutate.ts'
import { proposeAtom, usePartKind } from './part-kind.ts'
import { type Ended, partIn, useReplaced } from './Replaces.tsx'

type Options = {
  /** Whether a dialog covers the log, so its owner doesn't see the entry appear. */
  isCovered?: boolean
  /** Called before the log is read again. */
  onAdded: (id: number) => void
}

type NewEntry = Options & {
  values: EntryValues
  /** The owner's choice. Null: none, so the name and the type say it. */
  kind: KindAndPosition | null
  replaced: readonly Ended[]
}

/** Adds an entry and ends what it replaces, with one Undo for both. Rejects if that fails. */
export const addEntryAtom = atom(
  null,
  async (
    get,
    set,
    bikeId: number,
    { values, kind, replaced, isCovered = false, onAdded }: NewEntry,
    key: string,
  ) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined)
    const dateStarted = timestampOf(get(dayAtAtom)(Date.now()))
    const entry = { bikeId, dateStarted, ...Object.fromEntries(given) }
    const item = { ...entry, ...(kind ?? (await set(proposeAtom, values))) }
    const replaces = replaced.map(({ id, ended_as }) => ({ id, ended_as }))
    const input = { item, ...(replaces.length > 0 && { replaces }) }
    const subject = quote(String(values.name))
    const { answer, change } = await runCommand(get, set, 'add_item', input, key, subject).catch(added)
    const { id, name } = answer.item
    onAdded(id)
    set(keepChangesAtom, answer.item, entry)
    const names = replaced.map((one) => quote(one.name)).join(', ')
    // IDs are negative while the change waits.
    const done = id < 0 ? 'waits for the network' : 'was added'
    const message = `${quote(name)} ${done}.${names === '' ? '' : ` It replaces ${names}.`}`
    if (replaced.length > 0 || isCovered) offerUndo(get, set, message, { change, of: quote(name) })
    else set(announceAtom, message)
    await set(logAtom(bikeId).settleAtom)
  },
)

/** Returns what an earlier attempt has added, perhaps with other values. */
function added(cause: unknown): Written<'add_item'> {
  if (cause instanceof SavedEarlier) return cause.stored as Written<'add_item'>
  throw cause
}

/** If an earlier attempt has added the entry, turns what was changed since into drafts of it. */
const keepChangesAtom = atom(null, (get, set, stored: Item, sent: Partial<Item>) => {
  const changed = FIELD_NAMES.flatMap((field) => {
    const value = sent[field] ?? FIELDS[field].initial ?? null
    return isSame(field, stored[field], value) ? [] : [{ field, value }]
  })
  for (const { field, value } of changed) {
    if (value === null) set(clearAtom, stored, field)
    else set(typeAtom, stored, field, FIELDS[field].format(value, get(formatsAtom)))
  }
  if (changed.length > 0)
    notifyFailure(`${quote(stored.name)} had already been added. Your later changes are not saved yet.`)
})

/** Returns the form of a new entry, and what the entry replaces. */
export function useNewEntry(bikeId: number, options: Options) {
  const today = useAtomValue(todayAtom)
  const formats = useFormats()
  const add = useSetAtom(addEntryAtom)
  const form = useForm({
    fields: entryKinds({ bikeId }, today),
    check: (values) => checkDates(values, today, formats),
    inputs: { kind: null },
    save({ kind: chosen, ...values }, { key }, settle) {
      const onAdded = (id: number) => {
        settle()
        kind.onAdded()
        options.onAdded(id)
      }
      return add(bikeId, { ...options, values, kind: chosen, replaced: off.ended, onAdded }, key)
    },
    outcome: () => ({ subject: 'The log entry', done: 'added' }),
    drafts: useMemo(() => entryDraftsAtom({ bikeId }), [bikeId]),
  })
  const kind = usePartKind(bikeId, form, (name) => form.set('name', name))
  const off = useReplaced(partIn(form.values, kind.value, bikeId, today))
  return { form, kind, off }
}
