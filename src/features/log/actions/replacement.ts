import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useMemo, useState } from 'react'

import type { KindAndPosition } from '../../../../supabase/functions/_shared/kinds.ts'
import { useForm } from '../../../components/use-form.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { dayOf } from '../../../lib/days.ts'
import { quote, useFormats } from '../../../lib/formats.ts'
import {
  entryDraftsAtom,
  entryKinds,
  type EntryValues,
  kindTakenOver,
  takenOver,
} from '../../entries/entry-form.ts'
import type { Item } from '../../entries/fields.ts'
import { jumpToAtom } from '../../entries/jump.ts'
import { openItemAtom } from '../../entries/open-item.ts'
import { useJournal } from '../../journal/use-journal.ts'
import { proposeAtom, usePartKind } from './part-kind.ts'
import type { Reason } from './api.ts'
import { changePartsAtom } from './atoms.ts'

type Replacement = {
  values: EntryValues
  kind: KindAndPosition | null
  reason: Reason
  onWritten?: () => void
}

/** Ends the item and adds its replacement. Rejects if that fails. */
export const replaceAtom = atom(
  null,
  async (_get, set, item: Item, { values, kind, reason, onWritten }: Replacement, key: string) => {
    const { id, name } = item
    const { dateStarted, ...successor } = values as Item
    const change = {
      day: dayOf(dateStarted),
      take_off: [{ id, ended_as: reason }],
      put_on: [{ replaces: id, ...successor, ...(kind ?? (await set(proposeAtom, values))) }],
    }
    const { answer } = await set(changePartsAtom, change, key, {
      name,
      done: 'replaced',
      items: [item],
      onWritten() {
        onWritten?.()
        set(openItemAtom, null)
      },
    })
    if (answer.added[0]) set(jumpToAtom, answer.added[0].id)
  },
)

/** Returns the form of an item's replacement, and why the item came off. */
export function useReplacement(item: Item) {
  const entry = { bikeId: item.bikeId, replaced: item }
  const today = useAtomValue(todayAtom)
  const formats = useFormats()
  const replace = useSetAtom(replaceAtom)
  const [reason, giveReason] = useState<Reason>('worn')
  const form = useForm({
    fields: entryKinds(entry, today),
    shown: takenOver(item),
    inputs: { dateStarted: formats.day(today), kind: kindTakenOver(entry) },
    save: ({ kind, ...values }, { key }, settle) =>
      replace(item, { values, kind, reason, onWritten: settle }, key),
    outcome: () => ({ subject: quote(item.name), done: 'replaced' }),
    journal: useJournal('maintenance'),
    drafts: useMemo(() => entryDraftsAtom({ bikeId: item.bikeId, replaced: item }), [item]),
  })
  const kind = usePartKind(item.bikeId, form)
  return { kind, form: { ...form, isChanged: form.isChanged || reason !== 'worn' }, reason, giveReason }
}
