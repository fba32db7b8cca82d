import { useAtomValue, useSetAtom } from 'jotai'
import { useId } from 'react'

import { DayField } from '../../components/DayField.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { clearFiltersAtom, filterRidesAtom, isNarrowedAtom, rideFiltersAtom } from './filter-atoms.ts'
import { gearChoicesAtom } from './gears.ts'
import styles from './RideFilters.module.css'
import { SearchField } from './SearchField.tsx'

export function RideFilters() {
  const { from, to, gear } = useAtomValue(rideFiltersAtom)
  const today = useAtomValue(todayAtom)
  const isNarrowed = useAtomValue(isNarrowedAtom)
  const choices = useAtomValue(gearChoicesAtom)
  const gearId = useId()
  const filter = useSetAtom(filterRidesAtom)
  const clear = useSetAtom(clearFiltersAtom)

  return (
    <search className={styles.filters} tabIndex={-1}>
      <DayField
        label="From"
        value={from}
        onChange={(day) => filter({ from: day }, 'typing')}
        problem={to !== null && from > to ? '“From” is after “To”.' : null}
      />
      <DayField label="To" value={to ?? today} onChange={(day) => filter({ to: day }, 'typing')} />
      <div className={styles.field}>
        <label htmlFor={gearId}>Gear</label>
        <select id={gearId} value={gear} onChange={(event) => filter({ gear: event.target.value }, 'choice')}>
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <SearchField />
      {isNarrowed && (
        <button type="button" className={styles.clear} onClick={clear}>
          Clear filters
        </button>
      )}
    </search>
  )
}
