import { useAtomValue } from 'jotai'
import { lazy, type ReactNode, Suspense } from 'react'

import { type SessionStatus, sessionStatusAtom } from './atoms.ts'
import styles from './SessionScreen.module.css'
import { SignInCard } from './SignInCard.tsx'

// Seldom seen: who signs in does not wait for them.
const SecondFactorCard = lazy(() => import('./SecondFactorCard.tsx'))
const NewPasswordCard = lazy(() => import('./NewPasswordCard.tsx'))

type Props = {
  children: ReactNode
  /** Stands there while Auth cannot be reached to renew the session of this browser. */
  unreachable: ReactNode
}

/** Shows `children` to the signed-in owner, and to everybody else what is still to be done for that. */
export function SessionScreen({ children, unreachable }: Props) {
  const screens: Record<SessionStatus, ReactNode> = {
    checking: <p className={styles.checking}>One moment…</p>,
    unreachable,
    'signed-out': <SignInCard />,
    'second-factor': <SecondFactorCard />,
    'new-password': <NewPasswordCard />,
    'signed-in': children,
  }
  return <Suspense fallback={null}>{screens[useAtomValue(sessionStatusAtom)]}</Suspense>
}
