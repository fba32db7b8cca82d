import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'

import { unitsAtom } from '../../../lib/chosen-units.ts'
import type { Bar } from './bars.ts'
import { inWords, type Measure } from './measures.ts'
import type { Period } from './periods.ts'
import { roundUp, tickOf } from './scale.ts'
import styles from './Bars.module.css'

/** Pixels. A bar's place is in per cent, so that the picture is as wide as there is room. */
const PLOT_HEIGHT = 104
const HEIGHT = 124
const NARROWEST = 7
const FEW = 14
const NARROWEST_OF_FEW = 44
/** Fewer bars than this leave room beside them, rather than growing into blocks. */
const FEWEST = 6

type Props = {
  bars: readonly Bar[]
  period: Period
  measure: Measure
  /** A bar that is pointed at or has the focus; null when none is any more. */
  onPoint: (bar: Bar | null) => void
  onChoose: (bar: Bar) => void
}

/** Bars that are buttons: one stop for Tab, and the arrows, Home and End go from bar to bar. */
export function Bars({ bars, period, measure, onPoint, onChoose }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState(Infinity)
  const stop = Math.min(wanted, bars.length - 1)
  const units = useAtomValue(unitsAtom)
  const { valueOf, mark } = measure
  const top = roundUp(Math.max(0, ...bars.map(valueOf)))
  const places = Math.max(bars.length, FEWEST)
  const narrowest = bars.length > FEW ? NARROWEST : NARROWEST_OF_FEW

  // The newest are what one looks for first.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = bars.length * narrowest
  }, [bars, narrowest])

  const press = (event: KeyboardEvent<SVGElement>) => {
    const bar = bars[stop]
    if (bar && (event.key === 'Enter' || event.key === ' ')) onChoose(bar)
    else {
      const target = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: bars.length - 1 }[event.key]
      if (target === undefined || !bars[target]) return
      setWanted(target)
      event.currentTarget.parentElement?.querySelectorAll<SVGElement>('[role=button]')[target]?.focus()
    }
    event.preventDefault()
  }

  return (
    <div className={styles.plot}>
      <div className={styles.scale} aria-hidden>
        <span>{mark(top)}</span>
        <span>{mark(top / 2)}</span>
        <span>0</span>
      </div>
      <div ref={scroller} className={styles.scroller}>
        <svg
          role="group"
          aria-label="Bars; choosing one narrows the dates"
          className={styles.bars}
          height={HEIGHT}
          style={{ minInlineSize: bars.length * narrowest }}
        >
          {[0, 0.5, 1].map((part) => (
            <line key={part} x1="0" x2="100%" y1={PLOT_HEIGHT * part + 1} y2={PLOT_HEIGHT * part + 1} />
          ))}
          {bars.map((bar, index) => (
            <g
              key={bar.start}
              role="button"
              aria-label={inWords(bar, period, units)}
              tabIndex={index === stop ? 0 : -1}
              onClick={() => onChoose(bar)}
              onKeyDown={press}
              onFocus={() => {
                setWanted(index)
                onPoint(bar)
              }}
              onBlur={() => onPoint(null)}
              onPointerEnter={() => onPoint(bar)}
              onPointerLeave={() => onPoint(null)}
            >
              <BarShape
                place={index / places}
                width={1 / places}
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

type Shape = { place: number; width: number; height: number; tick: string | null }

/** The bar, its mark on the axis, and all the room above it, which is as good as the bar to point at. */
function BarShape({ place, width, height, tick }: Shape) {
  return (
    <>
      <rect className={styles.room} x={percent(place)} width={percent(width)} height={HEIGHT} />
      <rect
        className={styles.bar}
        x={percent(place + width * 0.12)}
        y={PLOT_HEIGHT + 1 - height}
        width={percent(width * 0.76)}
        height={height}
        rx="1.5"
      />
      {tick && (
        <text x={percent(place + width * 0.12)} y={HEIGHT - 4} aria-hidden>
          {tick}
        </text>
      )}
    </>
  )
}

function percent(part: number): string {
  return `${part * 100}%`
}
