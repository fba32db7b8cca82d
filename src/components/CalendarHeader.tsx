import type { ReactDatePickerCustomHeaderProps } from 'react-datepicker'

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long' })
const MONTHS = Array.from({ length: 12 }, (_, month) => monthName.format(new Date(2000, month, 15)))
const YEARS = Array.from({ length: 201 }, (_, place) => 1900 + place)

/** The month of the calendar, to be turned by one or chosen. */
export function CalendarHeader(header: ReactDatePickerCustomHeaderProps) {
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
