import { useAtom, useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'

import { todayAtom } from '../../../lib/clock.ts'
import { isPhoneAtom } from '../../../lib/screen.ts'
import type { Item } from '../../entries/fields.ts'
import { yearAtom } from './atoms.ts'
import { Card, useCard } from './Card.tsx'
import { Lanes, Marks } from './Lanes.tsx'
import { axisOf, dayAt, type Month, type Service, toClusters, toLanes } from './layout.ts'
import { AxisLabels, Lines, Months, MonthsSkeleton } from './Ruler.tsx'
import styles from './Timeline.module.css'

type Props = {
  gearId: number
  items: readonly Item[]
  months: readonly Month[]
  /** Whether the months and services are loading. */
  isLoading: boolean
  services: readonly Service[]
  /** The id of the field that Escape focuses. */
  yearId: string
}

/** Renders months, marks and bars on one axis. All bars and marks share one tab stop. */
export function Chart({ gearId, items, months, isLoading, services, yearId }: Props) {
  const chart = useRef<HTMLDivElement>(null)
  const today = useAtomValue(todayAtom)
  const isPhone = useAtomValue(isPhoneAtom)
  const [year, setYear] = useAtom(yearAtom)
  const axis = useMemo(() => axisOf(items, months, today, year), [items, months, today, year])
  const lanes = useMemo(() => toLanes(items), [items])
  const clusters = useMemo(
    () => toClusters(services, axis, (axis.to - axis.from) * (isPhone ? 0.125 : 0.034)),
    [services, axis, isPhone],
  )
  const { card, close, ...pointing } = useCard(chart)
  useTabStop(chart)

  const press = (event: KeyboardEvent<HTMLElement>) => {
    const stop = event.target instanceof HTMLElement && event.target.closest<HTMLElement>('[data-stop]')
    if (event.key === 'Escape') {
      if (card) close()
      else document.getElementById(yearId)?.focus()
    } else if (!stop || event.altKey || event.ctrlKey || event.metaKey) return
    else if (event.key === '+') setYear(dayAt(Math.max(Number(stop.dataset['day']), axis.from)).slice(0, 4))
    else if (event.key === '-') setYear('')
    else {
      const target = neighborOf(stop, event.key)
      if (!target) return
      target.focus()
    }
    event.preventDefault()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles events from the links inside
    <div
      ref={chart}
      className={styles.chart}
      role="group"
      aria-label="Timeline of the log: arrow keys move between entries, plus and minus zoom"
      onKeyDown={press}
      {...pointing}
    >
      {isLoading ? <MonthsSkeleton /> : <Months months={months} axis={axis} />}
      <AxisLabels axis={axis} today={today} isPhone={isPhone} />
      {clusters.length > 0 && <Marks gearId={gearId} clusters={clusters} axis={axis} />}
      <Lanes gearId={gearId} lanes={lanes} axis={axis} today={today} />
      {items.length === 0 && <p className="note">No log entries to show.</p>}
      <Lines axis={axis} today={today} isPhone={isPhone} />
      <p className={styles.legend} aria-hidden>
        <span data-sign="in-use">in use</span>
        <span data-sign="service">service</span>
      </p>
      {card && (
        <Card {...card} gearId={gearId} items={items} months={months} clusters={clusters} onClose={close} />
      )}
    </div>
  )
}

/** Keeps exactly one bar or mark in the tab order: the one that was focused last. */
function useTabStop(chart: { current: HTMLElement | null }) {
  useEffect(() => {
    const stops = chart.current?.querySelectorAll<HTMLElement>('[data-stop]') ?? []
    if (![...stops].some(({ tabIndex }) => tabIndex === 0) && stops[0]) stops[0].tabIndex = 0
  })
}

/** Returns the bar or mark that a navigation key moves to. Up and down move to the nearest one in the next lane. */
function neighborOf(stop: HTMLElement, key: string): HTMLElement | null | undefined {
  const lane = stop.parentElement
  const inLane = [...(lane?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])]
  const index = inLane.indexOf(stop)
  switch (key) {
    case 'ArrowLeft':
      return inLane[index - 1] ?? nextLane(stop, -1)?.at(-1)
    case 'ArrowRight':
      return inLane[index + 1] ?? nextLane(stop, 1)?.[0]
    case 'ArrowUp':
      return nearest(stop, nextLane(stop, -1))
    case 'ArrowDown':
      return nearest(stop, nextLane(stop, 1))
    case 'Home':
      return inLane[0]
    case 'End':
      return inLane.at(-1)
    default:
      return null
  }
}

function nextLane(stop: HTMLElement, by: number): HTMLElement[] | undefined {
  const lanes = [...(stop.closest('[role=group]')?.querySelectorAll(`.${styles.lane}`) ?? [])]
  const lane = lanes[lanes.indexOf(stop.parentElement!) + by]
  return lane && [...lane.querySelectorAll<HTMLElement>('[data-stop]')]
}

function nearest(stop: HTMLElement, others: HTMLElement[] | undefined): HTMLElement | undefined {
  const box = stop.getBoundingClientRect()
  const distanceTo = (other: HTMLElement) => {
    const { left, right } = other.getBoundingClientRect()
    return Math.max(left - box.right, box.left - right, 0) + Math.abs(left - box.left) / 1e4
  }
  return others?.toSorted((a, b) => distanceTo(a) - distanceTo(b))[0]
}
