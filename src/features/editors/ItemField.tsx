import { useAtomValue, useSetAtom } from 'jotai'

import { useFormats } from '../../lib/formats.ts'
import {
  cellKey,
  cellOf,
  clearAtom,
  leaveAtom,
  restoreAtom,
  saveCellAtom,
  savingAtom,
  typeAtom,
} from '../entries/cell.ts'
import { draftAtom } from '../entries/drafts.ts'
import type { Field, Item } from '../entries/fields.ts'
import { FieldEditor, type Shape } from './FieldEditor.tsx'

/** An editor for an item's field. Its SAVE saves only this field. */
export function ItemField({ item, field, ...shape }: { item: Item; field: Field } & Shape) {
  const key = cellKey(item, field)
  const draft = useAtomValue(draftAtom(key))
  const saving = useAtomValue(savingAtom(key))
  const cell = cellOf(item, field, draft, saving, useFormats())
  const type = useSetAtom(typeAtom)
  const clear = useSetAtom(clearAtom)
  const save = useSetAtom(saveCellAtom)
  const restore = useSetAtom(restoreAtom)
  const leave = useSetAtom(leaveAtom)
  const model = {
    ...cell,
    isDirty: cell.isSaving || cell.state.status !== 'clean',
    type: (text: string) => type(item, field, text),
    clear: () => clear(item, field),
    save: () => void save(item, field),
    restore: () => restore(item, field),
    leave: () => leave(item, field),
  }
  return <FieldEditor {...shape} bikeId={item.bikeId} field={field} model={model} />
}
