import { useAtomValue } from 'jotai'
import { lazy, type ReactNode, Suspense } from 'react'

import { type SessionStatus, sessionStatusAtom } from './atoms.ts'
import styles from './SessionScreen.module.css'
import { SignInCard } from './SignInCard.tsx'

// Seldom seen: who signs in does not wait for them.
const SecondFactorCard = lazy(() => import('./SecondFactorCard.tsx'))
const NewPasswordCard = lazy(() => import('./NewPasswordCard.tsx'))

/**
 * Shows `children` to the signed-in owner, also while their session waits to be renewed, and to everybody else what is
 * still to be done for that.
 */
export function SessionScreen({ children }: { children: ReactNode }) {
  const screens: Record<SessionStatus, ReactNode> = {
    checking: <p className={styles.checking}>One moment…</p>,
    waiting: children,
    'signed-out': <SignInCard />,
    'second-factor': <SecondFactorCard />,
    'new-password': <NewPasswordCard />,
    'signed-in': children,
  }
  return <Suspense fallback={null}>{screens[useAtomValue(sessionStatusAtom)]}</Suspense>
}
