import { useAtomValue, useSetAtom } from 'jotai'
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'

import { Choice } from '../../../components/Choice.tsx'
import { unitsAtom } from '../../../lib/chosen-units.ts'
import { filterRidesAtom } from '../filter-atoms.ts'
import type { RideRow } from '../rows.ts'
import { type Bar, periodsFor, toBars } from './bars.ts'
import { Bars } from './Bars.tsx'
import { inWords, type MeasureId, measuresIn, summaryOf } from './measures.ts'
import { type Period, PERIODS } from './periods.ts'
import styles from './RidesChart.module.css'

const PERIOD_LABELS = { week: 'Week', month: 'Month', year: 'Year' } as const

/** How far, or how long, was ridden by week, month or year. Choosing a bar narrows the list to its days. */
export default function RidesChart({ rides }: { rides: RideRow[] }) {
  const filter = useSetAtom(filterRidesAtom)
  const caption = useId()
  const figure = useRef<HTMLElement>(null)
  const units = useAtomValue(unitsAtom)
  const [measureId, setMeasureId] = useState<MeasureId>('distance')
  const [wanted, setWanted] = useState<Period | null>(null)
  const [pointed, setPointed] = useState<Bar | null>(null)

  // The table is redrawn first; nobody reads the picture while typing.
  const drawn = useDeferredValue(rides)
  const { possible, best } = useMemo(() => periodsFor(drawn), [drawn])
  const period = wanted && possible.includes(wanted) ? wanted : best
  const bars = useMemo(() => toBars(drawn, period), [drawn, period])

  const measure = measuresIn(units)[measureId]

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
          {`${measure.label} by ${period}`}
        </figcaption>
        <Choice
          legend="What the bars show"
          choices={(['distance', 'time'] as const).map((value) => ({
            value,
            label: value === 'distance' ? 'Distance' : 'Time',
          }))}
          chosen={measureId}
          onChoose={setMeasureId}
        />
        <Choice
          legend="A bar for each"
          choices={PERIODS.map((value) => ({
            value,
            label: PERIOD_LABELS[value],
            disabled: !possible.includes(value),
          }))}
          chosen={period}
          onChoose={setWanted}
        />
      </div>
      <p className={styles.words}>
        {pointed ? inWords(pointed, period, units) : summaryOf(bars, period, measure, units)}
      </p>
      {bars.length > 0 && (
        <Bars bars={bars} period={period} measure={measure} onPoint={setPointed} onChoose={narrow} />
      )}
    </figure>
  )
}
