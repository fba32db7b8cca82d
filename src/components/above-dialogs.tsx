import { atom, useAtomValue } from 'jotai'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'

/** The open modal dialogs, the topmost last. */
export const openDialogsAtom = atom<readonly HTMLDialogElement[]>([])

/** Renders its children inside the topmost modal dialog, because everything outside of it is inert. */
export function AboveDialogs({ children }: { children: ReactNode }) {
  const [host] = useState(() => document.createElement('div'))
  const dialog = useAtomValue(openDialogsAtom).at(-1)
  useLayoutEffect(() => (dialog ?? document.body).append(host), [dialog, host])
  return createPortal(children, host)
}
