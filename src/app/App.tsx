import { lazy } from 'react'

import { SessionScreen } from '../features/session'

/** A chunk of its own: who is not signed in does not load the tables. */
export const loadMainScreen = () => import('./MainScreen.tsx')
const MainScreen = lazy(loadMainScreen)

export function App() {
  return (
    <SessionScreen>
      <MainScreen />
    </SessionScreen>
  )
}
