import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react'

import { BarChart, WIDE_BARS } from '../../../components/BarChart.tsx'
import { SegmentedControl } from '../../../components/SegmentedControl.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { roundUp } from '../../../lib/scale.ts'
import { isPhoneAtom } from '../../../lib/screen.ts'
import { filterPeriodAtom } from '../filters.ts'
import { LeftOut } from '../LeftOut.tsx'
import type { RideRow } from '../rows.ts'
import {
  type Bar,
  describeBar,
  type Measure,
  type MeasureId,
  measuresIn,
  periodsFor,
  summaryOf,
  tickOf,
  toBars,
  without,
} from './bars.ts'
import { type Period, PERIODS } from './periods.ts'
import styles from './RidesChart.module.css'

const MEASURES = [
  { value: 'distance', label: 'Distance' },
  { value: 'time', label: 'Time' },
] as const

const PERIOD_LABELS = { week: 'Week', month: 'Month', year: 'Year' } as const

type ChartProps = { rides: RideRow[]; doubted: readonly { id: number }[]; isPlain: boolean }

/**
 * Charts rides per period, without doubted ones, whose days would stretch the chart. Selecting a bar filters the list to its
 * dates. `isPlain` hides the controls and text.
 */
export default function RidesChart({ rides, doubted, isPlain }: ChartProps) {
  const filter = useSetAtom(filterPeriodAtom)
  const caption = useId()
  const figure = useRef<HTMLElement>(null)
  const formats = useFormats()
  const [measureId, setMeasureId] = useState<MeasureId>('distance')
  const [chosen, setChosen] = useState<Period | null>(null)
  const [pointed, setPointed] = useState<Bar | null>(null)

  // Deferred, so the table updates first while typing.
  const shown = useDeferredValue(rides)
  const deferred = useMemo(() => without(shown, doubted), [shown, doubted])
  const { possible, best } = useMemo(() => periodsFor(deferred), [deferred])
  const period = chosen && possible.includes(chosen) ? chosen : best
  const bars = useMemo(() => toBars(deferred, period, formats), [deferred, period, formats])

  const measure = measuresIn(formats)[measureId]

  const narrow = (bar: Bar) => {
    filter(bar)
    setPointed(null)
    // The focused bar disappears.
    figure.current?.focus()
  }

  return (
    <figure ref={figure} className={styles.chart} aria-labelledby={caption} tabIndex={-1}>
      <div className="row">
        <figcaption id={caption} className={styles.caption}>
          {`${measure.label} by ${period}`}
        </figcaption>
        {!isPlain && (
          <>
            <SegmentedControl legend="Measure" options={MEASURES} value={measureId} onChange={setMeasureId} />
            <SegmentedControl
              legend="Period"
              options={PERIODS.map((value) => ({
                value,
                label: PERIOD_LABELS[value],
                disabled: !possible.includes(value),
              }))}
              value={period}
              onChange={setChosen}
            />
          </>
        )}
      </div>
      {!isPlain && (
        <div className={styles.about}>
          <p className={styles.summary}>
            {pointed ? describeBar(pointed, period, formats) : summaryOf(bars, period, measure, formats)}
          </p>
          {bars.length > 0 && <p className="screen-only">Select a bar to filter</p>}
        </div>
      )}
      {bars.length > 0 && (
        <Bars bars={bars} period={period} measure={measure} onPoint={setPointed} onChoose={narrow} />
      )}
      <LeftOut count={shown.length - deferred.length} />
    </figure>
  )
}

// In pixels.
const PLOT_HEIGHT = 104
const PHONE_PLOT_HEIGHT = 56
const MIN_WIDTH = 6
/** Wide enough for a thumb. */
const PHONE_MIN_WIDTH = 24
/** Wide enough for a label and a thumb. */
const MIN_WIDTH_OF_WIDE = 44

type Props = {
  bars: readonly Bar[]
  period: Period
  measure: Measure
  onPoint: (bar: Bar | null) => void
  onChoose: (bar: Bar) => void
}

function Bars({ bars, period, measure, onPoint, onChoose }: Props) {
  const [focused, setFocused] = useState(Infinity)
  const stop = Math.min(focused, bars.length - 1)
  const formats = useFormats()
  const { valueOf, tick } = measure
  const top = roundUp(Math.max(0, ...bars.map(valueOf)))
  const isPhone = useAtomValue(isPhoneAtom)
  const plot = isPhone ? PHONE_PLOT_HEIGHT : PLOT_HEIGHT
  const minWidth = isPhone ? PHONE_MIN_WIDTH : bars.length > WIDE_BARS ? MIN_WIDTH : MIN_WIDTH_OF_WIDE

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
    <BarChart
      role="group"
      aria-label="Chart bars: select one to see only its rides"
      style={{ minInlineSize: bars.length * minWidth }}
      plot={plot}
      scale={[tick(top), tick(top / 2), '0']}
      bars={bars.map((bar, index) => ({
        id: bar.start,
        tick: tickOf(bar, index, bars.length, period, formats),
        parts: [{ share: valueOf(bar) / top, rx: 1.5 }],
        role: 'button',
        'aria-label': describeBar(bar, period, formats),
        tabIndex: index === stop ? 0 : -1,
        onClick: () => onChoose(bar),
        onKeyDown: press,
        onFocus() {
          setFocused(index)
          onPoint(bar)
        },
        onBlur: () => onPoint(null),
        onPointerEnter: () => onPoint(bar),
        onPointerLeave: () => onPoint(null),
      }))}
    />
  )
}
