import { useAtomValue } from 'jotai'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

import { focusIfLost } from '../../components/lost-focus.ts'
import { type SessionStatus, sessionStatusAtom } from './atoms.ts'
import styles from './SessionScreen.module.css'
import { SignInCard } from './SignInCard.tsx'

// Rarely needed, so they do not delay sign-in.
const SecondFactorCard = lazy(() => import('./SecondFactorCard.tsx'))
const NewPasswordCard = lazy(() => import('./NewPasswordCard.tsx'))

/** Shows `children` while signed in, or while the session waits to be refreshed; otherwise the next sign-in step. */
export function SessionScreen({ children }: { children: ReactNode }) {
  const status = useAtomValue(sessionStatusAtom)
  const card = CARDS[status]
  const [hadCard, setHadCard] = useState(false)
  if (card && !hadCard) setHadCard(true)

  if (status === 'checking') return <p className={styles.checking}>Loading…</p>
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

/** Focuses the content after a card closes. On a fresh page, the first Tab goes to the skip link instead. */
function FocusOnContent() {
  useEffect(() => focusIfLost(document.querySelector('main'), { preventScroll: true }), [])
  return null
}
