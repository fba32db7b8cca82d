import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'

import type { Item } from './api.ts'
import { cellKey, cellOf, leaveAtom, restoreAtom, savingAtom, typeAtom } from './cell.ts'
import { draftAtom } from './drafts.ts'
import type { EditorModel } from './editor-model.ts'
import { type Field, LABELS } from './fields.ts'
import { saveCellAtom } from './save.ts'

/** The editor of a record's field. */
export function useCell(item: Item, field: Field): EditorModel {
  const key = cellKey(item, field)
  const draft = useAtomValue(draftAtom(key))
  const saving = useAtomValue(savingAtom(key))
  const type = useSetAtom(typeAtom)
  const save = useSetAtom(saveCellAtom)
  const restore = useSetAtom(restoreAtom)
  const leave = useSetAtom(leaveAtom)

  return useMemo(() => {
    const { text, verdict, isSaving, changedTo } = cellOf(item, field, draft, saving)
    return {
      label: LABELS[field],
      text,
      verdict,
      isSaving,
      isDirty: isSaving || verdict.status !== 'clean',
      note: noteOf(changedTo, verdict.status === 'dirty' ? verdict.hint : null),
      type: (next) => type(item, field, next),
      save: () => void save(item, field),
      restore: () => restore(item, field),
      leave: () => leave(item, field),
    }
  }, [item, field, draft, saving, type, save, restore, leave])
}

function noteOf(changedTo: string | null, hint: string | null): string | null {
  if (changedTo === null) return hint
  return changedTo === '' ? 'Cleared elsewhere meanwhile.' : `Changed elsewhere to “${changedTo}”.`
}
