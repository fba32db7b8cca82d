import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef } from 'react'

import { dayOf, formatDay } from '../../lib/days.ts'
import { formatCount } from '../../lib/formats.ts'
import { quote } from '../../lib/quote.ts'
import { followLogAtom, type Item } from '../maintenance'
import { allRidesHref, logHref } from '../usage'
import { shownRidesAtom } from './atoms.ts'
import { type Behind, behindAtom } from './behind.ts'
import styles from './RidesBehind.module.css'
import type { RideRow } from './rows.ts'

/** Says which rides are behind the number that was followed here, and leads back. */
export function RidesBehind({ gearId }: { gearId: number }) {
  const behind = useAtomValue(behindAtom)
  const follow = useSetAtom(followLogAtom)
  useEffect(() => follow(gearId), [follow, gearId])
  const line = useRef<HTMLParagraphElement>(null)
  // The number that was followed here went with the log, and the focus with it.
  useEffect(() => line.current?.focus(), [])

  return (
    <div className={styles.behind}>
      <p ref={line} tabIndex={-1}>
        {subjectOf(behind)}
        {behind.state === 'on' && <Rides />}
      </p>
      <nav aria-label="Ways back" className={styles.ways}>
        <a href={logHref(gearId)}>Back to the log</a>
        <a href={allRidesHref(gearId)}>Show all rides</a>
      </nav>
    </div>
  )
}

function Rides() {
  const rides = useAtomValue(shownRidesAtom)
  if (rides.state !== 'ready') return null
  const { matching, read, total } = rides.data
  return <>{read < total ? '; rides are still on their way.' : ridesOf(matching)}</>
}

function subjectOf(behind: Behind): string {
  if (behind.state === 'unknown')
    return 'The part whose rides were asked for is not in the log: these are all rides of the bike.'
  if (behind.state !== 'on') return ''
  return behind.part ? spanOf(behind.part) : `All rides on ${behind.bike.name}`
}

function spanOf({ name, dateStarted, dateEnded }: Item): string {
  return `Rides on ${quote(name)} from ${moment(dateStarted)} until ${dateEnded === null ? 'now' : moment(dateEnded)}`
}

/** Of rides that are ordered newest first. */
function ridesOf(rides: readonly RideRow[]): string {
  const [last, first] = [rides[0], rides.at(-1)]
  if (!first || !last) return ': none yet.'
  if (rides.length === 1) return `: 1 ride, ${nameOf(first)}.`
  return `: ${formatCount(rides.length)} rides, the first ${nameOf(first)}, the last ${nameOf(last)}.`
}

function nameOf({ name, started_at }: RideRow): string {
  const day = started_at === null ? 'without a date' : `on ${formatDay(dayOf(started_at))}`
  return name === null ? day : `${quote(name)} ${day}`
}

/** With the hour, since that decides between two parts that were swapped on a day. */
function moment(timestamp: string): string {
  return `${formatDay(dayOf(timestamp))} ${timestamp.slice(11, 16)}`
}
