import { useSetAtom } from 'jotai'
import { type KeyboardEvent, type ReactNode, use, useEffect, useId, useRef } from 'react'

import { announceAtom } from '../../components/announcements.tsx'
import { focusWithoutCalendar } from '../../components/DateInput.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import type { FieldKind } from '../../lib/field-kinds.ts'
import type { Field, FieldState } from '../items/fields.ts'
import styles from './EditorCell.module.css'
import { Cell, MarkupContext, NameIdContext } from './markup.tsx'

export type EditorModel = {
  text: string
  state: FieldState
  isDirty: boolean
  isSaving: boolean
  /** Text below the editor that is not an error. */
  note: string | null
  /** Whether the stored value changed elsewhere. SAVE overwrites it, and `restore` returns to it. */
  isConflict: boolean
  type: (text: string) => void
  clear: () => void
  save: () => void
  restore: () => void
  leave: () => void
}

export type InputProps = {
  id: string
  'aria-label': string | undefined
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  readOnly: boolean
  value: string
}

type Props = {
  field: Field
  label: string
  model: EditorModel
  kind: FieldKind<unknown>['editor']
  /** False in the new row, which has one SAVE for all its fields. */
  hasSave: boolean
  lead?: ReactNode
  children: (input: InputProps) => ReactNode
}

export function EditorCell({ field, label, model, kind, hasSave, lead, children }: Props) {
  const [id, noteId] = [useId(), useId()]
  const nameId = use(NameIdContext)
  const isOnCard = use(MarkupContext).cell === 'div'
  const readOnly = useReadOnly()
  const { state } = model
  const isInvalid = state.status === 'invalid'
  const note = isInvalid ? state.message : model.note
  const isSaveShown = hasSave && model.isDirty

  const cell = useRef<HTMLTableCellElement>(null)
  useEffect(() => {
    // SAVE or the note may have extended the cell below the visible part of the table.
    const hasGrown = note !== null || model.isDirty
    if (hasGrown && cell.current?.contains(document.activeElement))
      cell.current.scrollIntoView({ block: 'nearest' })
  }, [note, model.isDirty])

  const announce = useSetAtom(announceAtom)
  useEffect(() => {
    if (model.note !== null && cell.current?.contains(document.activeElement)) announce(model.note)
  }, [model.note, announce])

  const onKeyDown = (event: KeyboardEvent) => {
    if (readOnly.disabled || event.defaultPrevented || event.target instanceof HTMLButtonElement) return
    if (event.key === 'Enter') model.save()
    else if (event.key === 'Escape') model.restore()
    else return
    event.preventDefault()
  }

  return (
    <Cell field={field} ref={cell} className={styles.cell} data-dirty={isSaveShown ? 'true' : undefined}>
      {isOnCard && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      {lead}
      <div
        role="presentation"
        className={styles.editor}
        data-kind={kind}
        title={kind === 'text' ? model.text : undefined}
        data-saves={isSaveShown ? '' : undefined}
        onKeyDown={onKeyDown}
        onBlur={readOnly.disabled ? undefined : model.leave}
      >
        {children({
          id,
          'aria-label': isOnCard ? undefined : label,
          'aria-invalid': isInvalid,
          'aria-describedby': (note === null ? readOnly['aria-describedby'] : noteId) ?? nameId,
          readOnly: readOnly.disabled,
          value: model.text,
        })}
        {isSaveShown && (
          <SaveButton
            model={model}
            isDisabled={isInvalid || readOnly.disabled}
            describedBy={(isInvalid ? noteId : readOnly['aria-describedby']) ?? nameId}
          />
        )}
      </div>
      {note !== null && (
        <p id={noteId} className={isInvalid ? styles.problem : styles.note}>
          {note}
        </p>
      )}
      {model.isConflict && (
        <button
          type="button"
          className={styles.discard}
          {...readOnly}
          onClick={() => {
            focusEditor(cell.current)
            model.restore()
          }}
        >
          Discard my change
        </button>
      )}
    </Cell>
  )
}

type SaveProps = { model: EditorModel; isDisabled: boolean; describedBy: string | undefined }

function SaveButton({ model, isDisabled, describedBy }: SaveProps) {
  return (
    <button
      type="button"
      className={`primary ${styles.save}`}
      disabled={isDisabled}
      aria-busy={model.isSaving}
      aria-describedby={describedBy}
      onClick={(event) => {
        focusEditor(event.currentTarget.parentElement)
        model.save()
      }}
    >
      SAVE
    </button>
  )
}

type ClearProps = { model: EditorModel; label: string; input: InputProps }

/** Renders nothing if there is nothing to clear. A required field that was emptied by typing can still be cleared. */
export function ClearButton({ model, label, input }: ClearProps) {
  const isInvalid = model.state.status === 'invalid'
  if (model.text === '' && !isInvalid) return null
  return (
    <button
      type="button"
      // Tab skips this button, unless only this button can empty the field.
      tabIndex={isInvalid ? 0 : -1}
      className={styles.clear}
      aria-label={label}
      disabled={input.readOnly}
      aria-describedby={input['aria-describedby']}
      onClick={(event) => {
        focusEditor(event.currentTarget.parentElement)
        model.clear()
      }}
    >
      ×
    </button>
  )
}

/** Focuses the editor before the focused button disappears. */
function focusEditor(container: HTMLElement | null): void {
  const editor = container?.querySelector<HTMLElement>('input, select')
  if (editor) focusWithoutCalendar(editor)
}
