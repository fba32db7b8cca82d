import { atom } from 'jotai'

import { quote } from '../../../lib/formats.ts'
import { offerUndo } from '../../journal/mutate.ts'
import { insertAtom } from '../../entries/new-item.ts'
import type { Replaced } from '../../entries/replaced.ts'
import { reasonAtom } from './replace.ts'

/** Adds the entry of the form for a new one and ends what it replaces, with one Undo for both. */
export const addEntryAtom = atom(
  null,
  (get, set, bikeId: number, replaced: readonly Replaced[], onAdded: (id: number) => void) =>
    set(insertAtom, bikeId, {
      replaces: replaced.map(({ id }) => ({ id, ended_as: get(reasonAtom(id)) })),
      onAdded({ id, name }, change) {
        onAdded(id)
        if (replaced.length === 0) return
        const names = replaced.map((one) => quote(one.name)).join(', ')
        offerUndo(get, set, `${quote(name)} was added. It replaces ${names}.`, { change, of: quote(name) })
      },
    }),
)
