import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useId, useState } from 'react'

import type { RideAxis } from '../../../supabase/functions/_shared/axes.ts'
import { announceAtom } from '../../components/announcements.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { TableHead } from '../../components/tables.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { dayOf } from '../../lib/days.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { formatDuration, type Formats, MISSING, useFormats, useHeldFormats } from '../../lib/formats.ts'
import { FIELDS, type Item, parse, validate } from '../entries/fields.ts'
import { InclEarlier } from '../entries/InclEarlier.tsx'
import { type WhatIfItem, type WhatIfTotals, readWhatIf, type WhatIf as Values } from './api.ts'
import { fillEditorsAtom } from './atoms.ts'
import { rateOf } from '../../../supabase/functions/_shared/messages/lifetime-stats.ts'
import styles from './WhatIf.module.css'

const FIELD_NAMES = ['dateStarted', 'dateEnded', 'cost'] as const
type Texts = Record<(typeof FIELD_NAMES)[number], string>

/** Parses the form. Returns an error message if a field is invalid. */
function read(item: Item, texts: Texts, formats: Formats): Values | string {
  const edited = { ...item }
  for (const field of FIELD_NAMES) {
    const parsed = parse(field, texts[field], { formats, before: item[field] })
    if ('message' in parsed) return parsed.message
    Object.assign(edited, { [field]: parsed.value })
  }
  const { id, cost } = edited
  const dateStarted = dayOf(edited.dateStarted)
  const dateEnded = edited.dateEnded === null ? null : dayOf(edited.dateEnded)
  return (
    validate('dateEnded', dateEnded, { dateStarted, dateEnded }, formats) ?? {
      id,
      dateStarted,
      dateEnded,
      cost,
    }
  )
}

export function WhatIfDialog({ item, onClose }: { item: Item; onClose: () => void }) {
  const formId = useId()
  const { client } = useAtomValue(backendAtom)
  const fillEditors = useSetAtom(fillEditorsAtom)
  const announce = useSetAtom(announceAtom)
  const readOnly = useReadOnly()
  const formats = useHeldFormats()
  const [texts, setTexts] = useState<Texts>({
    dateStarted: FIELDS.dateStarted.format(item.dateStarted, formats),
    dateEnded: FIELDS.dateEnded.format(item.dateEnded, formats),
    cost: FIELDS.cost.format(item.cost, formats),
  })
  const [compared, setCompared] = useState<WhatIfItem[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const values = read(item, texts, formats)
    setCompared(null)
    setProblem(typeof values === 'string' ? values : null)
    if (typeof values === 'string' || readOnly.disabled) return
    try {
      setCompared(await readWhatIf(client, values))
      announce('Calculated. Nothing was saved.')
    } catch (cause) {
      setProblem(`The result could not be calculated. ${messageFor(toAppError(cause))}`)
    }
  }
  return (
    <Dialog
      title="What if"
      lead={item.name}
      onClose={onClose}
      actions={
        <>
          {compared && (
            <button
              type="button"
              {...readOnly}
              onClick={() => {
                onClose()
                fillEditors(item.bikeId, compared)
              }}
            >
              Edit with these values
            </button>
          )}
          <button type="submit" form={formId} className="primary" {...readOnly}>
            Calculate
          </button>
        </>
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        {FIELD_NAMES.map((field) => (
          <div key={field} className={styles.field}>
            <label htmlFor={`${formId}-${field}`}>{FIELDS[field].label}</label>
            <input
              id={`${formId}-${field}`}
              type="text"
              autoComplete="off"
              inputMode={field === 'cost' ? 'decimal' : 'numeric'}
              placeholder={
                field === 'cost' ? undefined : field === 'dateEnded' ? 'In use' : formats.settings.dates
              }
              value={texts[field]}
              onChange={(event) => {
                setTexts({ ...texts, [field]: event.target.value })
                setCompared(null)
              }}
            />
          </div>
        ))}
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      </form>
      {compared && <Result compared={compared} itemId={item.id} />}
    </Dialog>
  )
}

type Column = [
  label: string,
  format: (totals: WhatIfTotals) => string,
  axis?: RideAxis | undefined,
  className?: string | undefined,
]

function Result({ compared, itemId }: { compared: readonly WhatIfItem[]; itemId: number }) {
  const formats = useFormats()
  const columns: Column[] = [
    [formats.name, ({ distance }) => formats.distance.format(distance), 'distance'],
    ['Time', ({ moving_time }) => formatDuration(moving_time), 'moving_time', styles.wide],
    ['Cost', ({ cost }) => formats.money(cost), undefined, styles.wide],
    [
      `Per 1,000 ${formats.distance.unit}`,
      (totals) => {
        const rate = rateOf(totals, 'distance', formats)
        return `${totals.running && rate !== null ? '≤\u00A0' : ''}${formats.money(rate)}`
      },
    ],
  ]
  return (
    <table aria-label="Result" className={styles.result}>
      <TableHead
        headers={['Part', ...columns.map(([label]) => label)]}
        classOf={(header) => columns.find(([label]) => label === header)?.[3]}
      />
      <tbody>
        {compared.map(({ item_id, name, follows, dateStarted, dateEnded, before, after }) => (
          <tr key={item_id}>
            <th scope="row">
              {item_id === itemId ? 'This one' : name}
              <small className="tiny">
                {follows
                  ? datesOf(dateStarted, dateEnded, formats)
                  : 'unchanged, its own dates leave no room'}
              </small>
            </th>
            {columns.map(([label, format, axis, className]) => {
              const [was, is] = [before, after].map((totals) => (totals ? format(totals) : MISSING))
              return (
                <td key={label} className={className}>
                  {is}
                  {was !== is && <small className="tiny">{`was ${was}`}</small>}
                  {axis && after && <InclEarlier part={after} axis={axis} />}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const datesOf = (start: string, end: string | null, formats: Formats) =>
  `${FIELDS.dateStarted.format(start, formats)} – ${end === null ? 'in use' : FIELDS.dateEnded.format(end, formats)}`
