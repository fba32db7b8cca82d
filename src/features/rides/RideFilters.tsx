import { useAtom, useAtomValue, useSetAtom } from 'jotai'

import { DayField } from '../../components/DayField.tsx'
import { SelectField, TextField } from '../../components/fields.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { useTypedText } from '../../components/typed-text.ts'
import { usePause } from '../../components/use-pause.ts'
import { todayAtom } from '../../lib/clock.ts'
import { quote, useFormats } from '../../lib/formats.ts'
import {
  activeFiltersAtom,
  chosenGearAtom,
  clearFiltersAtom,
  commitSearchAtom,
  effectiveFiltersAtom,
  filterRidesAtom,
  gearChoicesAtom,
  presetOf,
  presetRanges,
  PRESETS,
  rideFiltersAtom,
  searchDraftAtom,
} from './filters.ts'
import styles from './RidesList.module.css'

export function RideFilters() {
  const { gear } = useAtomValue(rideFiltersAtom)
  const choices = useAtomValue(gearChoicesAtom)
  const filter = useSetAtom(filterRidesAtom)

  return (
    <search className={styles.filters} tabIndex={-1}>
      <DayFilters />
      <div className={styles.wide}>
        <SelectField
          label="Gear"
          value={gear}
          options={choices}
          onChange={(gear) => filter({ gear }, 'choice')}
        />
      </div>
      <MinimumField />
      <SearchField />
    </search>
  )
}

export function ActiveFilters() {
  const active = useAtomValue(activeFiltersAtom)
  const { from, to, min, search } = useAtomValue(effectiveFiltersAtom)
  const today = useAtomValue(todayAtom)
  const formats = useFormats()
  const { label } = useAtomValue(chosenGearAtom)
  if (active.length === 0) return null

  const preset = PRESETS.find(({ value }) => value === presetOf({ from, to }, today))
  const days = preset ? preset.label : `${formats.day(from)} – ${formats.day(to ?? today)}`
  const texts = {
    from: days,
    to: days,
    gear: label,
    min: `at least ${formats.distance.format(min)}`,
    search: quote(search),
  }
  return <p className={styles.active}>{[...new Set(active.map((name) => texts[name]))].join(' · ')}</p>
}

export function ClearFilters() {
  const isNarrowed = useAtomValue(activeFiltersAtom).length > 0
  const clear = useSetAtom(clearFiltersAtom)
  if (!isNarrowed) return null
  return (
    <button type="button" onClick={clear}>
      Clear filters
    </button>
  )
}

function DayFilters() {
  const { from, to } = useAtomValue(rideFiltersAtom)
  const isFromSet = useAtomValue(activeFiltersAtom).includes('from')
  const today = useAtomValue(todayAtom)
  const filter = useSetAtom(filterRidesAtom)

  return (
    <>
      <DayField
        label="From"
        value={from}
        picked={isFromSet ? from : null}
        calendarAt={to ?? today}
        onChange={(day) => filter({ from: day }, 'typing')}
        problem={to !== null && from > to ? '“From” is after “To”.' : null}
      />
      <DayField
        label="To"
        value={to ?? today}
        picked={to}
        calendarAt={isFromSet ? from : today}
        onChange={(day) => filter({ to: day }, 'typing')}
      />
      <div className={`screen-only ${styles.presets}`}>
        <span aria-hidden>Dates</span>
        <SegmentedControl
          legend="Dates"
          options={PRESETS}
          value={presetOf({ from, to }, today)}
          onChange={(preset) => filter(presetRanges(today)[preset], 'choice')}
        />
      </div>
    </>
  )
}

function MinimumField() {
  const { min } = useAtomValue(rideFiltersAtom)
  const { distance } = useFormats()
  const filter = useSetAtom(filterRidesAtom)
  const parse = (text: string) => parseMinimum(text, distance.toStored)
  const { text, isUnreadable, type, leave } = useTypedText(min, parse, (min) => filter({ min }, 'typing'))
  return (
    <TextField
      label={`Min distance (${distance.unit})`}
      inputMode="decimal"
      value={text ?? (min > 0 ? String(distance.of(min)) : '')}
      problem={isUnreadable ? 'Enter a number.' : undefined}
      onChange={type}
      onBlur={leave}
    />
  )
}

/** Parses a distance. Returns 0 for empty text, and null if the text is invalid. */
function parseMinimum(text: string, toStored: (shown: number) => number): number | null {
  return /^\s*(\d{0,5}|\d{0,5}\.\d*)\s*$/.test(text) ? toStored(Number(text)) || 0 : null
}

function SearchField() {
  const { search } = useAtomValue(rideFiltersAtom)
  const [draft, setDraft] = useAtom(searchDraftAtom)
  const commit = useSetAtom(commitSearchAtom)

  usePause(draft, commit, setDraft)

  return (
    <div className={styles.search}>
      <TextField
        label="Search names"
        type="search"
        value={draft ?? search}
        spellCheck={false}
        onChange={setDraft}
        onBlur={commit}
      />
    </div>
  )
}
