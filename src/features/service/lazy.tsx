import { atom, useAtomValue } from 'jotai'
import { unwrap } from 'jotai/utils'

import type { Item } from '../maintenance'
import { serviceDialogAtom } from './dialogs.ts'

// A separate chunk. Until it is loaded, its places are empty: most of them are, whenever nothing is due.
const screensAtom = unwrap(atom(() => import('./screens.ts')))

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
