import { atom, useAtomValue } from 'jotai'
import { unwrap } from 'jotai/utils'
import type { ReactNode } from 'react'

import { Skeleton } from '../../components/Skeleton.tsx'
import { useWaited } from '../../components/use-waited.ts'
import type { Item } from '../items/fields.ts'
import { tasksAtom } from './atoms.ts'
import { serviceDialogAtom } from './dialogs.ts'

// A separate chunk. Until it is loaded, its places are empty: most of them are, whenever nothing is due.
const screensAtom = unwrap(atom(() => import('./screens.ts')))

/** Whether what is due can be shown. */
export const isServiceReadyAtom = atom(
  (get) => get(screensAtom) !== undefined && get(tasksAtom).state !== 'loading',
)

const LONGEST_WAIT_MS = 1000

/** Renders its children once what is due above them can be shown, so they don't move. They never wait for more than a second. */
export function AfterService({ children }: { children: ReactNode }) {
  const isReady = useAtomValue(isServiceReadyAtom)
  const hasWaited = useWaited(LONGEST_WAIT_MS)
  return isReady || hasWaited ? children : <Skeleton width="100%" height="100dvh" />
}

/** What is due on all bikes, by urgency. */
export function Due() {
  const screens = useAtomValue(screensAtom)
  return screens ? <screens.Due /> : null
}

/** The tasks of a bike itself. */
export function BikeService(props: { gearId: number; name: string }) {
  const screens = useAtomValue(screensAtom)
  return screens ? <screens.BikeService {...props} /> : null
}

/** The tasks of an item's part. */
export function PartService({ item }: { item: Item }) {
  const screens = useAtomValue(screensAtom)
  return screens ? <screens.PartService item={item} /> : null
}

/** The dialog that a task or a toast opened. */
export function ServiceDialogs() {
  const dialog = useAtomValue(serviceDialogAtom)
  return dialog && <OpenDialog />
}

function OpenDialog() {
  const screens = useAtomValue(screensAtom)
  return screens ? <screens.Dialogs /> : null
}
