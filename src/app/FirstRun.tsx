import { useEffect } from 'react'

import { focusIfLost } from '../components/lost-focus.ts'
import { SyncRides } from '../features/sync/SyncRides.tsx'

export default function FirstRun() {
  // The first sync removes the focused button, so move the focus to the first bike.
  useEffect(() => () => focusIfLost(document.querySelector<HTMLElement>('#bikes button')), [])

  return (
    <section className="notice">
      <p>No bikes yet. To start, get your bikes and rides from Ride with GPS.</p>
      <SyncRides />
    </section>
  )
}
