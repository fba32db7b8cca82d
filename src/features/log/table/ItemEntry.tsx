import { useAtomValue, useSetAtom } from 'jotai'
import { type ComponentProps, use } from 'react'

import { useFormats } from '../../../lib/formats.ts'
import {
  cellKey,
  cellOf,
  clearAtom,
  leaveAtom,
  restoreAtom,
  saveCellAtom,
  savingAtom,
  typeAtom,
} from '../data/cell.ts'
import { draftAtom } from '../data/drafts.ts'
import type { Field, Item } from '../data/fields.ts'
import { entryId } from '../data/jump.ts'
import { DeleteCell } from '../details/DeleteItem.tsx'
import { DetailsButton } from '../details/Details.tsx'
import { FieldEditor } from './FieldEditor.tsx'
import { Entry, MarkupContext } from './markup.tsx'
import { UseCell, UseNote } from './UseCells.tsx'

/** Renders an item's row or open card, with an editor for each field. */
export function ItemEntry({ item, ...props }: { item: Item } & ComponentProps<'tr'>) {
  const { fields } = use(MarkupContext)
  return (
    <Entry id={entryId(item.id)} data-item={item.id} {...props}>
      {fields.map((field) => (
        <FieldCell key={field} item={item} field={field} />
      ))}
      <UseCell item={item} field="useMiles">
        <UseNote item={item} />
      </UseCell>
      <UseCell item={item} field="useTime" />
      <DeleteCell item={item} />
    </Entry>
  )
}

export function FieldCell({ item, field }: { item: Item; field: Field }) {
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
  const lead = field === 'name' && <DetailsButton item={item} />
  return <FieldEditor bikeId={item.bikeId} field={field} model={model} lead={lead} />
}
