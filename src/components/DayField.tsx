import { useId, useState } from 'react'

import { type Day, formatDay, parseDay } from '../lib/days.ts'
import styles from './DayField.module.css'

type Props = { label: string; value: Day; onChange: (day: Day) => void }

/** A labelled text field for a day, MM/DD/YYYY. What is typed is passed on as soon as it is a day. */
export function DayField({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState<{ text: string; over: Day } | null>(null)
  const fieldId = useId()
  const reasonId = useId()
  // A value that came from elsewhere meanwhile takes the place of what was typed over the last one.
  const isCurrent = typed !== null && (typed.over === value || parseDay(typed.text) === value)
  const draft = isCurrent ? typed.text : null
  const isWrong = draft !== null && parseDay(draft) === null

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
        aria-invalid={isWrong}
        aria-describedby={isWrong ? reasonId : undefined}
        onChange={(event) => type(event.target.value)}
        onBlur={() => {
          if (!isWrong) setTyped(null)
        }}
      />
      {isWrong && (
        <span id={reasonId} className={styles.reason}>
          Not a day, MM/DD/YYYY.
        </span>
      )}
    </div>
  )
}
