import { type ReactNode, useId, useState } from 'react'

import { dayOf, formatDay } from '../../lib/days.ts'
import { formatCount, formatCurrency } from '../../lib/formats.ts'
import { LABELS } from '../maintenance'
import type { Preview } from './preview.ts'
import styles from './ImportDialog.module.css'

/** What would be refused, changed and added, each line by itself. */
export function PreviewLists({ preview: { refused, changed, added } }: { preview: Preview }) {
  return (
    <>
      <Lines title="Refused" lines={refused}>
        {({ line, reasons }) => <Line line={line} what={reasons.join(' ')} />}
      </Lines>
      <Lines title="Changed" lines={changed}>
        {({ line, item, changes }) => (
          <Line line={line} what={item.name}>
            {changes.map(({ field, from, to }) => (
              <span key={field} className={styles.change}>
                {`${LABELS[field]}: `}
                <del>{from === '' ? 'empty' : from}</del>
                {' → '}
                <ins>{to === '' ? 'empty' : to}</ins>
              </span>
            ))}
          </Line>
        )}
      </Lines>
      <Lines title="Added" lines={added}>
        {({ line, bike, values, unknownId }) => (
          <Line line={line} what={values.name}>
            {[
              bike.name,
              values.type,
              values.description,
              formatCurrency(values.cost),
              `from ${formatDay(dayOf(values.dateStarted))}`,
              values.dateEnded && `to ${formatDay(dayOf(values.dateEnded))}`,
              unknownId !== null && `the log has no ID ${unknownId}: it gets a new one`,
            ]
              .filter(Boolean)
              .join(', ')}
          </Line>
        )}
      </Lines>
    </>
  )
}

/** So many are shown at first. */
const FIRST = 100

type LinesProps<T> = { title: string; lines: readonly T[]; children: (line: T) => ReactNode }

function Lines<T extends { line: number }>({ title, lines, children }: LinesProps<T>) {
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  if (lines.length === 0) return null
  const shown = isWhole ? lines : lines.slice(0, FIRST)
  return (
    <section className={styles.lines} aria-labelledby={id} data-kind={title}>
      <h3 id={id}>{`${title}: ${formatCount(lines.length)}`}</h3>
      <ul>
        {shown.map((line) => (
          <li key={line.line}>{children(line)}</li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <button type="button" onClick={() => setWhole(true)}>
          {`Show all ${formatCount(lines.length)}`}
        </button>
      )}
    </section>
  )
}

function Line({ line, what, children }: { line: number; what: string; children?: ReactNode }) {
  return (
    <>
      <span className={styles.number}>{`Line ${line}`}</span>
      <span className={styles.what}>{what}</span>
      {children !== undefined && <span className={styles.detail}>{children}</span>}
    </>
  )
}
