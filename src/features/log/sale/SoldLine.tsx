import { useAtomValue, useSetAtom } from 'jotai'

import { useFormats } from '../../../lib/formats.ts'
import { selectedBikeAtom } from '../../bikes/atoms.ts'
import { totalCost } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { usageAtom } from '../../entries/usage.ts'
import { exportLogAtom } from '../../export/atoms.ts'
import { bikeDetailsAtom, passportHref } from './atoms.ts'
import { yearsBetween } from './fields.ts'

/** Says when a bike was sold, and for how much. Renders nothing if it wasn't. */
export default function SoldLine({ gearId }: { gearId: number }) {
  const details = useAtomValue(bikeDetailsAtom(gearId))
  const log = useAtomValue(logAtom(gearId))
  const usage = useAtomValue(usageAtom(gearId))
  const formats = useFormats()
  const bike = useAtomValue(selectedBikeAtom)
  const exportLog = useSetAtom(exportLogAtom)
  if (details.state !== 'ready' || details.data.sold_on === null) return null
  const { sold_on, sold_for } = details.data
  const firstRide = usage.state === 'ready' ? usage.data.firstRide : null
  const facts = [
    firstRide !== null && firstRide < sold_on && `${yearsBetween(firstRide, sold_on)} after its first ride`,
    log.state === 'ready' && `${totalCost(log.data, formats)} spent`,
  ]
  return (
    <p className="row">
      <strong>
        {`Sold ${formats.day(sold_on)}${sold_for === null ? '' : ` for ${formats.money(sold_for)}`}`}
      </strong>
      <span className="note">{facts.filter(Boolean).join(', ')}</span>
      <a href={passportHref(gearId)}>Passport</a>
      <button type="button" className="link" onClick={() => void exportLog(bike)}>
        Export the log
      </button>
    </p>
  )
}
