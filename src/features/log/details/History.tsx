import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'

import { POSITION_TEXTS } from '../../../../supabase/functions/_shared/messages/kind-messages.ts'
import { useReadOnly } from '../../../components/read-only.ts'
import { TableHead } from '../../../components/tables.tsx'
import { dayOf } from '../../../lib/days.ts'
import {
  counted,
  formatCount,
  formatDuration,
  formatHours,
  upperFirst,
  useFormats,
} from '../../../lib/formats.ts'
import { NOT_COUNTED } from '../../../lib/waiting.ts'
import { bikeNameAtom } from '../../bikes/atoms.ts'
import { atEnds } from '../../entries/at-ends.ts'
import { InclEarlier } from '../../entries/InclEarlier.tsx'
import { formatEarlier } from '../../entries/earlier.ts'
import { isWork, type Item } from '../../entries/fields.ts'
import { drillDownHref, hrefInDialog, ridesSortAtom } from '../../entries/links.ts'
import { usageAtom } from '../../entries/usage.ts'
import type { PartDetails, Period } from '../../entries/usage-api.ts'
import { showDetails } from '../../entries/jump.ts'
import { EarlierDialog } from '../actions/EarlierDialog.tsx'
import styles from './ItemDetails.module.css'

export function History({ item: { id }, periods }: { item: Item; periods: readonly Period[] }) {
  // Loading the history made the row taller, so scroll again.
  useEffect(() => showDetails({ id }), [id])
  return (
    <section aria-labelledby={`history-${id}`}>
      <h3 id={`history-${id}`} className="heading">
        History
      </h3>
      <PeriodsTable periods={periods} />
    </section>
  )
}

type LifetimeProps = { item: Item; part: PartDetails }

/** Shows the usage and cost of an item's part across all bikes. */
export function Lifetime({ item, part }: LifetimeProps) {
  const formats = useFormats()
  const { lifetime } = part
  const { days, cost } = lifetime
  return (
    <section aria-label="Lifetime">
      <h3>Lifetime</h3>
      <p className={styles.total}>
        {formats.distance.format(lifetime.distance)}
        <InclEarlier part={lifetime} />
      </p>
      <AtEnds item={item} />
      <p className="soft">{`${formatHours(lifetime.moving_time)}, ${counted(days, 'day')}, ${formats.money(cost)}`}</p>
      {!isWork(item) && <BeforeThisLog item={item} part={part} />}
    </section>
  )
}

/** Shows how far a part that was at both ends went at each, because rear tires wear faster. */
function AtEnds({ item: { bikeId, part_id } }: { item: Item }) {
  const { distance } = useFormats()
  const usage = useAtomValue(usageAtom(bikeId))
  const ends = usage.state === 'ready' ? atEnds(usage.data.byPart.get(part_id)?.by_position) : []
  if (ends.length === 0) return null
  return (
    <div>
      <dl className={styles.ends}>
        {ends.map((end) => (
          <div key={end.position}>
            <dt>{upperFirst(POSITION_TEXTS[end.position])}</dt>
            <dd>{distance.format(end.distance)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.shares} aria-hidden>
        {ends.map((end) => (
          <span key={end.position} style={{ flexGrow: end.distance }} />
        ))}
      </div>
    </div>
  )
}

function BeforeThisLog({ item, part: { lifetime } }: LifetimeProps) {
  const usage = formatEarlier(lifetime, useFormats())
  const readOnly = useReadOnly()
  const [isOpen, setOpen] = useState(false)
  return (
    <p className="soft">
      {usage && `Before this log: ${usage} `}
      <button
        type="button"
        className="link"
        aria-label={usage ? 'Edit earlier usage' : undefined}
        {...readOnly}
        onClick={() => setOpen(true)}
      >
        {usage ? 'Edit' : 'Add earlier usage'}
      </button>
      {isOpen && <EarlierDialog part={item} earlier={lifetime} onClose={() => setOpen(false)} />}
    </p>
  )
}

function PeriodsTable({ periods }: { periods: readonly Period[] }) {
  const { name } = useFormats()
  return (
    <table className={styles.periods}>
      <TableHead headers={['Bike', 'From', 'To', name, 'Time', 'Rides', 'Cost']} isHidden />
      <tbody>
        {periods.map((period, index) => (
          <PeriodRow key={period.id} period={period} next={periods[index + 1]} />
        ))}
      </tbody>
    </table>
  )
}

/** Returns why a period ended. A part that was moved to the other end of its bike was rotated. */
function reasonOf({ gear_id, position, dateEnded, ended_as }: Period, next: Period | undefined) {
  const isRotated =
    ended_as === 'moved' &&
    next?.gear_id === gear_id &&
    next.dateStarted === dateEnded &&
    next.position !== position
  return isRotated ? 'rotated' : ended_as
}

function PeriodRow({ period, next }: { period: Period; next: Period | undefined }) {
  const { id, gear_id, position, dateStarted, dateEnded, distance, moving_time, rides, cost, isUncounted } =
    period
  const formats = useFormats()
  const reason = reasonOf(period, next)
  const sort = useAtomValue(ridesSortAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  return (
    <tr>
      <th scope="row">
        {bikeName(gear_id)}
        {position && `, ${POSITION_TEXTS[position]}`}
      </th>
      <td>{formats.day(dayOf(dateStarted))}</td>
      <td>
        {dateEnded === null ? 'in use' : formats.day(dayOf(dateEnded))}
        {reason !== null && <span className="soft">{` ${reason}`}</span>}
      </td>
      <td className={styles.distance}>
        {isUncounted ? (
          <span className="soft">{NOT_COUNTED}</span>
        ) : (
          <a href={hrefInDialog(drillDownHref(gear_id, id, sort))}>{formats.distance.format(distance)}</a>
        )}
      </td>
      <td className={styles.time}>{!isUncounted && formatDuration(moving_time)}</td>
      <td className="visually-hidden">{!isUncounted && formatCount(rides)}</td>
      <td>{cost !== 0 && formats.money(cost)}</td>
    </tr>
  )
}
