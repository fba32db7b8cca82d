import { useId } from 'react'

import styles from './Choice.module.css'

type Props<Value extends string> = {
  legend: string
  choices: readonly { value: Value; label: string; disabled?: boolean }[]
  chosen: Value
  onChoose: (value: Value) => void
}

/** Radio buttons in a row, drawn as one control. */
export function Choice<Value extends string>({ legend, choices, chosen, onChoose }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{legend}</legend>
      {choices.map(({ value, label, disabled = false }) => (
        <label key={value} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            disabled={disabled}
            onChange={() => onChoose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
