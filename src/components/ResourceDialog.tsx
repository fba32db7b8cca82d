import { atom, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'

import { isSettled, type ResourceAtom } from '../lib/resource.ts'
import { Dialog } from './Dialog.tsx'
import { Failure } from './ResourceView.tsx'

type Props<Data extends readonly unknown[]> = {
  title: string
  lead?: ReactNode
  /** The content, which stays the same while the dialog is open. */
  reads: { [Index in keyof Data]: ResourceAtom<Data[Index]> }
  onClose: () => void
  /** Renders the dialog. */
  children: (...data: Data) => ReactNode
}

/**
 * Renders a dialog once its data is read. Until then, shows a dialog that says that it is loading, or why that failed. Later
 * changes of the data don't change the dialog, so its options and choices stay.
 */
export function ResourceDialog<const Data extends readonly unknown[]>(props: Props<Data>) {
  const { title, lead, reads, onClose, children } = props
  const [atoms] = useState(() => createAtoms(reads))
  const read = useAtomValue(atoms.readAtom)
  const retry = useSetAtom(atoms.retryAtom)
  const [first, setFirst] = useState<readonly unknown[] | null>(null)
  if (read.state === 'ready' && first === null) setFirst(read.data)
  const data = first ?? (read.state === 'ready' ? read.data : null)
  if (data) return children(...(data as Data))
  return (
    <Dialog title={title} lead={lead} closeLabel="Cancel" onClose={onClose}>
      {read.state === 'failed' ? (
        <Failure what="This could not be loaded." error={read.error} retry={retry} />
      ) : (
        <p role="status">Loading…</p>
      )}
    </Dialog>
  )
}

function createAtoms(all: readonly ResourceAtom<unknown>[]) {
  const readAtom = atom((get) => {
    const resources = all.map((one) => get(one))
    for (const one of resources) if (one.state === 'failed') return one
    const ready = resources.flatMap((one) => (one.state === 'ready' && isSettled(one) ? [one.data] : []))
    return ready.length < all.length
      ? ({ state: 'loading' } as const)
      : ({ state: 'ready', data: ready } as const)
  })
  const retryAtom = atom(null, (get, set) =>
    all.forEach((one) => get(one).state === 'failed' && void set(one.reloadAtom)),
  )
  return { readAtom, retryAtom }
}
