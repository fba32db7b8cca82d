import type { ComponentProps } from 'react'

import styles from './BarChart.module.css'

export type ChartBar = ComponentProps<'g'> & {
  id: string
  tick: string | null
  /** Stacked from the axis up. `share` is a part's share of the scale. */
  parts: readonly (ComponentProps<'rect'> & { share: number })[]
}

type Props = Omit<ComponentProps<'svg'>, 'scale'> & {
  bars: readonly ChartBar[]
  scale: readonly string[]
  /** The height of the bars' area, in pixels. */
  plot: number
}

// Pixels. Horizontal positions are percentages, so the chart fills its container.
const AXIS_HEIGHT = 20
const GAP = 1.5
/** Up to this number of bars, labels fit centered below their bars. */
export const WIDE_BARS = 14

/** Bars of equal width, each with a hit area of full height. Scrolls if they don't fit, from the newest to older bars. */
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
        // oxlint-disable-next-line react/no-array-index-key -- a part is its place in the stack
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

/** Returns the position of a label. The last labels are right-aligned, since they would leave the chart otherwise. */
function labelPlace(index: number, count: number) {
  if (count <= WIDE_BARS) return { x: percent((index + 0.5) / count), textAnchor: 'middle' } as const
  if (index < 0.92 * count) return { x: percent(index / count), textAnchor: 'start' } as const
  return { x: percent((index + 1) / count), textAnchor: 'end' } as const
}

function percent(part: number): string {
  return `${part * 100}%`
}
