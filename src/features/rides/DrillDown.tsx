import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'

import { dayOf } from '../../lib/days.ts'
import { formatCount, type Formats, quote, useFormats } from '../../lib/formats.ts'
import type { Item } from '../entries/fields.ts'
import { allRidesHref, logHref, ridesSortAtom } from '../entries/links.ts'
import { shownRidesAtom } from './atoms.ts'
import { type DrillDown as State, drillDownAtom } from './drill-down.ts'
import styles from './RidesList.module.css'
import type { RideRow } from './rows.ts'

export function DrillDown({ gearId }: { gearId: number }) {
  const state = useAtomValue(drillDownAtom)
  const sort = useAtomValue(ridesSortAtom)
  const line = useRef<HTMLParagraphElement>(null)
  const formats = useFormats()
  // The link that had focus disappeared with the log.
  useEffect(() => line.current?.focus(), [])

  return (
    <div className={styles.drillDown}>
      <p ref={line} tabIndex={-1}>
        {subjectOf(state, formats)}
        {state.state === 'on' && <Rides />}
      </p>
      <nav aria-label="Drill-down" className={styles.links}>
        <a href={logHref(gearId)}>Back to the log</a>
        <a href={allRidesHref(gearId, sort)}>Show all rides</a>
      </nav>
    </div>
  )
}

function Rides() {
  const rides = useAtomValue(shownRidesAtom)
  const formats = useFormats()
  if (rides.state !== 'ready') return null
  const { matching, read, total } = rides.data
  return <>{read < total ? '; still loading rides.' : summaryOf(matching, formats)}</>
}

function subjectOf(drillDown: State, formats: Formats): string {
  if (drillDown.state === 'missing') return 'This part is not in the log. Showing all rides of the bike.'
  if (drillDown.state !== 'on') return ''
  return drillDown.item ? periodOf(drillDown.item, formats) : `All rides on ${drillDown.bike.name}`
}

function periodOf({ name, dateStarted, dateEnded }: Item, formats: Formats): string {
  const until = dateEnded === null ? 'now' : timeOf(dateEnded, formats)
  return `Rides on ${quote(name)} from ${timeOf(dateStarted, formats)} until ${until}`
}

/** Summarizes rides, which must be ordered newest first. */
function summaryOf(rides: readonly RideRow[], formats: Formats): string {
  const [last, first] = [rides[0], rides.at(-1)]
  if (!first || !last) return ': none yet.'
  if (rides.length === 1) return `: 1 ride, ${nameOf(first, formats)}.`
  return `: ${formatCount(rides.length)} rides, the first ${nameOf(first, formats)}, the last ${nameOf(last, formats)}.`
}

function nameOf({ name, started_at }: RideRow, formats: Formats): string {
  const day = started_at === null ? 'without a date' : `on ${formats.day(dayOf(started_at))}`
  return name === null ? day : `${quote(name)} ${day}`
}

/** Formats a date and time. The time matters if parts were swapped on that day; 01:00 stands for the day. */
function timeOf(timestamp: string, formats: Formats): string {
  const [day, time] = [formats.day(dayOf(timestamp)), timestamp.slice(11, 16)]
  return time === '01:00' ? day : `${day} ${time}`
}
