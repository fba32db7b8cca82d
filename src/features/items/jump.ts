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

export const rowId = (target: Target) => `log-entry-${target}`

/** Focuses a jump's target once its row is rendered. */
export function useJump(): void {
  const [target, setTarget] = useAtom(targetBase)
  useEffect(() => {
    const row = target === null ? null : document.getElementById(rowId(target))
    // A closed two-line row has no inputs.
    const field = row?.querySelector('input') ?? row?.querySelector('button')
    if (!field) return
    setTarget(null)
    field.focus({ preventScroll: true })
    // An open two-line row is as tall as a form, so center the row.
    const shown = field.closest('[data-two-line] tr') ?? field
    shown.scrollIntoView({ block: 'center', inline: 'nearest' })
  })
}
