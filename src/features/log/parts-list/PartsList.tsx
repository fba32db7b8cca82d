import { useAtomValue, useSetAtom } from 'jotai'

import { Failure } from '../../../components/ResourceView.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import { Scroller, TableHead } from '../../../components/tables.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import { formatCount, formatDuration, MISSING, useFormats } from '../../../lib/formats.ts'
import { type Bike, brandAndModel } from '../../bikes/api.ts'
import { FIELDS, type Item, phaseOf, textsIn, totalCost } from '../data/fields.ts'
import { logAtom } from '../data/log.ts'
import { logHref } from '../data/links.ts'
import type { Usage } from '../data/usage-api.ts'
import { usageAtom } from '../data/usage.ts'
import { dayAtom } from './day.ts'
import styles from './PartsList.module.css'
import { DayChoice, DayTable } from './PartsOnDay.tsx'

/** Renders a bike's log for printing or saving as PDF, for a buyer or an insurer. */
export default function PartsList({ bike }: { bike: Bike }) {
  const log = useAtomValue(logAtom(bike.gear_id))
  const usage = useAtomValue(usageAtom(bike.gear_id))
  const { day, problem } = useAtomValue(dayAtom)
  const reloadLog = useSetAtom(logAtom(bike.gear_id).reloadAtom)
  const reloadUsage = useSetAtom(usageAtom(bike.gear_id).reloadAtom)

  if (log.state === 'loading' || usage.state === 'loading') return <Skeleton width="100%" height="60dvh" />
  if (log.state === 'failed' || usage.state === 'failed') {
    const error = log.state === 'failed' ? log.error : usage.state === 'failed' && usage.error
    const retry = () => Promise.all([reloadLog(), reloadUsage()])
    return error && <Failure what="The parts list could not be loaded." error={error} retry={retry} />
  }
  return (
    <>
      <div className={styles.actions}>
        <a href={logHref(bike.gear_id)} className="to-start">
          Back to the log
        </a>
        {day && <a href={`#bike=${bike.gear_id}&view=parts-list`}>Show all entries</a>}
        <DayChoice />
        <button type="button" className="primary" onClick={() => window.print()}>
          Print
        </button>
      </div>
      <article className={styles.sheet} aria-labelledby="parts-list">
        <h2 id="parts-list" className="title">
          {bike.name}
        </h2>
        <p>{brandAndModel(bike)}</p>
        {day === null && <AllEntries items={log.data} usage={usage.data} />}
        {day !== null && problem === null && (
          <Scroller label="Parts">
            <DayTable gearId={bike.gear_id} day={day} isSheet />
          </Scroller>
        )}
      </article>
    </>
  )
}

function AllEntries({ items, usage }: { items: Item[]; usage: Usage }) {
  const formats = useFormats()
  const { name, distance } = formats
  const today = useAtomValue(todayAtom)
  const { total } = usage
  const numbers = [`Use ${name}`, 'Use Time', 'Cost']
  const phases = Map.groupBy(items, (item) => phaseOf(item, today))
  const groups = [
    { heading: 'In use', items: phases.get('in-use') ?? [] },
    { heading: 'Planned', items: phases.get('planned') ?? [] },
    { heading: 'Ended', items: phases.get('ended') ?? [] },
  ].filter(({ items }) => items.length > 0)

  return (
    <>
      <p>{`Parts list, ${formats.day(today)}`}</p>
      <p className={styles.totals}>
        {`${distance.format(total.distance)} and ${formatDuration(total.moving_time)} hours in ${formatCount(total.rides)} rides recorded with Ride with GPS`}
      </p>
      <Scroller label="Parts">
        <table className="plain-table">
          <TableHead
            headers={['Type', 'Name', 'Start', 'End', ...numbers]}
            classOf={(header) => (numbers.includes(header) ? 'number' : undefined)}
          />
          {groups.map(({ heading, items }) => (
            <tbody key={heading}>
              <tr className={styles.group}>
                <th scope="rowgroup" colSpan={6}>
                  {`${heading} (${items.length})`}
                </th>
                <td className="number">{totalCost(items, formats)}</td>
              </tr>
              {items.map((item) => (
                <Row key={item.id} item={item} usage={usage} />
              ))}
            </tbody>
          ))}
          <tfoot>
            <tr>
              <th scope="row" colSpan={6}>
                Total Cost:
              </th>
              <td className="number">{totalCost(items, formats)}</td>
            </tr>
          </tfoot>
        </table>
      </Scroller>
    </>
  )
}

function Row({ item, usage }: { item: Item; usage: Usage }) {
  const formats = useFormats()
  const totals = usage.byItem.get(item.id)
  return (
    <tr>
      <td className={styles.type}>{item.type}</td>
      <td className={styles.name}>
        <span>{item.name}</span>
        {textsIn('parts list', item).map(({ field, text }) => (
          <p key={field}>{text}</p>
        ))}
      </td>
      <td className={styles.start}>{FIELDS.dateStarted.format(item.dateStarted, formats)}</td>
      <td className={styles.end}>{FIELDS.dateEnded.format(item.dateEnded, formats) || MISSING}</td>
      <td className={styles.distance}>{formats.distance.format(totals?.distance)}</td>
      <td className={styles.time}>{formatDuration(totals?.moving_time)}</td>
      <td className={styles.cost}>{formats.money(item.cost)}</td>
    </tr>
  )
}
