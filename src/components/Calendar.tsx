import 'react-datepicker/dist/react-datepicker.css'
import './Calendar.css'

import { enUS, type Locale } from 'date-fns/locale'
import type { MouseEvent } from 'react'
import DatePicker, { type DatePickerProps } from 'react-datepicker'

import { type Day, pickerDate, today } from '../lib/days.ts'
import { CalendarHeader } from './CalendarHeader.tsx'

type Props = { selected: Day | null; onPick: (day: Day) => void }

const PORTAL = 'calendar-portal'
/** Pixels between the calendar and the edge of the page, at least. */
const EDGE = 8

// Beside a field at the edge of a phone the picker would hang over it, with its first days out of reach.
const withinPage: NonNullable<DatePickerProps['popperModifiers']> = [
  {
    name: 'withinPage',
    fn: ({ x, rects }) => {
      const room = document.documentElement.clientWidth - rects.floating.width - EDGE
      return { x: Math.max(EDGE, Math.min(x, room)) }
    },
  },
]

/** The calendar beside a date's text field. It lives at the end of the page, so that no edge of a table cuts it off. */
export default function Calendar({ selected, onPick }: Props) {
  return (
    <span role="presentation" className="calendar-anchor" onMouseDown={keepFocus}>
      <DatePicker
        open
        portalId={PORTAL}
        popperPlacement="bottom-start"
        popperModifiers={withinPage}
        locale={locale}
        customInput={<Nothing />}
        renderCustomHeader={CalendarHeader}
        selected={selected && pickerDate(selected)}
        onChange={(date: Date | null) => {
          if (date) onPick(today(date))
        }}
        minDate={pickerDate('1900-01-01')}
        maxDate={pickerDate('2100-12-31')}
      />
    </span>
  )
}

// A day is called by the number that it shows: "9", not "9th", so that speaking what one sees finds it.
const locale: Locale = {
  ...enUS,
  formatLong: {
    ...enUS.formatLong,
    date: (options) => (options.width === 'full' ? 'EEEE, MMMM d, yyyy' : enUS.formatLong.date(options)),
  },
}

/** The text field stands beside the picker; it has none of its own. */
function Nothing() {
  return null
}

/** A click into the calendar leaves the keyboard where it is; only its lists need it. */
function keepFocus(event: MouseEvent) {
  if (!(event.target instanceof HTMLSelectElement)) event.preventDefault()
}
