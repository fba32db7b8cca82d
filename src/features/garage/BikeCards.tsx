import { useAtomValue, useSetAtom } from 'jotai'

import { useReadOnly } from '../../components/read-only.ts'
import { Section } from '../../components/Section.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { unitsAtom } from '../../lib/chosen-units.ts'
import { dayOf, formatDay } from '../../lib/days.ts'
import { formatCurrency } from '../../lib/formats.ts'
import { type Bike, brandAndModel } from '../bikes/api.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { logHref, ridesWithoutBikeHref } from '../items/links.ts'
import { settingUpAtom } from '../items/set-up.ts'
import type { Garage } from './api.ts'
import { garageAtom } from './atoms.ts'
import styles from './BikeCards.module.css'

/** A card per bike, linked to its log, and a link to the rides without a bike. */
export function BikeCards() {
  const bikes = useAtomValue(bikesAtom)
  const garage = useAtomValue(garageAtom)
  if (bikes.state !== 'ready' || bikes.data.length === 0) return null

  const cards = garage.state === 'ready' ? garage.data.bikes : []
  const withoutBike = garage.state === 'ready' ? garage.data.rides_without_bike : 0
  return (
    <Section
      heading="Bikes"
      aside={
        withoutBike > 0 && (
          <a className="small" href={ridesWithoutBikeHref(bikes.data[0]!.gear_id)}>
            {withoutBike === 1 ? '1 ride has no bike' : `${withoutBike} rides have no bike`}
          </a>
        )
      }
    >
      <ul className={styles.cards}>
        {bikes.data.map((bike) => (
          <li key={bike.gear_id} className={styles.card} data-retired={bike.is_retired}>
            <Title bike={bike} />
            {garage.state === 'loading' ? (
              <Skeleton width="100%" height="9rem" />
            ) : (
              <Figures bike={bike} card={cards.find(({ gear_id }) => gear_id === bike.gear_id)} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Title({ bike }: { bike: Bike }) {
  return (
    <>
      <div className={styles.line}>
        <a className={styles.name} href={logHref(bike.gear_id)} aria-label={`Open ${bike.name}`}>
          {bike.name}
        </a>
        {bike.is_retired && <span>Retired</span>}
      </div>
      <p className={styles.model}>{brandAndModel(bike)}</p>
    </>
  )
}

/** `card` is undefined if the garage could not be read, or was read before the bike was added. */
function Figures({ bike, card }: { bike: Bike; card: Garage['bikes'][number] | undefined }) {
  const { distance } = useAtomValue(unitsAtom)
  if (!card) return <p className={styles.distance}>{distance.format(null)}</p>
  const { last_ride, newest_item } = card
  return (
    <>
      <p className={styles.line}>
        <span className={styles.distance}>{distance.format(card.distance)}</span>
        <span>{last_ride === null ? 'No rides yet' : `Last ride ${formatDay(dayOf(last_ride))}`}</span>
      </p>
      <p>
        {`${distance.format(card.distance_this_year)} and ${formatCurrency(card.cost_this_year)} this year`}
      </p>
      <p className="truncated">
        {newest_item === null
          ? 'No log entries yet'
          : `Newest entry ${formatDay(dayOf(newest_item.dateStarted))}: ${newest_item.name}`}
      </p>
      {newest_item === null && !bike.is_retired && <SetUp bike={bike} />}
      <Months months={card.months} />
    </>
  )
}

/** Leads from an empty log to its first parts. */
function SetUp({ bike }: { bike: Bike }) {
  const setUp = useSetAtom(settingUpAtom)
  const readOnly = useReadOnly()
  return (
    <button
      type="button"
      aria-label={`Set up this bike: ${bike.name}`}
      {...readOnly}
      onClick={() => setUp(bike)}
    >
      Set up this bike
    </button>
  )
}

const [HEIGHT, BAR, STEP] = [32, 9, 10]

/** Decorative: the Rides tab has the chart. */
function Months({ months }: { months: readonly number[] }) {
  const busiest = Math.max(1, ...months)
  const width = months.length * STEP - (STEP - BAR)
  return (
    <svg className={styles.months} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      {months.map((meters, index) => {
        const height = Math.max(1, (meters / busiest) * HEIGHT)
        // oxlint-disable-next-line react/no-array-index-key -- A bar is its position.
        return <rect key={index} x={index * STEP} y={HEIGHT - height} width={BAR} height={height} />
      })}
    </svg>
  )
}
