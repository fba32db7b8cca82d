import { useAtomValue } from 'jotai'

import type { Bike } from '../features/bikes/api.ts'
import { preloadViewAtom, viewAtom } from '../features/log/views.tsx'
import { BikePanel } from './BikePanel.tsx'

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
