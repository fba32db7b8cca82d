import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useId, useMemo } from 'react'

import { Failure } from '../../../components/ResourceView.tsx'
import { todayAtom } from '../../../lib/clock.ts'
import { dayOf } from '../../../lib/days.ts'
import { isPhoneAtom } from '../../../lib/screen.ts'
import { isWork, type Item } from '../../entries/fields.ts'
import { DayChoice, DaySummary, PartsOnDay } from '../parts-on-day/PartsOnDay.tsx'
import { dayAtom } from '../parts-on-day/day.ts'
import type { ViewProps } from '../../entries/shown-items.ts'
import { timelineAtom, yearAtom } from './atoms.ts'
import { Chart } from './Chart.tsx'
import { type Service, yearsOf } from './layout.ts'
import type { Timeline as TimelineData } from '../../../../supabase/functions/maintenance-use/contract.ts'
import styles from './Timeline.module.css'

const NOTHING: TimelineData = { months: [], services: [] }

export default function Timeline({ gearId, shown: items }: ViewProps) {
  const timeline = useAtomValue(timelineAtom(gearId))
  const reload = useSetAtom(timelineAtom(gearId).reloadAtom)
  const [year, setYear] = useAtom(yearAtom)
  const { day } = useAtomValue(dayAtom)
  const isPhone = useAtomValue(isPhoneAtom)
  const yearId = useId()
  const { months, services } = timeline.state === 'ready' ? timeline.data : NOTHING
  const isLoading = timeline.state === 'loading'
  const marks = useMemo(() => marksOf(items, services), [items, services])
  const failure = timeline.state === 'failed' ? timeline.error : null

  return (
    <>
      {failure && (
        <Failure what="The rides and services could not be loaded." error={failure} retry={reload} />
      )}
      <div className={styles.tools}>
        <YearChoice id={yearId} items={items} months={months} year={year} onChange={setYear} />
        <DayChoice />
        {day && !isPhone && <DaySummary gearId={gearId} day={day} />}
        {!day && <p className="note wide-only">Drag across the chart to pick a day</p>}
      </div>
      {/* A phone's chart is higher than the screen. */}
      {day && isPhone && <PartsOnDay gearId={gearId} day={day} />}
      <div className={styles.page} data-day={day ?? undefined}>
        <Chart
          gearId={gearId}
          items={items}
          months={months}
          isLoading={isLoading}
          services={marks}
          yearId={yearId}
        />
        {day && !isPhone && <PartsOnDay gearId={gearId} day={day} />}
      </div>
    </>
  )
}

/** Lists work and the shown parts' services. A paid service, which is also a log entry, gets one mark. */
function marksOf(items: readonly Item[], services: TimelineData['services']): Service[] {
  const shown = new Map(items.map((item) => [item.id, item]))
  const paid = new Set(services.map(({ paid_item_id }) => paid_item_id))
  const work = items.filter((item) => isWork(item) && !paid.has(item.id))
  return [
    ...work.map(({ id, name, dateStarted }) => ({ day: dayOf(dateStarted), name, itemId: id })),
    ...services
      .filter(({ item_id }) => item_id === null || shown.has(item_id))
      .map(({ day, name, item_id, paid_item_id }) => {
        const part = item_id === null ? undefined : shown.get(item_id)?.name
        return { day, name: part === undefined ? name : `${name}, ${part}`, itemId: item_id ?? paid_item_id }
      }),
  ]
}

type YearProps = {
  id: string
  items: readonly Item[]
  months: TimelineData['months']
  year: string
  onChange: (year: string) => void
}

function YearChoice({ id, items, months, year, onChange }: YearProps) {
  const today = useAtomValue(todayAtom)
  const years = yearsOf(items, months, today)
  // The address may contain a year without entries.
  const listed = year === '' || years.includes(year) ? years : [...years, year]
  const index = years.indexOf(year)
  return (
    <div className={`field ${styles.year}`}>
      <label htmlFor={id}>Years</label>
      <div>
        <button
          type="button"
          aria-label="Previous year"
          disabled={years[index + 1] === undefined}
          onClick={() => onChange(years[index + 1] ?? '')}
        >
          ‹
        </button>
        <select id={id} value={year} onChange={(event) => onChange(event.target.value)}>
          <option value="">All</option>
          {listed.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <button
          type="button"
          aria-label="Next year"
          disabled={index < 1}
          onClick={() => onChange(years[index - 1] ?? '')}
        >
          ›
        </button>
      </div>
    </div>
  )
}
