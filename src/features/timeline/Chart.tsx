import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { todayAtom } from '../../lib/clock.ts'
import { type Day, formatDay } from '../../lib/days.ts'
import { formatCount } from '../../lib/formats.ts'
import { roundUp } from '../../lib/scale.ts'
import { isPhoneAtom } from '../../lib/screen.ts'
import { isInUse, type Item } from '../maintenance'
import { dayAtom } from '../parts-list'
import { logHref, usageAtom } from '../usage'
import type { Month } from './api.ts'
import { yearAtom } from './atoms.ts'
import { Card, useCard } from './Card.tsx'
import { detailsHref, labelOf, marksLabel, signOf, SIGNS } from './words.ts'
import {
  type Axis,
  axisOf,
  dayAt,
  dayNumber,
  type Lane,
  monthSpan,
  placeOf,
  positionOf,
  type Service,
  ticksOf,
  toClusters,
  toLanes,
} from './layout.ts'
import styles from './Timeline.module.css'

/** The height of a lane, in pixels. */
const LANE_HEIGHT = 36

type Props = {
  gearId: number
  items: readonly Item[]
  months: readonly Month[]
  services: readonly Service[]
  /** The field to which Escape moves the focus. */
  yearId: string
}

/** Months, marks and bars on one axis. Bars and marks are one tab stop. */
export function Chart({ gearId, items, months, services, yearId }: Props) {
  const chart = useRef<HTMLDivElement>(null)
  const today = useAtomValue(todayAtom)
  const isPhone = useAtomValue(isPhoneAtom)
  const [year, setYear] = useAtom(yearAtom)
  const axis = useMemo(() => axisOf(items, months, today, year), [items, months, today, year])
  const lanes = useMemo(() => toLanes(items), [items])
  const clusters = useMemo(
    () => toClusters(services, axis, (axis.to - axis.from) * (isPhone ? 0.125 : 0.02)),
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the events of the links inside
    <div
      ref={chart}
      className={styles.chart}
      role="group"
      aria-label="Timeline of the log: arrow keys move between entries, plus and minus zoom"
      onKeyDown={press}
      {...pointing}
    >
      <Months months={months} axis={axis} />
      <AxisLabels axis={axis} today={today} isPhone={isPhone} />
      {clusters.length > 0 && <Marks gearId={gearId} clusters={clusters} axis={axis} />}
      <Lanes gearId={gearId} lanes={lanes} axis={axis} today={today} />
      {items.length === 0 && <p className={styles.empty}>No log entries to show.</p>}
      <Lines axis={axis} today={today} isPhone={isPhone} />
      <p className={styles.legend} aria-hidden>
        <span data-sign="in-use">in use</span>
        {Object.entries(SIGNS).map(([reason, sign]) => (
          <span key={reason}>
            <b>{sign}</b> {reason}
          </span>
        ))}
        <span data-sign="service">service</span>
      </p>
      {card && (
        <Card {...card} gearId={gearId} items={items} months={months} clusters={clusters} onClose={close} />
      )}
    </div>
  )
}

/** Keeps exactly one bar or mark in the tab order: the last one that had the focus. */
function useTabStop(chart: { current: HTMLElement | null }) {
  useEffect(() => {
    const stops = chart.current?.querySelectorAll<HTMLElement>('[data-stop]') ?? []
    if (![...stops].some(({ tabIndex }) => tabIndex === 0) && stops[0]) stops[0].tabIndex = 0
  })
}

/** The bar or mark that an arrow key, Home or End leads to. Up and down lead to the nearest one of the next lane. */
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

const percent = (part: number) => `${part * 100}%`
const at = (day: number, axis: Axis): CSSProperties => ({ insetInlineStart: percent(positionOf(day, axis)) })

/** The miles of each month. Dragging over them picks a day. */
const Months = memo(function Months({ months, axis }: { months: readonly Month[]; axis: Axis }) {
  const { distance, name } = useAtomValue(unitsAtom)
  const setDay = useSetAtom(dayAtom)
  const today = useAtomValue(todayAtom)
  const shown = months.flatMap((month) => {
    const [from, to] = monthSpan(month.month)
    return to > axis.from && from < axis.to ? [{ ...month, from, to }] : []
  })
  const top = roundUp(Math.max(0, ...shown.map((month) => distance.of(month.distance))))
  const isZoomed = axis.to - axis.from < 400
  const pick = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const part = Math.max(0, Math.min((event.clientX - left) / width, 1))
    const day = dayAt(Math.floor(axis.from + part * (axis.to - axis.from)))
    setDay(day < today ? day : today)
  }
  return (
    <div className={styles.months}>
      <div className={styles.label}>
        <span>{`${name} a month`}</span>
        <span className={styles.scale} aria-hidden>
          <span>{formatCount(top)}</span>
          <span>0</span>
        </span>
      </div>
      <div
        className={styles.columns}
        role="img"
        aria-label={`${name} a month, at most ${formatCount(top)}`}
        onPointerDown={pick}
        onPointerMove={pick}
      >
        {shown.map(({ month, distance: meters, from, to }) => (
          <span
            key={month}
            className={styles.month}
            data-key={`month-${month}`}
            style={{ ...at(from, axis), inlineSize: percent((to - from) / (axis.to - axis.from)) }}
          >
            <span style={{ blockSize: percent(distance.of(meters) / top) }}>
              {isZoomed && <small>{formatCount(distance.of(meters))}</small>}
            </span>
          </span>
        ))}
      </div>
    </div>
  )
})

type AxisProps = { axis: Axis; today: Day; isPhone: boolean }

/** The most ticks, and the shares of the axis that the label of a tick and of a flag need. */
const roomOn = (isPhone: boolean) =>
  isPhone ? { most: 7, tick: 0.09, flag: 0.2 } : { most: 14, tick: 0.04, flag: 0.08 }

const isShown = (day: number, { from, to }: Axis) => day >= from && day < to

/** Labels that would cover each other are left out: flags come before ticks, and the chosen day before today. */
function AxisLabels({ axis, today, isPhone }: AxisProps) {
  const { day } = useAtomValue(dayAtom)
  const room = roomOn(isPhone)
  const flags = [
    ...(day ? [{ key: 'day', day: dayNumber(day) + 0.5, label: formatDay(day) }] : []),
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
  const ticks = ticksOf(axis, room.most).filter(({ day }) => {
    const position = positionOf(day, axis)
    const end = position + room.tick
    return end <= 1 && shown.every(({ from, to }) => end <= from || position >= to)
  })
  return (
    <div className={styles.axis} aria-hidden>
      <span className={styles.label} />
      <div>
        {ticks.map(({ day, label, isYear }) => (
          <span key={day} style={at(day, axis)} data-year={isYear ? '' : undefined}>
            {label}
          </span>
        ))}
        {shown.map(({ key, day, label, isStart }) => (
          <span key={key} data-flag={key} data-side={isStart ? 'start' : 'end'} style={at(day, axis)}>
            {label}
          </span>
        ))}
      </div>
    </div>
  )
}

function Lines({ axis, today, isPhone }: AxisProps) {
  const { day } = useAtomValue(dayAtom)
  const room = roomOn(isPhone)
  const lines: [number, string][] = [
    ...ticksOf(axis, room.most)
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
          <span key={`${kind}${day}`} data-line={kind} style={at(day, axis)} />
        ))}
    </div>
  )
}

type MarksProps = { gearId: number; clusters: readonly Service[][]; axis: Axis }

const Marks = memo(function Marks({ gearId, clusters, axis }: MarksProps) {
  return (
    <div className={styles.row}>
      <span className={styles.label}>Service</span>
      <div className={styles.lane}>
        {clusters.map((cluster, index) => {
          const first = cluster[0]!
          const props = {
            className: styles.mark,
            'data-stop': '',
            'data-key': `marks-${index}`,
            'data-day': dayNumber(first.day),
            'aria-label': marksLabel(cluster),
            tabIndex: -1,
            style: at(dayNumber(first.day) + 0.5, axis),
          }
          return cluster.length > 1 ? (
            <button key={`${first.day}${first.name}`} type="button" {...props} data-pins="">
              <span>{cluster.length}</span>
            </button>
          ) : (
            <a
              key={`${first.day}${first.name}`}
              href={first.itemId === null ? logHref(gearId) : detailsHref(gearId, first.itemId)}
              {...props}
            >
              <span />
            </a>
          )
        })}
      </div>
    </div>
  )
})

type LanesProps = { gearId: number; lanes: readonly Lane[]; axis: Axis; today: Day }

/** Many lanes render in chunks, like the rows of the table: first those in sight. */
const Lanes = memo(function Lanes({ gearId, lanes, axis, today }: LanesProps) {
  const [limit, setLimit] = useState(() => Math.max(1, Math.ceil(window.innerHeight / LANE_HEIGHT)))
  useEffect(() => {
    if (limit < lanes.length) startTransition(() => setLimit(limit * 2))
  }, [limit, lanes.length])
  const shown = lanes
    .slice(0, limit)
    .map(({ type, items }) => ({
      type,
      bars: items.flatMap((item) => {
        const place = placeOf(item, axis, today)
        return place ? [{ item, place }] : []
      }),
    }))
    .filter(({ bars }) => bars.length > 0)
  return shown.map(({ type, bars }, index) => {
    const isFirst = index === 0 || shown[index - 1]?.type !== type
    return (
      <div key={bars[0]?.item.id} className={styles.row} data-first={isFirst ? '' : undefined}>
        <span className={styles.label} data-type={type ?? ''}>
          {isFirst && (type ?? 'No type')}
        </span>
        <div className={styles.lane} data-type={type ?? ''}>
          {bars.map(({ item, place }) => (
            <Bar key={item.id} gearId={gearId} item={item} place={place} today={today} />
          ))}
        </div>
      </div>
    )
  })
})

type BarProps = { gearId: number; item: Item; place: NonNullable<ReturnType<typeof placeOf>>; today: Day }

function Bar({ gearId, item, place, today }: BarProps) {
  const usage = useAtomValue(usageAtom(gearId))
  const { distance } = useAtomValue(unitsAtom)
  const ridden = usage.state === 'ready' ? usage.data.byItem.get(item.id) : undefined
  const isPlanned = item.dateStarted.slice(0, 10) > today
  return (
    <a
      href={detailsHref(gearId, item.id)}
      className={styles.bar}
      aria-label={labelOf(item, today, distance.format(ridden?.distance))}
      tabIndex={-1}
      data-stop=""
      data-key={`item-${item.id}`}
      data-day={dayNumber(item.dateStarted.slice(0, 10) as Day)}
      data-state={isPlanned ? 'planned' : isInUse(item, today) ? 'in-use' : 'ended'}
      data-starts-before={place.startsBefore ? '' : undefined}
      data-ends-after={place.endsAfter ? '' : undefined}
      style={{ insetInlineStart: percent(place.start), inlineSize: percent(place.width) }}
    >
      <span className={styles.fill}>
        <span className={styles.name}>{item.name}</span>
        {/* Drawn by the style sheet: the visible text must be a part of the link's name, which has the dates in between. */}
        <span className={styles.miles} data-text={ridden && distance.format(ridden.distance)} />
        <span className={styles.sign} data-text={signOf(item)} />
      </span>
    </a>
  )
}
