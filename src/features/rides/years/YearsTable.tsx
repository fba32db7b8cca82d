import type { CSSProperties } from 'react'

import { Scroller } from '../../../components/tables.tsx'
import type { Day } from '../../../lib/days.ts'
import {
  formatCount,
  type Formats,
  MISSING,
  monthName,
  periodName,
  useFormats,
} from '../../../lib/formats.ts'
import type { RideYears } from './atoms.ts'
import { MONTHS, QUANTITIES, type QuantityKey } from './months.ts'
import styles from './RideYears.module.css'

/** A month, the year until today's day, or the whole year. */
type Part = (typeof MONTHS)[number] | 'to_date' | 'whole'

const PARTS: readonly Part[] = [...MONTHS, 'to_date', 'whole']

type Props = {
  data: RideYears
  /** Newest first. */
  years: readonly string[]
  quantity: QuantityKey
  chosen: string | null
  onChoose: (period: string) => void
  /** Whether months are rows and years are columns. */
  isTurned: boolean
}

export function YearsTable({ data, years, quantity, chosen, onChoose, isTurned }: Props) {
  const formats = useFormats()
  const { today } = data
  const months = new Map(data.months.map((sums) => [sums.month, sums[quantity]]))
  const highest = Math.max(1, ...months.values())
  const currentYear = today.slice(0, 4)

  const amountOf = (year: string, part: Part): number | undefined => {
    if (part !== 'to_date' && part !== 'whole') return months.get(`${year}-${part}`)
    const sums = data.years.find((one) => one.year === year)
    // This year isn't over.
    if (part === 'whole') return year === currentYear ? undefined : sums?.[quantity]
    return sums?.to_date[quantity]
  }
  const partHead = (part: Part) => (
    <th key={part} scope={isTurned ? 'row' : 'col'} data-now={today.slice(5, 7) === part}>
      {headOf(part, today, formats)}
    </th>
  )
  const yearHead = (year: string) => (
    <th key={year} scope={isTurned ? 'col' : 'row'}>
      <button type="button" aria-pressed={chosen === year} onClick={() => onChoose(year)}>
        {year}
      </button>
    </th>
  )
  const cell = (year: string, part: Part) => {
    const amount = amountOf(year, part)
    const { of, format } = QUANTITIES[quantity]
    if (!amount) return <td key={year + part}>{MISSING}</td>
    const text = formatCount(of(amount, formats))
    if (part === 'to_date' || part === 'whole')
      return (
        <td key={year + part} data-sum={part}>
          {text}
        </td>
      )
    const period = `${year}-${part}`
    return (
      <td key={year + part}>
        <button
          type="button"
          className={`${styles.month} on-paper`}
          style={{ '--share': `${Math.round((amount / highest) * 100)}%` } as CSSProperties}
          aria-pressed={chosen === period}
          aria-label={`${periodName(period)}: ${format(amount, formats)}`}
          onClick={() => onChoose(period)}
        >
          {text}
        </button>
      </td>
    )
  }
  return (
    <Scroller label="Rides by month and year">
      <table className={styles.table} data-turned={isTurned}>
        <thead>
          <tr>
            <th scope="col" className="note">
              <span className="visually-hidden">{isTurned ? 'Month' : 'Year'}, </span>
              {QUANTITIES[quantity].unit(formats)}
            </th>
            {isTurned ? years.map(yearHead) : PARTS.map(partHead)}
          </tr>
        </thead>
        <tbody>
          {isTurned
            ? PARTS.map((part) => (
                <tr key={part}>
                  {partHead(part)}
                  {years.map((year) => cell(year, part))}
                </tr>
              ))
            : years.map((year) => (
                <tr key={year}>
                  {yearHead(year)}
                  {PARTS.map((part) => cell(year, part))}
                </tr>
              ))}
        </tbody>
      </table>
    </Scroller>
  )
}

function headOf(part: Part, today: Day, formats: Formats): string {
  if (part === 'to_date') return `By ${formats.shortDay(today, today)}`
  return part === 'whole' ? 'Whole year' : monthName(`2000-${part}-01` as Day)
}
