import { useAtomValue, useSetAtom } from 'jotai'

import { DayField } from '../../components/DayField.tsx'
import { filterRidesAtom, gearChoicesAtom, rideFiltersAtom } from './atoms.ts'
import styles from './RideFilters.module.css'

export function RideFilters() {
  const { from, to, gear } = useAtomValue(rideFiltersAtom)
  const choices = useAtomValue(gearChoicesAtom)
  const filter = useSetAtom(filterRidesAtom)

  return (
    <div className={styles.filters}>
      <DayField label="From" value={from} onChange={(day) => filter({ from: day })} />
      <DayField label="To" value={to} onChange={(day) => filter({ to: day })} />
      <label className={styles.gear}>
        Gear
        <select value={gear} onChange={(event) => filter({ gear: event.target.value })}>
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
