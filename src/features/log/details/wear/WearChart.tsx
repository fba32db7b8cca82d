import { formatCount, useFormats } from '../../../../lib/formats.ts'
import { roundUp } from '../../../../lib/scale.ts'
import type { WearSeries } from './api.ts'
import styles from './Wear.module.css'

const HEIGHT = 72
const PAD = 8

/** Charts measurements over the part's distance. Hidden from screen readers, because the table contains the same values. */
export function WearChart({ series, distance }: { series: WearSeries; distance: number }) {
  const { distance: unit } = useFormats()
  const { measurements, limit, estimate } = series
  const points = measurements.flatMap(({ id, value, reading, distance }) => {
    const shown = value ?? limit
    return shown === null ? [] : [{ id, value: shown, reading, distance }]
  })
  const last = points.findLast(({ reading }) => reading === null || reading === 'at')
  const top = roundUp(unit.of(Math.max(distance, estimate?.to ?? 0)))
  const values = [...points.map(({ value }) => value), ...(limit === null ? [] : [limit])]
  const [low, high] = [Math.min(0, ...values), Math.max(...values)]
  const x = (meters: number) => `${Math.min(98, Math.max(1, (unit.of(meters) / top) * 100))}%`
  const y = (value: number) => HEIGHT - PAD - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * PAD)
  return (
    <div className={styles.chart} aria-hidden>
      <svg height={HEIGHT}>
        {limit !== null && <line className={styles.limit} x1="0" x2="100%" y1={y(limit)} y2={y(limit)} />}
        {estimate && limit !== null && (
          <line
            className={styles.bracket}
            x1={x(estimate.from)}
            x2={x(estimate.to)}
            y1={y(limit)}
            y2={y(limit)}
          />
        )}
        {estimate?.kind === 'line' &&
          last &&
          limit !== null &&
          [estimate.from, estimate.to].map((end) => (
            <line
              key={end}
              className={styles.trend}
              x1={x(last.distance)}
              x2={x(end)}
              y1={y(last.value)}
              y2={y(limit)}
            />
          ))}
        {points.map(({ id, value, reading, distance }) => (
          <svg key={id} x={x(distance)} y={y(value)} overflow="visible">
            {reading === null || reading === 'at' ? (
              <circle className={styles.dot} r="3.5" />
            ) : (
              <path className={styles.open} d={reading === 'under' ? 'M-4-3h8L0 4z' : 'M-4 3h8L0-4z'} />
            )}
          </svg>
        ))}
      </svg>
      <div className="ends tiny">
        {[0, 0.5, 1].map((part) => (
          <span key={part}>{part === 1 ? `${formatCount(top)} ${unit.unit}` : formatCount(top * part)}</span>
        ))}
      </div>
    </div>
  )
}
