import { type Bike } from '../features/bikes'
import { PartsList } from '../features/parts-list'

/** The parts list as a page. */
export default function PartsListPage({ bike }: { bike: Bike }) {
  return (
    <>
      <title>{`${bike.name} · Parts list · RWGPS Maintenance Tracker`}</title>
      <PartsList bike={bike} />
    </>
  )
}
