import { atom, useAtom } from 'jotai'
import { useEffect } from 'react'

import { isTwoLineAtom } from '../../lib/screen.ts'
import { heldItemAtom, logViewAtom, openNewFormAtom } from './open-item.ts'

type Target = number | 'new'

const targetBase = atom<Target | null>(null)

export const jumpToAtom = atom(null, (get, set, target: Target) => {
  if (get(logViewAtom) !== 'table') set(logViewAtom, 'table')
  // Where the table doesn't fit, there is no row for a new entry.
  if (target === 'new' && get(isTwoLineAtom)) {
    set(openNewFormAtom)
    return
  }
  // The filter may hide the item.
  if (target !== 'new') set(heldItemAtom, target)
  set(targetBase, target)
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
    // A line has no inputs.
    const field = entry?.querySelector('input') ?? entry?.querySelector('button')
    if (!entry || !field) return
    setTarget(null)
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center', inline: 'nearest' })
  })
}
