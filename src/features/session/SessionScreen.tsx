import { useAtomValue } from 'jotai'
import { lazy, type ReactNode, Suspense } from 'react'

import { type SessionStatus, sessionStatusAtom } from './atoms.ts'
import { SignInCard } from './SignInCard.tsx'

// Seldom seen: who signs in does not wait for them.
const SecondFactorCard = lazy(() => import('./SecondFactorCard.tsx'))
const NewPasswordCard = lazy(() => import('./NewPasswordCard.tsx'))

/** Shows `children` to the signed-in owner, and to everybody else what is still to be done for that. */
export function SessionScreen({ children }: { children: ReactNode }) {
  const screens: Record<SessionStatus, ReactNode> = {
    checking: null,
    'signed-out': <SignInCard />,
    'second-factor': <SecondFactorCard />,
    'new-password': <NewPasswordCard />,
    'signed-in': children,
  }
  return <Suspense fallback={null}>{screens[useAtomValue(sessionStatusAtom)]}</Suspense>
}
