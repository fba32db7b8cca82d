import type { ReactNode } from 'react'

import styles from './Choices.module.css'

type ChoicesProps<T> = {
  legend: string
  options: readonly { value: T; label: string; about?: string; note?: ReactNode }[]
  chosen: readonly T[]
  onToggle: (value: T) => void
}

export function Choices<T extends string | number>({ legend, options, chosen, onToggle }: ChoicesProps<T>) {
  if (options.length === 0) return null
  return (
    <fieldset data-wide>
      <legend className="note">{legend}</legend>
      {options.map(({ value, label, about, note }) => (
        <label key={value} className={styles.choice}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
          <span>
            {label}
            {about && <small className="soft">{` ${about}`}</small>}
          </span>
          {note}
        </label>
      ))}
    </fieldset>
  )
}

/** Returns the list without the value, or with it if it was missing. */
export const toggle = <T,>(values: readonly T[], value: T): readonly T[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
