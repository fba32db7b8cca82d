import { type Atom, atom, useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'

import { Skeleton } from '../../components/Skeleton.tsx'
import { dueAtom } from './atoms.ts'

export const isDueKnownAtom = atom((get) => get(dueAtom).state !== 'loading')

type Props = { children: ReactNode; isKnownAtom?: Atom<boolean> }

/** Renders its children once the due tasks or other content that would move them has loaded or failed. */
export function AfterService({ children, isKnownAtom = isDueKnownAtom }: Props) {
  const isKnown = useAtomValue(isKnownAtom)
  // A retry after a failure loads again, but must not hide what is shown.
  const [wasKnown, setKnown] = useState(isKnown)
  if (isKnown && !wasKnown) setKnown(true)
  return wasKnown ? children : <Skeleton width="100%" height="100dvh" />
}
