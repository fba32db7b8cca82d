import { useAtomValue } from 'jotai'
import { useEffect } from 'react'

import { focusIfLost } from '../components/lost-focus.ts'
import { bikesAtom } from '../features/bikes/atoms.ts'
import { garageAtom } from '../features/garage/atoms.ts'
import { syncsAtom } from '../features/sync/atoms.ts'
import { SyncRides } from '../features/sync/SyncRides.tsx'
import { RidesTab } from './pages.tsx'

/** Shows how to get bikes and, if there are rides without them, these rides. */
export default function FirstRun() {
  const [syncs, garage, bikes] = [useAtomValue(syncsAtom), useAtomValue(garageAtom), useAtomValue(bikesAtom)]
  const isSynced = syncs.state === 'ready' && syncs.data.lastOk !== null
  // Not while the bikes of these rides may be on their way, or the focused button would disappear before they are there.
  const areBikesRead = bikes.state === 'ready' && !bikes.updating
  const hasRides = areBikesRead && garage.state === 'ready' && garage.data.rides_without_bike > 0
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
