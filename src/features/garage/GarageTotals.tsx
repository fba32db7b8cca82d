import { useAtomValue, useSetAtom } from 'jotai'

import { Failure } from '../../components/ResourceView.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { ratePerUnit, useFormats } from '../../lib/formats.ts'
import { areSettingsKnownAtom } from '../../lib/settings.ts'
import { garageAtom } from './atoms.ts'
import styles from './GarageTotals.module.css'

export function GarageTotals() {
  const garage = useAtomValue(garageAtom)
  const formats = useFormats()
  const { distance } = formats
  const areSettingsKnown = useAtomValue(areSettingsKnownAtom)
  const isLoading = garage.state === 'loading' || !areSettingsKnown
  const isReady = garage.state === 'ready'
  const total = isReady ? garage.data.total : null
  const year: Tile = ['this year', distance.formatWhole(total?.distance_this_year)]
  const inAll: Tile = ['in all', distance.formatWhole(total?.distance)]
  const costs: Tile[] = [
    ['spent this year', formats.wholeMoney(total?.cost_this_year)],
    [`per ${formats.one}`, formats.rate(ratePerUnit(total?.cost_per_km ?? null, formats))],
  ]
  // Tablets and smaller screens have no room for a fourth total.
  const tiles = total?.cost === 0 ? [year, inAll] : [year, ...costs, [...inAll, styles.wide] as const]
  return (
    <dl className={styles.tiles} aria-busy={!isReady || garage.updating}>
      {tiles.map(([label, value, className]) => (
        <div key={label} className={className}>
          <dt>{label}</dt>
          <dd>{isLoading ? <Skeleton width="3.5rem" height="1rem" /> : value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Tile = readonly [label: string, value: string]

export function TotalsFailure() {
  const garage = useAtomValue(garageAtom)
  const reload = useSetAtom(garageAtom.reloadAtom)
  const failure = garage.state === 'ready' ? garage.failure : garage.state === 'failed' && garage.error
  if (!failure) return null
  return <Failure what="The totals could not be calculated." error={failure} retry={reload} isLine />
}
