import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

import { Dialog } from '../../components/Dialog.tsx'
import { SelectField } from '../../components/fields.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { formatCount, type Formats, quote, useFormats } from '../../lib/formats.ts'
import { CSV_FIELD_NAMES, CSV_FIELDS, type CsvField, type CsvValues } from '../entries/csv.ts'
import {
  choosePreviewAtom,
  closeImportAtom,
  type Import,
  importAtom,
  mendAtom,
  previewImportAtom,
  runImportAtom,
} from './atoms.ts'
import styles from './ImportDialog.module.css'
import type { Dates } from './dates.ts'
import { saveTemplateAtom } from './template.ts'
import { countItems, countOf, type Preview, summaryOf } from './preview.ts'

type Props = { file: File; onChooseAnother: () => void; onClose: () => void }

export default function ImportDialog({ file, onChooseAnother, onClose }: Props) {
  const shown = useAtomValue(importAtom)
  const preview = useSetAtom(previewImportAtom)
  const run = useSetAtom(runImportAtom)
  const close = useSetAtom(closeImportAtom)
  const saveTemplate = useSetAtom(saveTemplateAtom)
  useEffect(() => {
    void preview(file)
    return close
  }, [preview, close, file])

  const current = shown?.file === file ? shown : ({ file, step: 'loading' } as const)
  const confirm = async () => {
    if (await run()) onClose()
  }

  return (
    <Dialog
      title={`Import ${file.name}`}
      lead={<p role="status">{leadOf(current)}</p>}
      closeLabel="Cancel"
      onClose={onClose}
      tools={
        current.step !== 'loading' &&
        !(isImportable(current) && current.preview.refused.length === 0) && (
          <>
            <button type="button" className="to-start" onClick={onChooseAnother}>
              Choose another file
            </button>
            {current.step === 'unreadable' && (
              <button type="button" onClick={saveTemplate}>
                Template
              </button>
            )}
          </>
        )
      }
      actions={isImportable(current) && <ConfirmButton shown={current} onConfirm={() => void confirm()} />}
    >
      <Body shown={current} />
    </Dialog>
  )
}

function leadOf(shown: Import): string {
  if (shown.step === 'loading') return 'Loading…'
  return shown.step === 'preview' ? summaryOf(shown.preview) : 'Nothing was changed.'
}

function Body({ shown }: { shown: Import }) {
  if (shown.step === 'loading') return null
  const problem = shown.step === 'unreadable' ? shown.message : shown.problem
  return (
    <>
      {problem !== null && (
        <p role="alert" className="failure">
          {problem}
        </p>
      )}
      {shown.step === 'preview' && (
        <>
          <BikeQuestion bikes={shown.preview.bikes} chosen={shown.choices.bikeId ?? null} />
          <DatesQuestion dates={shown.preview.dates} />
          {shown.preview.ignored.length > 0 && (
            <p className="note">{`Not imported: ${shown.preview.ignored.join(', ')}.`}</p>
          )}
          <PreviewLists preview={shown.preview} />
        </>
      )}
    </>
  )
}

/** Asks for the bike of a file that names none. */
function BikeQuestion({ bikes, chosen }: { bikes: Preview['bikes']; chosen: number | null }) {
  const choose = useSetAtom(choosePreviewAtom)
  if (bikes.length === 0) return null
  return (
    <SelectField
      label="Which bike is this log for?"
      options={[
        { value: 0, label: 'Choose a bike' },
        ...bikes.map(({ gear_id, name }) => ({ value: gear_id, label: name })),
      ]}
      value={chosen ?? 0}
      onChange={(bikeId) => void choose({ bikeId: bikeId || null })}
    />
  )
}

function DatesQuestion({ dates: { question, order, isOpen } }: { dates: Dates }) {
  const choose = useSetAtom(choosePreviewAtom)
  const { longDay } = useFormats()
  if (!question) return null
  const options = question.options.map(({ order, day }) => ({ value: order, label: longDay(day) }))
  const legend = `What does ${question.text} mean in this file?`
  return (
    <div className={styles.question}>
      <p aria-hidden>{legend}</p>
      <SegmentedControl
        legend={legend}
        options={options}
        value={isOpen ? null : order}
        onChange={(order) => void choose({ order })}
      />
    </div>
  )
}

type Importable = Extract<Import, { step: 'preview' }>

function isImportable(shown: Import): shown is Importable {
  if (shown.step !== 'preview') return false
  return countOf(shown.preview) > 0
}

function ConfirmButton({ shown, onConfirm }: { shown: Importable; onConfirm: () => void }) {
  const [count, skipped] = [countOf(shown.preview), shown.preview.refused.length]
  return (
    <button
      type="button"
      className="primary"
      aria-busy={shown.isBusy}
      aria-disabled={shown.isBusy || shown.preview.dates.isOpen}
      onClick={onConfirm}
    >
      {skipped === 0
        ? `Import ${countItems(count)}`
        : `Import ${formatCount(count)}, skip ${formatCount(skipped)}`}
    </button>
  )
}

function PreviewLists({ preview: { refused, changed, added } }: { preview: Preview }) {
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
        {({ line, bike, values, partId, partOf, unknownId }) => (
          <Line line={line} title={values.name}>
            {[
              bike.name,
              ...detailsOf(values, formats),
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

type MendProps = { line: number; column: CsvField; text: string }

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
      aria-label={`${CSV_FIELDS[column].label}, line ${line}`}
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

function detailsOf(values: CsvValues, formats: Formats): string[] {
  return CSV_FIELD_NAMES.filter((field) => field !== 'name').flatMap((field) => {
    const { label, format } = CSV_FIELDS[field]
    const text = format(values[field], formats)
    return text === '' ? [] : [`${label}: ${text}`]
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
