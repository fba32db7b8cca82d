import { type ReactNode, useId, useState } from 'react'

import { formatCount } from '../../lib/formats.ts'
import { CSV_FIELD_NAMES, CSV_FIELDS, type CsvValues } from '../maintenance'
import type { Preview } from './preview.ts'
import styles from './ImportDialog.module.css'

/** Lists the lines that are refused, changed and added. */
export function PreviewLists({ preview: { refused, changed, added } }: { preview: Preview }) {
  return (
    <>
      <Lines title="Refused" lines={refused}>
        {({ line, messages }) => <Line line={line} title={messages.join(' ')} />}
      </Lines>
      <Lines title="Changed" lines={changed}>
        {({ line, item, changes }) => (
          <Line line={line} title={item.name}>
            {changes.map(({ field, from, to }) => (
              <span key={field} className={styles.change}>
                {`${CSV_FIELDS[field].label}: `}
                <del>{from === '' ? 'empty' : from}</del>
                {' → '}
                <ins>{to === '' ? 'empty' : to}</ins>
              </span>
            ))}
          </Line>
        )}
      </Lines>
      <Lines title="Added" lines={added}>
        {({ line, bike, values, partId, unknownId }) => (
          <Line line={line} title={values.name}>
            {[
              bike.name,
              ...detailsOf(values),
              partId !== null && `Part: ${partId}`,
              unknownId !== null && `ID ${unknownId} is not in the log; a new ID is assigned`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Line>
        )}
      </Lines>
    </>
  )
}

function detailsOf(values: CsvValues): string[] {
  return CSV_FIELD_NAMES.filter((field) => field !== 'name').flatMap((field) => {
    const { label, format } = CSV_FIELDS[field]
    const text = format(values[field])
    return text === '' ? [] : [`${label}: ${text}`]
  })
}

/** The number of lines shown before "Show all". */
const INITIAL_LINES = 100

type LinesProps<T> = { title: string; lines: readonly T[]; children: (line: T) => ReactNode }

function Lines<T extends { line: number }>({ title, lines, children }: LinesProps<T>) {
  const id = useId()
  const [showsAll, setShowsAll] = useState(false)
  if (lines.length === 0) return null
  const shown = showsAll ? lines : lines.slice(0, INITIAL_LINES)
  return (
    <section className={styles.lines} aria-labelledby={id} data-kind={title}>
      <h3 id={id}>{`${title}: ${formatCount(lines.length)}`}</h3>
      <ul>
        {shown.map((line) => (
          <li key={line.line}>{children(line)}</li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          {`Show all ${formatCount(lines.length)}`}
        </button>
      )}
    </section>
  )
}

function Line({ line, title, children }: { line: number; title: string; children?: ReactNode }) {
  return (
    <>
      <span className={styles.number}>{`Line ${line}`}</span>
      <span className={styles.title}>{title}</span>
      {children !== undefined && <span className={styles.detail}>{children}</span>}
    </>
  )
}
