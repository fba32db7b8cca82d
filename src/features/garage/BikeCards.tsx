import { useAtomValue, useSetAtom } from 'jotai'

import { useReadOnly } from '../../components/read-only.ts'
import { Section } from '../../components/Section.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { dayOf } from '../../lib/days.ts'
import { type Formats, useFormats } from '../../lib/formats.ts'
import { type Bike, brandAndModel } from '../bikes/api.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { logHref } from '../entries/links.ts'
import { settingUpAtom } from '../entries/set-up.ts'
import { dueCountsAtom, nextOnBikeAtom } from '../service/atoms.ts'
import { dueMessage } from '../service/limits.ts'
import { type Garage, garageAtom } from './atoms.ts'
import styles from './BikeCards.module.css'

export function BikeCards() {
  const bikes = useAtomValue(bikesAtom)
  const garage = useAtomValue(garageAtom)
  if (bikes.state !== 'ready' || bikes.data.length === 0) return null

  const cards = garage.state === 'ready' ? garage.data.bikes : []
  return (
    <Section heading="Bikes">
      <ul className={styles.cards}>
        {bikes.data.map((bike) => (
          <li key={bike.gear_id} className={styles.card}>
            <a className={styles.name} href={logHref(bike.gear_id)} aria-label={`Open ${bike.name}`}>
              {bike.name}
            </a>
            <p className={styles.model}>
              {[brandAndModel(bike), bike.is_retired && 'retired'].filter(Boolean).join(' · ')}
            </p>
            <BikeStats
              bike={bike}
              card={cards.find(({ gear_id }) => gear_id === bike.gear_id)}
              isLoading={garage.state === 'loading'}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}

type BikeStatsProps = {
  bike: Bike
  /** Undefined while the garage loads, if it could not be read, or if it was read before the bike was added. */
  card: Garage['bikes'][number] | undefined
  isLoading: boolean
}

function BikeStats({ bike, card, isLoading }: BikeStatsProps) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  const last = card?.last_ride ?? null
  return (
    <>
      <p className={styles.last}>{last !== null && formats.recentDay(dayOf(last), today)}</p>
      <p className={styles.distance}>
        {isLoading ? <Skeleton width="5rem" height="1rem" /> : formats.distance.formatWhole(card?.distance)}
      </p>
      <p className={styles.next}>{!bike.is_retired && <Next gearId={bike.gear_id} />}</p>
      <p className={styles.year}>{card && yearText(card, formats)}</p>
      {card?.newest_item === null && !bike.is_retired && <SetUp bike={bike} />}
      <Months months={card?.months ?? []} />
    </>
  )
}

/** Formats `2,593 mi, $246 this year`. */
function yearText(
  { rides, distance_this_year, cost_this_year }: Garage['bikes'][number],
  { distance, wholeMoney }: Formats,
): string {
  if (rides === 0) return 'No rides yet'
  const amounts = [
    ...(distance_this_year > 0 ? [distance.formatWhole(distance_this_year)] : []),
    ...(cost_this_year === 0 ? [] : [wholeMoney(cost_this_year)]),
  ]
  return `${amounts.join(', ') || 'not ridden'} this year`
}

function Next({ gearId }: { gearId: number }) {
  const due = useAtomValue(dueCountsAtom).get(gearId)
  const next = useAtomValue(nextOnBikeAtom(gearId))
  const formats = useFormats()
  if (due !== undefined) return <span data-state="due">{`${due} due`}</span>
  return next && <span data-state={next.state}>{`next: ${dueMessage(next, formats)}`}</span>
}

function SetUp({ bike }: { bike: Bike }) {
  const setUp = useSetAtom(settingUpAtom)
  const readOnly = useReadOnly()
  return (
    <button
      type="button"
      className={styles.setUp}
      aria-label={`Set up this bike: ${bike.name}`}
      {...readOnly}
      onClick={() => setUp(bike)}
    >
      Set up this bike
    </button>
  )
}

const [HEIGHT, BAR, STEP] = [32, 9, 10]

/** Decorative, because the Rides tab has the real chart. `months` holds each month's distance in meters. */
function Months({ months }: { months: readonly number[] }) {
  const busiest = Math.max(1, ...months)
  const width = Math.max(0, months.length * STEP - (STEP - BAR))
  return (
    <svg className={styles.months} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      {months.map((meters, index) => {
        const height = Math.max(1, (meters / busiest) * HEIGHT)
        // oxlint-disable-next-line react/no-array-index-key -- A bar is identified by its position.
        return <rect key={index} x={index * STEP} y={HEIGHT - height} width={BAR} height={height} />
      })}
    </svg>
  )
}
