import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'

import { quote } from '../../lib/quote.ts'
import type { Item } from './api.ts'
import { cellKey, cellOf, clearAtom, leaveAtom, restoreAtom, savingAtom, typeAtom } from './cell.ts'
import { draftAtom } from './drafts.ts'
import type { EditorModel } from './editor-model.ts'
import { type Field, LABELS } from './fields.ts'
import { hintOf } from './judge.ts'
import { saveCellAtom } from './save.ts'

/** The editor of a record's field. */
export function useCell(item: Item, field: Field): EditorModel {
  const key = cellKey(item, field)
  const draft = useAtomValue(draftAtom(key))
  const saving = useAtomValue(savingAtom(key))
  const type = useSetAtom(typeAtom)
  const clear = useSetAtom(clearAtom)
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
      note: changedTo === null ? hintOf(verdict) : noteOf(changedTo),
      isConflict: changedTo !== null,
      clear: () => clear(item, field),
      type: (next) => type(item, field, next),
      save: () => void save(item, field),
      restore: () => restore(item, field),
      leave: () => leave(item, field),
    }
  }, [item, field, draft, saving, type, clear, save, restore, leave])
}

function noteOf(changedTo: string): string {
  return changedTo === '' ? 'Cleared elsewhere.' : `Changed elsewhere to ${quote(changedTo)}.`
}
