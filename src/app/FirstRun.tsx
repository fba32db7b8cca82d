import { useAtomValue } from 'jotai'
import { useEffect } from 'react'

import { focusIfLost } from '../components/lost-focus.ts'
import { garageAtom } from '../features/garage/atoms.ts'
import { syncsAtom } from '../features/sync/atoms.ts'
import { SyncRides } from '../features/sync/SyncRides.tsx'
import { RidesTab } from './pages.tsx'

/** Shows how to get bikes and, if there are rides without them, these rides. */
export default function FirstRun() {
  const [syncs, garage] = [useAtomValue(syncsAtom), useAtomValue(garageAtom)]
  const isSynced = syncs.state === 'ready' && syncs.data.lastOk !== null
  const hasRides = garage.state === 'ready' && garage.data.rides_without_bike > 0
  // The first sync removes the focused button, so move the focus to the first bike.
  useEffect(() => () => focusIfLost(document.querySelector<HTMLElement>('#bikes button')), [])

  return (
    <>
      <section className="notice">
        <p>
          No bikes yet.{' '}
          {isSynced
            ? 'On Ride with GPS, add your bikes as gear and choose one for each ride. Then update your rides.'
            : 'To start, get your bikes and rides from Ride with GPS.'}
        </p>
        {!hasRides && <SyncRides isPrimary />}
      </section>
      {hasRides && <RidesTab gearId={null} />}
    </>
  )
}
