import { type KeyboardEvent, useState } from 'react'

import type { RideAxis } from '../../../supabase/functions/_shared/axes.ts'
import { useFormats } from '../../lib/formats.ts'
import type { Group, Lifetime } from './api.ts'
import { amountOf } from '../../../supabase/functions/_shared/messages/lifetime-stats.ts'
import styles from './Lifetimes.module.css'
import { hrefOf, useDescribe } from './links.ts'

const HEIGHT = 24
const MIDDLE = HEIGHT / 2

type Props = {
  group: Group
  axis: RideAxis
  /** The end of the axis, in the shown unit. */
  top: number
  onPoint: (lifetime: Lifetime | null) => void
}

export function Marks({ group, axis, top, onPoint }: Props) {
  const formats = useFormats()
  const describe = useDescribe()
  const [focused, setFocused] = useState(0)
  const lifetimes = group.lifetimes
    .filter(({ distance }) => distance > 0)
    .toSorted((a, b) => a[axis] - b[axis])
  const stop = Math.min(focused, lifetimes.length - 1)
  const percent = (value: number) => `${(amountOf(value, axis, formats) / top) * 100}%`

  const press = (event: KeyboardEvent) => {
    const target = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: lifetimes.length - 1 }[
      event.key
    ]
    if (target === undefined || !lifetimes[target]) return
    setFocused(target)
    event.currentTarget.parentElement?.querySelectorAll<SVGElement>('a')[target]?.focus()
    event.preventDefault()
  }

  return (
    <svg className={styles.marks} height={HEIGHT} role="group" aria-label={`Lifetimes of ${group.name}`}>
      {[0, 50, 100].map((part) => (
        <line key={part} className={styles.grid} x1={`${part}%`} x2={`${part}%`} y1="0" y2={HEIGHT} />
      ))}
      {group.range && group.finished > 1 && (
        <line
          className={styles.range}
          x1={percent(group.range[axis][0])}
          x2={percent(group.range[axis][1])}
          y1={MIDDLE}
          y2={MIDDLE}
        />
      )}
      {lifetimes.map((lifetime, index) => (
        <a
          key={lifetime.part_id}
          href={hrefOf(lifetime)}
          aria-label={describe(lifetime, axis)}
          tabIndex={index === stop ? 0 : -1}
          onKeyDown={press}
          onFocus={() => {
            setFocused(index)
            onPoint(lifetime)
          }}
          onBlur={() => onPoint(null)}
          onPointerEnter={() => onPoint(lifetime)}
          onPointerLeave={() => onPoint(null)}
        >
          <Mark lifetime={lifetime} x={percent(lifetime[axis])} />
        </a>
      ))}
    </svg>
  )
}

function Mark({ lifetime, x }: { lifetime: Lifetime; x: string }) {
  return (
    <>
      {lifetime.running && <line className={styles.running} x1="0" x2={x} y1={MIDDLE} y2={MIDDLE} />}
      <circle className="chart-hit" cx={x} cy={MIDDLE} r="12" />
      {lifetime.running ? (
        <svg x={x} y={MIDDLE} overflow="visible">
          <path className={styles.arrow} d="M-7-5 0 0-7 5" />
        </svg>
      ) : (
        <circle className={lifetime.finished ? styles.dot : styles.open} cx={x} cy={MIDDLE} r="4.5" />
      )}
    </>
  )
}
