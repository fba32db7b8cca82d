import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai'
import { use, useEffect, useId, useMemo, useRef } from 'react'

import { END_REASONS } from '../../../../supabase/functions/_shared/limits.ts'
import type { Item } from '../data/fields.ts'
import type { Reason } from '../actions/api.ts'
import {
  closeReplaceLineAtom,
  isReplacing,
  type LINE_FIELDS,
  lineCell,
  reasonAtom,
  replaceAtom,
  requestedAtom,
  restoreLineAtom,
  savingAtom,
  typeLineAtom,
} from '../actions/replace.ts'
import { type EditorModel, FieldEditor } from './FieldEditor.tsx'
import { EntryRow } from './NewRow.tsx'
import { Cell, MarkupContext, WideRow } from './markup.tsx'
import styles from './ReplaceLine.module.css'

/** Renders a prefilled row for an item's replacement. SAVE, or Enter in any field, replaces the item. */
export function ReplaceLine({ item }: { item: Item }) {
  if (!useIsReplaced(item)) return null
  return (
    <>
      {/* Shows the line's accessible name. */}
      <WideRow className={styles.title} aria-hidden>
        {`Replace ${item.name}`}
      </WideRow>
      <Line item={item} />
    </>
  )
}

export function useIsReplaced(item: Item): boolean {
  const isShownAtom = useMemo(() => atom((get) => isReplacing(get, item)), [item])
  return useAtomValue(isShownAtom)
}

function Line({ item }: { item: Item }) {
  const row = useRef<HTMLTableRowElement>(null)
  const isRequested = useAtomValue(requestedAtom) === item.id
  const isSaving = useAtomValue(savingAtom) === item.id
  const replace = useSetAtom(replaceAtom)
  const close = useSetAtom(closeReplaceLineAtom)
  const { fields } = use(MarkupContext)

  useEffect(() => {
    if (!isRequested) return
    const cost = row.current?.querySelector<HTMLInputElement>('[data-field="cost"] input')
    cost?.focus()
    cost?.select()
  }, [isRequested])

  const save = async () => {
    if (await replace(item)) return
    row.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  return (
    <EntryRow
      row={row}
      id={`replace-${item.id}`}
      label={`Replace ${item.name}`}
      isBusy={isSaving}
      onSave={() => void save()}
      onCancel={() => {
        close(item)
        document.getElementById(replaceButtonId(item))?.focus()
      }}
    >
      {fields
        .filter((field) => field !== 'dateEnded')
        .map((field) => (
          <LineCell key={field} item={item} field={field} onSave={() => void save()} />
        ))}
      <ReasonCell item={item} />
    </EntryRow>
  )
}

export const replaceButtonId = ({ id }: Item) => `replace-${id}`

type CellProps = { item: Item; field: (typeof LINE_FIELDS)[number]; onSave: () => void }

function LineCell({ item, field, onSave }: CellProps) {
  const cellAtom = useMemo(() => atom((get) => lineCell(get, item, field)), [item, field])
  const { text, isChanged, state } = useAtomValue(cellAtom)
  const type = useSetAtom(typeLineAtom)
  const restore = useSetAtom(restoreLineAtom)
  const model: EditorModel = {
    text,
    state,
    isDirty: isChanged || state.status === 'invalid',
    type: (next) => type(item, field, next),
    clear: () => type(item, field, ''),
    save: onSave,
    restore: () => restore(item, field),
  }
  return <FieldEditor bikeId={item.bikeId} field={field} model={model} isNew />
}

function ReasonCell({ item }: { item: Item }) {
  const [reason, choose] = useAtom(reasonAtom(item.id))
  return (
    <Cell field="reason" colSpan={2} className={styles.reason}>
      <ReasonSelect label="Why it came off" value={reason} onChange={choose} />
    </Cell>
  )
}

type SelectProps = { label: string; value: Reason; disabled?: boolean; onChange: (reason: Reason) => void }

export function ReasonSelect({ label, value, disabled, onChange }: SelectProps) {
  const id = useId()
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        disabled={disabled}
        onChange={(event) => onChange(END_REASONS.find((reason) => reason === event.target.value) ?? null)}
      >
        <option value="">unknown</option>
        {END_REASONS.map((reason) => (
          <option key={reason}>{reason}</option>
        ))}
      </select>
    </div>
  )
}
