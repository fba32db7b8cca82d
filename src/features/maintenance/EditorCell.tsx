import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'

import { focusQuietly } from '../../components/quiet-focus.ts'
import { useReadOnly } from '../../components/read-only.ts'
import styles from './EditorCell.module.css'
import type { EditorModel } from './editor-model.ts'

/** What every kind of input takes from its cell. */
export type InputProps = {
  'aria-label': string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  readOnly: boolean
  value: string
}

type Props = {
  model: EditorModel
  kind: 'type' | 'text' | 'cost' | 'date'
  /** Whether the cell has a SAVE of its own; the new-row line has one for all its fields. */
  hasSave: boolean
  children: (input: InputProps) => ReactNode
}

/** A cell of the log with its editor: red and with SAVE while changed. Enter saves and Escape restores. */
export function EditorCell({ model, kind, hasSave, children }: Props) {
  const noteId = useId()
  const readOnly = useReadOnly()
  const { verdict } = model
  const isInvalid = verdict.status === 'invalid'
  const note = isInvalid ? verdict.reason : model.note
  const isSaveShown = hasSave && model.isDirty

  const cell = useRef<HTMLTableCellElement>(null)
  useEffect(() => {
    // SAVE or a reason may have grown under the table's foot.
    const hasGrown = note !== null || model.isDirty
    if (hasGrown && cell.current?.contains(document.activeElement))
      cell.current.scrollIntoView({ block: 'nearest' })
  }, [note, model.isDirty])

  const press = (event: KeyboardEvent) => {
    if (readOnly.disabled || event.defaultPrevented || event.target instanceof HTMLButtonElement) return
    if (event.key === 'Enter') model.save()
    else if (event.key === 'Escape') model.restore()
    else return
    event.preventDefault()
  }

  return (
    <td ref={cell} className={styles.cell} data-dirty={model.isDirty ? 'true' : undefined}>
      <div
        role="presentation"
        className={styles.editor}
        data-kind={kind}
        data-saves={isSaveShown ? '' : undefined}
        onKeyDown={press}
        onBlur={readOnly.disabled ? undefined : model.leave}
      >
        {children({
          'aria-label': model.label,
          'aria-invalid': isInvalid,
          'aria-describedby': note === null ? readOnly['aria-describedby'] : noteId,
          readOnly: readOnly.disabled,
          value: model.text,
        })}
        {isSaveShown && (
          <SaveButton model={model} reason={isInvalid ? noteId : readOnly['aria-describedby']} />
        )}
      </div>
      {note !== null && (
        <p id={noteId} className={isInvalid ? styles.reason : styles.note}>
          {note}
        </p>
      )}
      {model.isConflict && (
        <button
          type="button"
          className={styles.discard}
          {...readOnly}
          onClick={() => {
            if (cell.current) keepPlace(cell.current)
            model.restore()
          }}
        >
          Discard my change
        </button>
      )}
    </td>
  )
}

/** `reason` is the id of the text that says why nothing can be saved. */
type SaveProps = { model: EditorModel; reason: string | undefined }

function SaveButton({ model, reason }: SaveProps) {
  return (
    <button
      type="button"
      className={`primary ${styles.save}`}
      disabled={reason !== undefined}
      aria-busy={model.isSaving}
      aria-describedby={reason}
      onClick={(event) => {
        keepPlace(event.currentTarget.parentElement)
        model.save()
      }}
    >
      SAVE
    </button>
  )
}

type ClearProps = { model: EditorModel; label: string; input: InputProps }

/** Shown while there is something to clear. A value that was emptied by typing can still be cleared. */
export function ClearButton({ model, label, input }: ClearProps) {
  if (model.text === '' && model.verdict.status !== 'invalid') return null
  return (
    <button
      type="button"
      className={styles.clear}
      aria-label={label}
      disabled={input.readOnly}
      aria-describedby={input['aria-describedby']}
      onClick={(event) => {
        keepPlace(event.currentTarget.parentElement)
        model.clear()
      }}
    >
      ×
    </button>
  )
}

/** Moves the focus to the editor before the button that has it disappears. */
function keepPlace(around: HTMLElement | null): void {
  const field = around?.querySelector<HTMLElement>('input, select')
  if (field) focusQuietly(field)
}
