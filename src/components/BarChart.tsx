import type { ComponentProps } from 'react'

import styles from './BarChart.module.css'

export type ChartBar = ComponentProps<'g'> & {
  id: string
  tick: string | null
  /** Stacked upward from the axis. `share` is the part's fraction of the scale. */
  parts: readonly (ComponentProps<'rect'> & { share: number })[]
}

type Props = Omit<ComponentProps<'svg'>, 'scale'> & {
  bars: readonly ChartBar[]
  scale: readonly string[]
  /** The height of the bar area, in pixels. */
  plot: number
}

// In pixels. Horizontal positions are percentages, so the chart fills its container.
const AXIS_HEIGHT = 20
const GAP = 1.5
/** The maximum number of bars for which centered labels fit. */
export const WIDE_BARS = 14

/** Renders bars of equal width with full-height hit areas. If they don't fit, they scroll, starting at the newest. */
export function BarChart({ bars, scale, plot, ...svg }: Props) {
  const height = plot + AXIS_HEIGHT
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
          {bars.map(({ id, tick, parts, ...group }, index) => (
            <g key={id} {...group}>
              <rect
                className="chart-hit"
                x={percent(index / bars.length)}
                width={percent(1 / bars.length)}
                height={height}
              />
              <Stack parts={parts} plot={plot} index={index} count={bars.length} />
              {tick && (
                <text {...labelPlace(index, bars.length)} y={height - 4} aria-hidden>
                  {tick}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
    </div>
  )
}

type StackProps = Pick<ChartBar, 'parts'> & { plot: number; index: number; count: number }

function Stack({ parts, plot, index, count }: StackProps) {
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
        x={percent((index + 0.5) / count)}
        y={y}
        style={{ width: `min(${percent(0.76 / count)}, 4rem)` }}
        height={Math.max(0.5, height - gap)}
        {...rect}
      />
    )
  })
}

/** Returns a label's position. The last labels are right-aligned to stay inside the chart. */
function labelPlace(index: number, count: number) {
  if (count <= WIDE_BARS) return { x: percent((index + 0.5) / count), textAnchor: 'middle' } as const
  if (index < 0.92 * count) return { x: percent(index / count), textAnchor: 'start' } as const
  return { x: percent((index + 1) / count), textAnchor: 'end' } as const
}

function percent(part: number): string {
  return `${part * 100}%`
}
