import {
  type FocusEvent,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react'

import type { Day } from '../lib/days.ts'
import { useFormats } from '../lib/formats.ts'
import { pixelsOf } from '../lib/screen.ts'
import styles from './fields.module.css'
import { lazyScreen } from './lazy-screen.tsx'

let opensCalendar = true

export function focusWithoutCalendar(field: HTMLElement): void {
  opensCalendar = false
  field.focus()
  opensCalendar = true
}

// The calendar's code is as large as the rest of the log's, so it loads on first use.
const Calendar = lazyScreen(() => import('./Calendar.tsx'))

/** The calendar's height with some space, in small controls. A field without as much room is scrolled to the top. */
const CALENDAR_HEIGHT = 11.25

function calendarHeight(): number {
  const control = getComputedStyle(document.documentElement).getPropertyValue('--control-small')
  return pixelsOf(CALENDAR_HEIGHT * Number.parseFloat(control))
}

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'type'> & {
  selected: Day | null
  /** The month to show while no day is selected. Defaults to the current month. */
  calendarAt?: Day
  /** If false, only a click or ArrowDown opens the calendar. */
  opensOnFocus?: boolean
  onType: (text: string) => void
  shortcuts?: ReactNode
}

/** A date field with a calendar. The calendar never rewrites typed text. Escape closes it; ArrowDown moves into it. */
export function DateInput({ selected, calendarAt, opensOnFocus = true, onType, shortcuts, ...input }: Props) {
  const [isOpen, setOpen] = useState(false)
  const formats = useFormats()
  const field = useRef<HTMLInputElement>(null)
  // The browser's undo also focuses the field whose text it restores. That must not open the calendar.
  const isUndone = useRef(false)

  const open = () => {
    setOpen(!input.readOnly)
    const { top = 0, bottom = 0 } = field.current?.getBoundingClientRect() ?? {}
    if (Math.max(top, window.innerHeight - bottom) < calendarHeight())
      field.current?.scrollIntoView({ block: 'start' })
  }
  const closeInto = () => {
    field.current?.focus()
    setOpen(false)
  }
  const pick = (day: Day) => {
    onType(formats.day(day))
    closeInto()
  }
  const press = (event: KeyboardEvent) => {
    const isInField = event.target === field.current
    if (!isOpen) {
      // In the log, focus opens the calendar and ArrowDown moves to the next row.
      if (opensOnFocus || event.key !== 'ArrowDown') return
      event.preventDefault()
      open()
      return
    }
    if (event.key === 'Escape') closeInto()
    else if (event.key === 'ArrowDown' && isInField && focusCalendar()) setOpen(true)
    else if (event.key === 'Enter' && isInField) {
      // Enter submits the text instead of picking the calendar's highlighted day.
      setOpen(false)
      return
    } else {
      // The calendar handles its own keys.
      if (!isInField) event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const leave = (event: FocusEvent) => {
    isUndone.current = false
    if (event.relatedTarget !== field.current && !isInCalendar(event.relatedTarget)) setOpen(false)
  }

  return (
    <span role="presentation" className={styles.date} onKeyDown={press} onBlur={leave}>
      <input
        {...input}
        ref={field}
        type="text"
        inputMode="numeric"
        // Text fields can't have aria-expanded.
        aria-haspopup="dialog"
        aria-keyshortcuts="ArrowDown"
        placeholder={isOpen ? formats.settings.dates : input.placeholder}
        autoComplete="off"
        onFocus={() => opensOnFocus && opensCalendar && !isUndone.current && open()}
        onClick={open}
        onChange={({ target, nativeEvent }) => {
          isUndone.current = nativeEvent instanceof InputEvent && nativeEvent.inputType.startsWith('history')
          onType(target.value)
        }}
      />
      {isOpen && <Calendar selected={selected} openTo={calendarAt} onPick={pick} shortcuts={shortcuts} />}
    </span>
  )
}

/** Returns whether an element is part of the open calendar, which is rendered in a portal. */
export function isInCalendar(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.react-datepicker') !== null
}

/** Moves the focus into the calendar. Returns false while the calendar is loading. */
function focusCalendar(): boolean {
  const day = document.querySelector<HTMLElement>('.react-datepicker__day[tabindex="0"]')
  day?.focus()
  return day !== null
}
