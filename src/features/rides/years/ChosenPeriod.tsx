import { counted, periodName, useFormats } from '../../../lib/formats.ts'
import type { RideYears } from './atoms.ts'
import { compare, monthBeside, QUANTITIES, type Sums, yearBefore } from './months.ts'
import styles from './RideYears.module.css'

type Props = { data: RideYears; period: string; onChoose: (period: string | null) => void }

/** Compares a month or year with the one a year before. */
export function ChosenPeriod({ data, period, onChoose }: Props) {
  const formats = useFormats()
  const { today } = data
  const isYear = period.length === 4
  const isOver = !today.startsWith(period)
  // A year that isn't over is compared with the same days.
  const sumsOf = (one: string): Sums | undefined =>
    isYear
      ? data.years.filter(({ year }) => year === one).map((sums) => (isOver ? sums : sums.to_date))[0]
      : data.months.find(({ month }) => month === one)
  const before = yearBefore(period)
  const [now, then] = [sumsOf(period), sumsOf(before)]
  const isComparable = isYear || isOver
  const nameOf = (one: string) =>
    isYear && !isOver ? `${one} by ${formats.shortDay(today, today)}` : periodName(one)
  const beside = (step: 1 | -1) => (isYear ? String(Number(period) + step) : monthBeside(period, step))
  return (
    <>
      <p>
        <Amounts name={nameOf(period)} sums={now} isStrong />
        <Amounts name={nameOf(before)} sums={then} />
        {isComparable && now && then && (
          <strong>{compare(now.distance, then.distance, 'distance', formats)}</strong>
        )}
        {!isComparable && <span className="note">{`${periodName(period)} isn’t over.`}</span>}
      </p>
      <div className={styles.steps}>
        <button type="button" onClick={() => onChoose(beside(-1))}>
          {`‹ ${periodName(beside(-1))}`}
        </button>
        {isOver && (
          <button type="button" onClick={() => onChoose(beside(1))}>
            {`${periodName(beside(1))} ›`}
          </button>
        )}
        <button type="button" className="quiet" onClick={() => onChoose(null)}>
          All rides
        </button>
      </div>
    </>
  )
}

type AmountsProps = { name: string; sums: Sums | undefined; isStrong?: boolean }

/** `May 2026 587 mi · 36:41 h · 27,529 ft · 24 rides` */
function Amounts({ name, sums, isStrong = false }: AmountsProps) {
  const formats = useFormats()
  const amounts = sums
    ? [
        ...(['distance', 'moving_time', 'elevation_gain'] as const).map((key) =>
          QUANTITIES[key].format(sums[key], formats),
        ),
        counted(sums.rides, 'ride'),
      ]
    : ['no rides']
  return (
    <span className={isStrong ? undefined : 'soft'}>
      <strong>{name}</strong> {amounts.join(' · ')}
    </span>
  )
}
