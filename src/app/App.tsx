import { lazy } from 'react'

import { SessionScreen } from '../features/session'

// A chunk of its own: who is not signed in does not load the tables.
const MainScreen = lazy(() => import('./MainScreen.tsx'))

export function App() {
  return (
    <SessionScreen>
      <MainScreen />
    </SessionScreen>
  )
}
