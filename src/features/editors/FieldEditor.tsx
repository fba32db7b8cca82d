import { useSetAtom } from 'jotai'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'

import { announceAtom } from '../../components/announcements.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { quote } from '../../lib/formats.ts'
import type { Completion } from '../entries/completions.ts'
import { type Field, FIELDS, type FieldState, hintOf } from '../entries/fields.ts'
import styles from './FieldEditor.module.css'
import { ClearButton, FieldInput, focusEditor } from './FieldInput.tsx'

export type EditorModel = {
  text: string
  state: FieldState
  isDirty: boolean
  isSaving?: boolean
  /** The stored value, if it changed elsewhere. SAVE overwrites it, and `restore` returns to it. */
  changedTo?: string | null
  type: (text: string) => void
  clear: () => void
  save: () => void
  restore: () => void
  leave?: () => void
  /** Takes a completion of the text. */
  complete?: (completion: Completion) => void
}

/** Editors are cells of the table or, as blocks with a label, part of a dialog. */
export type Shape = {
  as: 'td' | 'th' | 'div'
  /** The id of the row's name, because many rows repeat the fields' names. */
  nameId?: string | undefined
  lead?: ReactNode
  /** Text beside the value. */
  trail?: ReactNode
}

type Props = Shape & {
  bikeId: number
  field: Field
  model: EditorModel
  /** Whether the entry isn't stored yet, so it has one SAVE for all its fields. */
  isNew?: boolean
}

export function FieldEditor({ as, nameId, lead, trail, bikeId, field, model, isNew = false }: Props) {
  const [id, noteId] = [useId(), useId()]
  const isBlock = as === 'div'
  const readOnly = useReadOnly(isNew ? 'add_item' : 'edit_row')
  const { label, editor: kind, clearLabel } = FIELDS[field]
  const { state, changedTo = null } = model
  const isInvalid = state.status === 'invalid'
  const hint = changedTo === null ? hintOf(state) : conflictNote(changedTo)
  const note = isInvalid ? state.message : hint
  const isSaveShown = !isNew && model.isDirty

  const cell = useRef<HTMLTableCellElement>(null)
  useEffect(() => {
    // SAVE or the note may have extended the cell below the visible part of the table.
    const hasGrown = note !== null || model.isDirty
    if (hasGrown && cell.current?.contains(document.activeElement))
      cell.current.scrollIntoView({ block: 'nearest' })
  }, [note, model.isDirty])

  const announce = useSetAtom(announceAtom)
  useEffect(() => {
    if (hint !== null && cell.current?.contains(document.activeElement)) announce(hint)
  }, [hint, announce])

  const onKeyDown = (event: KeyboardEvent) => {
    if (readOnly.disabled || event.defaultPrevented || event.target instanceof HTMLButtonElement) return
    if (event.key === 'Enter') model.save()
    else if (event.key === 'Escape' && model.isDirty) model.restore()
    else return
    event.preventDefault()
  }

  const input = {
    id,
    'aria-label': isBlock ? undefined : label,
    'aria-invalid': isInvalid,
    'aria-describedby': (note === null ? readOnly['aria-describedby'] : noteId) ?? nameId,
    readOnly: readOnly.disabled,
    value: model.text,
  }
  const editor = (
    <FieldInput
      bikeId={bikeId}
      field={field}
      isNew={isNew}
      input={input}
      onType={model.type}
      onComplete={model.complete}
    />
  )
  const Cell = as as 'td'
  return (
    <Cell
      ref={cell}
      // The name is the row's header.
      {...(as === 'th' && { scope: 'row', 'aria-labelledby': nameId })}
      className={styles.cell}
      data-field={field}
      data-dirty={isSaveShown ? 'true' : undefined}
    >
      {isBlock && (
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
        {trail ? (
          <>
            <span className={styles.sized} data-text={model.text}>
              {editor}
            </span>
            {/* A click beside the text focuses the field. */}
            <label htmlFor={id} className={styles.trail}>
              {trail}
            </label>
          </>
        ) : (
          editor
        )}
        {clearLabel !== undefined && <ClearButton label={clearLabel} input={input} onClear={model.clear} />}
        {isSaveShown && (
          <button
            type="button"
            className={`primary ${styles.save}`}
            disabled={isInvalid || readOnly.disabled}
            aria-busy={model.isSaving}
            aria-describedby={(isInvalid ? noteId : readOnly['aria-describedby']) ?? nameId}
            onClick={() => {
              focusEditor(cell.current)
              model.save()
            }}
          >
            SAVE
          </button>
        )}
      </div>
      {note !== null && (
        <p id={noteId} className={isInvalid ? styles.problem : styles.note}>
          {note}
        </p>
      )}
      {changedTo !== null && (
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

function conflictNote(changedTo: string): string {
  return changedTo === '' ? 'Cleared elsewhere.' : `Changed elsewhere to ${quote(changedTo)}.`
}
