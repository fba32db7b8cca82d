import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, type ReactNode, type RefObject, use, useRef, useState } from 'react'

import { useReadOnly } from '../../../components/read-only.ts'
import type { Field } from '../data/fields.ts'
import { hasNewDraftAtom, insertAtom, insertingAtom, newCellAtom, typeNewAtom } from '../data/new-item.ts'
import { entryId } from '../data/jump.ts'
import { heldItemAtom } from '../data/open-item.ts'
import { FieldEditor } from './FieldEditor.tsx'
import styles from './LogTable.module.css'
import { Cell, Entry, MarkupContext } from './markup.tsx'

/** Renders the row or card for a new item. SAVE, or Enter in any field, adds the item. */
export function NewRow({ bikeId }: { bikeId: number }) {
  const row = useRef<HTMLTableRowElement>(null)
  const { fields } = use(MarkupContext)
  const insert = useSetAtom(insertAtom)
  const hold = useSetAtom(heldItemAtom)
  const hasDraft = useAtomValue(hasNewDraftAtom(bikeId))
  const isInserting = useAtomValue(insertingAtom)
  const [isNameRequested, setNameRequested] = useState(false)

  const focus = (selector: string) => row.current?.querySelector<HTMLElement>(selector)?.focus()
  const add = async () => {
    // SAVE disappears with the drafts, so focus the first field for the next item.
    focus('input')
    const result = await insert(bikeId, hold)
    setNameRequested(result === 'nameless')
    if (result === 'invalid') focus('[aria-invalid=true]')
  }

  /** Focus starts at the name, so Tab goes back to the type, then forward to the description. */
  const passType = (event: KeyboardEvent) => {
    const [name, type, description] = ['name', 'type', 'description'].map((field) =>
      row.current?.querySelector<HTMLInputElement>(`[data-field='${field}'] :is(input, select)`),
    )
    if (event.key !== 'Tab' || event.shiftKey || !name?.value) return
    const target =
      event.target === type ? description : event.target === name && type?.value === '' ? type : null
    if (!target) return
    event.preventDefault()
    target.focus()
  }

  return (
    <EntryRow
      row={row}
      id="new"
      label="New log entry"
      onKeyDown={passType}
      isBusy={isInserting}
      onSave={hasDraft ? () => void add() : undefined}
    >
      {fields.map((field) => (
        <NewFieldCell
          key={field}
          bikeId={bikeId}
          field={field}
          isRequested={field === 'name' && isNameRequested}
          onSave={() => void add()}
        />
      ))}
    </EntryRow>
  )
}

type EntryRowProps = {
  row: RefObject<HTMLTableRowElement | null>
  id: Parameters<typeof entryId>[0]
  label: string
  isBusy: boolean
  onKeyDown?: (event: KeyboardEvent) => void
  /** Without it, there is no SAVE. */
  onSave: (() => void) | undefined
  onCancel?: () => void
  children: ReactNode
}

/** Renders a row or card for an item that isn't stored yet. */
export function EntryRow(props: EntryRowProps) {
  const { row, id, label, isBusy, onKeyDown, onSave, onCancel, children } = props
  const readOnly = useReadOnly()
  return (
    <Entry
      ref={row}
      id={entryId(id)}
      aria-label={label}
      className={use(MarkupContext).unstored}
      aria-busy={isBusy}
      onKeyDown={onKeyDown}
    >
      {children}
      <Cell field="aside" colSpan={onCancel ? 1 : 2} className={styles.action}>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </Cell>
      <Cell field="action" className={styles.action}>
        {onSave && (
          <button type="button" className="primary" {...readOnly} aria-disabled={isBusy} onClick={onSave}>
            SAVE
          </button>
        )}
      </Cell>
    </Entry>
  )
}

const NAME_REQUIRED = { status: 'invalid', message: 'Enter a name first.' } as const

/** `isRequested` means that the owner pressed SAVE without filling in this field. */
type CellProps = { bikeId: number; field: Field; isRequested: boolean; onSave: () => void }

function NewFieldCell({ bikeId, field, isRequested, onSave }: CellProps) {
  const { text, state } = useAtomValue(newCellAtom(`${bikeId}/${field}`))
  const type = useSetAtom(typeNewAtom)
  const clear = () => type(bikeId, field, '')
  const model = {
    text,
    state: isRequested && text.trim() === '' ? NAME_REQUIRED : state,
    isDirty: state.status !== 'clean',
    type: (next: string) => type(bikeId, field, next),
    clear,
    save: onSave,
    restore: clear,
  }
  return <FieldEditor bikeId={bikeId} field={field} model={model} isNew />
}
