import { useState } from 'react'

import { BarChart } from '../../components/BarChart.tsx'
import { toggle } from '../../components/Choices.tsx'
import { type Formats, periodName, useFormats } from '../../lib/formats.ts'
import { type Column, partsOf, topOf, withoutKeys } from './columns.ts'
import styles from './Spending.module.css'

const PLOT_HEIGHT = 140
const MAX_LABELS = 8
/** In pixels. Wide enough to label every third bar. */
const MIN_WIDTH = 26

type Props = { columns: readonly Column[]; keys: readonly string[]; isTyped: boolean }

/** Renders stacked bars. The caption describes the hovered bar. The legend hides parts of them. */
export function SpendingChart({ columns: all, keys, isTyped }: Props) {
  const formats = useFormats()
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [pointed, setPointed] = useState<string | null>(null)
  const columns = all.map((column) => withoutKeys(column, (index) => hidden.includes(keys[index]!)))
  const top = topOf(columns)
  const shown = columns.find(({ start }) => start === pointed) ?? columns.at(-1)
  const step = Math.ceil(columns.length / MAX_LABELS)
  return (
    <figure className="stack">
      <figcaption className="note">{shown && describe(shown, keys, formats)}</figcaption>
      <BarChart
        role="img"
        aria-label={`Spending from ${nameOf(columns[0]!)} to ${nameOf(columns.at(-1)!)}. The table below has the numbers.`}
        style={{ minInlineSize: columns.length * MIN_WIDTH }}
        plot={PLOT_HEIGHT}
        scale={[top, top / 2, 0].map((value) => formats.axisMoney(value))}
        bars={columns.map((column, index) => {
          const { parts, isCut } = partsOf(column, top)
          return {
            id: column.start,
            tick: (columns.length - 1 - index) % step === 0 ? nameOf(column) : null,
            label: isCut && formats.wholeMoney(column.total),
            // Refunds have no bar; the caption and the table show them.
            parts: parts.map(({ index: at, share, isBreak = false }) =>
              Object.assign(
                { share, className: isBreak ? styles.break : styles.bar },
                toneOf(keys[at]!, at, isTyped),
              ),
            ),
            onPointerEnter: () => setPointed(column.start),
            onPointerLeave: () => setPointed(null),
          }
        })}
      />
      <ul className={styles.legend} aria-label="Shown in the chart">
        {keys.map((key, index) => (
          <li key={key} {...toneOf(key, index, isTyped)}>
            <button
              type="button"
              className="plain"
              aria-pressed={!hidden.includes(key)}
              onClick={() => setHidden(toggle(hidden, key))}
            >
              {key}
            </button>
          </li>
        ))}
      </ul>
    </figure>
  )
}

const nameOf = ({ start }: Column) => periodName(start)

const TONES = 6

const toneOf = (key: string, index: number, isTyped: boolean) =>
  isTyped ? { 'data-type': key === 'No type' ? '' : key } : { 'data-tone': index % TONES }

/** `2026: $612.00. Drivetrain $311.00, Tires $301.00` */
function describe({ start, costs, total }: Column, keys: readonly string[], formats: Formats): string {
  const parts = keys.flatMap((key, index) =>
    costs[index] ? [`${key} ${formats.wholeMoney(costs[index])}`] : [],
  )
  return [
    `${periodName(start)}: ${formats.wholeMoney(total)}`,
    ...(parts.length > 0 ? [parts.join(', ')] : []),
  ].join('. ')
}
