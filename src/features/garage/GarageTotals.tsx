import { useAtomValue, useSetAtom } from 'jotai'

import { Skeleton } from '../../components/Skeleton.tsx'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { messageFor } from '../../lib/errors.ts'
import { formatDollars, formatRate } from '../../lib/formats.ts'
import { ratePerUnit } from '../../lib/units.ts'
import { garageAtom } from './atoms.ts'
import styles from './GarageTotals.module.css'

export function GarageTotals() {
  const garage = useAtomValue(garageAtom)
  const units = useAtomValue(unitsAtom)
  const { distance } = units
  const isReady = garage.state === 'ready'
  const total = isReady ? garage.data.total : null
  const tiles = [
    ['this year', distance.formatWhole(total?.distance_this_year)],
    ...(total?.cost === 0
      ? []
      : [
          ['spent this year', formatDollars(total?.cost_this_year)],
          [`per ${units.one}`, formatRate(ratePerUnit(total?.cost_per_km ?? null, units))],
        ]),
    ['in all', distance.formatWhole(total?.distance)],
  ] as const
  return (
    <dl className={styles.tiles} aria-busy={!isReady || garage.updating}>
      {tiles.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{garage.state === 'loading' ? <Skeleton width="3.5rem" height="1rem" /> : value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function TotalsFailure() {
  const garage = useAtomValue(garageAtom)
  const reload = useSetAtom(garageAtom)
  const failure = garage.state === 'ready' ? garage.failure : garage.state === 'failed' && garage.error
  if (!failure) return null
  return (
    <p className="warning">
      {`The totals could not be calculated. ${messageFor(failure)}`}
      <button type="button" onClick={() => void reload()}>
        Try again
      </button>
    </p>
  )
}
