import { atom, useAtomValue } from 'jotai'

import type { Bike } from '../features/bikes/api.ts'
import { bikesAtom, selectedBikeAtom } from '../features/bikes/atoms.ts'
import { logAtom } from '../features/entries/log.ts'
import { usageAtom } from '../features/entries/usage.ts'
import { preloadViewAtom, viewAtom } from '../features/log/views.tsx'
import { addressAtom } from '../lib/address.ts'
import { BikePanel } from './BikePanel.tsx'
import { tabAtom } from './pages.tsx'

/** Reads a log. Most addresses have the bike's own ID, so it needn't wait for the list of bikes. */
export const readFirstAtom = atom(null, async (get, set) => {
  if (get(tabAtom) !== 'log') return
  const { bike: id = '' } = get(addressAtom)
  const read = (gearId: number) =>
    Promise.all([set(logAtom(gearId).readAtom), set(usageAtom(gearId).readAtom)])
  await Promise.all([set(bikesAtom.readAtom), /^\d+$/.test(id) && read(Number(id))])
  const bike = get(selectedBikeAtom)
  if (bike && String(bike.gear_id) !== id) await read(bike.gear_id)
})

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
