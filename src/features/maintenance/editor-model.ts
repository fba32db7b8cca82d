import type { Verdict } from './judge.ts'

/** What an editor shows and does, be it a record's or the new-row line's. */
export type EditorModel = {
  label: string
  text: string
  verdict: Verdict
  isDirty: boolean
  isSaving: boolean
  /** A word beside the editor that is no fault. */
  note: string | null
  type: (text: string) => void
  save: () => void
  restore: () => void
  leave: () => void
}
