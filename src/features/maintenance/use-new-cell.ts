import { useAtomValue, useSetAtom } from 'jotai'

import type { EditorModel } from './editor-model.ts'
import { type Field, LABELS } from './fields.ts'
import { hintOf } from './judge.ts'
import { newCellAtom, typeNewAtom } from './new-item.ts'

/** The editor of a field of the new-row line; `insert` is what Enter does. */
export function useNewCell(bikeId: number, field: Field, insert: () => void): EditorModel {
  const { text, verdict } = useAtomValue(newCellAtom(`${bikeId}/${field}`))
  const type = useSetAtom(typeNewAtom)
  return {
    label: LABELS[field],
    text,
    verdict,
    isDirty: verdict.status !== 'clean',
    isSaving: false,
    note: hintOf(verdict),
    isConflict: false,
    type: (next) => type(bikeId, field, next),
    clear: () => type(bikeId, field, ''),
    save: insert,
    restore: () => type(bikeId, field, ''),
    leave: () => undefined,
  }
}
