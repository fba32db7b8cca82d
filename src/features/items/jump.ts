import { atom, useAtom } from 'jotai'
import { useEffect } from 'react'

import { heldItemAtom, logViewAtom } from './open-item.ts'

type Target = number | 'new'

const targetBase = atom<Target | null>(null)

/** Moves the focus to an item of the open log, by its id, or to the new row. */
export const jumpToAtom = atom(null, (get, set, target: Target) => {
  if (get(logViewAtom) === 'timeline') set(logViewAtom, 'table')
  // The item may not be among those that are shown.
  if (target !== 'new') set(heldItemAtom, target)
  set(targetBase, target)
})

/** The id of an item's row, for jumps. */
export const rowId = (target: Target) => `log-entry-${target}`

/** Follows a jump once its row is rendered. */
export function useJump(): void {
  const [target, setTarget] = useAtom(targetBase)
  useEffect(() => {
    const row = target === null ? null : document.getElementById(rowId(target))
    // On two lines, a closed row has only the button that opens it.
    const field = row?.querySelector('input') ?? row?.querySelector('button')
    if (!field) return
    setTarget(null)
    field.focus({ preventScroll: true })
    // An open row on two lines is as high as a form.
    const shown = field.closest('[data-two-line] tr') ?? field
    shown.scrollIntoView({ block: 'center', inline: 'nearest' })
  })
}
