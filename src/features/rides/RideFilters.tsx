import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useId } from 'react'

import { DayField } from '../../components/DayField.tsx'
import { todayAtom } from '../../lib/clock.ts'
import {
  clearFiltersAtom,
  commitSearchAtom,
  filterRidesAtom,
  gearChoicesAtom,
  isNarrowedAtom,
  rideFiltersAtom,
  searchDraftAtom,
} from './filter-atoms.ts'
import styles from './RideFilters.module.css'

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

/** Milliseconds without typing before the search is written to the address. */
const PAUSE = 400

/** Filters the list on every key press, but updates the address only in pauses. */
function SearchField() {
  const { search } = useAtomValue(rideFiltersAtom)
  const [draft, setDraft] = useAtom(searchDraftAtom)
  const commit = useSetAtom(commitSearchAtom)

  useEffect(() => {
    if (draft === null) return undefined
    const pause = setTimeout(commit, PAUSE)
    return () => clearTimeout(pause)
  }, [draft, commit])
  // Another list starts without this draft.
  useEffect(() => () => setDraft(null), [setDraft])

  return (
    <label className={`${styles.field} ${styles.search}`}>
      Search names
      <input
        type="search"
        value={draft ?? search}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
      />
    </label>
  )
}
