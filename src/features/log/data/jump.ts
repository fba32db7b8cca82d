import { atom, useAtom } from 'jotai'
import { useEffect } from 'react'

import { heldItemAtom, logViewAtom } from './open-item.ts'

type Target = number | 'new'

const targetBase = atom<Target | null>(null)

export const jumpToAtom = atom(null, (get, set, target: Target) => {
  if (get(logViewAtom) === 'timeline') set(logViewAtom, 'table')
  // The filter may hide the item.
  if (target !== 'new') set(heldItemAtom, target)
  set(targetBase, target)
})

/** The id of the element of an entry in the table or on a card. */
export const entryId = (target: Target | `replace-${number}`) => `log-entry-${target}`

export const detailsId = ({ id }: { id: number }) => `details-${id}`

/** Scrolls to an item's details, but never past the item itself. */
export function showDetails({ id }: { id: number }): void {
  for (const shown of [detailsId({ id }), entryId(id)]) {
    const element = document.getElementById(shown)
    // A sticky header covers less of a row, which has its own scroll margin.
    const box = element?.closest('tr') ?? element
    box?.scrollIntoView({ block: 'nearest' })
  }
}

/** Focuses a jump's target once it is rendered, unless the owner has gone on meanwhile. */
export function useJump(): void {
  const [target, setTarget] = useAtom(targetBase)
  useEffect(() => {
    if (target === null) return undefined
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    for (const event of ['keydown', 'pointerdown', 'wheel']) {
      document.addEventListener(event, () => setTarget(null), options)
    }
    return () => listening.abort()
  }, [target, setTarget])
  useEffect(() => {
    const entry = target === null ? null : document.getElementById(entryId(target))
    // A closed card has no inputs.
    const field = entry?.querySelector('input') ?? entry?.querySelector('button')
    if (!entry || !field) return
    setTarget(null)
    field.focus({ preventScroll: true })
    // An open card is as tall as a form, so center the card.
    const shown = entry instanceof HTMLTableRowElement ? field : entry
    shown.scrollIntoView({ block: 'center', inline: 'nearest' })
  })
}
