import { type Day, isFinal } from '../lib/days.ts'
import { enterADate } from '../lib/field-kinds.ts'
import { useFormats } from '../lib/formats.ts'
import { DateField } from './fields.tsx'
import { useTypedText } from './typed-text.ts'

type Props = {
  label: string
  value: Day
  onChange: (day: Day) => void
  /** The day marked in the calendar. Null while the value is only a default. */
  picked: Day | null
  calendarAt: Day
  /** The message for a wrong value. Invalid text has its own message. */
  problem?: string | null
}

/** A labeled date field with a calendar. Calls `onChange` as soon as the text is a whole date, or for a shorter one on Enter or blur. */
export function DayField({ label, value, onChange, picked, calendarAt, problem }: Props) {
  const formats = useFormats()
  const { text, isUnreadable, type, leave } = useTypedText(value, formats.parseDay, onChange, isFinal)
  return (
    <DateField
      label={label}
      value={text ?? formats.day(value)}
      selected={picked}
      calendarAt={calendarAt}
      problem={isUnreadable ? enterADate(formats) : (problem ?? undefined)}
      onChange={type}
      onBlur={leave}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
    />
  )
}
