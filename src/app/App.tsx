import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useEffect } from 'react'

import { followSessionAtom, sessionStatusAtom, SignInCard } from '../features/session'

// A chunk of its own: who is not signed in does not load the tables.
const MainScreen = lazy(() => import('./MainScreen.tsx'))

export function App() {
  const status = useAtomValue(sessionStatusAtom)
  const followSession = useSetAtom(followSessionAtom)
  useEffect(() => followSession(), [followSession])

  if (status === 'checking') return null
  if (status === 'signed-out') return <SignInCard />
  return (
    <Suspense fallback={null}>
      <MainScreen />
    </Suspense>
  )
}
