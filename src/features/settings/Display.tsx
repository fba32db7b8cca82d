import { useAtomValue, useSetAtom } from 'jotai'

import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { useFormats } from '../../lib/formats.ts'
import { settingsAtom } from '../../lib/settings.ts'
import { saveSettingsAtom } from './save.ts'
import styles from './Settings.module.css'

const DISTANCES = [
  { value: 'mi', label: 'Miles' },
  { value: 'km', label: 'Kilometers' },
] as const

export function Display() {
  const { distance } = useAtomValue(settingsAtom)
  const save = useSetAtom(saveSettingsAtom)
  const formats = useFormats()
  return (
    <div className={styles.fields}>
      <span aria-hidden>Distance</span>
      <SegmentedControl
        legend="Distance"
        options={DISTANCES}
        value={distance}
        onChange={(chosen) => void save({ distance: chosen })}
      />
      <span>Example</span>
      <p role="status" className={styles.example}>
        {formats.distance.format(42_195)}
      </p>
    </div>
  )
}
