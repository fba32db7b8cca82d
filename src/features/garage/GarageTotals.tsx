import { useAtomValue, useSetAtom } from 'jotai'

import { Failure } from '../../components/ResourceView.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { formatCount, type Formats, ratePerUnit, useFormats } from '../../lib/formats.ts'
import { areSettingsKnownAtom } from '../../lib/settings.ts'
import { type Garage, garageAtom } from './atoms.ts'
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
  const all = isReady ? garage.data.all : null
  // Tablets and smaller screens have no room for a fourth total.
  const inAll = {
    label: 'in all',
    value: distance.formatWhole(all?.distance),
    isRides: true,
    isWideOnly: hasCosts,
  }
  const tiles: Tile[] = [
    {
      label: `this year${all ? moreThanBefore(all, formats) : ''}`,
      value: distance.formatWhole(all?.distance_this_year),
      isRides: true,
    },
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
      {tiles.map(({ label, value, isRides = false, isWideOnly = false }) => (
        <div key={label} className={isWideOnly ? styles.wide : undefined}>
          <dt>{label}</dt>
          <dd>
            {isLoading ? (
              <Skeleton width="3.5rem" height="1rem" />
            ) : isRides ? (
              <a href={ALL_RIDES}>{value}</a>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Tile = { label: string; value: string; isRides?: boolean; isWideOnly?: boolean }

const ALL_RIDES = '#rides'

/** `, +641`: the distance since last year's same day. */
function moreThanBefore(
  { distance_this_year: now, distance_last_year_to_date: before }: Garage['all'],
  { distance }: Formats,
) {
  if (before === 0) return ''
  const more = Math.round(distance.exact(now)) - Math.round(distance.exact(before))
  return `, ${more < 0 ? '−' : '+'}${formatCount(Math.abs(more))}`
}

export function TotalsFailure() {
  const garage = useAtomValue(garageAtom)
  const reload = useSetAtom(garageAtom.reloadAtom)
  const failure = garage.state === 'ready' ? garage.failure : garage.state === 'failed' && garage.error
  if (!failure) return null
  return <Failure what="The totals could not be calculated." error={failure} retry={reload} isLine />
}
