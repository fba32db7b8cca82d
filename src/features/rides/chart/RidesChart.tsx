import { useAtomValue, useSetAtom } from 'jotai'
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'

import { SegmentedControl } from '../../../components/SegmentedControl.tsx'
import { unitsAtom } from '../../../lib/chosen-units.ts'
import { filterRidesAtom } from '../filter-atoms.ts'
import type { RideRow } from '../rows.ts'
import { type Bar, periodsFor, toBars } from './bars.ts'
import { Bars } from './Bars.tsx'
import { describeBar, type MeasureId, measuresIn, summaryOf } from './measures.ts'
import { type Period, PERIODS } from './periods.ts'
import styles from './RidesChart.module.css'

const PERIOD_LABELS = { week: 'Week', month: 'Month', year: 'Year' } as const

/** Distance or moving time by week, month or year. Selecting a bar filters the list to its dates. */
export default function RidesChart({ rides }: { rides: RideRow[] }) {
  const filter = useSetAtom(filterRidesAtom)
  const caption = useId()
  const figure = useRef<HTMLElement>(null)
  const units = useAtomValue(unitsAtom)
  const [measureId, setMeasureId] = useState<MeasureId>('distance')
  const [chosen, setChosen] = useState<Period | null>(null)
  const [pointed, setPointed] = useState<Bar | null>(null)

  // Deferred, so the table updates first while typing.
  const deferred = useDeferredValue(rides)
  const { possible, best } = useMemo(() => periodsFor(deferred), [deferred])
  const period = chosen && possible.includes(chosen) ? chosen : best
  const bars = useMemo(() => toBars(deferred, period), [deferred, period])

  const measure = measuresIn(units)[measureId]

  const narrow = (bar: Bar) => {
    filter({ from: bar.start, to: bar.end }, 'choice')
    setPointed(null)
    // The bar disappears.
    figure.current?.focus()
  }

  return (
    <figure ref={figure} className={styles.chart} aria-labelledby={caption} tabIndex={-1}>
      <div className={styles.head}>
        <figcaption id={caption} className={styles.caption}>
          {`${measure.label} by ${period}`}
        </figcaption>
        <SegmentedControl
          legend="Measure"
          options={(['distance', 'time'] as const).map((value) => ({
            value,
            label: value === 'distance' ? 'Distance' : 'Time',
          }))}
          value={measureId}
          onChange={setMeasureId}
        />
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
      </div>
      <div className={styles.about}>
        <p className={styles.summary}>
          {pointed ? describeBar(pointed, period, units) : summaryOf(bars, period, measure, units)}
        </p>
        {bars.length > 0 && <p>Select a bar to filter</p>}
      </div>
      {bars.length > 0 && (
        <Bars bars={bars} period={period} measure={measure} onPoint={setPointed} onChoose={narrow} />
      )}
    </figure>
  )
}
