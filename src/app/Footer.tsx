import { useAtom } from 'jotai'

import { SegmentedControl } from '../components/SegmentedControl.tsx'
import { Export } from '../features/export'
import { Import } from '../features/import'
import { chosenUnitsAtom } from '../lib/chosen-units.ts'
import styles from './Footer.module.css'
import { Shortcuts } from './Shortcuts.tsx'

const UNITS = [
  { value: 'miles', label: 'Miles' },
  { value: 'kilometers', label: 'Kilometers' },
] as const

/** Controls for the tracker as opposed to one bike. */
export function Footer() {
  const [units, setUnits] = useAtom(chosenUnitsAtom)
  return (
    <footer className={styles.footer}>
      <Import />
      <Export />
      <Shortcuts />
      <div className={styles.units}>
        <SegmentedControl legend="Units" options={UNITS} value={units} onChange={setUnits} />
      </div>
    </footer>
  )
}
