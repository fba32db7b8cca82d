import { useState } from 'react'

import { formatDollars } from '../../lib/formats.ts'
import { roundUp } from '../../lib/scale.ts'
import type { Column } from './columns.ts'
import styles from './Spending.module.css'

const [PLOT, HEIGHT, GAP] = [140, 164, 1.5]

type Props = { columns: readonly Column[]; keys: readonly string[]; isTyped: boolean }

/** Stacked bars. The text above names the parts of the bar that is hovered; the table has every number. */
export function SpendingChart({ columns, keys, isTyped }: Props) {
  const [pointed, setPointed] = useState<Column | null>(null)
  const top = roundUp(
    Math.max(0, ...columns.map(({ costs }) => costs.reduce((sum, cost) => sum + Math.max(0, cost), 0))),
  )
  const shown = pointed ?? columns.at(-1)
  const step = Math.ceil(columns.length / 12)
  return (
    <figure className="stack">
      <figcaption className="note">{shown && describe(shown, keys)}</figcaption>
      <div className="chart-plot">
        <div className={styles.scale} aria-hidden>
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{`$${value.toLocaleString('en-US')}`}</span>
          ))}
        </div>
        <svg
          className="chart-bars"
          height={HEIGHT}
          role="img"
          aria-label={`Spending from ${columns[0]?.start} to ${columns.at(-1)?.start}. The table below has the numbers.`}
        >
          {[0, 0.5, 1].map((part) => (
            <line key={part} x1="0" x2="100%" y1={PLOT * part + 1} y2={PLOT * part + 1} />
          ))}
          {columns.map((column, index) => (
            <g
              key={column.start}
              onPointerEnter={() => setPointed(column)}
              onPointerLeave={() => setPointed(null)}
            >
              <rect
                className="chart-hit"
                x={percent(index / columns.length)}
                width={percent(1 / columns.length)}
                height={PLOT + 1}
              />
              <Stack
                column={column}
                keys={keys}
                isTyped={isTyped}
                top={top}
                index={index}
                count={columns.length}
              />
              {(columns.length - 1 - index) % step === 0 && (
                <text x={percent((index + 0.5) / columns.length)} y={HEIGHT - 6} textAnchor="middle">
                  {column.start}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      <ul className={styles.legend}>
        {keys.map((key, index) => (
          <li
            key={key}
            data-type={isTyped ? typeOf(key) : undefined}
            data-tone={isTyped ? undefined : index % TONES}
          >
            {key}
          </li>
        ))}
      </ul>
    </figure>
  )
}

const TONES = 6
/** The name under which the log colors a type. */
const typeOf = (key: string) => (key === 'No type' ? '' : key)

type StackProps = {
  column: Column
  keys: readonly string[]
  isTyped: boolean
  top: number
  index: number
  count: number
}

/** Refunds leave no bar; the text and the table show them. */
function Stack({ column, keys, isTyped, top, index, count }: StackProps) {
  let y = PLOT + 1
  return keys.map((key, at) => {
    const height = (Math.max(0, column.costs[at] ?? 0) / top) * PLOT
    if (height === 0) return null
    y -= height
    return (
      <rect
        key={key}
        className={styles.bar}
        data-type={isTyped ? typeOf(key) : undefined}
        data-tone={isTyped ? undefined : at % TONES}
        x={percent((index + 0.5) / count)}
        y={y}
        style={{ width: `min(${percent(0.7 / count)}, 3.5rem)` }}
        height={Math.max(0.5, height - GAP)}
      />
    )
  })
}

/** `2026: $612.00. Drivetrain $311.00, Tires $301.00` */
function describe({ start, costs, total }: Column, keys: readonly string[]): string {
  const parts = keys.flatMap((key, index) => (costs[index] ? [`${key} ${formatDollars(costs[index])}`] : []))
  return [`${start}: ${formatDollars(total)}`, ...(parts.length > 0 ? [parts.join(', ')] : [])].join('. ')
}

function percent(part: number): string {
  return `${part * 100}%`
}
