import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'

import { quote } from '../../lib/quote.ts'
import { cellKey, cellOf, clearAtom, leaveAtom, restoreAtom, savingAtom, typeAtom } from './cell.ts'
import { DetailsButton } from './Details.tsx'
import { draftAtom } from './drafts.ts'
import type { EditorModel } from './EditorCell.tsx'
import { FieldEditor } from './FieldEditor.tsx'
import type { Field, Item } from './fields.ts'
import { saveCellAtom } from './save.ts'
import { hintOf } from './validate.ts'

type Props = { item: Item; field: Field }

/** A field of a stored item. */
export function FieldCell({ item, field }: Props) {
  const lead = field === 'name' ? <DetailsButton item={item} /> : null
  return <FieldEditor bikeId={item.bikeId} field={field} model={useCell(item, field)} lead={lead} />
}

function useCell(item: Item, field: Field): EditorModel {
  const key = cellKey(item, field)
  const draft = useAtomValue(draftAtom(key))
  const saving = useAtomValue(savingAtom(key))
  const type = useSetAtom(typeAtom)
  const clear = useSetAtom(clearAtom)
  const save = useSetAtom(saveCellAtom)
  const restore = useSetAtom(restoreAtom)
  const leave = useSetAtom(leaveAtom)

  return useMemo(() => {
    const { text, state, isSaving, changedTo } = cellOf(item, field, draft, saving)
    return {
      text,
      state,
      isSaving,
      isDirty: isSaving || state.status !== 'clean',
      note: changedTo === null ? hintOf(state) : conflictNote(changedTo),
      isConflict: changedTo !== null,
      type: (next) => type(item, field, next),
      clear: () => clear(item, field),
      save: () => void save(item, field),
      restore: () => restore(item, field),
      leave: () => leave(item, field),
    }
  }, [item, field, draft, saving, type, clear, save, restore, leave])
}

function conflictNote(changedTo: string): string {
  return changedTo === '' ? 'Cleared elsewhere.' : `Changed elsewhere to ${quote(changedTo)}.`
}
