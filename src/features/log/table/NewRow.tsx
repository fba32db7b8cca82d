import { useSetAtom } from 'jotai'
import { type KeyboardEvent, useEffect, useRef } from 'react'

import { useReadOnly } from '../../../components/read-only.ts'
import { notifyFailure } from '../../../components/toasts.tsx'
import { FormField } from '../../editors/FormField.tsx'
import { COLUMN_COUNT, COLUMN_NAMES } from '../../entries/fields.ts'
import { entryId } from '../../entries/jump.ts'
import { heldItemAtom } from '../../entries/open-item.ts'
import { useNewEntry } from '../actions/new-entry.ts'
import { PartKind } from '../actions/PartKind.tsx'
import { Replaces } from '../actions/Replaces.tsx'
import styles from './LogTable.module.css'

/** The table's row for a new entry. SAVE, or Enter in any field, adds the entry. */
export function NewRow({ bikeId, count }: { bikeId: number; count: number }) {
  const row = useRef<HTMLTableRowElement>(null)
  const { form, kind, off } = useNewEntry(bikeId, { onAdded: useSetAtom(heldItemAtom) })
  const below = useRef<HTMLTableRowElement>(null)
  const hasMore = kind.isShown
  const last = hasMore ? below : row
  // An entry that was added, or what it replaces, may have moved the row out of sight.
  useEffect(() => {
    if (count > 0 && row.current?.contains(document.activeElement))
      last.current?.scrollIntoView({ block: 'nearest' })
  }, [last, count])
  const readOnly = useReadOnly('add_item')

  const focus = (selector: string) => row.current?.querySelector<HTMLElement>(selector)?.focus()
  const add = async () => {
    // SAVE disappears with the drafts, so focus the first field for the next entry.
    focus('input')
    const problem = await form.submit()
    if (problem === '') focus('[aria-invalid=true]')
    else if (problem !== null) notifyFailure(problem)
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
    <>
      <tr
        ref={row}
        id={entryId('new')}
        aria-label="New log entry"
        className={styles.newRow}
        aria-busy={form.isSaving}
        data-entry
        onKeyDown={passType}
      >
        {COLUMN_NAMES.map((field) => (
          <FormField
            key={field}
            as="td"
            form={form}
            bikeId={bikeId}
            field={field}
            onSave={() => void add()}
          />
        ))}
        <td colSpan={2} data-field="aside" />
        <td data-field="action" className={styles.action}>
          {form.isChanged && (
            <button
              type="button"
              className="primary"
              {...readOnly}
              aria-disabled={form.isSaving}
              onClick={() => void add()}
            >
              SAVE
            </button>
          )}
        </td>
      </tr>
      {hasMore && (
        <tr ref={below} className={styles.newRow}>
          <td colSpan={COLUMN_COUNT} data-field="replaces">
            <PartKind {...kind} />
            <Replaces {...off} />
          </td>
        </tr>
      )}
    </>
  )
}
