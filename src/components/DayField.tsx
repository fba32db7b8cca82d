import { useId, useState } from 'react'

import { type Day, formatDay, parseDay } from '../lib/days.ts'
import styles from './DayField.module.css'

type Props = {
  label: string
  value: Day
  onChange: (day: Day) => void
  /** What is wrong with the value. Invalid text has its own message. */
  problem?: string | null
}

/** A labeled date field. Calls `onChange` as soon as the text is a valid date. */
export function DayField({ label, value, onChange, problem = null }: Props) {
  const [typed, setTyped] = useState<{ text: string; over: Day } | null>(null)
  const fieldId = useId()
  const reasonId = useId()
  // A new value from outside replaces what was typed over the previous one.
  const isCurrent = typed !== null && (typed.over === value || parseDay(typed.text) === value)
  const draft = isCurrent ? typed.text : null
  const isUnreadable = draft !== null && parseDay(draft) === null
  const shownProblem = isUnreadable ? 'Enter a date as MM/DD/YYYY.' : problem

  const type = (text: string) => {
    setTyped({ text, over: value })
    const day = parseDay(text)
    if (day) onChange(day)
  }

  return (
    <div className={styles.field}>
      <label htmlFor={fieldId}>{label}</label>
      <input
        id={fieldId}
        value={draft ?? formatDay(value)}
        placeholder="MM/DD/YYYY"
        autoComplete="off"
        aria-invalid={shownProblem !== null}
        aria-describedby={shownProblem === null ? undefined : reasonId}
        onChange={(event) => type(event.target.value)}
        onBlur={() => {
          if (!isUnreadable) setTyped(null)
        }}
      />
      {shownProblem !== null && (
        <span id={reasonId} className={styles.reason}>
          {shownProblem}
        </span>
      )}
    </div>
  )
}
