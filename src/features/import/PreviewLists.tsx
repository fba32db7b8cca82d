import { useSetAtom } from 'jotai'
import { type ReactNode, useId, useRef, useState } from 'react'

import { formatCount, type Formats, quote, useFormats } from '../../lib/formats.ts'
import { CSV_FIELD_NAMES, CSV_FIELDS } from '../entries/csv.ts'
import { mendAtom } from './atoms.ts'
import { type Column, LABELS } from './headers.ts'
import styles from './ImportDialog.module.css'
import type { Preview } from './preview.ts'

/** Lists what an import would do, line by line. */
export function PreviewLists({ preview: { refused, changed, added } }: { preview: Preview }) {
  const formats = useFormats()
  return (
    <>
      <Lines title="Can’t be imported" lines={refused}>
        {({ line, name, messages, wrong, cells }) => (
          <Line line={line} title={name}>
            {messages.join(' ')}
            {wrong.length > 0 && (
              <span className={styles.mend}>
                {wrong.map((column) => (
                  <Mend key={column} line={line} column={column} text={cells[column] ?? ''} />
                ))}
              </span>
            )}
          </Line>
        )}
      </Lines>
      <Lines title="To change" lines={changed}>
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
      <Lines title="To add" lines={added}>
        {({ line, bike, values, partId, partOf, unknownId, approximate }) => (
          <Line line={line} title={values.name}>
            {[
              bike.name,
              ...detailsOf({ values, approximate }, formats),
              partOf ? `Part of ${quote(partOf.name)}` : partId !== null && `New part ${partId}`,
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

type MendProps = { line: number; column: Column; text: string }

/** Replaces a wrong cell, so nobody needs another app for it. Enter goes on to the next one, or to the import. */
function Mend({ line, column, text }: MendProps) {
  const [typed, setTyped] = useState(text)
  const mend = useSetAtom(mendAtom)
  const field = useRef<HTMLInputElement>(null)
  const sent = useRef(text)
  const save = async () => {
    // The field also loses the focus when the mended line leaves the list.
    if (typed === sent.current) return
    sent.current = typed
    await mend(line, column, typed)
  }
  const goOn = async () => {
    const dialog = field.current?.closest('dialog')
    const all = [...(dialog?.querySelectorAll<HTMLElement>('[data-mend]') ?? [])]
    const next = all[all.indexOf(field.current!) + 1]
    await save()
    const target = next ?? dialog?.querySelector<HTMLElement>('button.primary')
    target?.focus()
  }
  return (
    <input
      ref={field}
      type="text"
      data-mend
      aria-label={`${LABELS[column]}, line ${line}`}
      autoComplete="off"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        void goOn()
      }}
    />
  )
}

type Added = Pick<Preview['added'][number], 'values' | 'approximate'>

function detailsOf({ values, approximate }: Added, formats: Formats): string[] {
  return CSV_FIELD_NAMES.filter((field) => field !== 'name').flatMap((field) => {
    const { label, format } = CSV_FIELDS[field]
    const text = format(values[field], formats)
    const mark = approximate.includes(field) ? '~' : ''
    return text === '' ? [] : [`${label}: ${mark}${text}`]
  })
}

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
      <ul className="list">
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
      <span className="soft">{`Line ${line}`}</span>
      <span className={styles.title}>{title}</span>
      {children !== undefined && <span className={styles.detail}>{children}</span>}
    </>
  )
}
