import type { ComponentProps, ReactNode } from 'react'

import styles from './BarChart.module.css'

export type ChartBar = ComponentProps<'g'> & {
  id: string
  tick?: ReactNode
  /** Above the bar. */
  label?: ReactNode
  /** Fractions of the axis. By default, bars have equal widths. */
  place?: Place
  /** Stacked upward from the axis. `share` is the part's fraction of the scale. */
  parts: readonly (ComponentProps<'rect'> & { share: number })[]
}

type Place = { start: number; width: number }

type Props = Omit<ComponentProps<'svg'>, 'scale'> & {
  bars: readonly ChartBar[]
  scale: readonly string[]
  /** The height of the bar area, in pixels. */
  plot: number
}

// In pixels. Horizontal positions are percentages, so the chart fills its container.
const AXIS_HEIGHT = 20
/** The axis without labels. */
const LINE_HEIGHT = 2
const GAP = 1.5
/** The maximum number of bars for which centered labels fit. */
export const WIDE_BARS = 14

/** Renders bars with full-height hit areas. If they don't fit, they scroll, starting at the newest. */
export function BarChart({ bars, scale, plot, ...svg }: Props) {
  const height = plot + (bars.every(({ tick }) => tick === undefined) ? LINE_HEIGHT : AXIS_HEIGHT)
  return (
    <div className="chart-plot">
      <div className="chart-scale" style={{ blockSize: plot + 2 }} aria-hidden>
        {scale.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <div className={styles.scroller} style={{ minBlockSize: height + 2 }}>
        <svg className={`chart-bars ${styles.bars}`} height={height} {...svg}>
          {[0, 0.5, 1].map((part) => (
            <line key={part} x1="0" x2="100%" y1={plot * part + 1} y2={plot * part + 1} />
          ))}
          {bars.map(({ id, tick, label, parts, place: given, ...group }, index) => {
            const place = given ?? { start: index / bars.length, width: 1 / bars.length }
            return (
              <g key={id} {...group}>
                <rect
                  className="chart-hit"
                  x={percent(place.start)}
                  width={percent(place.width)}
                  height={height}
                />
                <Stack parts={parts} plot={plot} place={place} />
                {label && (
                  <text x={centerOf(place)} y={(1 - sumOf(parts)) * plot - 4} textAnchor="middle">
                    {label}
                  </text>
                )}
                {tick && (
                  <text {...tickPlace(index, bars.length)} y={height - 4} aria-hidden>
                    {tick}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      </div>
    </div>
  )
}

type StackProps = Pick<ChartBar, 'parts'> & { plot: number; place: Place }

function Stack({ parts, plot, place }: StackProps) {
  let y = plot + 1
  return parts.map(({ share, ...rect }, at) => {
    const height = share * plot
    if (height === 0) return null
    const gap = y > plot ? 0 : GAP
    y -= height
    return (
      <rect
        // oxlint-disable-next-line react/no-array-index-key -- a part is identified by its position in the stack
        key={at}
        className="chart-bar"
        x={centerOf(place)}
        y={y}
        style={{ width: `min(${percent(0.76 * place.width)}, 4rem)` }}
        height={Math.max(0.5, height - gap)}
        {...rect}
      />
    )
  })
}

const centerOf = ({ start, width }: Place) => percent(start + width / 2)

const sumOf = (parts: ChartBar['parts']) => parts.reduce((sum, { share }) => sum + share, 0)

/** Returns an axis label's position. The last labels are right-aligned to stay inside the chart. */
function tickPlace(index: number, count: number) {
  if (count <= WIDE_BARS) return { x: percent((index + 0.5) / count), textAnchor: 'middle' } as const
  if (index < 0.92 * count) return { x: percent(index / count), textAnchor: 'start' } as const
  return { x: percent((index + 1) / count), textAnchor: 'end' } as const
}

function percent(part: number): string {
  return `${part * 100}%`
}
