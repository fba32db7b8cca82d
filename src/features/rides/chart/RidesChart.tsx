import { useSetAtom } from 'jotai'
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'

import { filterRidesAtom } from '../filter-atoms.ts'
import type { RideRow } from '../rows.ts'
import { type Bar, toBars, unitsFor } from './bars.ts'
import { Bars } from './Bars.tsx'
import { Choice } from './Choice.tsx'
import { type ChartMeasure, inWords, MEASURES, summaryOf } from './measures.ts'
import { type Unit, UNITS } from './periods.ts'
import styles from './RidesChart.module.css'

const UNIT_LABELS = { week: 'Week', month: 'Month', year: 'Year' } as const

/** How far, or how long, was ridden by week, month or year. Choosing a bar narrows the list to its days. */
export default function RidesChart({ rides }: { rides: RideRow[] }) {
  const filter = useSetAtom(filterRidesAtom)
  const caption = useId()
  const figure = useRef<HTMLElement>(null)
  const [measure, setMeasure] = useState<ChartMeasure>('distance')
  const [wanted, setWanted] = useState<Unit | null>(null)
  const [pointed, setPointed] = useState<Bar | null>(null)

  // The table is redrawn first; nobody reads the picture while typing.
  const drawn = useDeferredValue(rides)
  const { possible, best } = useMemo(() => unitsFor(drawn), [drawn])
  const unit = wanted && possible.includes(wanted) ? wanted : best
  const bars = useMemo(() => toBars(drawn, unit), [drawn, unit])

  const narrow = (bar: Bar) => {
    filter({ from: bar.start, to: bar.end }, 'choice')
    setPointed(null)
    // The bar itself will be gone.
    figure.current?.focus()
  }

  return (
    <figure ref={figure} className={styles.chart} aria-labelledby={caption} tabIndex={-1}>
      <div className={styles.head}>
        <figcaption id={caption} className={styles.caption}>
          {`${MEASURES[measure].label} by ${unit}`}
        </figcaption>
        <Choice
          legend="What the bars show"
          choices={(['distance', 'time'] as const).map((value) => ({
            value,
            label: value === 'distance' ? 'Distance' : 'Time',
          }))}
          chosen={measure}
          onChoose={setMeasure}
        />
        <Choice
          legend="A bar for each"
          choices={UNITS.map((value) => ({
            value,
            label: UNIT_LABELS[value],
            disabled: !possible.includes(value),
          }))}
          chosen={unit}
          onChoose={setWanted}
        />
      </div>
      <p className={styles.words}>{pointed ? inWords(pointed, unit) : summaryOf(bars, unit, measure)}</p>
      {bars.length > 0 && (
        <Bars bars={bars} unit={unit} measure={measure} onPoint={setPointed} onChoose={narrow} />
      )}
    </figure>
  )
}
