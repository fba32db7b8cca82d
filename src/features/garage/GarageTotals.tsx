import { useAtomValue, useSetAtom } from 'jotai'

import { Skeleton } from '../../components/Skeleton.tsx'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { messageFor } from '../../lib/errors.ts'
import { formatCurrency } from '../../lib/formats.ts'
import { garageAtom } from './atoms.ts'
import styles from './GarageTotals.module.css'

/** Distance and cost over all bikes, and an error if they could not be calculated. */
export function GarageTotals() {
  const garage = useAtomValue(garageAtom)
  const reload = useSetAtom(garageAtom)
  const { distance } = useAtomValue(unitsAtom)

  const isReady = garage.state === 'ready'
  const total = isReady ? garage.data.total : null
  const failure = isReady ? garage.failure : garage.state === 'failed' && garage.error
  const tiles = [
    ['Ridden this year', distance.format(total?.distance_this_year)],
    ['Spent this year', formatCurrency(total?.cost_this_year)],
    ['Ridden in all', distance.format(total?.distance)],
    ['Spent in all', formatCurrency(total?.cost)],
  ] as const
  return (
    <>
      <dl className={styles.tiles} aria-busy={!isReady || garage.updating}>
        {tiles.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{garage.state === 'loading' ? <Skeleton width="5.5rem" height="1.25rem" /> : value}</dd>
          </div>
        ))}
      </dl>
      {failure && (
        <p className={styles.failure}>
          {`The totals could not be calculated. ${messageFor(failure)}`}
          <button type="button" onClick={() => void reload()}>
            Try again
          </button>
        </p>
      )}
    </>
  )
}
