import { useAtom, useAtomValue } from 'jotai'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { allLifetimesAtom, type Choice, choiceAtom } from './atoms.ts'
import { NO_TYPE } from './links.ts'

export function LifetimeFilters() {
  const choice = useAtomValue(choiceAtom)
  const count = Object.values(choice).filter((value) => value !== '').length
  return (
    <PopoverButton label={count === 0 ? 'Filters' : `Filters (${count})`} isQuiet>
      {() => <FilterFields />}
    </PopoverButton>
  )
}

/** Lists options from all lifetimes, so choosing a filter doesn't remove the other options. */
function FilterFields() {
  const [choice, setChoice] = useAtom(choiceAtom)
  const all = useAtomValue(allLifetimesAtom)
  const bikeName = useAtomValue(bikeNameAtom)
  const known = all.state === 'ready' ? all.data.groups : []
  const lifetimes = known.flatMap((group) => group.lifetimes)
  const years = lifetimes.map(({ started }) => Number(started.slice(0, 4)))
  const [first, last] = [Math.min(...years), Number(useAtomValue(todayAtom).slice(0, 4))]
  const listed =
    years.length === 0
      ? []
      : Array.from({ length: Math.max(1, last - first + 1) }, (_, n) => String(last - n))
  const fields: [keyof Choice, string, { value: string; label: string }[]][] = [
    ['type', 'Type', optionsOf(known.map(({ type }) => type ?? NO_TYPE))],
    [
      'bike',
      'Bike',
      optionsOf(
        lifetimes.map(({ gear_id }) => String(gear_id)),
        (id) => bikeName(Number(id)),
      ),
    ],
    ['from', 'In use from', listed.map((year) => ({ value: year, label: year }))],
    ['to', 'In use to', listed.map((year) => ({ value: year, label: year }))],
  ]
  return (
    <div className="stack">
      {fields.map(([key, label, options]) => (
        <label key={key} className="field">
          {label}
          <select
            value={choice[key]}
            onChange={(event) => setChoice({ ...choice, [key]: event.target.value })}
          >
            <option value="">All</option>
            {options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  )
}

function optionsOf(values: readonly string[], labelOf = (value: string) => value) {
  return [...new Set(values)]
    .map((value) => ({ value, label: labelOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}
