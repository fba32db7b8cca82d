import { atom } from 'jotai'

import { kindText } from '../../../supabase/functions/_shared/messages/kind-messages.ts'
import type { KindAndPosition } from '../../../supabase/functions/_shared/kinds.ts'
import { nameKey } from '../../../supabase/functions/_shared/parts/part-names.ts'
import { counted, quote } from '../../lib/formats.ts'
import type { Item } from '../entries/fields.ts'
import { attempt, mutate } from '../journal/mutate.ts'

/** A part's id and its kind. */
export type NamedKind = KindAndPosition & { id: number }

/** Says what several parts are, as one change, and offers Undo. Rejects if the write fails. */
export const nameKindsAtom = atom(null, (get, set, parts: readonly NamedKind[], key: string) => {
  const subject = `The kind of ${counted(parts.length, 'part')}`
  return mutate(get, set, 'name_kinds', { parts: [...parts] }, { subject, done: 'saved' }, key)
})

type Correction = { item: Item; others: readonly number[]; now: KindAndPosition }

/** Says what an item's part is and, with the ids of `others`, what parts of its name are. One change, which offers Undo. */
export const correctKindAtom = atom(null, (get, set, { item, others, now }: Correction) => {
  const name = quote(item.name)
  const text = kindText(now)
  const what = `${name} is now ${text === null ? 'of no kind' : withArticle(text)}`
  const also =
    others.length === 0
      ? ''
      : others.length === 1
        ? ', and so is 1 other part'
        : `, and so are ${counted(others.length, 'other part')}`
  return attempt(
    get,
    set,
    'name_kinds',
    { parts: [item.part_id, ...others].map((id) => Object.assign({ id }, now)) },
    {
      subject: `The kind of ${name}`,
      done: 'changed',
      message: ({ answer: { cleared } }) =>
        `${what}${also}.${cleared > 0 ? ` ${counted(cleared, 'entry', 'entries')} lost front or rear.` : ''}`,
    },
  )
})

/** Names of kinds that end with an s are plurals: brake pads, pedals. */
const withArticle = (text: string) => (text.endsWith('s') ? text : `a ${text}`)

/** Returns the other parts of an item's name that are what the item's part is, so a correction may be theirs, too. */
export function sameParts(items: readonly Item[], item: Item): number[] {
  const others = items.filter(
    (one) =>
      one.part_id !== item.part_id &&
      nameKey(one.name) === nameKey(item.name) &&
      (one.kind ?? null) === (item.kind ?? null) &&
      one.position === item.position,
  )
  return [...new Set(others.map(({ part_id }) => part_id))]
}
