import { atom } from 'jotai'

import { announceAtom } from '../../../components/announcements.tsx'
import { quote } from '../../../lib/formats.ts'
import { offerUndo } from '../../journal/mutate.ts'
import { insertAtom } from '../../entries/new-item.ts'
import type { Replaced } from '../../entries/replaced.ts'
import { reasonAtom } from './replace.ts'

type Options = {
  replaced: readonly Replaced[]
  /** Whether a dialog covers the log, so its owner doesn't see the entry appear. */
  isCovered?: boolean
  onAdded: (id: number) => void
}

/** Adds the entry of the form for a new one and ends what it replaces, with one Undo for both. */
export const addEntryAtom = atom(
  null,
  (get, set, bikeId: number, { replaced, isCovered = false, onAdded }: Options) =>
    set(insertAtom, bikeId, {
      replaces: replaced.map(({ id }) => ({ id, ended_as: get(reasonAtom(id)) })),
      onAdded({ id, name }, change) {
        onAdded(id)
        const names = replaced.map((one) => quote(one.name)).join(', ')
        // IDs are negative while the change waits.
        const done = id < 0 ? 'waits for the network' : 'was added'
        const message = `${quote(name)} ${done}.${names === '' ? '' : ` It replaces ${names}.`}`
        if (replaced.length > 0 || isCovered) offerUndo(get, set, message, { change, of: quote(name) })
        else set(announceAtom, message)
      },
    }),
)
