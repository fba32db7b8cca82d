import { TYPES } from '../../../../supabase/functions/_shared/limits.ts'
import { formatInAll } from '../../entries/earlier.ts'
import { useAtomValue, useSetAtom } from 'jotai'

import { DayField } from '../../../components/DayField.tsx'
import { Failure } from '../../../components/ResourceView.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import { TableHead } from '../../../components/tables.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import { type Day, dayOf } from '../../../lib/days.ts'
import { counted, formatDuration, type Formats, useFormats } from '../../../lib/formats.ts'
import { FIELDS, type Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { PositionBeside } from '../../entries/Beside.tsx'
import type { Usage } from '../../entries/usage-api.ts'
import { usageOnDayAtom } from '../../entries/usage.ts'
import { dayAtom } from './day.ts'
import styles from './Sheet.module.css'

export function DayChoice() {
  const { day, problem } = useAtomValue(dayAtom)
  const setDay = useSetAtom(dayAtom)
  const today = useAtomValue(todayAtom)
  return (
    <DayField
      label="Show parts on"
      value={day ?? today}
      picked={day}
      calendarAt={day ?? today}
      onChange={setDay}
      problem={problem}
    />
  )
}

const panelId = (gearId: number) => `parts-on-day-${gearId}`

export function DaySummary({ gearId, day }: { gearId: number; day: Day }) {
  const usage = useAtomValue(usageOnDayAtom(gearId, day))
  const today = useAtomValue(todayAtom)
  const formats = useFormats()
  if (usage.state !== 'ready' || day > today) return null
  const count = usage.data.byItem.size
  return (
    <button
      type="button"
      className="link"
      onClick={() => {
        const panel = document.getElementById(panelId(gearId))
        panel?.scrollIntoView({ block: 'start' })
        panel?.focus({ preventScroll: true })
      }}
    >
      {`On ${formats.day(day)}: ${counted(count, 'part')}`}
    </button>
  )
}

export function PartsOnDay({ gearId, day }: { gearId: number; day: Day }) {
  const setDay = useSetAtom(dayAtom)
  const formats = useFormats()
  const isPast = useAtomValue(dayAtom).problem === null
  return (
    <section
      id={panelId(gearId)}
      className={styles.panel}
      aria-label={`Parts on ${formats.day(day)}`}
      tabIndex={-1}
    >
      {isPast && <DayTable gearId={gearId} day={day} />}
      <p className="ends note screen-only">
        {isPast && <a href={`#bike=${gearId}&view=parts-list&day=${day}`}>Print this list</a>}
        <button type="button" onClick={() => setDay(null)}>
          Close
        </button>
      </p>
    </section>
  )
}

/** Lists the parts on the bike at the end of a day, with their usage until then. */
export function DayTable({ gearId, day, isSheet = false }: { gearId: number; day: Day; isSheet?: boolean }) {
  const log = useAtomValue(logAtom(gearId))
  const usage = useAtomValue(usageOnDayAtom(gearId, day))
  const reload = useSetAtom(usageOnDayAtom(gearId, day).reloadAtom)
  const formats = useFormats()
  const { distance, name } = formats

  if (usage.state === 'failed')
    return <Failure what="The parts on this day could not be loaded." error={usage.error} retry={reload} />
  if (usage.state === 'loading' || log.state !== 'ready') return <Skeleton width="100%" height="12rem" />

  const parts = partsIn(log.data, usage.data)
  if (parts.length === 0) return <p className="note">{noneOn(day, log.data, formats)}</p>
  return (
    <>
      <p className={styles.sum}>
        <strong>{`${formats.day(day)}: ${counted(parts.length, 'part')} on the bike`}</strong>
        {`${distance.format(usage.data.total.distance)} on the bike by the end of that day`}
      </p>
      <table className="plain-table">
        <TableHead
          headers={[
            'Type',
            'Name',
            ...(isSheet ? ['Start'] : []),
            `${name} as of this date`,
            ...(isSheet ? ['Time as of this date'] : []),
          ]}
          classOf={(header) => (header.endsWith('date') ? 'number' : undefined)}
        />
        <tbody>
          {parts.map(({ item, totals, part }) => (
            <tr key={item.id}>
              <td className={styles.type} data-type={isSheet ? undefined : (item.type ?? '')}>
                {item.type}
              </td>
              <td className={styles.name}>
                {item.name}
                <PositionBeside item={item} />
              </td>
              {isSheet && (
                <td className={styles.start}>{FIELDS.dateStarted.format(item.dateStarted, formats)}</td>
              )}
              <td className={styles.distance}>
                {distance.format(totals.distance)}
                {part && part.distance !== totals.distance && (
                  <p className={isSheet ? undefined : 'tiny'}>{formatInAll(part, formats)}</p>
                )}
              </td>
              {isSheet && <td className={styles.time}>{formatDuration(totals.moving_time)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** Lists the items that the server found on the bike, ordered by type. */
function partsIn(items: readonly Item[], { byItem, byPart }: Usage) {
  return items
    .flatMap((item) => {
      const totals = byItem.get(item.id)
      return totals ? [{ item, totals, part: byPart.get(item.part_id) }] : []
    })
    .toSorted((a, b) => orderOf(a.item) - orderOf(b.item))
}

const orderOf = ({ type }: Item) => (type === null ? TYPES.length : TYPES.findIndex((one) => one === type))

function noneOn(day: Day, items: readonly Item[], formats: Formats): string {
  const first = items[0] && dayOf(items[0].dateStarted)
  if (first === undefined) return 'The log has no entries yet.'
  return day < first
    ? `The log starts on ${formats.day(first)}. Choose that day or a later one.`
    : `No part was on the bike on ${formats.day(day)}.`
}
