import { useAtomValue } from 'jotai'
import { memo, startTransition, useEffect, useState } from 'react'

import { useFormats } from '../../../lib/formats.ts'
import type { Day } from '../../../lib/days.ts'
import { type Item, phaseOf } from '../../entries/fields.ts'
import { detailsHref, logHref } from '../../entries/links.ts'
import { usageAtom } from '../../entries/usage.ts'
import { type Axis, dayNumber, type Lane, percent, placeOf, type Service, styleAt } from './layout.ts'
import styles from './Timeline.module.css'
import { labelOf, marksLabel, reasonOf } from './bar-labels.ts'

/** The height of a lane, in pixels. */
const LANE_HEIGHT = 36

type MarksProps = { gearId: number; clusters: readonly Service[][]; axis: Axis }

export const Marks = memo(function Marks({ gearId, clusters, axis }: MarksProps) {
  const formats = useFormats()
  return (
    <div className={styles.row}>
      <span className={styles.label}>Service</span>
      <div className={styles.lane}>
        {clusters.map((cluster, index) => {
          const first = cluster[0]!
          const props = {
            className: `${styles.mark} on-paper`,
            'data-stop': '',
            'data-key': `marks-${index}`,
            'data-day': dayNumber(first.day),
            'aria-label': marksLabel(cluster, formats),
            tabIndex: -1,
            style: styleAt(dayNumber(first.day) + 0.5, axis),
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

/** Renders long logs in chunks, like the table, starting with the visible lanes. */
export const Lanes = memo(function Lanes({ gearId, lanes, axis, today }: LanesProps) {
  const [limit, setLimit] = useState(() => Math.max(1, Math.ceil(window.innerHeight / LANE_HEIGHT)))
  useEffect(() => {
    if (limit < lanes.length) startTransition(() => setLimit(limit * 2))
  }, [limit, lanes.length])
  const shown = lanes
    .slice(0, limit)
    .map(({ type, items }) => ({
      id: items[0]?.id,
      type,
      bars: items.flatMap((item) => {
        const place = placeOf(item, axis, today)
        return place ? [{ item, place }] : []
      }),
    }))
    .filter(({ bars }) => bars.length > 0)
  return shown.map(({ id, type, bars }, index) => {
    const isFirst = index === 0 || shown[index - 1]?.type !== type
    return (
      <div key={id} className={styles.row} data-first={isFirst ? '' : undefined}>
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
  const formats = useFormats()
  const totals = usage.state === 'ready' ? usage.data.byItem.get(item.id) : undefined
  return (
    <a
      href={detailsHref(gearId, item.id)}
      className={styles.bar}
      aria-label={labelOf(item, today, totals?.distance, formats)}
      tabIndex={-1}
      data-stop=""
      data-key={`item-${item.id}`}
      data-day={dayNumber(item.dateStarted.slice(0, 10) as Day)}
      data-state={phaseOf(item, today)}
      data-starts-before={place.startsBefore ? '' : undefined}
      data-ends-after={place.endsAfter ? '' : undefined}
      style={{ insetInlineStart: percent(place.start), inlineSize: percent(place.width) }}
    >
      <span className={styles.fill}>
        <span className={styles.name}>{item.name}</span>
        {/* Not text, because a link's name must contain its visible text, but this name has the dates in between. */}
        <span className={styles.miles} data-text={totals && formats.distance.format(totals.distance)} />
        <span className={styles.reason} data-text={reasonOf(item)} />
      </span>
    </a>
  )
}
