import { lazy } from 'react'

import { SessionScreen } from '../features/session'
import { Unreachable } from './Unreachable.tsx'

// A chunk of its own: who is not signed in does not load the tables.
const MainScreen = lazy(() => import('./MainScreen.tsx'))

export function App() {
  return (
    <SessionScreen unreachable={<Unreachable />}>
      <MainScreen />
    </SessionScreen>
  )
}
