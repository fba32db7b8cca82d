import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, type ReactNode, type RefObject, use, useRef, useState } from 'react'

import { useReadOnly } from '../../components/read-only.ts'
import { type Field, hintOf } from '../items/fields.ts'
import { hasNewDraftAtom, insertAtom, insertingAtom, newCellAtom, typeNewAtom } from '../items/new-item.ts'
import { entryId } from '../log-view/jump.ts'
import { heldItemAtom } from '../log-view/open-item.ts'
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
  const readOnly = useReadOnly()
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
    const [name, description] = row.current?.querySelectorAll('input') ?? []
    const type = row.current?.querySelector('select')
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
      id={entryId('new')}
      label="New log entry"
      onKeyDown={passType}
      isBusy={isInserting}
      action={
        hasDraft && (
          <button
            type="button"
            className="primary"
            {...readOnly}
            aria-disabled={isInserting}
            onClick={() => void add()}
          >
            SAVE
          </button>
        )
      }
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
  id?: string
  label?: string
  isBusy: boolean
  onKeyDown?: (event: KeyboardEvent) => void
  aside?: ReactNode
  asideSpan?: number
  action: ReactNode
  children: ReactNode
}

/** Renders a row or card for an item that isn't stored yet. */
export function EntryRow(props: EntryRowProps) {
  const { row, id, label, isBusy, onKeyDown, aside, asideSpan = 2, action, children } = props
  return (
    <Entry
      ref={row}
      id={id}
      aria-label={label}
      className={use(MarkupContext).unstored}
      aria-busy={isBusy}
      onKeyDown={onKeyDown}
    >
      {children}
      <Cell field="aside" colSpan={asideSpan} className={styles.action}>
        {aside}
      </Cell>
      <Cell field="action" className={styles.action}>
        {action}
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
    isSaving: false,
    note: hintOf(state),
    isConflict: false,
    type: (next: string) => type(bikeId, field, next),
    clear,
    save: onSave,
    restore: clear,
    leave: () => undefined,
  }
  return <FieldEditor bikeId={bikeId} field={field} model={model} isNew />
}
