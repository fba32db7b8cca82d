import { useAtomValue } from 'jotai'

import { DateField } from '../../components/fields.tsx'
import { todayAtom } from '../../lib/clock.ts'
import { addDays } from '../../lib/days.ts'
import { useHeldFormats } from '../../lib/formats.ts'
import styles from './TaskDialogs.module.css'

const DAYS = [
  { label: 'Today', ago: 0 },
  { label: 'Yesterday', ago: 1 },
]

type DateProps = Omit<Parameters<typeof DateField>[0], 'label'>

/** Asks for a past day: today, yesterday or another one. */
export function DayChoice({ day, field }: { day: string | null | undefined; field: DateProps }) {
  const formats = useHeldFormats()
  const today = useAtomValue(todayAtom)
  return (
    <div data-wide className={styles.day}>
      <div role="group" aria-label="Recently" className="row">
        {DAYS.map(({ label, ago }) => {
          const one = addDays(today, -ago)
          return (
            <button
              key={label}
              type="button"
              className="pill"
              aria-pressed={day === one}
              onClick={() => field.onChange(formats.day(one))}
            >
              {label}
            </button>
          )
        })}
      </div>
      <DateField label="Day" {...field} />
    </div>
  )
}
