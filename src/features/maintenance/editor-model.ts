import type { Verdict } from './judge.ts'

/** What an editor shows and does, be it a record's or the new-row line's. */
export type EditorModel = {
  label: string
  text: string
  verdict: Verdict
  isDirty: boolean
  isSaving: boolean
  /** Text below the editor that is not an error. */
  note: string | null
  /** Whether the stored value was changed elsewhere: SAVE keeps this one, `restore` the other. */
  isConflict: boolean
  type: (text: string) => void
  clear: () => void
  save: () => void
  restore: () => void
  leave: () => void
}
