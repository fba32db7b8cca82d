import { atom, useAtom, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { isTwoLineAtom } from '../../lib/screen.ts'
import { heldItemAtom, logViewAtom, openItemAtom, openNewFormAtom } from './open-item.ts'

type Target = number | 'new'

const targetBase = atom<{ target: Target; opens: boolean } | null>(null)

/** Shows an entry, or where a new one is added. With `opens`, also opens the entry where the table doesn't fit. */
export const jumpToAtom = atom(null, (get, set, target: Target, opens: boolean = false) => {
  const areLines = get(isTwoLineAtom)
  if (get(logViewAtom) !== 'table') set(logViewAtom, 'table')
  // Where the table doesn't fit, there is no row for a new entry.
  if (target === 'new' && areLines) {
    set(openNewFormAtom)
    return
  }
  // The filter may hide the item.
  if (target !== 'new') set(heldItemAtom, target)
  set(targetBase, { target, opens: opens && areLines })
})

/** The id of an entry's row or line. */
export const entryId = (target: Target) => `log-entry-${target}`

/** The id of the text that names an entry. The entry's controls refer to it, because many rows repeat their labels. */
export const nameId = ({ id }: { id: number }) => `name-${id}`

export const detailsId = ({ id }: { id: number }) => `details-${id}`

/** Scrolls to an item's details in the table, but never past the item itself. */
export function showDetails({ id }: { id: number }): void {
  for (const shown of [detailsId({ id }), entryId(id)])
    // A sticky header covers less of a row, which has its own scroll margin.
    document.getElementById(shown)?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}

/** Focuses a jump's target once it is rendered, unless the owner has gone on meanwhile. */
export function useJump(): void {
  const [jump, setJump] = useAtom(targetBase)
  const open = useSetAtom(openItemAtom)
  useEffect(() => {
    if (jump === null) return undefined
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    for (const event of ['keydown', 'pointerdown', 'wheel']) {
      document.addEventListener(event, () => setJump(null), options)
    }
    return () => listening.abort()
  }, [jump, setJump])
  useEffect(() => {
    const entry = jump && document.getElementById(entryId(jump.target))
    // A line has no inputs.
    const field = entry?.querySelector('input') ?? entry?.querySelector('button')
    if (!entry || !field) return
    setJump(null)
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center', inline: 'nearest' })
    // The focus returns to its line.
    if (jump.opens && jump.target !== 'new') open(jump.target)
  })
}
