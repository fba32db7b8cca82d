import { useAtomValue, useSetAtom } from 'jotai'
import { memo, type PointerEvent } from 'react'

import { BarChart } from '../../../components/BarChart.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import type { Day } from '../../../lib/days.ts'
import { formatCount, useFormats } from '../../../lib/formats.ts'
import { roundUp } from '../../../lib/scale.ts'
import { dayAtom } from '../parts-on-day/day.ts'
import { draggedDayAtom, markedDayAtom } from './atoms.ts'
import { type Axis, dayAt, dayNumber, type Month, monthSpan, positionOf, styleAt, ticksOf } from './layout.ts'
import styles from './Timeline.module.css'

/** In pixels. */
const PLOT_HEIGHT = 96

/** Renders the distance per month. Dragging over the months picks a day. */
export const Months = memo(function Months({ months, axis }: { months: readonly Month[]; axis: Axis }) {
  const { distance, name } = useFormats()
  const setDay = useSetAtom(dayAtom)
  const setDragged = useSetAtom(draggedDayAtom)
  const today = useAtomValue(todayAtom)
  const shown = months.flatMap((month) => {
    const [from, to] = monthSpan(month.month)
    return to > axis.from && from < axis.to ? [{ ...month, from, to }] : []
  })
  const top = roundUp(Math.max(0, ...shown.map((month) => distance.of(month.distance))))
  const isZoomed = axis.to - axis.from < 400
  const dayOf = ({ currentTarget, clientX }: PointerEvent<SVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const part = Math.max(0, Math.min((clientX - left) / width, 1))
    const day = dayAt(Math.floor(axis.from + part * (axis.to - axis.from)))
    return day < today ? day : today
  }
  // The browser cancels touches that scroll the page, so they don't pick a day.
  const drag = {
    onPointerDown(event: PointerEvent<SVGElement>) {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged(dayOf(event))
    },
    onPointerMove(event: PointerEvent<SVGElement>) {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) setDragged(dayOf(event))
    },
    onPointerUp(event: PointerEvent<SVGElement>) {
      setDay(dayOf(event))
      setDragged(null)
    },
    onPointerCancel: () => setDragged(null),
  }
  return (
    <div className={styles.months}>
      <span className={styles.label}>{`${distance.unit} per month`}</span>
      <BarChart
        role="img"
        aria-label={`${name} per month, at most ${formatCount(top)}`}
        plot={PLOT_HEIGHT}
        scale={[formatCount(top), '0']}
        bars={shown.map(({ month, distance: meters, from, to }) => ({
          id: month,
          'data-key': `month-${month}`,
          place: { start: positionOf(from, axis), width: (to - from) / (axis.to - axis.from) },
          label: isZoomed && formatCount(distance.exact(meters)),
          parts: [{ share: distance.of(meters) / top, rx: 1.5 }],
        }))}
        {...drag}
      />
    </div>
  )
})

export function MonthsSkeleton() {
  const bars = Array.from({ length: 36 }, (_, index) => ({
    id: String(index),
    parts: [{ share: 0.35 + 0.25 * Math.sin(index), className: `chart-bar ${styles.skeleton}` }],
  }))
  return (
    <div className={styles.months} aria-hidden>
      <BarChart plot={PLOT_HEIGHT} scale={[]} bars={bars} />
    </div>
  )
}

type AxisProps = { axis: Axis; today: Day; isPhone: boolean }

/** The maximum number of ticks, and the widths of tick and flag labels as shares of the axis. */
const roomOn = (isPhone: boolean) =>
  isPhone ? { maxTicks: 7, tick: 0.09, flag: 0.2 } : { maxTicks: 14, tick: 0.04, flag: 0.08 }

const isShown = (day: number, { from, to }: Axis) => day >= from && day < to

/** Omits labels that would overlap. Flags have priority over ticks, and the chosen day over today. */
export function AxisLabels({ axis, today, isPhone }: AxisProps) {
  const day = useAtomValue(markedDayAtom)
  const formats = useFormats()
  const room = roomOn(isPhone)
  const flags = [
    ...(day ? [{ key: 'day', day: dayNumber(day) + 0.5, label: formats.day(day) }] : []),
    { key: 'today', day: dayNumber(today) + 1, label: 'Today' },
  ]
    .filter(({ day }) => isShown(day, axis))
    .map((flag) => {
      const position = positionOf(flag.day, axis)
      const isStart = position > 0.5
      const [from, to] = isStart ? [position - room.flag, position] : [position, position + room.flag]
      return { key: flag.key, day: flag.day, label: flag.label, isStart, from, to }
    })
  const shown = flags.filter(
    ({ from, to }, index) => index === 0 || from >= flags[0]!.to || to <= flags[0]!.from,
  )
  const ticks = ticksOf(axis, room.maxTicks).filter(({ day }) => {
    const position = positionOf(day, axis)
    const end = position + room.tick
    return end <= 1 && shown.every(({ from, to }) => end <= from || position >= to)
  })
  return (
    <div className={styles.axis} aria-hidden>
      <span className={styles.label} />
      <div>
        {ticks.map(({ day, label, isYear }) => (
          <span key={day} style={styleAt(day, axis)} data-year={isYear ? '' : undefined}>
            {label}
          </span>
        ))}
        {shown.map(({ key, day, label, isStart }) => (
          <span key={key} data-flag={key} data-side={isStart ? 'start' : 'end'} style={styleAt(day, axis)}>
            {label}
          </span>
        ))}
      </div>
    </div>
  )
}

export function Lines({ axis, today, isPhone }: AxisProps) {
  const day = useAtomValue(markedDayAtom)
  const room = roomOn(isPhone)
  const lines: [number, string][] = [
    ...ticksOf(axis, room.maxTicks)
      .filter(({ day }) => positionOf(day, axis) + room.tick <= 1)
      .map(({ day, isYear }): [number, string] => [day, isYear ? 'year' : 'month']),
    [dayNumber(today) + 1, 'today'],
    ...(day ? [[dayNumber(day) + 0.5, 'day'] as [number, string]] : []),
  ]
  return (
    <div className={styles.lines} aria-hidden>
      {lines
        .filter(([day]) => isShown(day, axis))
        .map(([day, kind]) => (
          <span key={`${kind}${day}`} data-line={kind} style={styleAt(day, axis)} />
        ))}
    </div>
  )
}
