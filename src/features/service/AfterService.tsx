import { type Atom, atom, useAtomValue } from 'jotai'
import type { ReactNode } from 'react'

import { Skeleton } from '../../components/Skeleton.tsx'
import { useWaited } from '../../components/use-waited.ts'
import { tasksAtom } from './atoms.ts'

const MAX_WAIT_MS = 1000

export const isDueKnownAtom = atom((get) => get(tasksAtom).state !== 'loading')

type Props = { children: ReactNode; isKnownAtom?: Atom<boolean>; placeholder?: ReactNode }

const PLACEHOLDER = <Skeleton width="100%" height="100dvh" />

/** Renders its children after the due tasks or other content has loaded that would move them. Waits at most a second. */
export function AfterService({ children, isKnownAtom = isDueKnownAtom, placeholder = PLACEHOLDER }: Props) {
  const isKnown = useAtomValue(isKnownAtom)
  const hasWaited = useWaited(MAX_WAIT_MS)
  return isKnown || hasWaited ? children : placeholder
}
