import { atom } from 'jotai'

import { kindText } from '../../../supabase/functions/_shared/messages/kind-messages.ts'
import type { KindAndPosition } from '../../../supabase/functions/_shared/kinds.ts'
import { nameKey } from '../../../supabase/functions/_shared/parts/part-names.ts'
import { counted, quote } from '../../lib/formats.ts'
import type { Item } from '../entries/fields.ts'
import { allItemsAtom } from '../entries/log.ts'
import { attempt, mutate } from '../journal/mutate.ts'

/** A part's id and its kind. */
export type NamedKind = KindAndPosition & { id: number }

/** Says what several parts are, as one change, and offers Undo. Rejects if the write fails. */
export const nameKindsAtom = atom(null, (get, set, parts: readonly NamedKind[], key: string) => {
  const subject = `The kind of ${counted(parts.length, 'part')}`
  return mutate(get, set, 'name_kinds', { parts: [...parts] }, { subject, done: 'saved' }, key)
})

/** Corrects what an item's part is, and offers the same for other parts of that name. */
export const correctKindAtom = atom(null, async (get, set, item: Item, now: KindAndPosition) => {
  // A bike's page doesn't show the logs of the others.
  const items = await set(allItemsAtom.readAtom)
  const others = items.state === 'ready' ? sameParts(items.data, item, now) : []
  const name = quote(item.name)
  const all = counted(others.length, 'other part')
  const rename = () => {
    const parts = others.map((id) => ({ id, ...now }))
    const outcome = { subject: `${all} named ${name}`, done: 'changed' }
    void attempt(get, set, 'name_kinds', { parts }, outcome)
  }
  const text = kindText(now)
  return attempt(
    get,
    set,
    'name_kinds',
    { parts: [{ id: item.part_id, ...now }] },
    {
      subject: `The kind of ${name}`,
      done: 'changed',
      message: ({ answer: { cleared } }) =>
        `${name} is now ${text === null ? 'of no kind' : withArticle(text)}.${cleared > 0 ? ` ${counted(cleared, 'entry', 'entries')} lost front or rear.` : ''}`,
      actions: () => (others.length > 0 ? [{ label: `Change ${all} of that name`, run: rename }] : []),
    },
  )
})

/** Names of kinds that end with an s are plurals: brake pads, pedals. */
const withArticle = (text: string) => (text.endsWith('s') ? text : `a ${text}`)

/** Returns the other parts of an item's name that are what the item's part was before its correction. */
export function sameParts(items: readonly Item[], item: Item, now: KindAndPosition): number[] {
  const others = items.filter(
    (one) =>
      one.part_id !== item.part_id &&
      nameKey(one.name) === nameKey(item.name) &&
      (one.kind ?? null) === (item.kind ?? null) &&
      one.position === item.position &&
      (one.kind !== now.kind || one.position !== now.position),
  )
  return [...new Set(others.map(({ part_id }) => part_id))]
}
