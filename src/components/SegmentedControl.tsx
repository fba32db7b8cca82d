import { useId } from 'react'

import styles from './SegmentedControl.module.css'

type Props<Value extends string> = {
  legend: string
  options: readonly { value: Value; label: string; disabled?: boolean }[]
  /** Null if no option is chosen. */
  value: Value | null
  onChange: (value: Value) => void
}

export function SegmentedControl<Value extends string>(props: Props<Value>) {
  const { legend, options, value: selected, onChange } = props
  const name = useId()
  return (
    <fieldset className={styles.control}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map(({ value, label, disabled = false }) => (
        <label key={value} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={value === selected}
            disabled={disabled}
            onChange={() => onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
