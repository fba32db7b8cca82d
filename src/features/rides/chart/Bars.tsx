import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useState } from 'react'

import { unitsAtom } from '../../../lib/chosen-units.ts'
import { roundUp } from '../../../lib/scale.ts'
import type { Bar } from './bars.ts'
import { describeBar, type Measure } from './measures.ts'
import type { Period } from './periods.ts'
import { tickOf } from './scale.ts'
import styles from './Bars.module.css'

// Heights and minimum bar widths in pixels. Horizontal positions are percentages, so the chart fills its container.
const PLOT_HEIGHT = 104
const HEIGHT = 124
const MIN_WIDTH = 6
const FEW = 14
const MIN_WIDTH_OF_FEW = 44

type Props = {
  bars: readonly Bar[]
  period: Period
  measure: Measure
  /** Called with the hovered or focused bar, or null. */
  onPoint: (bar: Bar | null) => void
  onChoose: (bar: Bar) => void
}

/** Bars as buttons: one tab stop, with arrow keys, Home and End. */
export function Bars({ bars, period, measure, onPoint, onChoose }: Props) {
  const [focused, setFocused] = useState(Infinity)
  const stop = Math.min(focused, bars.length - 1)
  const units = useAtomValue(unitsAtom)
  const { valueOf, tick } = measure
  const top = roundUp(Math.max(0, ...bars.map(valueOf)))
  const minWidth = bars.length > FEW ? MIN_WIDTH : MIN_WIDTH_OF_FEW

  const press = (event: KeyboardEvent<SVGElement>) => {
    const bar = bars[stop]
    if (bar && (event.key === 'Enter' || event.key === ' ')) onChoose(bar)
    else {
      const target = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: bars.length - 1 }[event.key]
      if (target === undefined || !bars[target]) return
      setFocused(target)
      event.currentTarget.parentElement?.querySelectorAll<SVGElement>('[role=button]')[target]?.focus()
    }
    event.preventDefault()
  }

  return (
    <div className={styles.plot}>
      <div className={styles.scale} aria-hidden>
        <span>{tick(top)}</span>
        <span>{tick(top / 2)}</span>
        <span>0</span>
      </div>
      <div className={styles.scroller}>
        <svg
          role="group"
          aria-label="Chart bars: select one to see only its rides"
          className={styles.bars}
          height={HEIGHT}
          style={{ minInlineSize: bars.length * minWidth }}
        >
          {[0, 0.5, 1].map((part) => (
            <line key={part} x1="0" x2="100%" y1={PLOT_HEIGHT * part + 1} y2={PLOT_HEIGHT * part + 1} />
          ))}
          {bars.map((bar, index) => (
            <g
              key={bar.start}
              role="button"
              aria-label={describeBar(bar, period, units)}
              tabIndex={index === stop ? 0 : -1}
              onClick={() => onChoose(bar)}
              onKeyDown={press}
              onFocus={() => {
                setFocused(index)
                onPoint(bar)
              }}
              onBlur={() => onPoint(null)}
              onPointerEnter={() => onPoint(bar)}
              onPointerLeave={() => onPoint(null)}
            >
              <BarShape
                index={index}
                count={bars.length}
                height={(valueOf(bar) / top) * PLOT_HEIGHT}
                tick={tickOf(bar, index, bars.length, period)}
              />
            </g>
          ))}
        </svg>
      </div>
    </div>
  )
}

type Shape = { index: number; count: number; height: number; tick: string | null }

/** The bar, its axis label, and a hit area of full height. */
function BarShape({ index, count, height, tick }: Shape) {
  const [x, width] = [index / count, 1 / count]
  return (
    <>
      <rect className={styles.hitArea} x={percent(x)} width={percent(width)} height={HEIGHT} />
      <rect
        className={styles.bar}
        x={percent(x + width / 2)}
        y={PLOT_HEIGHT + 1 - height}
        style={{ width: `min(${percent(width * 0.76)}, 4rem)` }}
        height={height}
        rx="1.5"
      />
      {tick && (
        <text {...labelPlace(index, count)} y={HEIGHT - 4} aria-hidden>
          {tick}
        </text>
      )}
    </>
  )
}

/** Where a label is next to its bar. The last ones end at their bar, since they would not fit on the chart. */
function labelPlace(index: number, count: number) {
  if (count <= FEW) return { x: percent((index + 0.5) / count), textAnchor: 'middle' } as const
  if (index < 0.92 * count) return { x: percent(index / count), textAnchor: 'start' } as const
  return { x: percent((index + 1) / count), textAnchor: 'end' } as const
}

function percent(part: number): string {
  return `${part * 100}%`
}
