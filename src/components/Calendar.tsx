import 'react-datepicker/dist/react-datepicker.css'
import './Calendar.css'

import { enUS, type Locale } from 'date-fns/locale'
import { useAtomValue } from 'jotai'
import { type MouseEvent, type ReactNode, useInsertionEffect } from 'react'
import DatePicker, { type DatePickerProps, type ReactDatePickerCustomHeaderProps } from 'react-datepicker'

import { todayAtom } from '../lib/clock.ts'
import { type Day, FIRST_YEAR, LAST_YEAR, localDay, pickerDate } from '../lib/days.ts'
import { type Settings, settingsAtom } from '../lib/settings.ts'
import { CalendarShortcut, PickContext } from './CalendarShortcut.tsx'

type Props = {
  selected: Day | null
  openTo?: Day | undefined
  onPick: (day: Day) => void
  shortcuts?: ReactNode
}

const PORTAL = 'calendar-portal'
/** Minimum distance from the window's edges, in pixels. */
const EDGE = 8
/** Distance that the calendar moves closer to its field than the picker places it, in pixels. */
const SHIFT = 8

const MONTHS = ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const).map((month) => enUS.localize.month(month))
const WEEK_STARTS = { Sunday: 0, Monday: 1, Saturday: 6 } as const
const YEARS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index)

/** Moves the picker's portal into the topmost dialog, because everything outside a modal dialog is inert. */
function placePortal() {
  const portal = document.getElementById(PORTAL) ?? document.createElement('div')
  portal.id = PORTAL
  ;([...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body).append(portal)
}

// Keeps the calendar in the window, even at the edge of a phone, and close to its field, so no sliver of the next row's
// controls shows between them.
const inWindow: NonNullable<DatePickerProps['popperModifiers']> = [
  {
    name: 'inWindow',
    fn: ({ x, y, placement, rects }) => {
      const { width, height } = rects.floating
      const right = document.documentElement.clientWidth - width - EDGE
      const bottom = window.innerHeight - height - EDGE
      const shift = placement.startsWith('top') ? SHIFT : -SHIFT
      const top = Math.max(EDGE, Math.min(y + shift, bottom))
      const field = rects.reference
      const hasRoom = top >= field.y + field.height - SHIFT || top + height <= field.y + SHIFT
      // Beside the field, if it has room neither below nor above.
      const after = field.x + field.width + EDGE
      const left = hasRoom ? x : after <= right ? after : field.x - width - EDGE
      return { x: Math.max(EDGE, Math.min(left, right)), y: top }
    },
  },
]

/** A date field's calendar. Renders in a portal, so tables don't clip it. */
export default function Calendar({ selected, openTo, onPick, shortcuts }: Props) {
  // Runs before the picker looks for its portal.
  useInsertionEffect(placePortal, [])
  const { dates, week_start } = useAtomValue(settingsAtom)
  const ownersToday = useAtomValue(todayAtom)
  return (
    <span role="presentation" className="calendar-anchor" onMouseDown={keepFocus}>
      <DatePicker
        open
        portalId={PORTAL}
        popperPlacement="bottom-start"
        popperModifiers={inWindow}
        popperProps={{ strategy: 'fixed' }}
        locale={localeFor(dates)}
        calendarStartDay={WEEK_STARTS[week_start]}
        customInput={<Nothing />}
        renderCustomHeader={CalendarHeader}
        selected={selected && pickerDate(selected)}
        {...(openTo && { openToDate: pickerDate(openTo) })}
        onChange={(date: Date | null) => {
          if (date) onPick(localDay(date))
        }}
        minDate={pickerDate(`${FIRST_YEAR}-01-01`)}
        maxDate={pickerDate(`${LAST_YEAR}-12-31`)}
      >
        <div className="calendar-shortcuts">
          <PickContext value={onPick}>
            <CalendarShortcut day={ownersToday}>Today</CalendarShortcut>
            {shortcuts}
          </PickContext>
        </div>
      </DatePicker>
    </span>
  )
}

// Days are labeled "9", not "9th", so voice control finds the number on the screen.
function localeFor(dates: Settings['dates']): Locale {
  const label = dates.startsWith('DD') ? 'EEEE, d MMMM yyyy' : 'EEEE, MMMM d, yyyy'
  const date: Locale['formatLong']['date'] = (options) =>
    options.width === 'full' ? label : enUS.formatLong.date(options)
  return { ...enUS, formatLong: { ...enUS.formatLong, date } }
}

function Nothing() {
  return null
}

/** Keeps the focus in the text field when the owner clicks the calendar, except on its selects. */
function keepFocus(event: MouseEvent) {
  if (!(event.target instanceof HTMLSelectElement)) event.preventDefault()
}

function CalendarHeader(header: ReactDatePickerCustomHeaderProps) {
  const { date, changeMonth, changeYear } = header
  return (
    <div className="calendar-header">
      <button
        type="button"
        aria-label="Previous month"
        disabled={header.prevMonthButtonDisabled}
        onClick={header.decreaseMonth}
      >
        ‹
      </button>
      <select
        aria-label="Month"
        value={date.getMonth()}
        onChange={(event) => changeMonth(Number(event.target.value))}
      >
        {MONTHS.map((name, month) => (
          <option key={name} value={month}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Year"
        value={date.getFullYear()}
        onChange={(event) => changeYear(Number(event.target.value))}
      >
        {YEARS.map((year) => (
          <option key={year}>{year}</option>
        ))}
      </select>
      <button
        type="button"
        aria-label="Next month"
        disabled={header.nextMonthButtonDisabled}
        onClick={header.increaseMonth}
      >
        ›
      </button>
    </div>
  )
}
