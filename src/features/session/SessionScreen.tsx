import { useAtomValue } from 'jotai'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

import { focusIfLost } from '../../components/lost-focus.ts'
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
  const status = useAtomValue(sessionStatusAtom)
  const card = CARDS[status]
  const [hadCard, setHadCard] = useState(false)
  if (card && !hadCard) setHadCard(true)

  if (status === 'checking') return <p className={styles.checking}>One moment…</p>
  return (
    <Suspense fallback={null}>
      {card ?? (
        <>
          {children}
          {hadCard && <FocusOnContent />}
        </>
      )}
    </Suspense>
  )
}

const CARDS: Partial<Record<SessionStatus, ReactNode>> = {
  'signed-out': <SignInCard />,
  'second-factor': <SecondFactorCard />,
  'new-password': <NewPasswordCard />,
}

/** Moves the focus on from a card. On a page that was just loaded, the first Tab belongs to the skip link instead. */
function FocusOnContent() {
  useEffect(() => focusIfLost(document.querySelector('main'), { preventScroll: true }), [])
  return null
}
