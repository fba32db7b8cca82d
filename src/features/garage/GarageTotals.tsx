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
  const hasCosts = total?.cost !== 0
  // Tablets and smaller screens have no room for a fourth total.
  const inAll = { label: 'in all', value: distance.formatWhole(total?.distance), isWideOnly: hasCosts }
  const tiles: Tile[] = [
    { label: 'this year', value: distance.formatWhole(total?.distance_this_year) },
    ...(hasCosts ? [{ label: 'spent this year', value: formats.wholeMoney(total?.cost_this_year) }] : []),
    inAll,
    ...(hasCosts
      ? [
          {
            label: `per ${formats.one} in all`,
            value: formats.rate(ratePerUnit(total?.cost_per_km ?? null, formats)),
          },
        ]
      : []),
  ]
  return (
    <dl className={styles.tiles} aria-busy={!isReady || garage.updating}>
      {tiles.map(({ label, value, isWideOnly = false }) => (
        <div key={label} className={isWideOnly ? styles.wide : undefined}>
          <dt>{label}</dt>
          <dd>{isLoading ? <Skeleton width="3.5rem" height="1rem" /> : value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Tile = { label: string; value: string; isWideOnly?: boolean }

export function TotalsFailure() {
  const garage = useAtomValue(garageAtom)
  const reload = useSetAtom(garageAtom.reloadAtom)
  const failure = garage.state === 'ready' ? garage.failure : garage.state === 'failed' && garage.error
  if (!failure) return null
  return <Failure what="The totals could not be calculated." error={failure} retry={reload} isLine />
}
