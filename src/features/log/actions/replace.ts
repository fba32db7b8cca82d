import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { notifyFailure } from '../../../components/toasts.tsx'
import { dayOf } from '../../../lib/days.ts'
import { SavedEarlier } from '../../../lib/errors.ts'
import { quote } from '../../../lib/formats.ts'
import { failureMessage } from '../../../lib/writes.ts'
import { discardFormAtom, requestKeyAtom, saveFormAtom } from '../../entries/entry-form.ts'
import type { Item } from '../../entries/fields.ts'
import { jumpToAtom } from '../../entries/jump.ts'
import { openItemAtom } from '../../entries/open-item.ts'
import { offerUndo } from '../../journal/mutate.ts'
import type { Reason } from './api.ts'
import { changePartsAtom } from './atoms.ts'

export const reasonAtom = atomFamily((_itemId: number) => atom<Reason>('worn'))

/** Ends the item and adds its replacement. */
export const replaceAtom = atom(null, (get, set, item: Item) => {
  const form = { bikeId: item.bikeId, replaced: item }
  const { id, name } = item
  return set(saveFormAtom, form, {
    async write(cells, key) {
      const values = Object.fromEntries(cells.map(({ field, value }) => [field, value])) as Item
      const { dateStarted, ...successor } = values
      const change = {
        day: dayOf(dateStarted),
        take_off: [{ id, ended_as: get(reasonAtom(id)) }],
        put_on: [{ replaces: id, ...successor }],
      }
      const onWritten = () => {
        set(discardFormAtom, form)
        set(openItemAtom, null)
      }
      const { answer } = await set(changePartsAtom, change, key, { name, done: 'replaced', onWritten })
      if (answer.added[0]) set(jumpToAtom, answer.added[0].id)
    },
    onFailure(cause) {
      if (!(cause instanceof SavedEarlier)) {
        notifyFailure(failureMessage(quote(name), 'replaced', cause))
        return
      }
      set(requestKeyAtom, form, true)
      const message = `An earlier version was saved. To replace ${quote(name)} as typed now, undo that first.`
      offerUndo(get, set, message, { change: cause.stored.change, of: quote(name) })
    },
  })
})
