import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'

import { useReadOnly } from '../../../components/read-only.ts'
import { TableHead } from '../../../components/tables.tsx'
import { dayOf } from '../../../lib/days.ts'
import { counted, formatCount, formatDuration, formatHours, useFormats } from '../../../lib/formats.ts'
import { bikeNameAtom } from '../../bikes/atoms.ts'
import { InclEarlier } from '../../entries/InclEarlier.tsx'
import { formatEarlier } from '../../entries/earlier.ts'
import { isWork, type Item } from '../../entries/fields.ts'
import { drillDownHref, hrefInDialog, ridesSortAtom } from '../../entries/links.ts'
import type { PartDetails } from '../../entries/usage-api.ts'
import { showDetails } from '../../entries/jump.ts'
import { EarlierDialog } from '../actions/EarlierDialog.tsx'
import styles from './ItemDetails.module.css'

type Period = PartDetails['periods'][number]

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
      <p className="soft">{`${formatHours(lifetime.moving_time)}, ${counted(days, 'day')}, ${formats.money(cost)}`}</p>
      {!isWork(item) && <BeforeThisLog item={item} part={part} />}
    </section>
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
        {periods.map((period) => (
          <PeriodRow key={period.id} period={period} />
        ))}
      </tbody>
    </table>
  )
}

function PeriodRow({ period }: { period: Period }) {
  const { id, gear_id, dateStarted, dateEnded, ended_as, distance, moving_time, rides, cost } = period
  const formats = useFormats()
  const sort = useAtomValue(ridesSortAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  return (
    <tr>
      <th scope="row">{bikeName(gear_id)}</th>
      <td>{formats.day(dayOf(dateStarted))}</td>
      <td>
        {dateEnded === null ? 'in use' : formats.day(dayOf(dateEnded))}
        {ended_as !== null && <span className="soft">{` ${ended_as}`}</span>}
      </td>
      <td className={styles.distance}>
        <a href={hrefInDialog(drillDownHref(gear_id, id, sort))}>{formats.distance.format(distance)}</a>
      </td>
      <td className={styles.time}>{formatDuration(moving_time)}</td>
      <td className="visually-hidden">{formatCount(rides)}</td>
      <td>{cost !== 0 && formats.money(cost)}</td>
    </tr>
  )
}
