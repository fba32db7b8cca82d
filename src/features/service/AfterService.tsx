import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'

import { Skeleton } from '../../components/Skeleton.tsx'
import { useWaited } from '../../components/use-waited.ts'
import { tasksAtom } from './atoms.ts'

const LONGEST_WAIT_MS = 1000

/** Renders its children once what is due above them is known, so they don't move. They never wait for more than a second. */
export function AfterService({ children }: { children: ReactNode }) {
  const isKnown = useAtomValue(tasksAtom).state !== 'loading'
  const hasWaited = useWaited(LONGEST_WAIT_MS)
  return isKnown || hasWaited ? children : <Skeleton width="100%" height="100dvh" />
}
