import { useAtomValue } from 'jotai'

import type { Bike } from '../features/bikes/api.ts'
import { logAtom } from '../features/entries/log.ts'
import { usageAtom } from '../features/entries/usage.ts'
import { preloadViewAtom, viewAtom } from '../features/log/views.tsx'
import { BikePanel } from './BikePanel.tsx'

/** What a bike's log shows first. */
export const logResources = (gearId: number) => [logAtom(gearId), usageAtom(gearId)] as const

/** A bike's log and rides, or a view of its log that is a page of its own. */
export default function BikePage({ bike }: { bike: Bike }) {
  const { label, asPage: View } = useAtomValue(viewAtom)
  useAtomValue(preloadViewAtom)
  if (!View) return <BikePanel key={bike.gear_id} bike={bike} />
  return (
    <>
      <title>{`${bike.name} · ${label} · RWGPS Maintenance Tracker`}</title>
      <View bike={bike} />
    </>
  )
}
