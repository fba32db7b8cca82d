import { atom, useAtom, useSetAtom } from 'jotai'

import { ConfirmDialog } from '../../../components/Dialog.tsx'
import { useReadOnly } from '../../../components/read-only.ts'
import { quote } from '../../../lib/formats.ts'
import { cellKey } from '../../entries/cell.ts'
import { draftAtom } from '../../entries/drafts.ts'
import { FIELD_NAMES, type Item } from '../../entries/fields.ts'
import { jumpToAtom, nameId } from '../../entries/jump.ts'
import { logViewAtom, openItemAtom } from '../../entries/open-item.ts'
import { attempt } from '../../journal/mutate.ts'
import styles from './DeleteItem.module.css'

/** Deletes an item and offers Undo. Resolves to whether the item was deleted. */
export const deleteItemAtom = atom(null, async (get, set, item: Item): Promise<boolean> => {
  const drafts = FIELD_NAMES.map((field) => ({ field, draft: get(draftAtom(cellKey(item, field))) }))
  let isDeleted = false
  await attempt(
    get,
    set,
    'delete_item',
    { bikeId: item.bikeId, id: item.id },
    {
      subject: quote(item.name),
      done: 'deleted',
      onWritten() {
        isDeleted = true
        for (const { field } of drafts) set(draftAtom(cellKey(item, field)), null)
      },
      onUndone() {
        for (const { field, draft } of drafts) set(draftAtom(cellKey(item, field)), draft)
        if (get(logViewAtom) === 'table') set(jumpToAtom, item.id)
      },
    },
  )
  return isDeleted
})

const itemToDeleteAtom = atom<Item | null>(null)

function buttonId({ id }: Item): string {
  return `delete-${id}`
}

export function DeleteButton({ item }: { item: Item }) {
  const ask = useSetAtom(itemToDeleteAtom)
  const readOnly = useReadOnly()
  return (
    <button
      type="button"
      id={buttonId(item)}
      className={`quiet ${styles.button}`}
      {...readOnly}
      aria-describedby={readOnly['aria-describedby'] ?? nameId(item)}
      onClick={() => ask(item)}
    >
      Delete
    </button>
  )
}

/** Asks before deleting an item, then focuses a neighbor: its Delete button, or its line, which has none. */
export function DeleteDialog({ items }: { items: readonly Item[] }) {
  const [item, ask] = useAtom(itemToDeleteAtom)
  const deleteItem = useSetAtom(deleteItemAtom)
  const open = useSetAtom(openItemAtom)
  const jumpTo = useSetAtom(jumpToAtom)
  if (item === null) return null

  const confirm = async () => {
    const index = items.findIndex(({ id }) => id === item.id)
    const neighbor = items[index + 1] ?? items[index - 1]
    ask(null)
    if (!(await deleteItem(item))) return
    open(null)
    const button = neighbor && document.getElementById(buttonId(neighbor))
    if (button) button.focus()
    else jumpTo(neighbor?.id ?? 'new')
  }

  return (
    <ConfirmDialog
      question="Are you sure to delete this record?"
      detail={item.name}
      confirmLabel="Delete"
      onConfirm={() => void confirm()}
      onCancel={() => ask(null)}
    />
  )
}
