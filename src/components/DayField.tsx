import { useId } from 'react'

import { type Day, formatDay, parseDay } from '../lib/days.ts'
import { DateInput } from './DateInput.tsx'
import styles from './DayField.module.css'
import { useTypedText } from './typed-text.ts'

type Props = {
  label: string
  value: Day
  onChange: (day: Day) => void
  /** The day marked in the calendar: null while the value is only a default. */
  picked: Day | null
  /** The month the calendar opens at while no day is marked. */
  calendarAt: Day
  /** What is wrong with the value. Invalid text has its own message. */
  problem?: string | null
}

/** A labeled date field with a calendar. Calls `onChange` as soon as the text is a valid date. */
export function DayField({ label, value, onChange, picked, calendarAt, problem = null }: Props) {
  const { text, isUnreadable, type, leave } = useTypedText(value, parseDay, onChange)
  const fieldId = useId()
  const reasonId = useId()
  const shownProblem = isUnreadable ? 'Enter a date as MM/DD/YYYY.' : problem

  return (
    <div className={styles.field}>
      <label htmlFor={fieldId}>{label}</label>
      <span className={styles.input}>
        <DateInput
          id={fieldId}
          value={text ?? formatDay(value)}
          selected={picked}
          calendarAt={calendarAt}
          opensOnFocus={false}
          placeholder="MM/DD/YYYY"
          aria-invalid={shownProblem !== null}
          aria-describedby={shownProblem === null ? undefined : reasonId}
          onType={type}
          onBlur={leave}
        />
      </span>
      {shownProblem !== null && (
        <span id={reasonId} className="problem">
          {shownProblem}
        </span>
      )}
    </div>
  )
}
